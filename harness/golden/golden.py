"""A golden as one side of an ``==``: the picture that was approved under a name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from harness.errors import ArgumentError, GoldenError, HarnessError
from harness.golden.capture import fingerprint
from harness.golden.compare import PictureDifference, difference, differing
from harness.golden.edges import smoothed
from harness.golden.masks import Masks, masks_of
from harness.golden.png import UPDATE, png_width
from harness.golden.store import GoldenFile, Store, checked_name, described
from harness.values.files import shown_path
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
    is handed each verdict that is not the same, and gives where it kept the evidence. ``settled``
    are the files that this run drew exactly so or approved: no other picture takes their place.
    """

    store: Store
    name: str
    tolerance: float = 0.0
    distance: int = 0
    mask: Sequence[Any] = ()
    update: bool = False
    keep: Callable[[Golden, Picture, Verdict], str] | None = None
    settled: set[Path] = field(default_factory=set)
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
        return self._same(other, self.update) if isinstance(other, Picture) else NotImplemented

    def __ne__(self, other: object) -> bool:
        __tracebackhide__ = True
        # What is to be another picture is no reason to approve it.
        return not self._same(other, False) if isinstance(other, Picture) else NotImplemented

    def _same(self, picture: Picture, update: bool) -> bool:
        __tracebackhide__ = True
        try:
            return self._judged(picture, update).same
        except HarnessError as error:
            raise error.with_traceback(None) from None

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
        return self._judged(picture, self.update)

    def _judged(self, picture: Picture, update: bool) -> Verdict:
        self.told = []
        env = fingerprint()
        try:
            found = self.store.find(self.name, env)
        except GoldenError:  # what lies beside it is no fingerprint
            if not update:
                raise
            found = None
        masks = masks_of(self.mask, picture.boxes, found.masks if found is not None else {})
        if found is None:
            verdict = Verdict(False, self.store.target(self.name, env), env, masks=masks.named)
            return self._approved(picture, verdict) if update else self._missing(verdict, picture)
        self.used.append(found.path)
        verdict = self._compared(picture, found, env, masks, update)
        if verdict.same:
            if verdict.differs is None:
                self.settled.add(found.path)
            return verdict
        if update and found.path not in self.settled:
            return self._approved(picture, verdict)
        self.told = self._words(picture, verdict)
        return verdict

    def _compared(
        self,
        picture: Picture,
        found: GoldenFile,
        env: Mapping[str, str],
        masks: Masks,
        update: bool,
    ) -> Verdict:
        told = Verdict(False, found.path, env, found.drawn_with, masks=masks.named)
        if found.is_exactly(picture):
            return replace(told, same=True)
        try:
            expected = found.picture()
        except GoldenError:
            if not update:
                raise
            return told
        regions = masks.regions(picture.scale)
        differs = difference(picture, expected, self.distance, regions)
        same = differs.sizes is None and differs.share <= self.tolerance
        return replace(told, same=same, differs=differs, expected=expected, regions=regions)

    def _approved(self, picture: Picture, verdict: Verdict) -> Verdict:
        path = self.store.write(self.name, picture, verdict.drawn_with, verdict.masks)
        self.used.append(path)
        self.settled.add(path)
        return Verdict(True, path, verdict.drawn_with, written=path)

    def _missing(self, verdict: Verdict, picture: Picture) -> Verdict:
        kept = self.keep(self, picture, verdict) if self.keep is not None else ""
        lines = [f"no golden at {shown_path(verdict.path)}", f"{UPDATE} this picture"]
        if kept:
            lines.append(f"  {kept}")
        raise GoldenError("\n".join(lines), verdict.path)

    # telling

    def _words(self, picture: Picture, verdict: Verdict) -> list[str]:
        differs = verdict.differs
        assert differs is not None
        lines = [f"picture differs from golden {shown_path(verdict.path)!r}: {self._how(differs)}"]
        near = _near(picture, verdict, self.distance)
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
        if self.update and verdict.path in self.settled:
            lines.append("  this run drew that, too; give one of the two another name")
        else:
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


def _environments(verdict: Verdict) -> str:
    here, there = described(verdict.drawn_with), described(verdict.approved_with)
    if verdict.approved_with == verdict.drawn_with:
        return f"approved and drawn under {here}"
    return f"approved under {there}; drawn under {here}"


def _near(picture: Picture, verdict: Verdict, distance: int) -> list[str]:
    """The entities that something differs at, the smallest first."""
    differs, expected = verdict.differs, verdict.expected
    if differs is None or differs.box is None or expected is None:
        return []
    left, top, right, bottom = differs.box
    area, across = Box(left, top, right - left, bottom - top), right - left
    marks = differing(picture, expected, differs.box, distance, verdict.regions)

    def differs_at(box: Box) -> bool:
        first, last = max(left, int(box.x)) - left, min(right, int(box.x + box.width) + 1) - left
        rows = range(max(top, int(box.y)) - top, min(bottom, int(box.y + box.height) + 1) - top)
        return any(any(marks[row * across + first : row * across + last]) for row in rows)

    met = {
        name: box
        for name, box in picture.boxes.items()
        if area.meets(box.grown(_NEAR)) and differs_at(box.grown(_NEAR))
    }
    found = sorted(met, key=lambda name: (met[name].width * met[name].height, name))
    return found[:_MOST_NEAR]
