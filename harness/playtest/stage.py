"""The stage of one play: its game, its driver, its savestates; verbs and whole runs act on it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.driver.driver import CANCEL, FRAME, Cancelled, Driver, Look
from harness.driver.environment import movie_header
from harness.errors import GameError, HarnessError, RunCancelled, UnknownName
from harness.games.files import OwnFiles
from harness.games.folder import find_game
from harness.games.loaded import GameExit, GameRaised
from harness.games.opening import loaded_game
from harness.games.watch import watched
from harness.playtest.logged import Logged
from harness.playtest.savestates import Savestate, restored, saved
from harness.playtest.standing import Standing
from harness.playtest.steps import told, whole_number
from harness.query.world import World
from harness.values.files import working_folder
from harness.values.kinds import text
from harness.values.movie import Header, Movie
from harness.values.picture import Picture
from harness.values.run import MOST_SEED, Failure, RunRequest, RunResult, run_id

Follow = Callable[[Driver], None]
"""Called with a new driver before its reset."""


class Stage:
    """One play of a game. Several stages may share a game: each takes it back when it acts."""

    def __init__(
        self,
        game: str | os.PathLike[str] | None,
        base: Path,
        default_seed: int,
        default_scene: str | None,
        here: Path | None = None,
        budget: float | None = None,
    ) -> None:
        self.base = base
        self.here = here or working_folder()
        self.path = find_game(game, base)
        self.default_seed = default_seed
        self.default_scene = default_scene
        self.budget = budget
        """Seconds without a finished frame after which the game is said to hang."""
        self.game = loaded_game(self.path)
        self.logged = Logged(OwnFiles(self.game.folder.own))
        self.saves: dict[str, Savestate] = {}
        self.runs: dict[str, RunResult] = {}
        self.notes: list[str] = []
        self.failed: RunResult | None = None
        self.changed_outside: int | None = None
        self.on_movie: Callable[[Movie], None] | None = None
        self.standing: Standing | None = None
        self.beat: Any = [-1, 0]
        self.kept: Callable[[], list[Any]] = list
        self.busy = False
        self.last_shot: Picture | None = None
        self._driver: Driver | None = None
        self._world: World | None = None
        self._known_hash = self._build = ""

    @property
    def driver(self) -> Driver:
        """The driver of the present play."""
        if self._driver is None:
            self.begin(None, None)
        assert self._driver is not None
        return self._driver

    @property
    def world(self) -> World:
        """The present play, to be asked."""
        driver = self.driver
        if self._world is None or self._world.driver is not driver:
            self._world = World(driver)
        return self._world

    @property
    def started(self) -> bool:
        """Whether there is a play at all."""
        return self._driver is not None

    @property
    def acted(self) -> bool:
        """Whether the game, as it is loaded, is in this play's state."""
        return self._driver is not None and self.game.owner is self._driver

    def beat_at(self, beat: Any) -> None:
        """Note each finished frame, and look for a wish to stop, somewhere else from now on."""
        self.beat = beat
        if self._driver is not None:
            self._driver.beat, beat[FRAME] = beat, self._driver.frame

    def begin(self, scene: str | None, seed: int | None, follow: Follow | None = None) -> Driver:
        """Reset the game, as it is on disk now."""
        self.game.refresh()
        chosen = self.game.folder.scene(self.default_scene if scene is None else scene)
        seed = self.default_seed if seed is None else seed
        whole_number("seed", seed, 0, MOST_SEED)
        driver = self._fresh_driver(follow)
        driver.reset(chosen, seed)
        self._known_hash = driver.marks[0].state_hash
        self.gather_notes()
        return driver

    def gather_notes(self) -> None:
        """Take over what was noted of the game; it may note more while it is played."""
        self.notes += [note for note in self.game.notes if note not in self.notes]

    def restore(self, state: Savestate, follow: Follow | None = None) -> Driver:
        """Return to a savestate, rebuilt by the game as it is on disk now.

        Raises:
            Divergence: the same build did not come to the same state.
        """
        self.game.refresh()
        driver = self._fresh_driver(follow)
        with self.logged.told_already():
            note = restored(state, driver)
        self.changed_outside = state.changed_outside
        if note:
            self.notes.append(note)
        self.remember()
        return driver

    def replayed(self, movie: Movie, frames: int | None = None, look: Look | None = None) -> Driver:
        """Play a movie, up to ``frames`` or to its end."""
        driver = self._fresh_driver(None)
        driver.replay(movie, frames, look)
        return driver

    def _fresh_driver(self, follow: Follow | None) -> Driver:
        self._driver = self.game.owner = driver = Driver(self.game)
        driver.beat, driver.kept = self.beat, self.kept
        self.standing = None
        self.changed_outside = self.failed = None
        self._known_hash, self._build = "", self.game.build
        if follow is not None:
            follow(driver)
        return driver

    def stood(self, name: str | None, scene: str | None = None, seed: int | None = None) -> bool:
        """Whether the play stands where it is wanted already; it is about to leave from there."""
        there, self.standing = self.standing, None
        if there is None or there.name != name or not self.acted:
            return False
        if name is None:
            seed = self.default_seed if seed is None else seed
            wanted = (self.game.folder.scene(scene or self.default_scene), seed)
            if (there.scene, there.seed) != wanted:
                return False
        self.notes += there.notes
        return True

    @contextmanager
    def active(self) -> Iterator[None]:
        """The process is the game's; it is watched, and can be cancelled."""
        with watched(self.beat, self.budget), self.game.active(), self.logged.kept():
            self.busy = True
            try:
                yield
            finally:
                self.gather_notes()
                self.busy, self.beat[CANCEL] = False, 0

    @contextmanager
    def acting(
        self, changes: bool = True, back: bool = True, plays: bool = False
    ) -> Iterator[None]:
        """The game is this play's and in its state; what it raises becomes this play's error.

        The play ends with that, unless the verb only read; what ``plays`` may exit with status 0.
        """
        ends = changes or not back
        try:
            with self.active():
                if back:
                    self._take_back()
                if changes:
                    self._notice_changes()
                done = False
                try:
                    yield
                    done = True
                finally:
                    if changes:
                        self.remember(told=done)
        except GameRaised as raised:
            info = raised.info
            result = self._rest("error", "error", ends, error=info, frame=info.frame)
            raise GameError(told(info), result) from None
        except GameExit as ended:
            after = f" after frame {self._driver.frame}" if self._driver is not None else ""
            result = self.exited(ended, ends)
            if not (plays and result.passed):
                raise GameError(ended.told(after), result) from None
        except Cancelled as cancelled:
            run = self.told_as_run("error", "cancelled", movie=self.wreck())
            raise RunCancelled(str(cancelled), run) from None

    def _take_back(self) -> None:
        """Reset a play that never was, and re-step one whose game another play has used since."""
        if self.failed is not None:
            ended = self.failed.error or f"by itself, after frame {self.failed.frame}"
            raise GameError(f"the game has ended: {ended}\n  reset or load first", self.failed)
        driver = self._driver
        if driver is None:
            self.begin(None, None)
        elif self.game.owner is not driver:
            header = replace(self.header(), build=self._build)
            inputs, edits, marks = tuple(driver.inputs), tuple(driver.edits), tuple(driver.marks)
            so_far = Movie(header, inputs, edits, marks)
            hashes = bytes(driver.hashes)
            self.restore(
                Savestate(
                    "the play so far", so_far, self._known_hash, hashes, {}, self.changed_outside
                )
            )

    def _notice_changes(self) -> None:
        driver = self.driver
        known = self._known_hash and self.changed_outside is None and self.game.owner is driver
        if known and driver.state_hash() != self._known_hash:
            self.changed_outside = driver.frame

    def remember(self, told: bool = False) -> None:
        """Keep the hash of the present state, so that a change from outside is noticed.

        That a place in it is no number is raised where it is to be ``told``.
        """
        driver = self._driver
        if driver is None or self.failed is not None:
            return
        if self.game.owner is not driver:  # interrupted in the middle of a step
            self._known_hash = ""
            return
        try:
            self._known_hash = driver.last_hash()
        except HarnessError as error:
            self._known_hash = ""
            if told and isinstance(error, GameRaised) and error.info.type == "NotFinite":
                raise

    def save(self, name: str) -> None:
        """Keep the present frame under a name."""
        self.saves[text("name", name)] = saved(name, self.driver, self.changed_outside)

    def savestate(self, name: str) -> Savestate:
        """The savestate of that name.

        Raises:
            UnknownName: there is none.
        """
        if text("name", name) not in self.saves:
            raise UnknownName("savestate", name, self.saves, "this play")
        return self.saves[name]

    def hand_over(self) -> None:
        """Tell who listens that a play ends here, before it is left for another."""
        if self.on_movie is not None:
            movie = self.played()
            if movie is not None:
                self.on_movie(movie)

    def played(self) -> Movie | None:
        """The movie of what was played since the last reset; None before the first frame."""
        driver = self._driver
        if driver is None or not driver.inputs:
            return None
        if self.failed is not None:
            return self.failed.movie
        with self.acting(changes=False):
            return self.driver.movie()

    def wreck(self) -> Movie:
        """The movie up to and into the frame that failed, without asking the game for more."""
        driver = self.driver
        marks = tuple(driver.unfinished_marks())
        return Movie(self.header(), tuple(driver.inputs), tuple(driver.edits), marks)

    def header(self) -> Header:
        """The header of a movie of the play so far."""
        driver = self.driver
        return movie_header(self.game, driver.scene, driver.seed, len(driver.inputs))

    def told_as_run(self, status: Any, stopped: Any, **more: Any) -> RunResult:
        """Tell the play so far as the result of a run."""
        driver = self._driver
        request = RunRequest(game=str(self.path))
        more.setdefault("frame", driver.frame if driver else 0)
        return RunResult(
            status,
            stopped,
            start_frame=0,
            seed=driver.seed if driver else self.default_seed,
            scene=driver.scene if driver else "",
            build=self.game.build,
            run_id=run_id(request, self.game.build, ""),
            request=request,
            **{"state_hash": "", **more},
        )

    def exited(
        self, ended: GameExit, ends: bool = True, failure: Failure | None = None
    ) -> RunResult:
        """The play so far as the result of a game that ended itself; it rests there."""
        frame = self._driver.frame if self._driver is not None else 0
        error = replace(ended.info, frame=frame) if ended.status else None
        status = "failed" if failure or ended.status else "passed"
        return self._rest(status, "exit", ends, failure=failure, error=error)

    def _rest(self, status: Any, stopped: Any, ends: bool, **more: Any) -> RunResult:
        """Tell what the game did, and let the play rest there until it is reset."""
        movie = self.wreck() if self._driver is not None else None
        result = self.told_as_run(status, stopped, movie=movie, **more)
        if ends and movie is not None:
            self.failed = result
        return result
