"""pymunk's own queries of one space, without what its wrapper adds to each call.

The wrapper makes a handle and a filter for every call, which costs as much as the call itself. What
is used of pymunk here is not public: where it is not as it is known, the wrapper is asked.
"""

from __future__ import annotations

from typing import Any

Pair = tuple[float, float]
_NONE: list[Any] = []


class Queries:
    """Asks a space. Every shape is let through, and what is given holds until the next question."""

    def __init__(self, space: Any) -> None:
        import pymunk

        self.space = space
        self.bar: type = pymunk.Segment
        self._everything = pymunk.ShapeFilter()

    def along(self, start: Pair, end: Pair) -> tuple[list[Any], list[Any]]:
        """What pymunk tells of each shape that a ray meets; and the segments that it ends in."""
        met: list[Any] = self.space.segment_query(start, end, 0, self._everything)
        return met, self._bars_at(end)

    def _bars_at(self, at: Pair) -> list[Any]:
        return [info[0] for info in self.around(at, 0) if info[0].__class__ is self.bar]

    def around(self, at: Pair, radius: float) -> list[Any]:
        """What pymunk tells of each shape that is nearer than a radius."""
        found: list[Any] = self.space.point_query(at, radius, self._everything)
        return found


class _Direct(Queries):
    """The same answers, from the calls that the wrapper makes."""

    def __init__(self, space: Any) -> None:
        super().__init__(space)
        from pymunk._chipmunk_cffi import ffi, lib

        self._space = space._space
        self._met: list[Any] = []
        self._around: list[Any] = []
        self._to_met = ffi.new_handle((space, self._met))
        self._to_around = ffi.new_handle((space, self._around))
        self._all = ffi.new("cpShapeFilter *", self._everything)[0]
        self._nothing = ffi.NULL
        self._segment, self._segment_met = lib.cpSpaceSegmentQuery, lib.ext_cpSpaceSegmentQueryFunc
        self._point, self._point_met = lib.cpSpacePointQuery, lib.ext_cpSpacePointQueryFunc
        self._nearest = lib.cpSpacePointQueryNearest

    def along(self, start: Pair, end: Pair) -> tuple[list[Any], list[Any]]:
        met, space, everything = self._met, self._space, self._all
        met.clear()
        self._segment(space, start, end, 0, everything, self._segment_met, self._to_met)
        if self._nearest(space, end, 0, everything, self._nothing):
            return met, self._bars_at(end)
        return met, _NONE  # most rays end in the open

    def around(self, at: Pair, radius: float) -> list[Any]:
        around = self._around
        around.clear()
        self._point(self._space, at, radius, self._all, self._point_met, self._to_around)
        return around


def queries(space: Any) -> Queries:
    """Ask a space in the quickest way that this pymunk knows."""
    here = (0.0, 0.0)
    try:
        direct = _Direct(space)
        direct.along(here, (1.0, 1.0))
        direct.around(here, 1.0)
    except (ImportError, AttributeError, TypeError):
        return Queries(space)
    return direct
