"""Executes a RunRequest: from a start, under an input, looking after every frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from harness.driver.driver import Cancelled, Driver, Look
from harness.errors import ArgumentError, HarnessError
from harness.games.loaded import GameExit, GameRaised
from harness.playtest.bots import BOT
from harness.playtest.checks import Checks
from harness.playtest.compare import difference
from harness.playtest.plan import Opponent, Plan, names_movie, planned
from harness.playtest.recorder import Recorder
from harness.playtest.standing import remembered
from harness.values.files import shown_path
from harness.values.inputs import IDLE
from harness.values.movie import Movie, last_whole
from harness.values.run import ErrorInfo, RunRequest, RunResult, run_id

if TYPE_CHECKING:
    from harness.playtest.stage import Stage


Watch = Callable[[int], None]
"""Called after each frame with its number, counted from the start of the call."""


def execute(
    stage: Stage, request: RunRequest, watch: Watch | None = None, least: int = 1
) -> RunResult:
    """Play a request to its end; ``least`` is how many frames that must be.

    Raises:
        RequestError: the request is wrong; a run that did not pass is a result.
    """
    request = replace(
        request,
        game=request.game or shown_path(stage.path, stage.here),
        input=_from_here(stage, request.input),
    )
    stage.hand_over()
    with stage.active():
        run = _Run(stage, request, watch, least)
        try:
            result = run.execute()
        except HarnessError:
            run.discard()
            raise
        finally:
            run.end()
    remembered(stage.runs, result)
    return result


@dataclass(slots=True)
class _Run:
    """One execution; it leaves the stage at the frame where it ended."""

    stage: Stage
    request: RunRequest
    watch: Watch | None = None
    least: int = 1
    recorder: Recorder | None = None
    start: int = 0
    notes: list[str] = field(default_factory=list)

    def execute(self) -> RunResult:
        noted = len(self.stage.notes)
        checks: Checks | None = None
        try:
            self.stage.game.refresh()
            plan = planned(self.stage, self.request, self.least)
            self._begin(plan)
            driver = self.stage.driver
            self.start = driver.frame
            if self.request.start is None:
                self.request = replace(self.request, seed=driver.seed, scene=driver.scene)
            for target, value in plan.assignments:
                driver.edit(target, value)
            checks = self._checks(plan, driver)
            self.notes += self.stage.notes[noted:]
            if plan.unplayed:
                begins = f"the input begins at frame {plan.unplayed}"
                self.notes.append(f"{begins}, and the run has {plan.frames} frames")
            driver.advance(plan.input(driver), self._look(checks))
            checks.finish()
            return self._ended(checks, plan.opponent)
        except GameRaised as raised:
            return self._failed(raised.info, checks)
        except GameExit as ended:
            if checks is None:
                return self._failed(_early(ended), None)
            return self._exited(checks, ended)
        except Cancelled:
            return self._cancelled(checks)

    def _look(self, checks: Checks) -> Look | None:
        watch, start = self.watch, self.start
        if watch is None:
            return checks.look if checks.wanted else None

        def look(frame: int) -> bool:
            watch(frame - start)
            return checks.look(frame)

        with self.stage.game.guarded(start):
            watch(0)
        return look

    def end(self) -> None:
        """Let go of the movie file; of an interrupted run it stays as the part."""
        if self.recorder is not None:
            self.recorder.close()

    def discard(self) -> None:
        """Remove what a wrong request left of its movie."""
        if self.recorder is not None:
            self.recorder.abandon()

    def _begin(self, plan: Plan) -> None:
        request, header = self.request, plan.movie.header if plan.movie else None
        if request.start is not None:
            self._restore(request.start)
            return
        scene = request.scene or (header.scene if header else None)
        seed = header.seed if request.seed is None and header else request.seed
        if self.stage.stood(None, scene, seed):
            self._follow(self.stage.driver)
        else:
            self.stage.begin(scene, seed, self._follow)

    def _restore(self, name: str) -> None:
        stands = self.stage.stood(name)
        header = self.stage.header() if stands else self.stage.savestate(name).movie.header
        for argument, given, inherited in (
            ("seed", self.request.seed, header.seed),
            ("scene", self.request.scene, header.scene),
        ):
            if given is not None and given != inherited:
                problem = f"start={name!r} was saved with {argument} {inherited}; leave it out"
                raise ArgumentError(argument, problem)
        if stands:
            self._follow(self.stage.driver)
        else:
            self.stage.restore(self.stage.savestate(name), self._follow)

    def _follow(self, driver: Driver) -> None:
        if self.request.record is not None:
            self.recorder = Recorder(self.stage.base / self.request.record, driver)

    def _checks(self, plan: Plan, driver: Driver) -> Checks:
        with self.stage.game.guarded(driver.frame):
            return Checks(driver, plan.asserts, plan.until, plan.prints, plan.every)

    # ending

    def _ended(self, checks: Checks, opponent: Opponent | None) -> RunResult:
        driver = self.stage.driver
        state_hash = driver.last_hash()
        self.notes += checks.notes
        self._look_again(checks, state_hash)
        self._warn_of_lost_input(checks)
        failure = checks.failure
        stopped = "frames"
        if failure is not None and failure.kind == "assert":
            stopped = "assert"
        elif checks.held:
            stopped = "until"
        movie = driver.movie()
        result = self._result(
            "failed" if failure else "passed",
            stopped,
            movie,
            frame=driver.frame - self.start,
            state_hash=state_hash,
            frames=checks.rows,
            failure=failure,
        )
        self.stage.remember()
        if self.request.save is not None:
            self.stage.save(self.request.save)
        if opponent is not None:
            found = difference(self.stage, movie, self.start, opponent)
            result = replace(result, against=found)
            self.stage.remember()
        return result

    def _look_again(self, checks: Checks, before: str) -> None:
        """Evaluating once more must leave the state as it is, or the movie is not the whole run."""
        driver = self.stage.driver
        if not checks.wanted:
            return
        with self.stage.game.guarded(driver.frame):
            checks.again()
        if driver.state_hash() != before:
            self.notes.append(
                "an expression changes the game when it is evaluated; a replay without it differs"
            )

    def _warn_of_lost_input(self, checks: Checks) -> None:
        inputs = self.stage.driver.inputs[self.start :]
        if checks.unmoved() and any(frame.controls != IDLE for frame in inputs):
            self.notes.append(
                "input was given and no printed value changed; is it meant for this game?"
            )

    def _exited(self, checks: Checks, ended: GameExit) -> RunResult:
        driver = self.stage.driver
        count = driver.frame - self.start
        failure = checks.left_open(ended)
        result = self._result(
            "failed" if failure or ended.status else "passed",
            "exit",
            self.stage.wreck(),
            frame=count,
            state_hash=last_whole(driver.marks),
            frames=checks.rows,
            failure=failure,
            error=replace(ended.info, frame=count) if ended.status else None,
        )
        self.stage.failed = result
        return result

    def _cancelled(self, checks: Checks | None) -> RunResult:
        driver = self.stage.driver
        movie = driver.movie()
        self.stage.remember()
        return self._result(
            "error",
            "cancelled",
            movie,
            frame=max(0, driver.frame - self.start),
            state_hash=movie.marks[-1].state_hash,
            frames=checks.rows if checks is not None else {},
        )

    def _failed(self, info: ErrorInfo, checks: Checks | None) -> RunResult:
        info = replace(info, frame=max(0, info.frame - self.start))
        movie = self.stage.wreck() if self.stage.acted else None
        last = last_whole(movie.marks) if movie is not None else ""
        rows = checks.rows if checks is not None else {}
        result = self._result(
            "error", "error", movie, frame=info.frame, state_hash=last, error=info, frames=rows
        )
        if movie is not None:
            self.stage.failed = result
        return result

    def _result(self, status: Any, stopped: Any, movie: Movie | None, **more: Any) -> RunResult:
        stage, request = self.stage, self.request
        written: tuple[str, ...] = ()
        if self.recorder is not None and movie is not None:
            written = (shown_path(self.recorder.done(movie), stage.here),)
        build = stage.game.build
        return RunResult(
            status,
            stopped,
            start_frame=self.start,
            seed=movie.header.seed if movie else request.seed or stage.default_seed,
            scene=movie.header.scene if movie else request.scene or "",
            build=build,
            notes=tuple(dict.fromkeys([*self.notes, *stage.game.notes])),
            written=written,
            run_id=run_id(request, build, more["state_hash"]),
            request=request,
            movie=movie,
            **more,
        )


def _from_here(stage: Stage, given: Any) -> Any:
    """An input's file by its whole path, so that the command to play it again finds it too."""
    if not isinstance(given, str):
        return given
    bot = BOT.fullmatch(given)
    if bot is not None:
        return f"{stage.base / bot['file']}:{bot['function']}"
    return str(stage.base / given) if names_movie(given) else given


def _early(ended: GameExit) -> ErrorInfo:
    info = ended.info
    message = ended.told(" before its first frame").removesuffix(f" ({info.file}:{info.line})")
    return replace(info, message=message, frame=0)
