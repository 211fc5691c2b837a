"""Where a ray enters a thick pymunk segment.

pymunk 7 is wrong about one that starts within its thickness, beyond one of its ends: it gives the
point where the ray leaves, and nothing where the ray ends inside.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from harness.query.queries import Pair
from harness.values.sight import Point

Entry = tuple[float, Point]
"""The share of the ray up to the point, and the normal there."""


def faces(normal: Pair, start: Pair, end: Pair) -> bool:
    """Whether a side of a shape looks at where a ray comes from, so that it enters there."""
    return normal[0] * (end[0] - start[0]) + normal[1] * (end[1] - start[1]) <= 0


def set_right(infos: list[Any], at_end: list[Any], bar: type, start: Pair, end: Pair) -> None:
    """Set right what pymunk told of segments (``bar``); ``at_end`` are those that it ends in."""
    for place, (shape, _, normal, alpha) in enumerate(infos):
        if shape.__class__ is bar and alpha and not faces(normal, start, end):
            _entered(infos, place, shape, start, end)
    for shape in at_end:
        if all(shape is not info[0] for info in infos):
            infos.append((shape, end, (0.0, 0.0), 1.0))
            _entered(infos, len(infos) - 1, shape, start, end)


def _entered(infos: list[Any], place: int, shape: Any, start: Pair, end: Pair) -> None:
    entries = list(_entries(shape, start, end))
    if entries:
        share, normal = min(entries)
        at = (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)
        infos[place] = (shape, at, normal, share)


def _entries(shape: Any, start: Pair, end: Pair) -> Iterator[Entry]:
    """Where a ray enters the two round ends, and the two sides."""
    a, b = (shape.body.local_to_world(tip) for tip in (shape.a, shape.b))
    radius, length = shape.radius, math.dist(a, b)
    dx, dy = end[0] - start[0], end[1] - start[1]
    for tip in (a, b):
        share = _into_circle(start[0] - tip[0], start[1] - tip[1], dx, dy, radius)
        if share is not None:
            x, y = start[0] + dx * share - tip[0], start[1] + dy * share - tip[1]
            yield share, Point(x / radius, y / radius)
    if length == 0:
        return
    along = ((b[0] - a[0]) / length, (b[1] - a[1]) / length)
    for side in (Point(-along[1], along[0]), Point(along[1], -along[0])):
        closing = dx * side.x + dy * side.y
        if closing >= 0:
            continue
        away = (start[0] - a[0]) * side.x + (start[1] - a[1]) * side.y
        share = (radius - away) / closing
        x, y = start[0] + dx * share - a[0], start[1] + dy * share - a[1]
        if 0 <= share <= 1 and 0 <= x * along[0] + y * along[1] <= length:
            yield share, side


def _into_circle(x: float, y: float, dx: float, dy: float, radius: float) -> float | None:
    """The share of a way at which it enters a circle around 0,0; None where it does not."""
    way, half, rest = dx * dx + dy * dy, x * dx + y * dy, x * x + y * y - radius * radius
    under = half * half - way * rest
    if under < 0 or rest < 0 or radius <= 0:
        return None
    share = (-half - math.sqrt(under)) / way
    return share if 0 <= share <= 1 else None
