"""A movie played for what it shows: every hash, every mark, and how the game ended."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from harness.driver.driver import DIGEST
from harness.driver.leftovers import left_behind
from harness.driver.replay import Comparison, compared
from harness.errors import RequestError
from harness.games.loaded import GameExit, GameRaised
from harness.playtest.plan import check_fits
from harness.playtest.stage import Stage
from harness.values.movie import WHOLE_EVERY, Header, Movie
from harness.values.run import ErrorInfo, jsonable

_DELAY, _WAIT = 1.2, 0.003
"""Seconds that pass before a late run, and in each of its frames."""


@dataclass(frozen=True, slots=True)
class Played:
    """What one process saw of a movie. ``whole`` are the whole hashes of the last frames."""

    hashes: str
    marks: dict[str, str]
    end: str
    hung: bool = False
    values: dict[str, Any] = field(default_factory=dict)
    whole: dict[str, str] = field(default_factory=dict)

    def ending(self, info: ErrorInfo) -> Played:
        """The same, of a game that ended so after that."""
        return replace(self, end=str(info), hung=info.type == "Hung")

    def first_difference(self, other: Played) -> int | None:
        """The first frame that differs, as far as hashes and marks show it."""
        digits = 2 * DIGEST
        frames = max(len(self.hashes), len(other.hashes)) // digits
        cuts = [slice(f * digits, f * digits + digits) for f in range(frames)]
        found = [f for f, cut in enumerate(cuts) if self.hashes[cut] != other.hashes[cut]][:1]
        for one, two in ((self.marks, other.marks), (self.whole, other.whole)):
            found += [int(f) for f in one.keys() & two.keys() if one[f] != two[f]]
        # Where in a loop without an end a game was found is chance.
        if not found and self.end != other.end and not (self.hung and other.hung):
            return frames
        return min(found, default=None)


@dataclass(frozen=True, slots=True)
class Replayed:
    """A movie as it was played: what was seen, how it compares, and where that was.

    ``frames`` counts the inputs that the game was given.
    """

    played: Played
    found: Comparison
    frames: int
    state_hash: str
    header: Header
    declared: bool


class Replayer:
    """Plays movies on a stage."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    @property
    def path(self) -> Path:
        """The game."""
        return self._stage.path

    def replayed(self, movie: Movie, frame: int | None = None, late: bool = False) -> Replayed:
        """Play a movie to its end, or to ``frame``, around which it looks closer.

        One that is ``late`` begins after a delay, and waits in every frame.

        Raises:
            MovieError: it belongs to another game.
            GameError: the game did not come to its frame 0.
        """
        if late:
            time.sleep(_DELAY)
        stage = self._stage
        with stage.acting(back=False, changes=False):
            stage.game.refresh()
            check_fits(movie, stage.game.folder)
            seen = _played(stage, movie, frame, _WAIT if late else 0.0)
            driver = stage.driver
            found = compared(driver, movie)
            if frame is None:
                found = _with_end(found, movie, seen, len(driver.inputs))
            state_hash = "" if seen.end else driver.last_hash()
            declared = stage.game.declared
            return Replayed(seen, found, len(driver.inputs), state_hash, stage.header(), declared)

    def left_behind(self, movie: Movie) -> str:
        """What a reset leaves behind of a movie that was just played to its end."""
        with self._stage.acting(back=False, changes=False):
            return left_behind(self._stage.driver, movie)


def _played(stage: Stage, movie: Movie, frame: int | None, wait: float) -> Played:
    whole: dict[str, str] = {}

    def look(now: int) -> bool:
        time.sleep(wait)
        if frame is not None and now > frame - WHOLE_EVERY:
            whole[str(now)] = stage.driver.state_hash()
        return False

    looks = frame is not None or wait
    ended: GameRaised | GameExit | RequestError | None = None
    try:
        stage.replayed(movie, frame, look if looks else None)
    except (GameRaised, GameExit, RequestError) as error:
        if not stage.driver.marks:  # nothing was there to be compared
            raise
        ended = error
    driver = stage.driver
    marks = {str(mark.frame): mark.state_hash for mark in driver.marks if mark.state_hash}
    if ended is not None:
        seen = Played(driver.hashes.hex(), marks, str(ended), whole=whole)
        return seen.ending(ended.info) if isinstance(ended, GameRaised) else seen
    values = {name: jsonable(value) for name, value in driver.values().items()}
    marks[str(driver.frame)] = driver.state_hash()
    return Played(driver.hashes.hex(), marks, "", values=values, whole=whole)


def _with_end(found: Comparison, movie: Movie, here: Played, frames: int) -> Comparison:
    """Compare how it ended, too: only a run that failed or exited has no mark on its last frame."""
    ended_then = bool(movie.marks) and movie.marks[-1].frame < movie.frames
    ends_so = frames == movie.frames and ended_then
    if not found.same or (ends_so if here.end else not ended_then):
        return found
    then = "the game ended there" if ended_then else "the game played on"
    return Comparison(max(0, min(found.checked, frames - 1)), frames, then, here.end or "plays on")


def lost(before: Replayed, movie: Movie, info: ErrorInfo) -> Replayed:
    """What was played ``before`` the process was lost, with that as the end of it."""
    seen = before.played if before.played.end else before.played.ending(info)
    frames = before.frames if before.played.end else min(info.frame, movie.frames)
    found = _with_end(before.found, movie, seen, frames)
    return replace(before, played=seen, found=found, frames=frames, state_hash="")
