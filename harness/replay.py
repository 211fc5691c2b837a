"""Replays a movie and says what a difference means.

A replay that differs is one of three: nondeterministic (two runs of this build differ), behaviour
changed (they agree with each other, not with the movie), recorded elsewhere (another Python minor,
pymunk, platform or CPU class, so that the hashes cannot be compared).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from harness.driver.driver import DIGEST
from harness.driver.environment import elsewhere, movie_header
from harness.driver.leftovers import left_behind
from harness.driver.replay import Comparison, compared
from harness.errors import HarnessError, MovieError, RequestError
from harness.games.loaded import GameExit, GameRaised
from harness.playtest.plan import check_fits
from harness.playtest.savestates import field_difference
from harness.playtest.stage import Stage
from harness.stdout import answers_only
from harness.values.files import working_folder
from harness.values.movie import WHOLE_EVERY, Movie
from harness.values.movie_reader import read_movie
from harness.values.run import jsonable, shown_apart

Kind = Literal["same", "failed", "nondeterministic", "behaviour changed", "recorded elsewhere"]

_LONGEST = 600.0
"""Seconds that the second run of a replay may take."""

_DELAY, _WAIT = 1.2, 0.003
"""Seconds that pass before a late run, and in each of its frames."""

_HASH_SEEDS = ("1", "2", "3")
"""A set of two keeps its order under every second hash seed, so that one more run shows little."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a replay showed. ``frame`` is the first that differs; ``name`` the first value in it."""

    kind: Kind
    movie: str
    frames: int
    checked: int
    state_hash: str = ""
    frame: int | None = None
    name: str = ""
    one: Any = None
    other: Any = None
    detail: str = ""

    @property
    def same(self) -> bool:
        """Whether the movie was reproduced: every mark, and the failure that it ends in."""
        return self.kind in ("same", "failed")

    def to_json(self) -> dict[str, Any]:
        """The structured answer."""
        return {**asdict(self), "one": jsonable(self.one), "other": jsonable(self.other)}

    def text(self) -> str:
        """The answer in words."""
        checked = f"checked {self.checked} of {self.frames} frames"
        if self.kind == "same":
            return f"same: {checked}, hash {self.state_hash}"
        if self.kind == "failed":
            return f"same: {checked}, and the game ends as it did: {self.detail}"
        where = Comparison(self.checked, self.frame).where
        lines = [f"{self.kind}: {self.movie} first differs {where}, {checked}"]
        if self.name:
            one, other = shown_apart(self.one, self.other)
            lines.append(f"  {self.name} was {one} in one run and {other} in another")
        if self.detail:
            lines.append(f"  {self.detail}")
        return "\n".join(lines)


_MEANING = {
    "nondeterministic": "two runs of these very files differ: the game reads a clock, an unseeded"
    " generator, the order of a set or of addresses",
    "behaviour changed": "two runs of these files agree: the game is another than the recorded one"
    " (build {there} then, {here} now); record the movie again if that is meant",
    "recorded elsewhere": "the bits may differ here: {why}",
}


_LEFT = "it depends on what was played before in its process, which reset must set anew:"

_SAME_BUILD = (
    "two runs of these files agree, and they are the files that were recorded (build {here}): the"
    " harness, a library or something outside of the game's folder is another"
)


@dataclass(frozen=True, slots=True)
class Played:
    """What one process saw of a movie. ``whole`` are the whole hashes of the last frames."""

    hashes: str
    marks: dict[str, str]
    end: str
    values: dict[str, Any] = field(default_factory=dict)
    whole: dict[str, str] = field(default_factory=dict)

    def first_difference(self, other: Played) -> int | None:
        """The first frame that differs, as far as hashes and marks show it."""
        digits = 2 * DIGEST
        frames = max(len(self.hashes), len(other.hashes)) // digits
        cuts = [slice(f * digits, f * digits + digits) for f in range(frames)]
        found = [f for f, cut in enumerate(cuts) if self.hashes[cut] != other.hashes[cut]][:1]
        for one, two in ((self.marks, other.marks), (self.whole, other.whole)):
            found += [int(f) for f in one.keys() & two.keys() if one[f] != two[f]]
        if not found and self.end != other.end:
            return frames
        return min(found, default=None)


def replay(stage: Stage, path: Path) -> Verdict:
    """Replay a movie in this process, and again in others when it differs.

    Raises:
        MovieError: it cannot be read, or belongs to another game.
    """
    movie = read_movie(path)
    with stage.active():
        stage.game.refresh()
        check_fits(movie, stage.game.folder)
        here = played(stage, movie)
        found = _with_end(compared(stage.driver, movie), movie, here, len(stage.driver.inputs))
        if not found.same:
            return _explained(stage, movie, path, here, found)
        if not here.end and not (movie.frames and found.checked):
            raise MovieError(f"{path} holds no mark of a frame that was played: nothing to check")
        if here.end:
            return Verdict("failed", str(path), movie.frames, found.checked, detail=here.end)
        state_hash = stage.driver.state_hash()
        return Verdict("same", str(path), movie.frames, found.checked, state_hash)


def _with_end(found: Comparison, movie: Movie, here: Played, frames: int) -> Comparison:
    """Compare how it ended, too: only a run that failed or exited has no mark on its last frame."""
    ended_then = bool(movie.marks) and movie.marks[-1].frame < movie.frames
    ends_so = frames == movie.frames and ended_then
    if not found.same or (ends_so if here.end else not ended_then):
        return found
    then = "the game ended there" if ended_then else "the game played on"
    return Comparison(max(0, min(found.checked, frames - 1)), frames, then, here.end or "plays on")


def _explained(stage: Stage, movie: Movie, path: Path, here: Played, found: Comparison) -> Verdict:
    for hash_seed in _HASH_SEEDS:
        other = second_run(stage.path, path, 0, hash_seed)
        frame = here.first_difference(other) if other is not None else None
        if frame is not None:
            return _nondeterministic(stage, movie, path, frame, hash_seed)
    driver = stage.driver
    now = movie_header(stage.game, driver.scene, driver.seed, driver.frame)
    away = elsewhere(movie.header, now, drawn=not stage.game.declared)
    kind: Kind = "recorded elsewhere" if away else "behaviour changed"
    same_build = kind == "behaviour changed" and movie.header.build == now.build
    detail = (_SAME_BUILD if same_build else _MEANING[kind]).format(
        why="; ".join(away), there=movie.header.build or "?", here=now.build
    )
    detail += f"; {found.where} it was {found.expected} and is {found.actual}"
    left = left_behind(driver, movie) if same_build else ""
    detail = f"{_LEFT}\n  {left}" if left else detail
    return Verdict(kind, str(path), movie.frames, found.checked, frame=found.frame, detail=detail)


def _nondeterministic(
    stage: Stage, movie: Movie, path: Path, frame: int, hash_seed: str
) -> Verdict:
    """Find the first frame whose whole state differs between two runs, and the value that does."""
    for _ in range(2):
        here = played(stage, movie, frame)
        there = second_run(stage.path, path, frame, hash_seed) or here
        earlier = here.first_difference(there)
        if earlier is None or earlier >= frame:
            break
        frame = earlier
    name, one, other = field_difference(here.values, there.values) or ("", None, None)
    told = [_MEANING["nondeterministic"], left_behind(stage.driver, movie)]
    return Verdict(
        "nondeterministic", str(path), movie.frames, max(0, frame - 1), frame=frame, name=name,
        one=one, other=other, detail="\n  ".join(filter(None, told)),
    )  # fmt: skip


def played(stage: Stage, movie: Movie, frame: int = 0, wait: float = 0.0) -> Played:
    """Play a movie to ``frame`` (0: to its end, or to where the game ends), while it is active.

    ``wait`` is how many seconds pass in each frame.
    """
    whole: dict[str, str] = {}

    def look(now: int) -> bool:
        time.sleep(wait)
        if frame and now > frame - WHOLE_EVERY:
            whole[str(now)] = stage.driver.state_hash()
        return False

    end = ""
    try:
        stage.replayed(movie, frame or None, look if frame or wait else None)
    except (GameRaised, GameExit, RequestError) as ended:
        end = str(ended.info) if isinstance(ended, GameRaised) else str(ended)
    driver = stage.driver
    values: dict[str, Any] = {}
    if not end:
        values = {name: jsonable(value) for name, value in driver.values().items()}
    marks = {str(mark.frame): mark.state_hash for mark in driver.marks if mark.state_hash}
    if not end:
        marks[str(driver.frame)] = driver.state_hash()
    return Played(driver.hashes.hex(), marks, end, values, whole)


def second_run(
    game: Path, movie: Path, frame: int, hash_seed: str, late: bool = False
) -> Played | None:
    """Play a movie in a fresh process under a hash seed; None when that cannot be had.

    One that is ``late`` begins after a delay, and waits in every frame.
    """
    asked = [str(game), str(movie.resolve()), str(frame), *(["--late"] if late else [])]
    command = [sys.executable, "-P", "-m", "harness.replay", *asked]
    environment = other_environment(int(hash_seed))
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, timeout=_LONGEST, check=False
        )
        return Played(**json.loads(done.stdout))
    except (OSError, ValueError, TypeError, subprocess.TimeoutExpired):
        return None


def other_environment(hash_seed: int | None = None) -> dict[str, str]:
    """This environment under another hash seed, with our package in reach."""
    seed = hash_seed or (1 if os.environ.get("PYTHONHASHSEED") != "1" else 2)
    home = str(Path(__file__).resolve().parent.parent)
    paths = [home, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": os.pathsep.join(paths)}


def main(argv: list[str] | None = None) -> int:
    """Answer another process: play a movie, print its hashes and the values at one frame."""
    parser = argparse.ArgumentParser(prog="harness.replay")
    parser.add_argument("game", type=Path)
    parser.add_argument("movie", type=Path)
    parser.add_argument("frame", type=int)
    parser.add_argument("--late", action="store_true")
    options = parser.parse_args(argv)
    if options.late:
        time.sleep(_DELAY)
    with answers_only() as answers:
        try:
            stage = Stage(options.game, working_folder(), 0, None)
            movie = read_movie(options.movie)
            with stage.active():
                stage.game.refresh()
                wait = _WAIT if options.late else 0.0
                found = played(stage, movie, options.frame, wait)
                json.dump(asdict(found), answers, default=str)
        except HarnessError as error:
            print(f"harness.replay: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
