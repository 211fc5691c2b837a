"""Executes a RunRequest: from a start, under an input, looking after every frame."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from harness.driver.driver import Driver, parsed_assignment
from harness.driver.environment import movie_header
from harness.errors import ArgumentError, Divergence, MovieError, RequestError, UnknownName
from harness.expressions import Expression, compiled
from harness.games.native import GameExit, GameRaised
from harness.playtest.bots import BOT, Bot, bot_input, load_bot
from harness.playtest.checks import Checks
from harness.playtest.play import Playtest, last_input, told, whole_number
from harness.playtest.recorder import Recorder
from harness.playtest.savestates import field_difference, first_difference
from harness.values.inputs import Controls, InputFrame, chained, input_frame
from harness.values.movie import Edit, Movie, read_movie
from harness.values.run import (
    DEFAULT_FRAMES,
    MOST_SEED,
    Difference,
    Failure,
    RunRequest,
    RunResult,
    run_id,
)
from harness.values.timeline import Timeline, from_events, parse

_MOVIE = re.compile(r".*\.movie(\.part)?", re.IGNORECASE | re.DOTALL)
NO_INPUT = "no-input"


@dataclass(slots=True)
class _Plan:
    """A request, read: nothing of the game has run yet."""

    frames: int
    asserts: list[Expression]
    until: Expression | None
    prints: list[Expression]
    assignments: list[tuple[str, str]]
    timeline: Timeline | None = None
    movie: Movie | None = None
    bot: Bot | None = None
    notes: list[str] = field(default_factory=list)


def execute(play: Playtest, request: RunRequest) -> RunResult:
    """Play a request to its end.

    Raises:
        RequestError: the request is wrong; a run that did not pass is a result.
    """
    request = replace(request, game=request.game or _shown_path(play.path))
    play._hand_over()
    with play._game.active():
        return _Run(play, request).execute()


class _Run:
    """One execution; it leaves the play at the frame where it ended."""

    def __init__(self, play: Playtest, request: RunRequest) -> None:
        self._play = play
        self._request = request
        self._recorder: Recorder | None = None
        self._written: list[str] = []

    def execute(self) -> RunResult:
        play, request = self._play, self._request
        whole_number("frames", DEFAULT_FRAMES if request.frames is None else request.frames, 1)
        if request.every is not None:
            whole_number("every", request.every, 1)
        if request.seed is not None:
            whole_number("seed", request.seed, 0, MOST_SEED)
        note_from = len(play.notes)
        try:
            play._game.refresh()
            plan = self._plan()
            driver = self._start(plan)
        except GameRaised as raised:
            return self._failed_to_start(raised)
        except GameExit as ended:
            return self._ended_at_start(ended)
        plan.notes = play.notes[note_from:]
        result = self._played(plan, driver)
        play.runs[result.run_id] = result
        return result

    # reading the request

    def _plan(self) -> _Plan:
        request = self._request
        plan = _Plan(
            frames=request.frames or 0,
            asserts=[compiled(text) for text in request.assert_],
            until=compiled(request.until) if request.until else None,
            prints=[compiled(text) for text in dict.fromkeys(request.print)],
            assignments=[parsed_assignment(text) for text in request.assignments],
        )
        self._read_input(plan, request.input)
        if not plan.frames:
            plan.frames = plan.movie.frames if plan.movie and plan.movie.frames else DEFAULT_FRAMES
        return plan

    def _read_input(self, plan: _Plan, given: Any) -> None:
        vocabulary, base = self._play._game.folder.vocabulary, self._play.base
        if given is None or given == "":
            plan.timeline = Timeline()
        elif callable(given):
            plan.bot = given
        elif not isinstance(given, str | os.PathLike):
            plan.timeline = from_events(given, vocabulary)
        elif isinstance(given, os.PathLike) or _MOVIE.fullmatch(given):
            plan.movie = self._fitting_movie(read_movie(base / given))
        elif BOT.fullmatch(given):
            plan.bot = load_bot(given, base)
        else:
            plan.timeline = parse(given, vocabulary)

    def _fitting_movie(self, movie: Movie) -> Movie:
        check_fits(movie, self._play)
        scene = self._request.scene
        if scene is not None and scene != movie.header.scene:
            raise MovieError(
                f"{movie.path} was recorded in scene {movie.header.scene!r}, not {scene!r}"
            )
        return movie

    # starting

    def _start(self, plan: _Plan) -> Driver:
        play, request = self._play, self._request
        fresh = play._fresh_driver
        if request.record:
            # Follow the driver from its reset: a movie always begins at frame 0.
            def fresh() -> Driver:  # type: ignore[misc]
                driver = Playtest._fresh_driver(play)
                self._recorder = Recorder(play.base / str(request.record), driver)
                return driver

            play._fresh_driver = fresh  # type: ignore[method-assign]
        try:
            self._begin(plan)
        finally:
            if request.record:
                del play._fresh_driver  # type: ignore[method-assign]
        driver = play._driver
        assert driver is not None
        for target, value in plan.assignments:
            with play._game.guarded(driver.frame):
                driver.edit(target, value)
        return driver

    def _begin(self, plan: _Plan) -> None:
        play, request = self._play, self._request
        if request.start is None:
            header = plan.movie.header if plan.movie else None
            scene = request.scene or (header.scene if header else None)
            seed = request.seed if request.seed is not None or header is None else header.seed
            play._reset(scene, seed)
            return
        state = play.savestate(request.start)
        for name, given, inherited in (
            ("seed", request.seed, state.movie.header.seed),
            ("scene", request.scene, state.movie.header.scene),
        ):
            if given is not None and given != inherited:
                raise ArgumentError(
                    name,
                    f"start={state.name!r} was saved with {name} {inherited}; leave {name} out",
                )
        play._restore(state)

    def _input(self, plan: _Plan, driver: Driver) -> Iterator[InputFrame]:
        before = last_input(driver)
        if plan.bot is not None:
            return bot_input(plan.bot, driver, plan.frames)
        if plan.movie is not None:
            return self._movie_input(plan, driver, before)
        timeline = plan.timeline or Timeline()
        spans = timeline.spans(plan.frames, driver.seed, before.pointer)
        return chained(spans, before.held, driver.dt)

    def _movie_input(self, plan: _Plan, driver: Driver, before: InputFrame) -> Iterator[InputFrame]:
        movie = plan.movie
        assert movie is not None
        edits: dict[int, list[Edit]] = {}
        for edit in movie.edits:
            edits.setdefault(edit.frame, []).append(edit)
        idle = Controls(pointer=movie.inputs[-1].pointer if movie.inputs else before.pointer)
        for frame in range(plan.frames):
            for edit in edits.get(frame, ()):
                driver.edit(edit.target, edit.value)
            inputs = (
                movie.inputs[frame]
                if frame < movie.frames
                else input_frame(idle, before.held, driver.dt)
            )
            if frame == 0:
                inputs = input_frame(inputs.controls, before.held, driver.dt)
            before = inputs
            yield inputs

    # playing

    def _played(self, plan: _Plan, driver: Driver) -> RunResult:
        start = driver.frame
        error = ended = None
        try:
            with self._play._game.guarded(start):
                checks = Checks(
                    driver,
                    plan.asserts,
                    plan.until,
                    plan.prints,
                    self._request.every or plan.frames,
                )
            driver.advance(self._input(plan, driver), checks.look if checks.wanted else None)
            checks.finish()
        except GameRaised as raised:
            error = raised.info
        except GameExit as exit_:
            ended = exit_
        except BaseException:
            if self._recorder is not None:
                self._recorder.abandon()
            raise
        if error is not None:
            return self._erred(plan, driver, start, replace(error, frame=error.frame - start))
        return self._ended(plan, driver, start, checks, ended)

    def _ended(
        self, plan: _Plan, driver: Driver, start: int, checks: Checks, ended: GameExit | None
    ) -> RunResult:
        play = self._play
        failure = checks.failure
        if ended is not None:
            failure = failure or _open_until(plan, driver, start, ended)
            movie = play._wreck()
            state_hash = driver.marks[-1].state_hash if driver.marks else ""
        else:
            state_hash = driver.state_hash()
            self._look_again(plan, driver, checks, state_hash)
            movie = driver.movie()
        if checks.unmoved() and any(i.controls != Controls() for i in driver.inputs[start:]):
            plan.notes.append(
                "input was given and no printed value changed; is the input meant for this game?"
            )
        self._keep(movie)
        return self._result(
            plan,
            driver,
            status="failed" if failure or (ended is not None and ended.status) else "passed",
            stopped=_stopped(failure, checks, ended),
            start=start,
            state_hash=state_hash,
            frames=checks.rows,
            failure=failure,
            movie=movie,
        )

    def _look_again(self, plan: _Plan, driver: Driver, checks: Checks, before: str) -> None:
        if not checks.wanted:
            return
        with self._play._game.guarded(driver.frame):
            checks.again()
        if driver.state_hash() != before:
            plan.notes.append(
                "an expression changes the game when it is evaluated, so a replay without it will differ"
            )

    def _erred(self, plan: _Plan, driver: Driver, start: int, error: Any) -> RunResult:
        movie = self._play._wreck()
        self._keep(movie)
        marked = driver.marks[-1].state_hash if driver.marks else ""
        result = self._result(plan, driver, "error", "error", start, marked, {}, None, movie)
        result = replace(result, error=error, frame=error.frame)
        self._play._failed = result
        return result

    def _keep(self, movie: Movie | None) -> None:
        if self._recorder is not None and movie is not None:
            self._written.append(_shown_path(self._recorder.done(movie)))

    def _result(
        self,
        plan: _Plan,
        driver: Driver,
        status: Any,
        stopped: Any,
        start: int,
        state_hash: str,
        frames: Any,
        failure: Failure | None,
        movie: Movie | None,
    ) -> RunResult:
        play, request = self._play, self._request
        build = play._game.build
        if request.save and status != "error" and stopped != "exit":
            play._remember()
            from harness.playtest.savestates import saved

            play.saves[request.save] = saved(request.save, driver, play._changed_outside)
        result = RunResult(
            status=status,
            stopped=stopped,
            frame=driver.frame - start,
            start_frame=start,
            seed=driver.seed,
            scene=driver.scene,
            build=build,
            state_hash=state_hash,
            frames=frames,
            failure=failure,
            notes=tuple(dict.fromkeys(plan.notes)),
            written=tuple(self._written),
            run_id=run_id(request, build, state_hash),
            request=request,
            movie=movie,
        )
        play._remember()
        if stopped == "exit":
            play._failed = result
        if request.against is not None and status != "error":
            result = replace(
                result, against=_Comparison(play, plan, result).difference(request.against)
            )
        return result

    def _failed_to_start(self, raised: GameRaised) -> RunResult:
        play, driver = self._play, self._play._driver
        if self._recorder is not None:
            self._recorder.abandon()
        request, build = self._request, play._game.build
        result = RunResult(
            "error", "error", 0, 0,
            driver.seed if driver else request.seed or play.default_seed,
            driver.scene if driver else request.scene or "",
            build, "",
            error=raised.info, run_id=run_id(request, build, ""), request=request,
            movie=play._wreck() if driver is not None else None,
        )  # fmt: skip
        play._failed = result
        return result

    def _ended_at_start(self, ended: GameExit) -> RunResult:
        info = _exit_info(ended)
        return self._failed_to_start(GameRaised(info))


def _exit_info(ended: GameExit) -> Any:
    from harness.values.run import ErrorInfo

    return ErrorInfo(
        "SystemExit", f"the game ended itself with status {ended.status} before its first frame", 0
    )


def _stopped(failure: Failure | None, checks: Checks, ended: GameExit | None) -> Any:
    if ended is not None:
        return "exit"
    if failure is not None and failure.kind == "assert":
        return "assert"
    return "until" if checks.held else "frames"


def _open_until(plan: _Plan, driver: Driver, start: int, ended: GameExit) -> Failure | None:
    if plan.until is None:
        return None
    count = driver.frame - start
    message = f"the game ended itself with status {ended.status} at frame {count}, before {plan.until.source} held"
    return Failure("until", plan.until.source, count, (), message)


def check_fits(movie: Movie, play: Playtest) -> None:
    """Refuse a movie that was recorded for something else.

    Raises:
        MovieError: it is of another game or tick rate.
        UnknownName: the game has no such scene any more.
    """
    header, folder = movie.header, play._game.folder
    name = movie.path or "the movie"
    if header.game != folder.id:
        raise MovieError(
            f"{name} was recorded with the game {header.game!r}, and this is {folder.id!r}"
        )
    if header.tick_rate != folder.tick_rate:
        raise MovieError(
            f"{name} was recorded at {header.tick_rate} steps a second, and the game now runs at {folder.tick_rate}"
        )
    if header.scene not in folder.scenes:
        raise MovieError(f"{name}: {UnknownName('scene', header.scene, folder.scenes)}")


class _Comparison:
    """Where a run and another one, from the same start, first differ."""

    def __init__(self, play: Playtest, plan: _Plan, result: RunResult) -> None:
        self._play = play
        self._plan = plan
        self._result = result
        self._here = result.movie

    def difference(self, against: str) -> Difference:
        """Play the other run, find the first frame that differs, and the first value in it."""
        here, driver = self._here, self._play._driver
        assert here is not None and driver is not None
        start = self._result.start_frame
        there = self._other(against, here, start)
        here_hashes = bytes(driver.hashes)
        other = self._replayed(there)
        frame = first_difference(here_hashes, bytes(other.hashes))
        if frame is None:
            self._replayed(here)
            return Difference(against)
        values_there = self._values(there, frame)
        values_here = self._values(here, frame)
        self._replayed(here)
        found = field_difference(values_there, values_here)
        name, was, now = found if found else ("", None, None)
        return Difference(against, frame - start, name, now, was)

    def _other(self, against: str, here: Movie, start: int) -> Movie:
        frames = here.frames
        if against == NO_INPUT:
            idle = chained(
                [(frames - start, Controls())],
                here.inputs[start - 1].held if start else frozenset(),
                1,
            )
            return replace(here, inputs=here.inputs[:start] + tuple(idle))
        if against in self._play.runs:
            other = self._play.runs[against].movie
        elif _MOVIE.fullmatch(against):
            other = read_movie(self._play.base / against)
            check_fits(other, self._play)
        else:
            raise UnknownName("run or movie", against, [NO_INPUT, *self._play.runs], "this play")
        assert other is not None
        return other

    def _replayed(self, movie: Movie, frames: int | None = None) -> Driver:
        play = self._play
        driver = play._fresh_driver()
        driver.replay(movie, frames)
        play._remember()
        return driver

    def _values(self, movie: Movie, frame: int) -> dict[str, Any]:
        driver = self._replayed(movie, frame)
        values = driver.values()
        if driver.frame < frame:
            values["frames"] = driver.frame
        return values


def _shown_path(path: Path) -> str:
    """A path as one would type it here: relative where that is shorter."""
    relative = os.path.relpath(path) if path.is_absolute() else str(path)
    return relative if len(relative) <= len(str(path)) else str(path)


__all__ = [
    "Divergence",
    "RequestError",
    "Sequence",
    "check_fits",
    "execute",
    "movie_header",
    "told",
]
