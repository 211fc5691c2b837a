"""Rays and overlaps in a pymunk space, through pymunk's own queries.

Every shape of the space is met: sensors, shapes of sleeping bodies, of any group, and those of
entities that are not drawn. Only a shape whose filter takes part in nothing (categories or mask 0)
is not. A touch is enough. Shapes are where the last step, or a reindex, saw them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from harness.values.sight import Box, EntityView, Point, RayHit

Owner = Callable[[Any], EntityView]
"""Tells whose a shape is."""

NOWHERE = Point(0.0, 0.0)
_NO_FILTER: list[Any] = []


def everything() -> Any:
    """The filter that lets every shape through."""
    if not _NO_FILTER:
        import pymunk

        _NO_FILTER.append(pymunk.ShapeFilter())
    return _NO_FILTER[0]


def ray(space: Any, start: Point, end: Point, owner: Owner) -> list[RayHit]:
    """Give each shape that a ray meets, nearest first; of no length, those at its point."""
    span = math.dist(start, end)
    if span == 0:
        found = [RayHit(owner(info.shape), start, NOWHERE, 0.0) for info in circle(space, start, 0)]
        return sorted(found, key=_by_path)
    hits = [
        # Of a shape that the ray starts in, pymunk gives the ray's end and the way out.
        RayHit(owner(shape), Point._make(at), Point._make(normal), alpha * span)
        if alpha
        else RayHit(owner(shape), start, NOWHERE, 0.0)
        for shape, at, normal, alpha in space.segment_query(start, end, 0, everything())
    ]
    if len(hits) > 1:
        hits.sort(key=_by_distance)
    return hits


def _by_distance(hit: RayHit) -> tuple[float, str]:
    return hit.distance, hit.entity.path


def _by_path(hit: RayHit) -> str:
    return hit.entity.path


def circle(space: Any, at: Point, radius: float) -> list[Any]:
    """Give what pymunk tells of each shape that a circle touches."""
    # pymunk leaves out what is exactly that far; the next number up lets it in, and nothing else.
    reach = math.nextafter(radius, math.inf)
    found: list[Any] = space.point_query(at, reach, everything())
    return found


def in_circle(space: Any, at: Point, radius: float, owner: Owner) -> list[EntityView]:
    """Give the entities that a circle touches, nearest first."""
    nearest: dict[EntityView, float] = {}
    for shape, _, distance, _ in circle(space, at, radius):
        view = owner(shape)
        if distance < nearest.get(view, math.inf):
            nearest[view] = distance
    return in_order(nearest)


def in_box(space: Any, box: Box, owner: Owner) -> list[EntityView]:
    """Give the entities that an upright box touches, those nearest to its middle first."""
    import pymunk

    body = pymunk.Body(body_type=pymunk.Body.STATIC)
    x, y, width, height = box
    corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    hits = space.shape_query(pymunk.Poly(body, corners))
    nearest: dict[EntityView, float] = {}
    for hit in hits:
        if hit.shape is None:
            continue
        view = owner(hit.shape)
        distance = max(0.0, hit.shape.point_query(box.centre).distance)
        nearest[view] = min(distance, nearest.get(view, math.inf))
    return in_order(nearest)


def in_order(nearest: dict[EntityView, float]) -> list[EntityView]:
    """Order entities by their distance, then by their paths."""
    if len(nearest) < 2:
        return list(nearest)
    return sorted(nearest, key=lambda view: (nearest[view], view.path))
