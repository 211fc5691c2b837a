"""A golden as one side of an ``==``: the picture that was approved under a name."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.errors import ArgumentError, GoldenError, RequestError, UnknownName
from harness.golden.capture import fingerprint
from harness.golden.compare import PictureDifference, difference
from harness.golden.edges import smoothed
from harness.golden.png import UPDATE, png_width
from harness.golden.store import GoldenFile, Store, checked_name, described
from harness.values.numbers import number, rounded
from harness.values.picture import Picture
from harness.values.sight import Box

_NEAR = 8
_MOST_NEAR = 5


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a comparison. ``expected`` is None where no golden was there."""

    same: bool
    path: Path
    drawn_with: Mapping[str, str]
    approved_with: Mapping[str, str] = field(default_factory=dict)
    differs: PictureDifference | None = None
    expected: Picture | None = None
    masks: Mapping[str, Box] = field(default_factory=dict)
    regions: tuple[Box, ...] = ()
    written: Path | None = None


@dataclass(slots=True, eq=False)
class Golden:
    """The golden of a name. A picture equals it when no more pixels differ than its tolerance.

    ``tolerance`` is a share of all pixels, ``distance`` how far a channel (0 to 255) may be off
    before its pixel differs, ``mask`` what is not compared: boxes, and entities by name. ``keep``
    is handed each verdict that is not the same, and gives where it kept the evidence.
    """

    store: Store
    name: str
    tolerance: float = 0.0
    distance: int = 0
    mask: Sequence[Any] = ()
    update: bool = False
    keep: Callable[[Golden, Picture, Verdict], str] | None = None
    told: list[str] = field(default_factory=list)
    used: list[Path] = field(default_factory=list)

    def __post_init__(self) -> None:
        checked_name(self.name)
        share = number(self.tolerance)
        if share is None or not 0 <= share <= 1:
            problem = f"must be a share of all pixels, 0 to 1, not {self.tolerance!r}"
            raise ArgumentError("tolerance", problem)
        self.tolerance = share
        if type(self.distance) is not int or not 0 <= self.distance <= 255:
            raise ArgumentError("distance", f"must be 0 to 255, not {self.distance!r}")
        if isinstance(self.mask, str) or not isinstance(self.mask, list | tuple):
            raise ArgumentError("mask", f"must be a list of names and boxes, not {self.mask!r}")

    def __eq__(self, other: object) -> bool:
        __tracebackhide__ = True
        if not isinstance(other, Picture):
            return NotImplemented
        return self.judge(other).same

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<golden {self.name}>"

    @property
    def width(self) -> int | None:
        """How wide the approved picture is; None where there is none."""
        found = self.store.find(self.name, fingerprint())
        return png_width(found.path) if found is not None else None

    def judge(self, picture: Picture) -> Verdict:
        """Compare a picture with the golden, or approve it.

        Raises:
            GoldenError: there is no golden of that name, or it cannot be read.
            UnknownName: the mask names an entity that the picture does not know.
        """
        __tracebackhide__ = True
        env = fingerprint()
        found = self.store.find(self.name, env)
        masks, loose = self._masks(picture)
        if found is None:
            verdict = Verdict(False, self.store.target(self.name, env), env, masks=masks)
            return (
                self._approved(picture, verdict) if self.update else self._missing(verdict, picture)
            )
        self.used.append(found.path)
        verdict = self._compared(picture, found, env, masks, loose)
        if verdict.same:
            return verdict
        if self.update:
            return self._approved(picture, verdict)
        self.told = self._words(picture, verdict)
        return verdict

    def _compared(
        self,
        picture: Picture,
        found: GoldenFile,
        env: Mapping[str, str],
        masks: Mapping[str, Box],
        loose: tuple[Box, ...],
    ) -> Verdict:
        if found.is_exactly(picture):
            return Verdict(True, found.path, env, found.drawn_with)
        earlier = [box for name, box in found.masks.items() if name in masks]
        # What scaling and smoothing spread around a thing belongs to it.
        spread = max(1, math.ceil(picture.scale))
        regions = (*loose, *(_grown(box, spread) for box in (*masks.values(), *earlier)))
        try:
            expected = found.picture()
        except GoldenError:
            if not self.update:
                raise
            return Verdict(False, found.path, env, found.drawn_with, masks=masks)
        differs = difference(picture, expected, self.distance, regions)
        same = differs.sizes is None and differs.share <= self.tolerance
        return Verdict(same, found.path, env, found.drawn_with, differs, expected, masks, regions)

    def _approved(self, picture: Picture, verdict: Verdict) -> Verdict:
        path = self.store.write(self.name, picture, verdict.drawn_with, verdict.masks)
        self.used.append(path)
        return Verdict(True, path, verdict.drawn_with, written=path)

    def _missing(self, verdict: Verdict, picture: Picture) -> Verdict:
        __tracebackhide__ = True
        kept = self.keep(self, picture, verdict) if self.keep is not None else ""
        lines = [f"no golden at {_shown(verdict.path)}", f"{UPDATE} this picture"]
        if kept:
            lines.append(f"  {kept}")
        raise GoldenError("\n".join(lines), verdict.path)

    def _masks(self, picture: Picture) -> tuple[dict[str, Box], tuple[Box, ...]]:
        """The masks: entities by name, and boxes."""
        named: dict[str, Box] = {}
        loose: list[Box] = []
        for one in self.mask:
            box = _box(one)
            if box is not None:
                loose.append(box)
            elif isinstance(one, str) and one in picture.boxes:
                named[one] = picture.boxes[one]
            elif isinstance(one, str) and "," not in one:
                raise _not_in(picture, one)
            else:
                problem = f"takes entities' names and boxes x,y,width,height, not {one!r}"
                raise ArgumentError("mask", problem)
        return named, tuple(loose)

    # telling

    def _words(self, picture: Picture, verdict: Verdict) -> list[str]:
        differs = verdict.differs
        assert differs is not None
        lines = [f"picture differs from golden {_shown(verdict.path)!r}: {self._how(differs)}"]
        near = _near(picture, differs)
        if near:
            lines.append(f"  near {', '.join(near)}")
        if differs.largest:
            lines.append(f"  a channel is off by at most {differs.largest} of 255")
        edges = self._edges(picture, verdict)
        if edges:
            count = "all" if edges == differs.pixels else str(edges)
            lines.append(f"  {count} of them lie on smoothed edges")
        lines.append(f"  {_environments(verdict)}")
        kept = self.keep(self, picture, verdict) if self.keep is not None else ""
        if kept:
            lines.append(f"  {kept}")
        lines.append(f"{UPDATE} this picture")
        return lines

    def _edges(self, picture: Picture, verdict: Verdict) -> int:
        if verdict.expected is None or verdict.differs is None:
            return 0
        both = picture, verdict.expected
        return smoothed(*both, verdict.differs, self.distance, verdict.regions)

    def _how(self, differs: PictureDifference) -> str:
        if differs.sizes is not None:
            (width, height), (wide, high) = differs.sizes
            return f"the golden is {width}x{height} pixels, the picture {wide}x{high}"
        allowed = f"tolerance {percent(self.tolerance)}"
        if self.distance:
            allowed += f", distance {self.distance}"
        return (
            f"{differs.pixels} of {differs.total} pixels ({percent(differs.share)}),"
            f" all within {differs.box}, {allowed}"
        )


def percent(share: float) -> str:
    """A share in percent: short, and never 0 where it is more."""
    text = rounded(share * 100)
    return f"{text}%" if text != "0" or share == 0 else "<0.001%"


def _shown(path: Path) -> str:
    """A path as one would type it here: relative where that is shorter."""
    try:
        relative = os.path.relpath(path)
    except ValueError:  # another drive
        return str(path)
    return relative if len(relative) < len(str(path)) else str(path)


def _environments(verdict: Verdict) -> str:
    here, there = described(verdict.drawn_with), described(verdict.approved_with)
    if verdict.approved_with == verdict.drawn_with:
        return f"approved and drawn under {here}"
    return f"approved under {there}; drawn under {here}"


def _grown(box: Box, by: float) -> Box:
    return Box(box.x - by, box.y - by, box.width + 2 * by, box.height + 2 * by)


def _not_in(picture: Picture, name: str) -> RequestError:
    unknown = UnknownName("entity to mask", name, picture.boxes, "the picture")
    if picture.boxes:
        return unknown
    return RequestError(
        f"{unknown}\n  where a program draws its things only its own code knows; mask a box,"
        " x,y,width,height"
    )


def _near(picture: Picture, differs: PictureDifference) -> list[str]:
    """The entities around the box that differs, the smallest first."""
    if differs.box is None:
        return []
    left, top, right, bottom = differs.box
    area = _grown(Box(left, top, right - left, bottom - top), _NEAR)
    met = {name: box for name, box in picture.boxes.items() if area.meets(box)}
    found = sorted(met, key=lambda name: (met[name].width * met[name].height, name))
    return found[:_MOST_NEAR]


def _box(one: Any) -> Box | None:
    parts = one.split(",") if isinstance(one, str) else one
    if not isinstance(parts, list | tuple) or len(parts) != 4:
        return None
    found = [number(part) for part in parts]
    if any(part is None for part in found):
        return None
    return Box(*(part for part in found if part is not None))
