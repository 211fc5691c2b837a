"""The values that a game's objects hold, as plain ones: what is hashed, compared and shown."""

from __future__ import annotations

import enum
import functools
import hashlib
from collections import deque
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

from harness.values.sight import EntityView, Point, RayHit

SCALARS = (bool, int, float, str, bytes, type(None))
DEPTH = 6
_MOST_SHOWN = 1000

Named = Callable[[object], str | None]


def scalar(value: Any) -> Any:
    """A scalar of a subclass (an IntEnum, a str of the game's own) as the scalar that it is."""
    if type(value) in SCALARS:
        return value
    kinds: tuple[Any, ...] = (int, float, str, bytes)
    return next(kind(value) for kind in kinds if isinstance(value, kind))


def plain(value: Any, named: Named, depth: int = DEPTH) -> Any:
    """Give a value as scalars, lists, dicts, points, entity names; else as its type's name."""
    try:
        return _plain(value, named, depth)
    except Exception:  # a game's value, and pygame-ce's key states, may refuse to be looked through
        return type(value).__name__


def _plain(value: Any, named: Named, depth: int) -> Any:
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, SCALARS):
        return scalar(value)
    name = named(value)
    if name is not None:
        return name
    value = native(value)
    if isinstance(value, SCALARS):
        return value
    if is_point(value):
        return Point(value[0], value[1])
    if is_row(value):
        return list(value)
    return _plain_parts(value, named, depth - 1) if depth > 0 else type(value).__name__


def _plain_parts(value: Any, named: Named, depth: int) -> Any:
    if isinstance(value, EntityView):
        return value.name
    if type(value).__name__ == "ScancodeWrapper":  # all 512 keys: a tuple that one looks into
        return "ScancodeWrapper"
    if isinstance(value, RayHit):
        return {name: plain(getattr(value, name), named, depth) for name in RayHit._fields}
    if isinstance(value, list | tuple | deque):
        return [plain(item, named, depth) for item in islice(value, _MOST_SHOWN)]
    if isinstance(value, set | frozenset):
        return sorted((plain(item, named, depth) for item in value), key=repr)[:_MOST_SHOWN]
    # Of its type: an object may answer whatever it likes when it is asked for its class.
    if issubclass(type(value), Mapping):
        pairs = list(value.items())[:_MOST_SHOWN]
        return {_key(key, named): plain(item, named, depth) for key, item in pairs}
    return type(value).__name__


def is_point(value: Any) -> bool:
    """Whether a value is a vector of two numbers with names: Vec2d, Vector2, our Point."""
    if isinstance(value, tuple):
        if len(value) != 2 or not hasattr(value, "x") or not hasattr(value, "y"):
            return False
        return isinstance(value[0], int | float) and isinstance(value[1], int | float)
    return type(value).__name__ == "Vector2" and hasattr(value, "x")


def is_row(value: Any) -> bool:
    """Whether a value is one of pygame's, or made from one, that is a row of numbers."""
    kind: Any = type(value)
    return _is_row(kind)


_ROWS = ("Rect", "FRect", "Color", "Vector3")


@functools.lru_cache(maxsize=4096)
def _is_row(kind: type) -> bool:
    return any(b.__name__ in _ROWS and b.__module__.startswith("pygame.") for b in kind.__mro__)


def native(value: Any) -> Any:
    """What a number or an array of numpy's holds, as Python has it."""
    if type(value).__module__ != "numpy" or not hasattr(value, "tolist"):
        return value
    if value.size > _MOST_SHOWN and value.dtype.kind != "O":
        return f"{value.shape} {hashlib.blake2b(value.tobytes(), digest_size=8).hexdigest()}"
    return value.tolist()


def _key(key: Any, named: Named) -> Any:
    value = plain(key, named, 2)
    return value if isinstance(value, str | int | float | bool | None) else repr(value)
