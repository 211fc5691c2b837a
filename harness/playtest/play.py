"""Playtest: one play of one game, verb by verb or a whole run at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from harness.driver.driver import CANCEL, FRAME
from harness.driver.edits import written
from harness.errors import ArgumentError, RunFailed
from harness.expressions import compiled
from harness.games.loaded import GameExit
from harness.playtest.checks import Checks
from harness.playtest.names import Names
from harness.playtest.protocol import GoldenOf
from harness.playtest.questions import answer
from harness.playtest.run import execute
from harness.playtest.savestates import Savestate, left_changed
from harness.playtest.shots import filmed, picture_of, shot
from harness.playtest.stage import Stage
from harness.playtest.steps import held_input, is_request, timeline_input, whole_number
from harness.query.places import Place
from harness.query.world import World
from harness.values import kinds
from harness.values.answers import QueryAnswer, Shot
from harness.values.files import working_folder
from harness.values.log import Level
from harness.values.movie import MOVIE_FILE, Movie
from harness.values.movie_reader import MOST_FRAMES
from harness.values.picture import Picture
from harness.values.run import RunRequest, RunResult
from harness.values.sight import Contact, EntityView, Inspection, RayHits

Buttons = str | Sequence[str]


class Playtest:
    """One play of a game: step it, press its buttons, ask for values, save and load.

    Every verb leaves the game at a frame boundary. A verb on a play that was never reset resets
    it first, with the game's first scene and the default seed.
    """

    golden_of: GoldenOf | None = None

    def __init__(
        self,
        game: str | os.PathLike[str] | None = None,
        *,
        seed: int = 0,
        scene: str | None = None,
        base: Path | None = None,
        here: Path | None = None,
        budget: float | None = None,
    ) -> None:
        self.stage = Stage(game, base or working_folder(), seed, scene, here, budget)

    def reset(self, scene: str | None = None, seed: int | None = None) -> int:
        """Begin a scene anew with a seed (0 to 2^32 - 1); gives the frame, which is 0."""
        self.stage.hand_over()
        with self.stage.acting(back=False, changes=False):
            self.stage.begin(scene, seed)
        return 0

    def step(self, frames: int = 1, input: str | None = None) -> int:
        """Play frames (at least 1) with nothing held, or with inline input counted from 1.

        Gives the frame, counted since reset, as every verb that plays does. Where the game ends
        itself with status 0 on the way, that is the last one, and the play rests there.
        """
        whole_number("frames", frames, 1, MOST_FRAMES)
        with self.stage.acting(plays=True):
            driver = self.stage.driver
            driver.advance(timeline_input(driver, frames, input))
        return self.frame

    def hold(self, *buttons: Buttons, frames: int = 1) -> int:
        """Hold controls (``"right"``, ``"key:space"``) for some frames, and let go of them."""
        whole_number("frames", frames, 1, MOST_FRAMES)
        with self.stage.acting(plays=True):
            driver = self.stage.driver
            driver.advance(held_input(driver, [(frames, buttons)]))
        return self.frame

    def tap(self, *buttons: Buttons, frames: int = 1) -> int:
        """Press controls for some frames, then let go for one, so that two taps are two presses."""
        whole_number("frames", frames, 1, MOST_FRAMES)
        with self.stage.acting(plays=True):
            driver = self.stage.driver
            driver.advance(held_input(driver, [(frames, buttons), (1, ())]))
        return self.frame

    def until(
        self, value: str, within: int = 600, holding: Buttons = (), input: str | None = None
    ) -> int:
        """Play until an expression is true, holding controls meanwhile, or under inline input.

        At least one frame is played: what already holds is looked at after it.

        Raises:
            RunFailed: it was not true within so many frames.
        """
        whole_number("within", within, 1, MOST_FRAMES)
        if input is not None and holding:
            raise ArgumentError("holding", "cannot be given beside input; write it there")
        with self.stage.acting():
            driver = self.stage.driver
            checks = Checks(driver, until=compiled(value), more="within")
            timeline = (
                timeline_input(driver, within, input)
                if input is not None
                else held_input(driver, [(within, (holding,))])
            )
            try:
                driver.advance(timeline, checks.look)
            except GameExit as ended:
                failure = checks.left_open(ended)
                assert failure is not None
                run = self.stage.exited(ended, failure=failure)
                raise RunFailed(failure.message, run) from None
            checks.finish()
            if checks.failure is not None:
                movie = driver.movie()
                run = self.stage.told_as_run(
                    "failed",
                    "frames",
                    failure=checks.failure,
                    movie=movie,
                    state_hash=movie.marks[-1].state_hash,
                )
                raise RunFailed(checks.failure.message, run)
            return driver.frame

    def value(self, expression: str) -> Any:
        """The value of an expression now: plain, a copy."""
        with self.stage.acting(changes=False):
            names, wanted = Names(self.stage.driver), compiled(expression)
            names.require([wanted])
            return names.plain(names.evaluator(wanted)())

    def names(self) -> dict[str, Any]:
        """What expressions can use now, nearest first: each name with its value, plain, a copy."""
        with self.stage.acting(changes=False):
            names = Names(self.stage.driver)
            return {name: names.plain(value) for name, value in names.there().items()}

    def explain(self, expression: str) -> list[tuple[str, Any]]:
        """The parts of an expression and their values, as a failed assert shows them."""
        with self.stage.acting(changes=False):
            names, wanted = Names(self.stage.driver), compiled(expression)
            names.require([wanted])
            return [(part, names.plain(value)) for part, value in wanted.parts(names.space)]

    def inspect(self, entity: Place, all: bool = False) -> Inspection:
        """Look at one entity: where it is, how it moves, whether it stands, what it touches.

        Of its properties those that changed since the scene loaded, or ``all``.
        """
        with self._asking() as world:
            return world.inspect(entity, all)

    def raycast(self, start: Place, end: Place, ignore: Sequence[Place] = ()) -> RayHits:
        """What a ray meets, nearest first, between points, entities' names, or what was seen.

        Where it starts at an entity, it does not meet that one.
        """
        with self._asking() as world:
            return world.raycast(start, end, ignore=ignore)

    def overlap(
        self,
        at: Place = None,
        radius: float = 0.0,
        box: Sequence[float] | None = None,
        ignore: Sequence[Place] = (),
    ) -> list[EntityView]:
        """The entities that a circle, or a box (x, y, width, height), touches, nearest first."""
        with self._asking() as world:
            return world.overlap(at, radius, box, ignore)

    def at(self, point: Place) -> list[EntityView]:
        """What stands or is seen at a point, topmost first."""
        with self._asking() as world:
            return world.at(point)

    def contacts(self, entity: Place = None) -> list[Contact]:
        """The pairs that touch in this frame: all, or those of one entity, from its side."""
        with self._asking() as world:
            return world.contacts(entity)

    def screenshot(self, camera: str | None = None, width: int | None = None) -> Picture:
        """Draw the present frame off screen, at the game's own size or ``width`` wide."""
        with self.stage.acting(changes=False):
            picture = picture_of(self.stage.driver, camera, width)
        self.stage.last_shot = picture
        return picture

    @contextmanager
    def _asking(self) -> Iterator[World]:
        stage = self.stage
        with stage.acting(changes=False), stage.game.guarded(stage.driver.frame):
            stage.driver.entities.refresh()
            yield stage.world

    def edit(self, target: str, value: Any) -> None:
        """Set a value (``play.edit("player.health", 1)``); the movie keeps it as an input."""
        text = written(value)
        with self.stage.acting():
            self.stage.driver.edit(target, text)

    def save(self, name: str) -> None:
        """Keep the present frame under a name."""
        with self.stage.acting():
            self.stage.save(name)

    def load(self, name: str) -> int:
        """Return to a saved frame, and check that the game came to the same state.

        Raises:
            Divergence: it did not, with the first frame and value that differ; or the present
                state was changed outside the movie.
        """
        stage, state = self.stage, self.stage.savestate(name)
        if stage.acted and stage.failed is None:
            with stage.acting():
                pass  # notices what was changed since the last verb
        changed = stage.changed_outside
        stage.hand_over()
        with stage.acting(back=False, changes=False):
            stage.restore(state)
        if changed is not None:
            raise left_changed(changed)
        return state.frame

    def movie(self, path: str | Path | None = None) -> Movie:
        """Everything since reset as a movie; written to a file when a path is given.

        Of a game that failed it goes up to and into that frame, and fails there again.
        """
        target = None if path is None else MOVIE_FILE.check(self.base / kinds.path("path", path))
        failed = self.stage.failed
        if failed is not None and failed.movie is not None:
            movie = failed.movie
        else:
            with self.stage.acting(changes=False):
                movie = self.stage.driver.movie()
        if target is not None:
            movie.write(target)
        return movie

    def run(self, request: RunRequest) -> RunResult:
        """Execute a whole run; a run that did not pass is told in its result."""
        is_request(request)
        return filmed(self.stage, request) if request.shots else execute(self.stage, request)

    def query(self, request: RunRequest, action: str, given: Mapping[str, Any]) -> QueryAnswer:
        """Play a request, and ask about its last frame, as ``game_query`` does."""
        is_request(request)
        return answer(self.stage, request, action, given)

    def shot(
        self,
        request: RunRequest,
        frames: Sequence[int] | None = None,
        camera: str | None = None,
        width: int | None = None,
    ) -> Shot:
        """Play a request, and draw its last frame or several, as ``game_shot`` does."""
        is_request(request)
        return shot(self.stage, request, frames, camera, width)

    @property
    def frame(self) -> int:
        """Frames since reset."""
        return self.stage.driver.frame if self.stage.started else 0

    @property
    def reached(self) -> int:
        """The frame that is finished of what is being played; for another thread."""
        return max(0, int(self.stage.beat[FRAME]))

    def logged(self) -> list[tuple[Level, str]]:
        """What the game logged through `logging` since this was last asked: level and text."""
        return self.stage.logged.taken()

    @property
    def notes(self) -> list[str]:
        """What was noticed on the way: a savestate rebuilt, threads calmed."""
        return self.stage.notes

    # what surfaces ask of a play

    @property
    def path(self) -> Path:
        """The game's folder."""
        return self.stage.path

    @property
    def base(self) -> Path:
        """The folder that paths in requests are relative to."""
        return self.stage.base

    @property
    def on_movie(self) -> Callable[[Movie], None] | None:
        """Called with the movie of each play that is left for another."""
        return self.stage.on_movie

    @on_movie.setter
    def on_movie(self, listener: Callable[[Movie], None] | None) -> None:
        self.stage.on_movie = listener

    def played(self) -> Movie | None:
        """The movie since reset, of a game that has ended too; None before the first frame."""
        return self.stage.played()

    def kept(self, name: str) -> Savestate | None:
        """The savestate of that name as a value, if there is one."""
        return self.stage.saves.get(name)

    def keep(self, state: Savestate) -> None:
        """Take in a savestate from elsewhere under its name."""
        self.stage.saves[state.name] = state

    def cancel(self) -> None:
        """End what is being played at its next frame; for another thread or a signal handler."""
        if self.stage.busy:
            self.stage.beat[CANCEL] = 1

    def close(self) -> None:
        """Let go of what the play holds; here that is nothing."""
