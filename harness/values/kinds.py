"""Arguments that a Python program gives, refused in words where they are of another kind."""

from __future__ import annotations

import os
import reprlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from harness.errors import ArgumentError


def text(argument: str, value: Any) -> str:
    """A text.

    Raises:
        ArgumentError: it is none.
    """
    if not isinstance(value, str):
        raise ArgumentError(argument, f"must be text, not {short(value)}")
    return value


def texts(argument: str, value: Any) -> tuple[str, ...]:
    """Some texts, or one.

    Raises:
        ArgumentError: they are none.
    """
    if isinstance(value, str):
        return (value,)
    if isinstance(value, list | tuple) and all(isinstance(part, str) for part in value):
        return tuple(value)
    raise ArgumentError(argument, f"must be text or a list of texts, not {short(value)}")


def path(argument: str, value: Any) -> Path:
    """A path.

    Raises:
        ArgumentError: it is none.
    """
    found = os.fspath(value) if isinstance(value, str | os.PathLike) else None
    if not isinstance(found, str):
        raise ArgumentError(argument, f"must be a path, not {short(value)}")
    return Path(found)


def played(argument: str, value: Any) -> Any:
    """An input: text, a path, a list of events or a function; None is none.

    Raises:
        ArgumentError: it is none of these.
    """
    if value is None or isinstance(value, str | os.PathLike | Callable):
        return value
    if isinstance(value, list | tuple) and all(isinstance(event, Mapping) for event in value):
        return tuple(value)
    raise ArgumentError(
        argument, f"must be text, a list of events, a path or a function, not {short(value)}"
    )


def short(value: Any) -> str:
    """A value in a message."""
    return reprlib.repr(value)
