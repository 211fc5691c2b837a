"""The values that a game's objects hold, as plain ones: what is hashed, compared and shown."""

from __future__ import annotations

import enum
import functools
import hashlib
import random
from collections import deque
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

from harness.values.sight import EntityView, Point, RayHit

SCALARS = (bool, int, float, str, bytes, type(None))
_EXACT = frozenset(SCALARS)
_DEPTH = 6
_MOST_SHOWN = 1000

Named = Callable[[object], str | None]


def scalar(value: Any) -> Any:
    """A scalar of a subclass (an IntEnum, a str of the game's own) as the scalar that it is."""
    if type(value) in SCALARS:
        return value
    kinds: tuple[Any, ...] = (int, float, str, bytes)
    return next(kind(value) for kind in kinds if isinstance(value, kind))


def plain(value: Any, named: Named, depth: int = _DEPTH) -> Any:
    """Give a value as scalars, lists, dicts, points, entity names; else as its type's name."""
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, SCALARS):
        return scalar(value)
    name = named(value)
    if name is not None:
        return name
    value = _native(value)
    if isinstance(value, SCALARS):
        return value
    if is_point(value):
        return Point(value[0], value[1])
    return _plain_parts(value, named, depth - 1) if depth > 0 else type(value).__name__


def _plain_parts(value: Any, named: Named, depth: int) -> Any:
    if isinstance(value, EntityView):
        return value.name
    if isinstance(value, RayHit):
        return {name: plain(getattr(value, name), named, depth) for name in RayHit.__slots__}
    if isinstance(value, list | tuple | deque):
        return [plain(item, named, depth) for item in islice(value, _MOST_SHOWN)]
    if isinstance(value, set | frozenset):
        return sorted((plain(item, named, depth) for item in value), key=repr)[:_MOST_SHOWN]
    if isinstance(value, Mapping):
        items = list(value.items())[:_MOST_SHOWN]
        return {_key(key, named): plain(item, named, depth) for key, item in items}
    return type(value).__name__


def is_point(value: Any) -> bool:
    """Whether a value is a vector of two numbers with names: Vec2d, Vector2, our Point."""
    if isinstance(value, tuple):
        if len(value) != 2 or not hasattr(value, "x") or not hasattr(value, "y"):
            return False
        return isinstance(value[0], int | float) and isinstance(value[1], int | float)
    return type(value).__name__ == "Vector2" and hasattr(value, "x")


def _native(value: Any) -> Any:
    """What a number or an array of numpy's holds, as Python has it."""
    if type(value).__module__ != "numpy" or not hasattr(value, "tolist"):
        return value
    if value.size > _MOST_SHOWN and value.dtype.kind != "O":
        return f"{value.shape} {hashlib.blake2b(value.tobytes(), digest_size=8).hexdigest()}"
    return value.tolist()


def _key(key: Any, named: Named) -> Any:
    value = plain(key, named, 2)
    return value if isinstance(value, str | int | float | bool | None) else repr(value)


class Walk:
    """One walk over everything that some objects hold: (path, scalar) pairs, in a fixed order.

    An object that is met again is told by its type alone, so that a reference to the whole world
    in each entity costs nothing and no cycle goes on for ever.
    """

    def __init__(self, named: Named) -> None:
        self.leaves: list[tuple[str, Any]] = []
        self._named = named
        self._met: dict[int, Any] = {}

    def enter(self, path: str, entity: Any) -> None:
        """Walk one entity; other entities in it are told by their names."""
        self._met[id(entity)] = entity
        self._inner(path, entity, _DEPTH)

    def _value(self, path: str, value: Any, depth: int) -> None:
        if type(value) in _EXACT:
            self.leaves.append((path, value))
            return
        value = _native(value)
        if isinstance(value, (*SCALARS, enum.Enum)) or is_point(value):
            self.leaves.append((path, plain(value, self._named, 0)))
            return
        name = self._named(value)
        if name is not None or depth <= 0 or id(value) in self._met:
            self.leaves.append((path, name or type(value).__name__))
            return
        if not isinstance(value, tuple):
            self._met[id(value)] = value
        self._inner(path, value, depth)

    def _inner(self, path: str, value: Any, depth: int) -> None:
        kind = type(value).__name__
        if isinstance(value, random.Random):
            state = repr(value.getstate()) if type(value) is random.Random else kind
            self.leaves.append((path, state))
            return
        parts = parts_of(value, self._named)
        if parts is None:
            self.leaves.append((path, kind))
            return
        self.leaves.append((path, f"{kind} of {len(parts)}"))
        for name, part in parts:
            self._value(f"{path}{name}", part, depth - 1)


def parts_of(value: Any, named: Named) -> list[tuple[str, Any]] | None:
    """The parts of a container, a body or one of the game's objects; None of anything else."""
    if isinstance(value, list | tuple | deque):
        return [(f"[{i}]", item) for i, item in enumerate(value)]
    if isinstance(value, Mapping):
        return [
            (f"[{key!r}]" if isinstance(key, SCALARS) else f"[{i}]", v)
            for i, (key, v) in enumerate(value.items())
        ]
    if isinstance(value, set | frozenset):
        # The order of a set is no part of its value.
        items = sorted(repr(plain(item, named)) for item in value)
        return [(f"{{{i}}}", item) for i, item in enumerate(items)]
    kind: Any = type(value)
    library, names = _declared(kind)
    parts = [(f".{name}", getattr(value, name)) for name in names if hasattr(value, name)]
    if library:
        return parts or None
    held = getattr(value, "__dict__", {})
    return [*((f".{name}", part) for name, part in held.items()), *parts]


_LIBRARIES = ("pymunk", "pygame", "builtins", "collections", "numpy")
_LIBRARY_PARTS = {
    "pymunk.Body": (
        "position",
        "angle",
        "velocity",
        "angular_velocity",
        "force",
        "torque",
        "mass",
        "is_sleeping",
    ),
    "pygame.Rect": ("x", "y", "w", "h"),
    "pygame.FRect": ("x", "y", "w", "h"),
    "pygame.Color": ("r", "g", "b", "a"),
    "pygame.Vector3": ("x", "y", "z"),
}


@functools.lru_cache(maxsize=4096)
def _declared(kind: type) -> tuple[bool, tuple[str, ...]]:
    """Whether a class is a library's, and what its objects hold besides their ``__dict__``.

    A class of the game's that is made from a library's holds what that holds, too.
    """
    names: list[str] = []
    for base in kind.__mro__:
        library = base.__module__.partition(".")[0]
        names += _LIBRARY_PARTS.get(f"{library}.{base.__name__}", ())
        slots = base.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name.startswith("__") and not name.endswith("__"):
                names.append(f"_{base.__name__.lstrip('_')}{name}")
            elif not name.startswith("__"):
                names.append(name)
    return kind.__module__.partition(".")[0] in _LIBRARIES, tuple(dict.fromkeys(names))
