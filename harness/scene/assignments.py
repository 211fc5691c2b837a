"""``key=value`` as scene_edit takes it: where in an entity it goes, and what is put there."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.errors import ArgumentError, UnknownName

_PATH = re.compile(r"([^\W\d][\w-]*)((?:\.[\w-]+|\[\d+\])*)")
_PART = re.compile(r"\.([\w-]+)|\[(\d+)\]")
_AXES = {"x": 0, "y": 1}


@dataclass(frozen=True, slots=True)
class Assignment:
    """One assignment, as it was written: the way into the entity, and the text of the value."""

    way: tuple[str | int, ...]
    text: str

    @property
    def key(self) -> str:
        """The property that it belongs to."""
        return str(self.way[0])

    def __str__(self) -> str:
        parts = [f"[{part}]" if isinstance(part, int) else f".{part}" for part in self.way[1:]]
        return self.key + "".join(parts)


def assigned(texts: Sequence[str], data: Mapping[str, Any]) -> list[Assignment]:
    """Read assignments for an entity.

    Raises:
        ArgumentError: one is none, or two are for the same place.
    """
    found: dict[tuple[str | int, ...], Assignment] = {}
    for text in texts:
        one = _assignment(text, data)
        for way in found:
            shorter = min(len(way), len(one.way))
            if way[:shorter] == one.way[:shorter]:
                raise ArgumentError("assignments", f"{one} is given twice")
        found[one.way] = one
    return list(found.values())


def _assignment(text: str, data: Mapping[str, Any]) -> Assignment:
    key, equals, value = text.partition("=")
    key, value = key.strip(), value.strip()
    way = _PATH.fullmatch(key)
    if not equals or (way is None and key not in data):
        raise ArgumentError(
            "assignments", f"must be key=value, as in position=[120, 300], not {text!r}"
        )
    if not value:
        raise ArgumentError("assignments", f'{key}: has no value; an empty text is {key}=""')
    if key in data or way is None:
        return Assignment((key,), value)
    parts = [_part(*found) for found in _PART.findall(way[2])]
    return Assignment((way[1], *parts), value)


def _part(name: str, index: str) -> str | int:
    return int(index) if index else name


def walked(data: Any, node: Any, one: Assignment) -> tuple[Any, Any, Any]:
    """Walk to where an assignment goes: what holds that place, its node, and the place in it.

    ``x`` and ``y`` are the parts of a point.

    Raises:
        ArgumentError: there is no such place.
    """
    *before, _ = one.way
    for part in before:
        place = _place(data, part, one)
        if isinstance(data, Mapping) and place not in data:
            there = UnknownName("property", str(part), map(str, data), "it")
            raise ArgumentError(str(one), str(there))
        node = child(node, place)[1]
        data = data[place]
    return data, node, _place(data, one.way[-1], one)


def _place(data: Any, part: str | int, one: Assignment) -> str | int:
    if isinstance(data, Mapping):
        return part
    if not isinstance(data, list):
        raise ArgumentError(str(one), f"there are no parts in {data!r}")
    place = _AXES.get(str(part), part)
    if not isinstance(place, int) or place >= len(data):
        there = f"there are [0] to [{len(data) - 1}]" if data else "the list is empty"
        raise ArgumentError(str(one), there)
    return place


def child(node: Any, place: Any) -> tuple[Any, Any]:
    """The key's node, None in a list, and the value's at a place of a mapping or a list."""
    if node.id == "sequence":
        return None, node.value[place]
    return next((key, value) for key, value in node.value if key.value == str(place))
