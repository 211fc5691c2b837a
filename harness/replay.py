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
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from harness.driver.driver import Driver
from harness.driver.environment import elsewhere, movie_header
from harness.driver.replay import compared
from harness.errors import HarnessError
from harness.games.native import GameExit, GameRaised
from harness.playtest.plan import check_fits
from harness.playtest.savestates import field_difference
from harness.playtest.stage import Stage
from harness.stdout import answers_only
from harness.values.movie import Movie
from harness.values.movie_reader import read_movie
from harness.values.run import jsonable, shown

Kind = Literal["same", "failed", "nondeterministic", "behaviour changed", "recorded elsewhere"]

_LONGEST = 600.0
"""Seconds that the second run of a replay may take."""


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
            return f"same: {checked}, and the game fails as it did: {self.detail}"
        lines = [f"{self.kind}: {self.movie} differs from frame {self.frame} on, {checked}"]
        if self.name:
            lines.append(
                f"  {self.name} was {shown(self.one)} in one run and {shown(self.other)} in another"
            )
        if self.detail:
            lines.append(f"  {self.detail}")
        return "\n".join(lines)


_MEANING: dict[Kind, str] = {
    "nondeterministic": "two runs of these very files differ: the game reads a clock, an unseeded"
    " generator, the order of a set or of addresses",
    "behaviour changed": "two runs of these files agree: the game is another than the recorded one"
    " (build {there} then, {here} now); record the movie again if that is meant",
    "recorded elsewhere": "the bits may differ here: {why}",
}


def replay(stage: Stage, path: Path) -> Verdict:
    """Replay a movie in this process, and a second time in another when it differs.

    Raises:
        MovieError: it cannot be read, or belongs to another game.
    """
    movie = read_movie(path)
    with stage.game.active():
        stage.game.refresh()
        check_fits(movie, stage)
        failure = _played(stage, movie)
        driver = stage.driver
        comparison = compared(driver, movie)
        if comparison.same:
            return _reproduced(movie, path, driver, failure, comparison.checked)
        trail = driver.hashes.hex()
        here = movie_header(stage.game, driver.scene, driver.seed, driver.frame)
    assert comparison.frame is not None
    common: dict[str, Any] = {
        "movie": str(path),
        "frames": movie.frames,
        "checked": comparison.checked,
    }
    other = second_run(stage.path, path, comparison.frame)
    if other is not None and other["hashes"] != trail:
        frame = _first_difference(trail, other["hashes"])
        one, two = _values_of_two(stage, movie, path, frame)
        name, was, now = field_difference(one, two) or ("", None, None)
        detail = _MEANING["nondeterministic"]
        return Verdict(
            "nondeterministic", **common, frame=frame, name=name, one=was, other=now, detail=detail
        )
    away = elsewhere(movie.header, here)
    if away:
        detail = _MEANING["recorded elsewhere"].format(why="; ".join(away))
        return Verdict("recorded elsewhere", **common, frame=comparison.frame, detail=detail)
    detail = _MEANING["behaviour changed"].format(there=movie.header.build or "?", here=here.build)
    detail += f"; frame {comparison.frame} was {comparison.expected} and is {comparison.actual}"
    if failure:
        detail = f"the game fails now: {failure}; {detail}"
    return Verdict("behaviour changed", **common, frame=comparison.frame, detail=detail)


def _played(stage: Stage, movie: Movie) -> str:
    """Play a movie to its end, or to where the game fails; gives the failure in words."""
    try:
        stage.replayed(movie)
    except GameRaised as raised:
        return str(raised.info)
    except GameExit as ended:
        return str(ended)
    return ""


def _reproduced(movie: Movie, path: Path, driver: Driver, failure: str, checked: int) -> Verdict:
    marks = movie.marks
    last = marks[-1].state_hash if marks else ""
    unmarked = movie.frames > (marks[-1].frame if marks else 0)
    if not failure:
        return Verdict("same", str(path), movie.frames, checked, state_hash=driver.state_hash())
    if unmarked and len(driver.inputs) == movie.frames:
        return Verdict("failed", str(path), movie.frames, checked, state_hash=last, detail=failure)
    return Verdict(
        "behaviour changed", str(path), movie.frames, checked,
        frame=len(driver.inputs), detail=f"the game fails now: {failure}",
    )  # fmt: skip


def _values_of_two(
    stage: Stage, movie: Movie, path: Path, frame: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    with stage.game.active():
        try:
            here = {k: jsonable(v) for k, v in stage.replayed(movie, frame).values().items()}
        except (GameRaised, GameExit):
            here = {}
    there = second_run(stage.path, path, frame)
    return here, there["values"] if there is not None else {}


def _first_difference(one: str, other: str) -> int:
    frames = (min(len(one), len(other)) + 15) // 16
    return next(
        (f for f in range(frames) if one[f * 16 : f * 16 + 16] != other[f * 16 : f * 16 + 16]),
        frames,
    )


def second_run(game: Path, movie: Path, frame: int) -> dict[str, Any] | None:
    """Replay a movie in a fresh process under another hash seed; None when that cannot be had."""
    command = [
        sys.executable,
        "-P",
        "-m",
        "harness.replay",
        str(game),
        str(movie.resolve()),
        str(frame),
    ]
    try:
        done = subprocess.run(
            command, env=other_environment(), capture_output=True, timeout=_LONGEST, check=False
        )
        answer: dict[str, Any] = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return answer


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
    options = parser.parse_args(argv)
    with answers_only() as answers:
        stage = Stage(options.game, Path.cwd(), 0, None)
        movie = read_movie(options.movie)
        with stage.game.active():
            stage.game.refresh()
            _played(stage, movie)
            hashes = stage.driver.hashes.hex()
            try:
                values = stage.replayed(movie, options.frame).values()
            except (GameRaised, GameExit, HarnessError):
                values = {}
        json.dump(
            {"hashes": hashes, "values": {k: jsonable(v) for k, v in values.items()}},
            answers,
            default=str,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
