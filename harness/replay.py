"""Replays a movie and says what a difference means.

A replay that differs is one of three: nondeterministic (two runs of this build differ), behaviour
changed (they agree with each other, not with the movie), recorded elsewhere (another Python minor,
pymunk, platform or CPU class, so that the hashes cannot be compared).
"""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from harness.driver.environment import elsewhere
from harness.driver.replay import Comparison
from harness.errors import GameError, HarnessError, MovieError
from harness.playtest.replaying import Played, Replayed, Replayer
from harness.playtest.savestates import field_difference
from harness.values.movie import Movie
from harness.values.movie_reader import read_movie
from harness.values.run import jsonable, shown_apart
from harness.worker.pins import BUDGET, MEMORY
from harness.worker.play import WorkerPlay

Kind = Literal["same", "failed", "nondeterministic", "behaviour changed", "recorded elsewhere"]

_LONGEST = 600.0
"""Seconds that the second run of a replay may take."""

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


def fresh_play(
    game: str | os.PathLike[str] | None,
    hash_seed: str | None = None,
    budget: float = BUDGET,
    total: float | None = None,
    memory: int = MEMORY,
) -> WorkerPlay:
    """A play in a fresh process under a hash seed; else under this process's own."""
    seed = hash_seed or os.environ.get("PYTHONHASHSEED", "random")
    return WorkerPlay(game, how="spawn", budget=budget, total=total, memory=memory, hash_seed=seed)


def replay(play: Replayer | WorkerPlay, path: Path, budget: float = BUDGET) -> Verdict:
    """Replay a movie, and again in other processes when it differs.

    Raises:
        MovieError: it cannot be read, or belongs to another game.
        GameError: the game did not come to its frame 0.
    """
    movie = read_movie(path)
    here = play.replayed(movie)
    found, end = here.found, here.played.end
    if not found.same:
        return _Difference(play, movie, path, budget).explained(here)
    if not end and not (movie.frames and found.checked):
        raise MovieError(f"{path} holds no mark of a frame that was played: nothing to check")
    if end:
        return Verdict("failed", str(path), movie.frames, found.checked, detail=end)
    return Verdict("same", str(path), movie.frames, found.checked, here.state_hash)


class _Difference:
    """A movie that this game did not reproduce; ``budget`` is what each frame may take."""

    def __init__(
        self, play: Replayer | WorkerPlay, movie: Movie, path: Path, budget: float
    ) -> None:
        self._play = play
        self._movie = movie
        self._path = path
        self._budget = budget

    def explained(self, here: Replayed) -> Verdict:
        """Say what it is that differs."""
        for hash_seed in _HASH_SEEDS:
            other = self._second(None, hash_seed)
            frame = here.played.first_difference(other) if other is not None else None
            if frame is not None:
                return self._nondeterministic(frame, hash_seed)
        movie, found, now = self._movie, here.found, here.header
        away = elsewhere(movie.header, now, drawn=not here.declared)
        kind: Kind = "recorded elsewhere" if away else "behaviour changed"
        same_build = kind == "behaviour changed" and movie.header.build == now.build
        detail = (_SAME_BUILD if same_build else _MEANING[kind]).format(
            why="; ".join(away), there=movie.header.build or "?", here=now.build
        )
        detail += f"; {found.where} it was {found.expected} and is {found.actual}"
        left = self._play.left_behind(movie) if same_build else ""
        detail = f"{_LEFT}\n  {left}" if left else detail
        return Verdict(
            kind, str(self._path), movie.frames, found.checked, frame=found.frame, detail=detail
        )

    def _nondeterministic(self, frame: int, hash_seed: str) -> Verdict:
        """Find the first frame whose whole state differs between two runs, and the value."""
        value: tuple[str, Any, Any] | None = None
        # What differs by chance may be the same in two runs of three.
        for seed in (hash_seed, hash_seed, *_HASH_SEEDS):
            here = self._play.replayed(self._movie, frame).played
            there = self._second(frame, seed) or here
            earlier = here.first_difference(there)
            value = field_difference(here.values, there.values)
            if earlier is not None and earlier < frame:
                frame = earlier
            elif value is not None:
                break
        name, one, other = value or ("", None, None)
        told = [_MEANING["nondeterministic"], self._play.left_behind(self._movie)]
        return Verdict(
            "nondeterministic", str(self._path), self._movie.frames, max(0, frame - 1),
            frame=frame, name=name, one=one, other=other, detail="\n  ".join(filter(None, told)),
        )  # fmt: skip

    def _second(self, frame: int | None, hash_seed: str) -> Played | None:
        return second_run(self._play.path, self._movie, frame, hash_seed, budget=self._budget)


def second_run(
    game: Path,
    movie: Movie,
    frame: int | None,
    hash_seed: str,
    late: bool = False,
    budget: float = BUDGET,
) -> Played | None:
    """Play a movie in a fresh process under a hash seed; None when that cannot be had.

    One that is ``late`` begins after a delay, and waits in every frame.
    """
    play = fresh_play(game, hash_seed, budget, _LONGEST)
    try:
        return play.replayed(movie, frame, late).played
    except GameError as error:
        return Played("", {}, str(error.run.error))
    except HarnessError:
        return None
    finally:
        play.close()
