"""Errors as values, so that they travel: the same class, text and data on the other side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from harness import errors
from harness.errors import HarnessError


@dataclass(frozen=True, slots=True)
class Told:
    """An exception of ours: its class by name, its arguments, its data."""

    kind: str
    args: tuple[Any, ...]
    data: dict[str, Any]


def told(error: HarnessError) -> Told:
    """Take an error apart."""
    kind = next(c.__name__ for c in type(error).__mro__ if hasattr(errors, c.__name__))
    return Told(kind, error.args, dict(error.__dict__))


def untold(message: Told) -> HarnessError:
    """Put an error together again."""
    kind = getattr(errors, message.kind)
    error: HarnessError = kind.__new__(kind, *message.args)
    error.args = message.args
    error.__dict__.update(message.data)
    return error
