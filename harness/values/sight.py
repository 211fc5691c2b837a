"""What is seen of a world: copies, never the game's own objects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Point(NamedTuple):
    """A point or vector in the game's units (for most games pixels, y down)."""

    x: float
    y: float

    def __add__(self, other: Sequence[float]) -> Point:  # type: ignore[override]
        return Point(self.x + other[0], self.y + other[1])

    def __sub__(self, other: Sequence[float]) -> Point:
        return Point(self.x - other[0], self.y - other[1])


@dataclass(frozen=True, slots=True)
class EntityView:
    """Which entity something is: its id (None when the game gives none), name and path."""

    id: int | None
    name: str
    path: str

    def __str__(self) -> str:
        return f"#{self.id} {self.name}" if self.id is not None else self.name


@dataclass(frozen=True, slots=True)
class RayHit:
    """One shape that a ray meets. ``distance`` is from the ray's start, ``normal`` has length 1."""

    entity: EntityView
    point: Point
    normal: Point
    distance: float
