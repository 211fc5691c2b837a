"""The same questions to a game without physics: answered on the boxes of its entities."""

from __future__ import annotations

import math
from collections.abc import Iterable

from harness.query.space import NOWHERE, in_order
from harness.values.sight import Box, EntityView, Point, RayHit

Boxes = Iterable[tuple[EntityView, Box]]


def ray(boxes: Boxes, start: Point, end: Point) -> list[RayHit]:
    """Give each box that a ray meets, nearest first; of no length, those at its point."""
    found = [
        RayHit(view, *met) for view, box in boxes if (met := crossing(box, start, end)) is not None
    ]
    return sorted(found, key=lambda hit: (hit.distance, hit.entity.path))


def crossing(box: Box, start: Point, end: Point) -> tuple[Point, Point, float] | None:
    """Where a ray enters a box: the point, the side's normal and the distance."""
    if box.distance(start) == 0:
        return start, NOWHERE, 0.0
    entry, leaving, normal = 0.0, 1.0, NOWHERE
    sides = (
        (start.x, end.x, box.x, box.x + box.width, Point(1.0, 0.0)),
        (start.y, end.y, box.y, box.y + box.height, Point(0.0, 1.0)),
    )
    for here, there, low, high, axis in sides:
        way = there - here
        if way == 0:
            if not low <= here <= high:
                return None
            continue
        first, last = sorted(((low - here) / way, (high - here) / way))
        if first > entry:
            entry, sign = first, -math.copysign(1.0, way)
            normal = Point(axis.x * sign or 0.0, axis.y * sign or 0.0)
        leaving = min(leaving, last)
    if entry > leaving:
        return None
    at = Point(start.x + (end.x - start.x) * entry, start.y + (end.y - start.y) * entry)
    return at, normal, entry * math.dist(start, end)


def in_circle(boxes: Boxes, at: Point, radius: float) -> list[EntityView]:
    """Give the entities whose boxes a circle touches, nearest first."""
    distances = ((view, box.distance(at)) for view, box in boxes)
    return in_order({view: distance for view, distance in distances if distance <= radius})


def in_box(boxes: Boxes, area: Box) -> list[EntityView]:
    """Give the entities whose boxes touch a box, those nearest to its middle first."""
    met = {view: box.distance(area.centre) for view, box in boxes if area.meets(box)}
    return in_order(met)
