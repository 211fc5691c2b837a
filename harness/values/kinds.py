"""Arguments that a Python program gives, refused in words where they are of another kind."""

from __future__ import annotations

import os
import reprlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from harness.errors import ArgumentError, RequestError


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


def wholes(argument: str, value: Any) -> tuple[int, ...]:
    """Some whole numbers.

    Raises:
        ArgumentError: they are none.
    """
    listed = isinstance(value, list | tuple)
    if listed and all(isinstance(part, int) and not isinstance(part, bool) for part in value):
        return tuple(value)
    raise ArgumentError(argument, f"must be a list of whole numbers, not {short(value)}")


def path(argument: str, value: Any) -> Path:
    """A path.

    Raises:
        ArgumentError: it is none.
    """
    found = os.fspath(value) if isinstance(value, str | os.PathLike) else None
    if not isinstance(found, str):
        raise ArgumentError(argument, f"must be a path, not {short(value)}")
    return Path(found)


_LONGEST_NAME = 240
"""Bytes; file systems take 255, with what a movie's name ends in."""

_SHOWN = 60


def saved_name(name: str) -> None:
    """Refuse a savestate's name that is no file's.

    Raises:
        RequestError: it is none.
    """
    plain = name.isprintable() and name.strip() == name and not name.startswith(".")
    if not name or not plain or Path(name).name != name or len(os.fsencode(name)) > _LONGEST_NAME:
        shown = name if len(name) <= _SHOWN else f"{name[:_SHOWN]}..."
        raise RequestError(f"a savestate's name is a file's name, not {shown!r}")


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
