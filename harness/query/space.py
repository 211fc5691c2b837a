"""Rays and overlaps in a pymunk space, through pymunk's own queries.

Every shape of the space is met: sensors, shapes of sleeping bodies, of any group, and those of
entities that are not drawn. Only a shape whose filter takes part in nothing (categories or mask 0)
is not. A touch is enough. Shapes are where the last step, or a reindex, saw them.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from typing import Any

from harness.query.bars import set_right
from harness.query.queries import Pair, Queries
from harness.values.sight import Box, EntityView, Point, RayHit, RayHits

Owners = Mapping[Any, EntityView]
"""Tells whose a shape is; it has an answer for every shape."""

NOWHERE = Point(0.0, 0.0)
NOTHING = RayHits()
_EVERYTHING: list[Any] = []


def everything() -> Any:
    """The filter that lets every shape through."""
    if not _EVERYTHING:
        import pymunk

        _EVERYTHING.append(pymunk.ShapeFilter())
    return _EVERYTHING[0]


def ray(asked: Queries, start: Pair, end: Pair, owners: Owners) -> RayHits:
    """Give each shape that a ray meets, nearest first; of no length, those at its point."""
    span = math.dist(start, end)
    if span == 0:
        at = Point._make(start)
        found = [RayHit(owners[info[0]], at, NOWHERE, 0.0) for info in circle(asked, start, 0)]
        return RayHits(sorted(found, key=_order))
    return between(asked, start, end, span, owners)


def between(asked: Queries, start: Pair, end: Pair, span: float, owners: Owners) -> RayHits:
    """Give each shape that a ray of some length, ``span``, meets, nearest first."""
    infos, at_end = asked.along(start, end)
    if not infos and not at_end:
        return NOTHING
    if at_end or asked.bar in {info[0].__class__ for info in infos}:
        set_right(infos, at_end, asked.bar, start, end)
    hits = [(owners[shape], at, normal, alpha * span) for shape, at, normal, alpha in infos]
    if len(hits) > 1:
        hits.sort(key=_distance)
    if not hits[0][3]:
        # Of a shape that the ray starts in, pymunk gives the ray's end and the way out.
        here = Point._make(start)
        hits = [hit if hit[3] else (hit[0], here, NOWHERE, 0.0) for hit in hits]
    if len(hits) > 1 and len(set(map(_distance, hits))) < len(hits):
        hits.sort(key=_order)
    return _new(RayHits, hits)


_new = tuple.__new__  # the hits are plain tuples: a RayHit is made of one when it is looked at
_distance = operator.itemgetter(3)


def _order(hit: Sequence[Any]) -> tuple[float, str]:
    return hit[3], hit[0].path


def circle(asked: Queries, at: Pair, radius: float) -> list[Any]:
    """Give what pymunk tells of each shape that a circle touches."""
    # pymunk leaves out what is exactly that far; the next number up lets it in, and nothing else.
    return asked.around(at, math.nextafter(radius, math.inf))


def in_circle(asked: Queries, at: Pair, radius: float, owners: Owners) -> list[EntityView]:
    """Give the entities that a circle touches, nearest first."""
    infos = asked.around(at, math.nextafter(radius, math.inf))
    if len(infos) < 2:
        return [owners[info[0]] for info in infos]
    infos.sort(key=_depth)
    views = {owners[info[0]]: None for info in infos}
    if len(set(map(_depth, infos))) == len(infos):
        return list(views)
    return in_order({owners[info[0]]: info[2] for info in reversed(infos)})


_depth = operator.itemgetter(2)


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
