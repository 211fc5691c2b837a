"""What is seen of a world: copies, never the game's own objects."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any, NamedTuple, SupportsIndex, overload


class Point(NamedTuple):
    """A point or vector in the game's units (for most games pixels, y down)."""

    x: float
    y: float

    def __add__(self, other: Sequence[float]) -> Point:  # type: ignore[override]
        return Point(self.x + other[0], self.y + other[1])

    def __sub__(self, other: Sequence[float]) -> Point:
        return Point(self.x - other[0], self.y - other[1])


class Box(NamedTuple):
    """An upright box: its corner of least x and y, its width and its height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> Point:
        """The point in its middle."""
        return Point(self.x + self.width / 2, self.y + self.height / 2)

    @property
    def corners(self) -> list[Point]:
        """Its four corners, going around; the first has the least x and y."""
        right, bottom = self.x + self.width, self.y + self.height
        return [Point(self.x, self.y), Point(right, self.y), Point(right, bottom),
                Point(self.x, bottom)]  # fmt: skip

    def distance(self, point: Sequence[float]) -> float:
        """How far a point is outside of it; 0 inside and on its edge."""
        x, y = point
        across = max(self.x - x, 0, x - (self.x + self.width))
        down = max(self.y - y, 0, y - (self.y + self.height))
        return math.hypot(across, down)

    def grown(self, by: float) -> Box:
        """The box that reaches further on each side."""
        return Box(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)

    def meets(self, other: Box) -> bool:
        """Whether the two share a point; an edge in common is enough."""
        return (
            self.x <= other.x + other.width
            and other.x <= self.x + self.width
            and self.y <= other.y + other.height
            and other.y <= self.y + self.height
        )


@dataclass(frozen=True, slots=True, eq=False)
class EntityView:
    """Which entity something is: its id (None when the game gives none), name and path.

    It equals its name as a text, so that ``"plate" in play.inspect("crate").touching`` is said so.
    """

    id: int | None
    name: str
    path: str

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            return self.name == other
        if isinstance(other, EntityView):
            return (self.id, self.name, self.path) == (other.id, other.name, other.path)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return f"#{self.id} {self.name}" if self.id is not None else self.name


class RayHit(tuple[Any, ...]):
    """One shape that a ray meets. ``distance`` is from the ray's start, ``normal`` has length 1.

    Of a shape that the ray starts in, the distance is 0, the point the start and the normal 0,0.
    It is a tuple of the four, so that a ray costs little more than the physics' own answer.
    """

    __slots__ = ()
    _fields = ("entity", "point", "normal", "distance")

    def __new__(
        cls, entity: EntityView, point: Sequence[float], normal: Sequence[float], distance: float
    ) -> RayHit:
        """Keep the four; points may be any pairs."""
        return tuple.__new__(cls, (entity, point, normal, distance))

    def __repr__(self) -> str:
        return f"<hit {self.entity} at {tuple(self.point)}, distance {self.distance}>"

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.entity, self.point, self.normal, self.distance

    @property
    def entity(self) -> EntityView:
        """Whose shape it is."""
        found: EntityView = self[0]
        return found

    @property
    def point(self) -> Point:
        """Where the ray enters it."""
        return Point._make(self[1])

    @property
    def normal(self) -> Point:
        """The direction in which its surface looks there."""
        return Point._make(self[2])

    @property
    def distance(self) -> float:
        """How far that is from the ray's start."""
        found: float = self[3]
        return found


class RayHits(tuple[RayHit, ...]):
    """What a ray meets, nearest first; ``entity``, ``distance``... are those of the nearest.

    Where nothing is met, there is no entity, and the distance is infinite. Inside they are plain
    tuples, which become a RayHit when they are looked at.
    """

    __slots__ = ()

    def __iter__(self) -> Iterator[RayHit]:
        return map(tuple.__new__, repeat(RayHit), super().__iter__())

    @overload
    def __getitem__(self, index: SupportsIndex) -> RayHit: ...

    @overload
    def __getitem__(self, index: slice) -> RayHits: ...

    def __getitem__(self, index: SupportsIndex | slice) -> RayHit | RayHits:
        found: Any = super().__getitem__(index)
        return RayHits(found) if isinstance(index, slice) else tuple.__new__(RayHit, found)

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __getnewargs__(self) -> tuple[tuple[RayHit, ...]]:
        """Travel as what is seen of it: inside are the vectors of whoever was asked."""
        return (tuple(self),)

    @property
    def entity(self) -> EntityView | None:
        """The nearest entity."""
        return self[0].entity if self else None

    @property
    def point(self) -> Point | None:
        """Where the nearest entity is met."""
        return self[0].point if self else None

    @property
    def normal(self) -> Point | None:
        """The direction in which the nearest entity's surface looks."""
        return self[0].normal if self else None

    @property
    def distance(self) -> float:
        """How far the nearest entity is."""
        return self[0].distance if self else math.inf


class Contact(NamedTuple):
    """Two entities that touch in this frame; ``normal`` goes from the first to the other.

    ``impulse`` is what the last step pressed them together with: 0 for a sensor.
    """

    entity: EntityView
    other: EntityView
    point: Point
    normal: Point
    impulse: Point
    sensor: bool


@dataclass(frozen=True, slots=True)
class Inspection:
    """What there is to know of one entity; what it does not have is None.

    ``rotation`` is in radians, ``body`` dynamic, kinematic, static or removed. ``properties`` are
    those that changed since the scene loaded, or all; ``loaded`` what the changed ones were then.
    """

    entity: EntityView
    kind: str | None = None
    position: Point | None = None
    rotation: float | None = None
    body: str | None = None
    velocity: Point | None = None
    grounded: bool | None = None
    touching: tuple[EntityView, ...] = ()
    box: Box | None = None
    hidden: bool = False
    sleeping: bool = False
    properties: Mapping[str, Any] = field(default_factory=dict)
    loaded: Mapping[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> int | None:
        """The entity's id."""
        return self.entity.id

    @property
    def name(self) -> str:
        """The entity's name."""
        return self.entity.name

    @property
    def path(self) -> str:
        """The entity's path."""
        return self.entity.path
