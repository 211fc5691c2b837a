"""What a play is asked in its own process, beyond the verbs of Playtest."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from harness.errors import HarnessError
from harness.playtest.play import Playtest
from harness.playtest.replaying import Replayed, Replayer
from harness.playtest.savestates import Savestate
from harness.playtest.standing import Standing
from harness.values.answers import QueryAnswer, Shot
from harness.values.movie import Mark, Movie
from harness.values.run import RunRequest, RunResult
from harness.worker.reel import Tail, closing_of, tail_of

VERBS = frozenset(
    (
        "step", "hold", "tap", "until", "value", "names", "explain",
        "inspect", "raycast", "overlap", "at", "contacts", "screenshot",
    )
)  # fmt: skip
"""Verbs that mean the same in every process."""


class Acts:
    """The verbs of one play, for the play that asks from another process."""

    def __init__(self, play: Playtest) -> None:
        self.play = play
        self.replayer = Replayer(play.stage)

    def act(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Do what was asked."""
        return getattr(self.play if name in VERBS else self, name)(*args, **kwargs)

    def reset(self, scene: str | None, seed: int | None) -> int:
        """As the verb, but where the process stands there already."""
        return 0 if self.play.stage.stood(None, scene, seed) else self.play.reset(scene, seed)

    def load(self, name: str) -> int:
        """As the verb, but where the process stands there already."""
        return self.play.frame if self.play.stage.stood(name) else self.play.load(name)

    def run(
        self, request: RunRequest, since: int, against: dict[str, RunResult]
    ) -> tuple[RunResult, Tail | None]:
        """A whole run: its result without the movie, and what the movie is longer by."""
        stage = self.play.stage
        stage.runs.update(against)
        result = self.play.run(request)
        if result.movie is None:
            return result, None
        return replace(result, movie=None), tail_of(stage, since, _last(result.movie))

    def query(
        self, request: RunRequest, since: int, action: str, given: dict[str, Any]
    ) -> tuple[QueryAnswer, Tail]:
        """Play a request, and ask about its last frame."""
        answer = self.play.query(request, action, given)
        return answer, self._tail(since)

    def shot(
        self,
        request: RunRequest,
        since: int,
        frames: list[int] | None,
        camera: str | None,
        width: int | None,
    ) -> tuple[Shot, Tail]:
        """Play a request, and draw its last frame or several."""
        shot = self.play.shot(request, frames, camera, width)
        return shot, self._tail(since)

    def replayed(self, movie: Movie, frame: int | None, late: bool) -> Replayed:
        """Play a movie for what it shows."""
        return self.replayer.replayed(movie, frame, late)

    def left_behind(self, movie: Movie) -> str:
        """What a reset leaves behind of it."""
        return self.replayer.left_behind(movie)

    def _tail(self, since: int) -> Tail:
        stage = self.play.stage
        with stage.acting(changes=False):
            return tail_of(stage, since, closing_of(stage.driver))

    def sync(self, since: int, purpose: Literal["save", "movie", "played"]) -> Tail | None:
        """What was played since a frame; None where nothing was."""
        stage = self.play.stage
        if purpose == "played" and (not stage.started or not stage.driver.inputs):
            return None
        if purpose != "save" and stage.failed is not None:
            return tail_of(stage, since, _last(stage.failed.movie))
        with stage.acting(changes=purpose == "save"):
            return tail_of(stage, since, closing_of(stage.driver))

    def part(self, since: int | None, notice: bool) -> Tail | str | None:
        """Make sure that the play can be kept as it stands: what is new of it, or why it cannot."""
        stage = self.play.stage
        if notice or not stage.acted or stage.failed is not None:
            with stage.acting():
                pass
        if stage.changed_outside is not None:
            return "the game was changed outside the movie"
        return tail_of(stage, since) if since is not None else None

    def changed(self) -> int | None:
        """The frame after which the play was changed outside its movie, if it was."""
        stage = self.play.stage
        if stage.acted and stage.failed is None:
            with stage.acting():
                pass  # notices what was changed since the last verb
        return stage.changed_outside

    def values(self) -> tuple[Mark, dict[str, Any]]:
        """The present frame's mark, and all its values."""
        with self.play.stage.acting(changes=False):
            driver = self.play.stage.driver
            return closing_of(driver), driver.values()

    def edit_written(self, target: str, text: str) -> None:
        """Set a value that is written out already."""
        with self.play.stage.acting():
            self.play.stage.driver.edit(target, text)

    def keep(self, state: Savestate) -> None:
        """Take in a savestate."""
        self.play.keep(state)

    def restore(self, state: Savestate) -> Standing:
        """Be at a savestate, to be kept there; gives what was noticed on the way."""
        stage = self.play.stage
        noted = len(stage.notes)
        with stage.acting(back=False, changes=False):
            stage.restore(state)
        notes = tuple(stage.notes[noted:])
        del stage.notes[noted:]
        stage.standing = Standing(state.name, stage.driver.scene, stage.driver.seed, notes)
        return stage.standing

    def stand(self, scene: str | None, seed: int | None) -> Standing | None:
        """Be at a reset's frame 0, to be kept there; None where the game does not come to it."""
        stage = self.play.stage
        noted = len(stage.notes)
        try:
            with stage.acting(back=False, changes=False):
                driver = stage.begin(scene, seed)
        except HarnessError:
            return None
        notes = tuple(stage.notes[noted:])
        del stage.notes[noted:]
        return Standing(None, driver.scene, driver.seed, notes)


def _last(movie: Movie | None) -> Mark | None:
    return movie.marks[-1] if movie is not None and movie.marks else None
