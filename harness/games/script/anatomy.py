"""What kind of thing an object is, and what it keeps, without running any of the game's code."""

from __future__ import annotations

import enum
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from types import MemberDescriptorType, ModuleType, SimpleNamespace
from typing import Any

from harness.games.attributes import public

Item = tuple[str, Any]


class Nature(enum.Enum):
    """How an object is looked into."""

    NOTHING = enum.auto()
    OBJECT = enum.auto()
    STRANGE = enum.auto()
    CLASS = enum.auto()
    MODULE = enum.auto()
    SPRITE = enum.auto()
    GROUP = enum.auto()
    HOLDER = enum.auto()
    ACTOR = enum.auto()
    RECT = enum.auto()
    BODY = enum.auto()
    SHAPE = enum.auto()
    SPACE = enum.auto()
    SEQUENCE = enum.auto()
    SET = enum.auto()
    MAPPING = enum.auto()


_LIBRARY_NATURES = {
    "pygame.Sprite": Nature.SPRITE,
    "pygame.GroupSingle": Nature.HOLDER,
    "pygame.AbstractGroup": Nature.GROUP,
    "pygame.Rect": Nature.RECT,
    "pygame.FRect": Nature.RECT,
    "pgzero.Actor": Nature.ACTOR,
    "pgzero.ZRect": Nature.RECT,
    "pymunk.Body": Nature.BODY,
    "pymunk.Shape": Nature.SHAPE,
    "pymunk.Space": Nature.SPACE,
}
_CONTAINERS: tuple[tuple[tuple[type, ...], Nature], ...] = (
    ((list, tuple, deque), Nature.SEQUENCE),
    ((set, frozenset), Nature.SET),
    ((dict,), Nature.MAPPING),
)
_SIZED = (Nature.SEQUENCE, Nature.SET, Nature.MAPPING, Nature.GROUP)
_PROGRAMS = ("__main__", "pgzero.builtins")
"""What a program's own first file is called; pygame-zero names it after its own."""

_OBJECTS = (Nature.OBJECT, Nature.STRANGE, Nature.SPRITE, Nature.ACTOR)
_LIBRARIES = frozenset(
    ("pygame", "pymunk", "pgzero", "numpy", "cffi", "greenlet", "PIL", "harness")
)
_PHYSICS = ("body", "shape")
_RECTS = ("rect", "hitbox", "hit_box", "collider", "box", "_rect")
_POINTS = ("pos", "position", "center", "centre", "location")
_SCALARS = frozenset((int, float, bool, str, bytes, type(None)))
_KEYS = (str, int, float, bool, type(None))
_LONGEST_KEY = 40
_INSIDE = ("_Sprite__g", "_GroupSingle__sprite", "spritedict", "lostsprites", "_spritelist")
"""What pygame's sprites and groups know each other by."""


class Anatomy:
    """Reads objects of one game. ``owns`` says of a file whether it is the game's own."""

    def __init__(self, owns: Callable[[str], bool], screen: tuple[int, int] | None = None) -> None:
        self._owns = owns
        self._screen = screen
        self._natures: dict[type, Nature] = {}

    def nature(self, value: Any) -> Nature:
        """How to look into an object; NOTHING where there is nothing to find."""
        kind = type(value)
        known = self._natures.get(kind)
        if known is None:
            known = self._natures[kind] = self._nature_of(kind)
        if known is Nature.CLASS:
            own = self._is_own(value) and not issubclass(value, enum.Enum)
            return Nature.CLASS if own else Nature.NOTHING
        if known is Nature.MODULE:
            # The program's own are where the walk begins; those of a library may keep its world.
            return Nature.NOTHING if self._is_known(value.__name__) else Nature.MODULE
        return known

    def _nature_of(self, kind: type) -> Nature:
        for base in kind.__mro__:
            nature = _LIBRARY_NATURES.get(f"{_top(base)}.{base.__name__}")
            if nature is not None:
                return nature
        for containers, nature in _CONTAINERS:
            if issubclass(kind, containers):
                return nature
        if issubclass(kind, type):
            return Nature.CLASS
        if issubclass(kind, ModuleType):
            return Nature.MODULE
        if issubclass(kind, (int, float, str, bytes, enum.Enum, BaseException)):
            return Nature.NOTHING
        if kind is SimpleNamespace or self._is_own(kind):
            return Nature.OBJECT
        return Nature.NOTHING if self._is_known(kind.__module__) else Nature.STRANGE

    def _is_known(self, module: str) -> bool:
        """Whether a module has nothing of a game's in it."""
        top = module.partition(".")[0]
        return top in _LIBRARIES or top in sys.stdlib_module_names

    def _is_own(self, kind: type) -> bool:
        name = kind.__module__
        if name in _PROGRAMS:
            return True
        file = getattr(sys.modules.get(name), "__file__", None)
        return isinstance(file, str) and self._owns(file)

    def size(self, value: Any) -> int:
        """How many items a collection has; 0 of anything else."""
        nature = self.nature(value)
        if nature is Nature.GROUP:
            return len(_sprites(value))
        return len(_plain(value)) if nature in _SIZED else 0

    def is_thing(self, value: Any, nature: Nature) -> bool:
        """Whether an object is somewhere in the world, and not just somewhere in the program."""
        if nature is Nature.RECT:
            return (value.x, value.y, value.w, value.h) != (0, 0, *(self._screen or (-1, -1)))
        if nature is Nature.BODY:
            return bool(value.body_type != value.STATIC)  # its shapes are what is there
        if nature in (Nature.SPRITE, Nature.ACTOR, Nature.SHAPE):
            return True
        if nature is Nature.MAPPING:
            return self._is_placed(value)
        return nature in _OBJECTS and self._has_place(_kept(value))

    def is_part(self, name: str, nature: Nature) -> bool:
        """Whether what a thing keeps under a name is what it is made of: its rect, its body."""
        if nature in (Nature.RECT, Nature.BODY, Nature.SHAPE):
            return True
        return nature in _OBJECTS and (name in _POINTS or name in _RECTS)

    def _has_place(self, parts: Mapping[str, Any]) -> bool:
        if self._is_placed(parts) or any(self._is_physical(parts.get(n)) for n in _PHYSICS):
            return True
        components = [parts[name] for name in (*_POINTS, *_RECTS) if name in parts]
        return any(
            self.nature(part) in _OBJECTS and self._is_placed(_kept(part)) for part in components
        )

    def _is_placed(self, parts: Mapping[Any, Any]) -> bool:
        if any(name in parts and self.nature(parts[name]) is Nature.RECT for name in _RECTS):
            return True
        # No more than x and y is a vector: a speed as well as a place.
        if len(parts) > 2 and _is_number(parts.get("x")) and _is_number(parts.get("y")):
            return True
        return len(parts) > 1 and any(_is_pair(parts.get(name)) for name in _POINTS)

    def body(self, value: Any, nature: Nature) -> Any:
        """The pymunk body that an object stands for; None of static ones, whose shapes do."""
        if nature is Nature.BODY:
            body = value
        elif nature is Nature.SHAPE:
            body = value.body
        else:
            body = self._body_of(_kept(value)) if nature in _OBJECTS else None
        return body if body is not None and body.body_type != body.STATIC else None

    def _body_of(self, parts: Mapping[str, Any]) -> Any:
        part = next(filter(self._is_physical, map(parts.get, _PHYSICS)), None)
        return getattr(part, "body", None) if self.nature(part) is Nature.SHAPE else part

    def _is_physical(self, value: Any) -> bool:
        return self.nature(value) in (Nature.BODY, Nature.SHAPE)

    def items(self, value: Any, nature: Nature) -> Iterator[Item]:
        """What a collection holds, each with its key in brackets, in the same order everywhere."""
        if nature is Nature.MAPPING:
            for index, (key, item) in enumerate(dict.items(value)):
                yield f"[{_key(key, index)}]", item
        elif nature in (Nature.GROUP, Nature.HOLDER):
            yield from _numbered(_sprites(value))
        elif nature is Nature.SEQUENCE:
            items = _plain(value)
            # Of a map's ten thousand numbers none is looked at.
            if not _SCALARS.issuperset(map(type, items)):
                yield from _numbered(items)
        elif nature is Nature.SET:
            yield from _numbered(sorted(_plain(value), key=_by_value))

    def attributes(self, value: Any, nature: Nature) -> Iterator[Item]:
        """What an object keeps under names."""
        if nature is Nature.SPACE:
            yield "bodies", list(value.bodies)
            yield "shapes", list(value.shapes)
        private = nature in (Nature.BODY, Nature.SHAPE, Nature.SPACE)
        parts = vars(value) if nature in (Nature.CLASS, Nature.MODULE) else _kept(value)
        for name, part in list(parts.items()):
            hidden = name.startswith("__") or name in _INSIDE or (private and name[:1] == "_")
            if not hidden:
                yield name, part


def _top(kind: type) -> str:
    return str(kind.__module__).partition(".")[0]


def _kept(value: Any) -> Mapping[str, Any]:
    """The attributes that an object itself holds: those of its ``__dict__`` and its slots."""
    try:
        held = object.__getattribute__(value, "__dict__")
    except AttributeError:
        held = {}
    slots = _slots(type(value))
    found = dict(held) if slots else held if isinstance(held, dict) else {}
    for name, slot in slots:
        try:
            found[name] = slot.__get__(value)
        except AttributeError:
            continue
    return public(type(value), found)


def _slots(kind: type) -> list[tuple[str, MemberDescriptorType]]:
    return [
        (name, slot)
        for base in reversed(kind.__mro__)
        if "__slots__" in vars(base)
        for name, slot in vars(base).items()
        if isinstance(slot, MemberDescriptorType)
    ]


def _sprites(group: Any) -> list[Any]:
    parts = _kept(group)
    if "_GroupSingle__sprite" in parts:
        sprite = parts["_GroupSingle__sprite"]
        return [] if sprite is None else [sprite]
    # In the order in which they are drawn, where the group has one.
    return list(parts.get("_spritelist") or parts.get("spritedict") or ())


def _plain(value: Any) -> list[Any]:
    """The items of a collection, whatever a class of the game's makes of it."""
    bases: tuple[Any, ...] = (list, tuple, deque, dict, set, frozenset)
    return list(next(base for base in bases if isinstance(value, base)).__iter__(value))


def _numbered(values: list[Any]) -> Iterator[Item]:
    for index, value in enumerate(values):
        yield f"[{index}]", value


def _key(key: Any, index: int) -> str:
    if isinstance(key, enum.Enum):
        return f"{type(key).__name__}.{key.name}"
    parts = key if type(key) is tuple else (key,)
    text = repr(key) if all(type(part) in _KEYS for part in parts) else ""
    return text if 0 < len(text) <= _LONGEST_KEY else str(index)


def _by_value(value: Any) -> tuple[str, str]:
    """Something to sort the members of a set by, for they come in another order each time."""
    parts = _kept(value)
    plain = [
        (name, part) for name, part in parts.items() if isinstance(part, (int, float, str, bool))
    ]
    rects = [tuple(part) for part in parts.values() if type(part).__name__ in ("Rect", "FRect")]
    text = repr(value) if isinstance(value, (int, float, str, tuple)) else ""
    return type(value).__name__, f"{text}{rects}{plain}"


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_pair(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return len(value) == 2 and all(map(_is_number, value))
    return type(value).__name__ == "Vector2" or _is_number(_kept(value).get("x"))
