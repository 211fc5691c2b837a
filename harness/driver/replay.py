"""Whether a game that was driven by a movie came to the states that the movie marks."""

from __future__ import annotations

from dataclasses import dataclass

from harness.driver.driver import DIGEST, Driver
from harness.values.movie import Mark, Movie

TRAIL_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Comparison:
    """``frame`` is the first that is known to differ, if one is; up to ``checked`` all agree."""

    checked: int
    frame: int | None = None
    expected: str = ""
    actual: str = ""

    @property
    def same(self) -> bool:
        """Whether every mark was reproduced."""
        return self.frame is None

    @property
    def where(self) -> str:
        """The first frame that differs, in words: marks hold more than the frames between them."""
        if self.frame is None or self.frame <= self.checked + 1:
            return f"at frame {self.frame}"
        return f"between frame {self.checked + 1} and frame {self.frame}"


def compared(driver: Driver, movie: Movie) -> Comparison:
    """Compare a driver that has just replayed a movie with the movie's marks and trails."""
    here = {mark.frame: mark for mark in driver.movie_marks()}
    checked = since = whole = 0
    for mark in movie.marks:
        if mark.frame > driver.frame:
            break
        frame = _first_in_trail(driver, mark, since)
        if frame is not None:
            expected = _trail_at(mark, since, frame)
            actual = driver.digest(frame).hex()[:TRAIL_DIGITS]
            return Comparison(max(0, frame - 1), frame, expected, actual)
        found = here.get(mark.frame)
        if mark.state_hash and found is not None and found.state_hash:
            if found.state_hash != mark.state_hash:
                return Comparison(whole, mark.frame, mark.state_hash, found.state_hash)
            whole = mark.frame
        checked = since = mark.frame
    return Comparison(checked)


def _first_in_trail(driver: Driver, mark: Mark, since: int) -> int | None:
    frames = len(mark.trail) // TRAIL_DIGITS
    if frames != mark.frame - since:
        return None
    hashes = driver.hashes
    for index in range(frames):
        start = (since + 1 + index) * DIGEST
        digits = hashes[start : start + TRAIL_DIGITS // 2].hex()
        if digits != mark.trail[index * TRAIL_DIGITS : (index + 1) * TRAIL_DIGITS]:
            return since + 1 + index
    return None


def _trail_at(mark: Mark, since: int, frame: int) -> str:
    start = (frame - since - 1) * TRAIL_DIGITS
    return mark.trail[start : start + TRAIL_DIGITS]
