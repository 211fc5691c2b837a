"""Entities joined with the parents that they name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from harness.errors import UnknownName

if TYPE_CHECKING:
    from harness.scene.layout import Entry


@dataclass(frozen=True, slots=True, eq=False)
class Orphan:
    """An entity that names a parent which it cannot have; as text, why."""

    entry: Entry
    asked: Any
    found: int
    names: tuple[str, ...] = field(repr=False)

    @property
    def line(self) -> int:
        """The line that names the parent."""
        return int(getattr(self.entry.data, "lines", {}).get("parent", self.entry.line))

    @property
    def wrong(self) -> tuple[Any, int]:
        """What is wrong, whatever the entities are called."""
        return (self.asked if isinstance(self.asked, str | int) else None, min(self.found, 2))

    @property
    def way_out(self) -> str:
        """What to write instead."""
        if self.found > 1:
            return "name it by its id, or give one of them another name"
        return "name an object of this scene, or remove parent"

    def __str__(self) -> str:
        name = self.entry.name
        if self.found > 1:
            return f"{name}: parent: {self.asked!r} names {self.found} objects"
        if self.found:
            return f"{name}: parent: {self.asked!r} is itself, or below it"
        return f"{name}: parent: {UnknownName('object', str(self.asked), self.names, 'the scene')}"


def joined(entries: list[Entry]) -> Iterator[Orphan]:
    """Join entities with the parents that they name; gives those that cannot be."""
    names: dict[Any, list[Entry]] = {}
    for entry in entries:
        names.setdefault(entry.name, []).append(entry)
        if entry.id is not None:
            names.setdefault(entry.id, []).append(entry)
            names.setdefault(f"#{entry.id}", []).append(entry)
    called = tuple(entry.name for entry in entries)
    for entry in entries:
        asked = entry.data.get("parent")
        if entry.nested or asked in (None, ""):
            continue
        last = asked.rpartition("/")[2] if isinstance(asked, str) else asked
        found = names.get(asked, names.get(last, [])) if isinstance(asked, str | int) else []
        if len(found) == 1 and not _is_below(found[0], entry):
            entry.parent = found[0]
            found[0].children.append(entry)
            continue
        yield Orphan(entry, asked, len(found), called)


def _is_below(entry: Entry, other: Entry) -> bool:
    at: Entry | None = entry if other.children else None
    while at is not None:
        if at is other:
            return True
        at = at.parent
    return entry is other
