"""Rays and overlaps in a pymunk space, through pymunk's own queries.

Every shape of the space is met: sensors, shapes of sleeping bodies, of any group, and those of
entities that are not drawn. Only a shape whose filter takes part in nothing (categories or mask 0)
is not. A touch is enough. Shapes are where the last step, or a reindex, saw them.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping
from typing import Any

from harness.query.bars import set_right
from harness.values.sight import Box, EntityView, Point, RayHit

Owners = Mapping[Any, EntityView]
"""Tells whose a shape is; it has an answer for every shape."""

NOWHERE = Point(0.0, 0.0)
_PYMUNK: list[Any] = []
"""The filter that lets every shape through, and the class Segment, once pymunk is loaded."""


def everything() -> Any:
    """The filter that lets every shape through."""
    if not _PYMUNK:
        import pymunk

        _PYMUNK.extend((pymunk.ShapeFilter(), pymunk.Segment))
    return _PYMUNK[0]


def ray(space: Any, start: Point, end: Point, owners: Owners) -> list[RayHit]:
    """Give each shape that a ray meets, nearest first; of no length, those at its point."""
    span = math.dist(start, end)
    if span == 0:
        found = circle(space, start, 0)
        return sorted([RayHit(owners[info[0]], start, NOWHERE, 0.0) for info in found], key=_order)
    infos = space.segment_query(start, end, 0, _PYMUNK[0] if _PYMUNK else everything())
    set_right(infos, _PYMUNK[1], start, end, space.point_query(end, 0, _PYMUNK[0]))
    if len(infos) > 1:
        infos.sort(key=_alpha)
    new = tuple.__new__  # half of what RayHit itself takes to be called
    hits = [
        # Of a shape that the ray starts in, pymunk gives the ray's end and the way out.
        new(RayHit, (owners[shape], at, normal, alpha * span))
        if alpha
        else RayHit(owners[shape], start, NOWHERE, 0.0)
        for shape, at, normal, alpha in infos
    ]
    if len(hits) > 1 and len(set(map(_alpha, infos))) < len(hits):
        hits.sort(key=_order)
    return hits


_alpha = operator.itemgetter(3)


def _order(hit: RayHit) -> tuple[float, str]:
    return hit.distance, hit.entity.path


def circle(space: Any, at: Point, radius: float) -> list[Any]:
    """Give what pymunk tells of each shape that a circle touches."""
    # pymunk leaves out what is exactly that far; the next number up lets it in, and nothing else.
    reach = math.nextafter(radius, math.inf)
    found: list[Any] = space.point_query(at, reach, everything())
    return found


def in_circle(space: Any, at: Point, radius: float, owners: Owners) -> list[EntityView]:
    """Give the entities that a circle touches, nearest first."""
    infos = circle(space, at, radius)
    if len(infos) > 1:
        infos.sort(key=_distance)
    views = [owners[info[0]] for info in infos]
    if len(set(map(_distance, infos))) < len(infos):
        nearest = {
            view: info[2] for view, info in zip(reversed(views), reversed(infos), strict=True)
        }
        return in_order(nearest)
    return list(dict.fromkeys(views))


_distance = operator.itemgetter(2)


def in_box(space: Any, box: Box, owners: Owners) -> list[EntityView]:
    """Give the entities that an upright box touches, those nearest to its middle first."""
    import pymunk

    body = pymunk.Body(body_type=pymunk.Body.STATIC)
    corners = box.corners
    met = [hit.shape for hit in space.shape_query(pymunk.Poly(body, corners)) if hit.shape]
    # Where a corner lies on a corner, or on a bar's very end, pymunk's answer is no.
    known, around = set(met), pymunk.BB(*corners[0], *corners[2])
    rest = [shape for shape in space.bb_query(around, everything()) if shape not in known]
    met += [shape for shape in rest if _shares_a_corner(box, shape)]
    nearest: dict[EntityView, float] = {}
    for shape in met:
        view = owners[shape]
        distance = max(0.0, shape.point_query(box.centre).distance)
        nearest[view] = min(distance, nearest.get(view, math.inf))
    return in_order(nearest)


def _shares_a_corner(box: Box, shape: Any) -> bool:
    """Whether a corner of one lies in the other, or on its edge."""
    return any(box.distance(corner) <= radius for corner, radius in corners_of(shape)) or any(
        shape.point_query(corner).distance <= 0 for corner in box.corners
    )


def corners_of(shape: Any) -> list[tuple[Any, float]]:
    """The points whose hull, grown by a radius, is the shape."""
    if hasattr(shape, "get_vertices"):
        points = shape.get_vertices()
    else:
        points = [shape.a, shape.b] if hasattr(shape, "a") else [shape.offset]
    return [(shape.body.local_to_world(point), shape.radius) for point in points]


def in_order(nearest: dict[EntityView, float]) -> list[EntityView]:
    """Order entities by their distance, then by their paths."""
    if len(nearest) < 2:
        return list(nearest)
    return sorted(nearest, key=lambda view: (nearest[view], view.path))
