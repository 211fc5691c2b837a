"""What of a picture is not compared with its golden: boxes, and entities by name."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.errors import ArgumentError, UnknownName
from harness.values.numbers import number
from harness.values.sight import Box


@dataclass(frozen=True, slots=True)
class Masks:
    """``named`` is where masked entities are in the picture, ``before`` where they were."""

    named: Mapping[str, Box]
    before: tuple[Box, ...]
    loose: tuple[Box, ...]

    def regions(self, scale: float) -> tuple[Box, ...]:
        """All that is masked in a picture of a scale."""
        # What scaling and smoothing spread around a thing belongs to it.
        spread = max(1, math.ceil(scale))
        return (*self.loose, *(box.grown(spread) for box in (*self.named.values(), *self.before)))


def masks_of(mask: Sequence[Any], boxes: Mapping[str, Box], before: Mapping[str, Box]) -> Masks:
    """Find what is masked among the entities of a picture, and those that its golden knows.

    Raises:
        UnknownName: neither has one of that name.
        ArgumentError: it is neither a name nor a box.
    """
    named: dict[str, Box] = {}
    earlier: list[Box] = []
    loose: list[Box] = []
    for one in mask:
        box = _box(one)
        if box is not None:
            loose.append(box)
            continue
        if not isinstance(one, str) or "," in one:
            problem = "takes entities' names and boxes x,y,width,height"
            raise ArgumentError("mask", f"{problem}, with a width and height above 0, not {one!r}")
        there = {label: box for label, box in boxes.items() if _is_called(label, one)}
        then = [box for label, box in before.items() if _is_called(label, one)]
        if not there and not then:
            if not boxes:  # of a program, and of a camera that the game does not tell
                problem = "where its entities are this picture does not know; mask x,y,width,height"
                raise ArgumentError("mask", f"{problem} in place of {one!r}")
            raise UnknownName("entity to mask", one, boxes, "the picture")
        named |= there
        earlier += then
    return Masks(named, tuple(earlier), tuple(loose))


def _is_called(label: str, name: str) -> bool:
    """Whether a thing in a picture has a name; of several that share one each has a longer label.

    So is each of a collection called by its name, as ``coins[0]`` is by ``coins``.
    """
    own = label.rpartition("/")[2]
    return name in (label, own, own.partition("[")[0])


def _box(one: Any) -> Box | None:
    parts = one.split(",") if isinstance(one, str) else one
    if not isinstance(parts, list | tuple) or len(parts) != 4:
        return None
    x, y, width, height = (number(part) for part in parts)
    if x is None or y is None or not width or not height or min(width, height) < 0:
        return None
    return Box(x, y, width, height)
