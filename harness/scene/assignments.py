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
    return _apart([_assignment(text, data) for text in texts])


def _apart(assignments: Sequence[Assignment]) -> list[Assignment]:
    """Refuse two that are for the same place."""
    found: dict[tuple[str | int, ...], Assignment] = {}
    for one in assignments:
        for way in found:
            shorter = min(len(way), len(one.way))
            if way[:shorter] == one.way[:shorter]:
                raise ArgumentError("assignments", f"{one} is given twice")
        found[one.way] = one
    return list(found.values())


def _assignment(text: str, data: Mapping[str, Any]) -> Assignment:
    key, equals, value = text.partition("=")
    if equals and not value.strip() and key.strip():
        raise ArgumentError(
            "assignments",
            f'{key.strip()}: has no value; an empty text is {key.strip()}="", and remove removes',
        )
    key, value = key.strip(), value.strip()
    way = _PATH.fullmatch(key)
    if not equals or (way is None and key not in data):
        raise ArgumentError(
            "assignments", f"must be key=value, as in position=[120, 300], not {text!r}"
        )
    return Assignment(_way(key, data), value)


def named_places(texts: Sequence[str], data: Mapping[str, Any]) -> list[Assignment]:
    """Read what is to be removed of an entity: ``key`` or ``key=``, without a value.

    Raises:
        ArgumentError: one is none, or two are for the same place.
    """
    for text in texts:
        key, _, value = text.partition("=")
        if value.strip() or (key.strip() not in data and not _PATH.fullmatch(key.strip())):
            raise ArgumentError(
                "assignments", f"of remove are properties alone, as in speed, not {text!r}"
            )
    return _apart([Assignment(_way(text.partition("=")[0].strip(), data), "") for text in texts])


def _way(key: str, data: Mapping[str, Any]) -> tuple[str | int, ...]:
    way = _PATH.fullmatch(key)
    if key in data or way is None:
        return (key,)
    return (way[1], *(_part(*found) for found in _PART.findall(way[2])))


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
        place = place_in(data, part, one)
        if isinstance(data, Mapping) and place not in data:
            there = UnknownName("property", str(part), map(str, data), "it")
            raise ArgumentError(str(one), str(there))
        node = child(node, place)[1]
        data = data[place]
    return data, node, place_in(data, one.way[-1], one)


def place_in(data: Any, part: str | int, one: Assignment) -> str | int:
    """The key, or the index, that a part of an assignment means.

    Raises:
        ArgumentError: there is no such place.
    """
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
