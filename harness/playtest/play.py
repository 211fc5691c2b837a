"""Playtest: one play of one game, verb by verb or a whole run at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.driver.driver import Driver
from harness.driver.environment import movie_header
from harness.errors import (
    ArgumentError,
    Divergence,
    GameError,
    HarnessError,
    RunFailed,
    UnknownName,
)
from harness.expressions import compiled
from harness.games.folder import find_game
from harness.games.native import GameExit, GameRaised, NativeGame
from harness.playtest.checks import Checks
from harness.playtest.names import Names
from harness.playtest.savestates import Savestate, restored, saved
from harness.values.inputs import Controls, InputFrame, chained
from harness.values.movie import Movie
from harness.values.run import ErrorInfo, Failure, RunRequest, RunResult, run_id
from harness.values.timeline import parse

_LOADED: dict[Path, NativeGame] = {}


def loaded_game(path: Path) -> NativeGame:
    """The one loaded copy of a game in this process; its modules exist once, so the game does too."""
    if path not in _LOADED:
        _LOADED[path] = NativeGame(path)
    return _LOADED[path]


class Playtest:
    """One play of a game: step it, press its buttons, ask for values, save and load.

    Every verb leaves the game at a frame boundary. A verb on a play that was never reset resets
    it first, with the first scene and the default seed.
    """

    def __init__(
        self,
        game: str | Path | None = None,
        *,
        seed: int = 0,
        scene: str | None = None,
        base: Path | None = None,
    ) -> None:
        self.base = base or Path.cwd()
        self.path = find_game(game, self.base)
        self.default_seed = seed
        self.default_scene = scene
        self.saves: dict[str, Savestate] = {}
        self.notes: list[str] = []
        self.runs: dict[str, RunResult] = {}
        self.on_movie: Callable[[Movie], None] | None = None
        self._game = loaded_game(self.path)
        self._driver: Driver | None = None
        self._known_hash = self._build = ""
        self._changed_outside: int | None = None
        self._failed: RunResult | None = None

    # verbs

    def reset(self, scene: str | None = None, seed: int | None = None) -> int:
        """Begin a scene anew with a seed (0 to 2^32 - 1); gives the frame, which is 0."""
        self._hand_over()
        with self._acting():
            self._reset(scene, seed)
        return 0

    def step(self, frames: int = 1, input: str | None = None) -> int:
        """Play frames (at least 1) with nothing held, or with inline input counted from 1."""
        whole_number("frames", frames, 1)
        with self._acting() as driver:
            timeline = parse(input or "", self._game.folder.vocabulary)
            before = last_input(driver)
            spans = timeline.spans(frames, driver.seed, before.pointer)
            self._play(chained(spans, before.held, driver.dt))
            return driver.frame

    def hold(self, *buttons: str | Sequence[str], frames: int = 1) -> int:
        """Hold controls (``"right"``, ``"key:space"``) for some frames, and let go of them."""
        whole_number("frames", frames, 1)
        with self._acting() as driver:
            self._play(self._held(driver, [(frames, buttons)]))
            return driver.frame

    def tap(self, *buttons: str | Sequence[str], frames: int = 1) -> int:
        """Press controls for some frames, then let go for one, so that two taps are two presses."""
        whole_number("frames", frames, 1)
        with self._acting() as driver:
            self._play(self._held(driver, [(frames, buttons), (1, ())]))
            return driver.frame

    def until(self, value: str, within: int = 600, holding: str | Sequence[str] = ()) -> int:
        """Play until an expression is true, holding controls meanwhile; gives the frame.

        Raises:
            RunFailed: it was not true within so many frames.
        """
        whole_number("within", within, 1)
        with self._acting() as driver:
            checks = Checks(driver, until=compiled(value))
            self._play(self._held(driver, [(within, (holding,))]), checks)
            checks.finish()
            if checks.failure is not None:
                self._raise_failed(checks.failure)
            return driver.frame

    def value(self, expression: str) -> Any:
        """The value of an expression now: plain, a copy."""
        with self._acting(changes=False) as driver:
            names, wanted = Names(driver), compiled(expression)
            names.require([wanted])
            return names.plain(names.evaluator(wanted)())

    def edit(self, target: str, value: Any) -> None:
        """Set a value (``play.edit("player.health", 1)``); the movie keeps it as an input."""
        with self._acting() as driver:
            driver.edit(target, value if isinstance(value, str) else repr(value))

    def save(self, name: str) -> None:
        """Keep the present frame under a name."""
        with self._acting() as driver:
            self.saves[name] = saved(name, driver, self._changed_outside)

    def load(self, name: str) -> int:
        """Return to a saved frame, and check that the game came to the same state; gives the frame.

        Raises:
            Divergence: it did not, with the first frame and value that differ; or the present
                state was changed outside the movie.
        """
        state = self.savestate(name)
        self._hand_over()
        with self._acting(restore=False):
            changed = self._changed_outside
            self._restore(state)
            if changed is not None:
                raise Divergence(
                    f"the state was changed outside the movie after frame {changed}\n"
                    "  change values with play.edit, which the movie keeps",
                    changed,
                )
            return state.frame

    def movie(self, path: str | Path | None = None) -> Movie:
        """Everything since reset as a movie; written to a file when a path is given."""
        with self._acting(changes=False) as driver:
            movie = driver.movie()
        if path is not None:
            movie.write(self.base / path)
        return movie

    def run(self, request: RunRequest) -> RunResult:
        """Execute a whole run; a run that did not pass is told in its result."""
        from harness.playtest.run import execute

        return execute(self, request)

    @property
    def frame(self) -> int:
        """Frames since reset."""
        return self._driver.frame if self._driver is not None else 0

    # what run.py and the pytest side stand on

    def savestate(self, name: str) -> Savestate:
        """The savestate of that name.

        Raises:
            UnknownName: there is none.
        """
        if name not in self.saves:
            raise UnknownName("savestate", name, self.saves, "this play")
        return self.saves[name]

    def played(self) -> Movie | None:
        """The movie of what was played since the last reset; None before the first frame."""
        if self._driver is None or not self._driver.inputs:
            return None
        if self._failed is not None:
            return self._failed.movie
        return self.movie()

    def _hand_over(self) -> None:
        """Tell who listens that a play ends here, before it is left for another."""
        if self.on_movie is not None:
            movie = self.played()
            if movie is not None:
                self.on_movie(movie)

    @contextmanager
    def _acting(self, changes: bool = True, restore: bool = True) -> Iterator[Driver]:
        """The game is this play's, in this play's state; what it raises becomes this play's error."""
        try:
            with self._game.active():
                if restore:
                    self._take_back()
                if changes:
                    self._notice_changes()
                try:
                    yield self._driver  # type: ignore[misc]
                finally:
                    if changes:
                        self._remember()
        except GameRaised as raised:
            self._raise_error(raised.info)
        except GameExit as ended:
            self._raise_exit(ended.status)

    def _take_back(self) -> None:
        """Reset a play that never was, and re-step one whose game another play has used since."""
        if self._failed is not None:
            raise GameError(
                f"the game failed before: {self._failed.error}; reset it first", self._failed
            )
        if self._driver is None:
            self._reset(None, None)
        elif self._game.owner is not self._driver:
            self._game.refresh()
            self._restore(self._as_savestate(self._driver))

    def _as_savestate(self, driver: Driver) -> Savestate:
        header = replace(
            movie_header(self._game, driver.scene, driver.seed, len(driver.inputs)),
            build=self._build,
        )
        movie = Movie(header, tuple(driver.inputs), tuple(driver.edits))
        return Savestate(
            "the play so far",
            movie,
            self._known_hash,
            bytes(driver.hashes),
            {},
            self._changed_outside,
        )

    def _reset(self, scene: str | None, seed: int | None) -> Driver:
        self._game.refresh()
        chosen = self._game.folder.scene(scene or self.default_scene)
        seed = self.default_seed if seed is None else seed
        whole_number("seed", seed, 0, 2**32 - 1)
        driver = self._fresh_driver()
        driver.reset(chosen, seed)
        self.notes += self._game.notes
        return driver

    def _fresh_driver(self) -> Driver:
        self._driver = self._game.owner = driver = Driver(self._game)
        self._changed_outside = self._failed = None
        self._known_hash, self._build = "", self._game.build
        return driver

    def _restore(self, state: Savestate) -> str | None:
        self._game.refresh()
        driver = self._fresh_driver()
        note = restored(state, driver)
        self._changed_outside = state.changed_outside
        if note:
            self.notes.append(note)
        return note

    def _notice_changes(self) -> None:
        driver = self._driver
        if driver is None or not self._known_hash or self._changed_outside is not None:
            return
        if self._game.owner is driver and driver.state_hash() != self._known_hash:
            self._changed_outside = driver.frame

    def _remember(self) -> None:
        driver = self._driver
        if driver is None or self._failed is not None or self._game.owner is not driver:
            return
        try:
            self._known_hash = driver.state_hash()
        except HarnessError:
            self._known_hash = ""

    def _play(self, timeline: Iterable[InputFrame], checks: Checks | None = None) -> None:
        driver = self._driver
        assert driver is not None
        driver.advance(timeline, checks.look if checks is not None and checks.wanted else None)

    def _held(
        self, driver: Driver, spans: Sequence[tuple[int, Sequence[str | Sequence[str]]]]
    ) -> Iterator[InputFrame]:
        before = last_input(driver)
        resolve = self._game.folder.vocabulary.resolve
        controls = [
            (frames, Controls(frozenset().union(*map(resolve, flat(words))), before.pointer))
            for frames, words in spans
        ]
        return chained(controls, before.held, driver.dt)

    def result(self, status: Any, stopped: Any, **more: Any) -> RunResult:
        """Tell the play so far as a run."""
        driver = self._driver
        assert driver is not None
        request = more.pop("request", RunRequest(game=str(self.path)))
        return RunResult(
            status=status,
            stopped=stopped,
            frame=more.pop("frame", driver.frame),
            start_frame=more.pop("start_frame", 0),
            seed=driver.seed,
            scene=driver.scene,
            build=self._game.build,
            state_hash=more.pop("state_hash", ""),
            run_id=run_id(request, self._game.build, ""),
            request=request,
            movie=more.pop("movie", None),
            **more,
        )

    def _raise_failed(self, failure: Failure) -> None:
        assert self._driver is not None
        movie = self._driver.movie()
        run = self.result(
            "failed", "frames", failure=failure, movie=movie, state_hash=movie.marks[-1].state_hash
        )
        raise RunFailed(failure.message, run)

    def _raise_error(self, info: ErrorInfo) -> None:
        if self._driver is None:
            raise GameError(str(info), _unplayed(self.path, self._game, info)) from None
        self._failed = self.result(
            "error", "error", error=info, frame=info.frame, movie=self._wreck()
        )
        raise GameError(told(info), self._failed) from None

    def _wreck(self) -> Movie | None:
        """The movie up to and into the frame that failed, without asking the game anything more."""
        driver = self._driver
        assert driver is not None
        header = movie_header(self._game, driver.scene, driver.seed, len(driver.inputs))
        return Movie(header, tuple(driver.inputs), tuple(driver.edits), tuple(driver.marks))

    def _raise_exit(self, status: int) -> None:
        self._failed = self.result(
            "passed" if status == 0 else "failed", "exit", movie=self._wreck()
        )
        raise GameError(
            f"the game ended itself with status {status} at frame {self.frame}", self._failed
        ) from None


def _unplayed(path: Path, game: NativeGame, info: ErrorInfo) -> RunResult:
    return RunResult(
        "error",
        "error",
        0,
        0,
        0,
        "",
        game.build,
        "",
        error=info,
        request=RunRequest(game=str(path)),
    )


def told(info: ErrorInfo) -> str:
    """A game's failure in words: what and where, then the way there through its own files."""
    lines = [
        f"the game failed in frame {info.frame}: {info}"
        if info.frame
        else f"the game failed: {info}"
    ]
    return "\n".join([*lines, *(f"  {line}" for line in info.traceback)])


def last_input(driver: Driver) -> InputFrame:
    """What the last frame was given; nothing before the first."""
    return driver.inputs[-1] if driver.inputs else InputFrame()


def whole_number(name: str, value: Any, least: int, most: int | None = None) -> None:
    """Refuse an argument that is no whole number in its range.

    Raises:
        ArgumentError: with the range.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise ArgumentError(name, f"must be a whole number, not {value!r}")
    if value < least:
        raise ArgumentError(name, f"must be at least {least}, not {value}")
    if most is not None and value > most:
        raise ArgumentError(name, f"must be at most {most}, not {value}")


def flat(words: Iterable[str | Sequence[str]]) -> Iterator[str]:
    """Give names one by one, whether they stood alone or in lists."""
    for word in words:
        if isinstance(word, str):
            yield word
        else:
            yield from word
