"""Rays and overlaps, through pymunk's own queries."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from harness.driver.entities import Entities
from harness.errors import RequestError
from harness.values.sight import EntityView, Point, RayHit

Vector = Sequence[float]


def raycast(
    space: Any, entities: Entities, start: Vector, end: Vector, length: float | None = None
) -> list[RayHit]:
    """Give what a ray meets, nearest first.

    It goes from ``start`` to ``end``; with a ``length``, in the direction ``end``. What it starts
    in is met at distance 0, with a normal of 0.

    Raises:
        RequestError: the game has no physics, or the ray has no length.
    """
    import pymunk

    first = _point(start, "a ray's start")
    last = _point(end, "a ray's end")
    if length is not None:
        reach = math.hypot(*last)
        if reach == 0 or not 0 < length < math.inf:
            raise RequestError("a ray needs a direction and a length above 0")
        last = Point(first.x + last.x / reach * length, first.y + last.y / reach * length)
    _need_space(space)
    hits = space.segment_query(first, last, 0, pymunk.ShapeFilter())
    span = math.dist(first, last)
    seen = _owners(entities)
    found = [
        RayHit(
            _owner(seen, info.shape),
            # Of a shape that the ray starts in, pymunk gives the ray's end as its point.
            Point(*info.point) if info.alpha else first,
            Point(*info.normal),
            info.alpha * span,
        )
        for info in hits
        if info.shape is not None
    ]
    return sorted(found, key=lambda hit: (hit.distance, hit.entity.path))


def overlap(space: Any, entities: Entities, at: Vector, radius: float = 0.0) -> list[EntityView]:
    """Give the entities that a circle touches, nearest first.

    Raises:
        RequestError: the game has no physics, or the radius is negative.
    """
    import pymunk

    if not (isinstance(radius, int | float) and 0 <= radius < math.inf):
        raise RequestError(f"a radius is a number of at least 0, not {radius!r}")
    _need_space(space)
    hits = space.point_query(_point(at, "a circle's centre"), radius, pymunk.ShapeFilter())
    seen = _owners(entities)
    nearest: dict[EntityView, float] = {}
    for info in hits:
        if info.shape is None:
            continue
        view = _owner(seen, info.shape)
        nearest[view] = min(info.distance, nearest.get(view, math.inf))
    return sorted(nearest, key=lambda view: (nearest[view], view.path))


def _need_space(space: Any) -> None:
    if space is None:
        raise RequestError("this game has no pymunk space to ask (its adapter gives no `space`)")


def _point(value: Any, what: str) -> Point:
    point = getattr(value, "position", getattr(getattr(value, "body", None), "position", value))
    try:
        x, y = (float(number) for number in point)
    except (TypeError, ValueError):
        raise RequestError(f"{what} must be a point or an entity, not {value!r}") from None
    if not (math.isfinite(x) and math.isfinite(y)):
        raise RequestError(f"{what} must be finite, not {value!r}")
    return Point(x, y)


def _owners(entities: Entities) -> dict[Any, EntityView]:
    """Which entity a shape or a body belongs to; a shape's own entity goes before its body's."""
    owners: dict[Any, EntityView] = {}
    entities.refresh()
    for entity in entities.labelled.values():
        view = entities.view(entity)
        if view is None:
            continue
        shapes = getattr(entity, "shapes", None) or [getattr(entity, "shape", None)]
        for part in (*shapes, getattr(entity, "body", None)):
            if part is not None:
                owners.setdefault(part, view)
    return owners


def _owner(owners: dict[Any, EntityView], shape: Any) -> EntityView:
    view = owners.get(shape) or owners.get(shape.body)
    return view or EntityView(None, "(no entity)", "(no entity)")
