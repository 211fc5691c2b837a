"""Everything that the entities hold, as trees of plain values: hashed whole, compared by path.

A node is a scalar, the two numbers of a point, or a label and the parts below it.
"""

from __future__ import annotations

import enum
import functools
import random
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

from harness.driver.plain import DEPTH, SCALARS, Named, is_point, native, plain
from harness.games.attributes import public
from harness.values.sight import Point

_EXACT = frozenset(SCALARS)


class Trees:
    """Makes the trees of one moment.

    An object that is met again is told by its type alone, so that a reference to the whole world
    in each entity costs nothing and no cycle goes on for ever. ``told`` are objects, by id, that
    a label says all of.
    """

    def __init__(self, named: Named, told: Mapping[int, str] | None = None) -> None:
        self._named = named
        self._told = told or {}
        self._met: dict[int, Any] = {}
        self._opaque: set[type] = set()
        self._objects: set[type] = set()

    def of(self, entity: Any) -> Any:
        """The tree of one entity; other entities in it are told by their names."""
        self._met[id(entity)] = entity
        return self._inner(entity, DEPTH)

    def _node(self, value: Any, depth: int) -> Any:
        key, kind = id(value), type(value)
        if kind in self._opaque or key in self._told:
            return self._named(value) or self._told.get(key, kind.__name__)
        value = native(value)
        if isinstance(value, (*SCALARS, enum.Enum)):
            return plain(value, self._named, 0)
        if is_point(value):
            return (value[0], value[1])
        key = id(value)
        name = self._named(value)
        if name is not None or depth <= 0 or key in self._met:
            return name or type(value).__name__
        if not isinstance(value, tuple):
            self._met[key] = value
        return self._inner(value, depth)

    def _inner(self, value: Any, depth: int) -> Any:
        label = type(value).__name__
        if type(value) in self._objects:
            parts = self._attributes(value)
        elif isinstance(value, random.Random):
            return repr(value.getstate()) if type(value) is random.Random else label
        else:
            parts = self._parts(value)
        if parts is None:
            return label
        node, below = self._node, depth - 1
        return label, {
            name: part if type(part) in _EXACT else node(part, below)
            for name, part in parts.items()
        }

    def _parts(self, value: Any) -> Mapping[str, Any] | None:
        if isinstance(value, list | tuple | deque):
            return {f"[{i}]": item for i, item in enumerate(value)}
        # By its type: an object's __class__ may be anything, and pygame's VidInfo has none.
        if issubclass(type(value), Mapping):
            return {
                f"[{key!r}]" if isinstance(key, SCALARS) else f"[{i}]": item
                for i, (key, item) in enumerate(value.items())
            }
        if isinstance(value, set | frozenset):
            # The order of a set is no part of its value.
            items = sorted(repr(plain(item, self._named)) for item in value)
            return {f"{{{i}}}": item for i, item in enumerate(items)}
        return self._attributes(value)

    def _attributes(self, value: Any) -> Mapping[str, Any] | None:
        kind: Any = type(value)
        library, names = _declared(kind)
        found = {}
        if names and id(value) not in self._told:
            found = {n: getattr(value, n) for n in names if hasattr(value, n)}
        if library and not found:
            self._opaque.add(kind)
            return None
        if library:
            return found
        self._objects.add(kind)
        held: dict[str, Any] = getattr(value, "__dict__", {})
        return public(kind, {**found, **held} if found else held)


def entity_trees(space: Any, named: Named, entities: Mapping[str, Any]) -> dict[str, Any]:
    """The tree of each entity; a body is only told by its number in the space."""
    bodies = space.bodies if space is not None else ()
    trees = Trees(named, {id(body): f"Body {number}" for number, body in enumerate(bodies)})
    return {path: trees.of(entity) for path, entity in entities.items()}


def leaves(path: str, node: Any) -> Iterator[tuple[str, Any]]:
    """Give a tree as (``player.kit['rope']``, scalar) pairs."""
    if not isinstance(node, tuple):
        yield path, node
    elif not isinstance(node[0], str):
        yield path, Point(*node)
    else:
        label, parts = node
        yield path, f"{label} of {len(parts)}"
        for name, part in parts.items():
            yield from leaves(f"{path}{name if name[:1] in '[{' else f'.{name}'}", part)


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
    "pygame.Vector2": ("x", "y"),
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
