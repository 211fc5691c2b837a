"""A play in processes of its own: the same verbs, the same answers, and no harm to this process."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from harness.driver.edits import written
from harness.errors import GameError, HarnessError, RequestError, UnknownName
from harness.games.files import OwnFiles
from harness.games.folder import find_game, read_folder
from harness.playtest.plan import NO_INPUT, names_movie
from harness.playtest.run import shown_path
from harness.playtest.savestates import Savestate, left_changed
from harness.playtest.stage import Standing, remembered
from harness.playtest.steps import told
from harness.values.movie import Movie
from harness.values.run import ErrorInfo, RunRequest, RunResult, run_id
from harness.worker import pool
from harness.worker.family import Member, WorkerLost
from harness.worker.reel import NOTHING, Reel, late
from harness.worker.seat import Seat
from harness.worker.shelf import Parked, Shelf
from harness.worker.words import Answer, Fork, Start

How = Literal["fork", "spawn"]
Buttons = str | Sequence[str]

BUDGET = 30.0
"""Seconds of wall clock in which a frame must be finished."""

MEMORY = 4096
"""MiB of address space that a game may have."""


class WorkerPlay:
    """One play of a game whose steps run elsewhere: it may hang, crash or print as it likes."""

    def __init__(
        self,
        game: str | Path | None = None,
        *,
        seed: int = 0,
        scene: str | None = None,
        base: Path | None = None,
        here: Path | None = None,
        how: How = "fork",
        budget: float = BUDGET,
        total: float | None = None,
        memory: int | None = MEMORY,
    ) -> None:
        self.base = base or Path.cwd()
        self.here = here or Path.cwd()
        self.path = find_game(game, self.base)
        self.on_movie: Callable[[Movie], None] | None = None
        self.notes: list[str] = []
        self._seed, self._scene = seed, scene
        self._files = OwnFiles(self.path)
        self._frame = 0
        self._failed: RunResult | None = None
        self._reel: Reel | None = None
        self._known = False
        self._runs: dict[str, RunResult] = {}
        self._seat = seat = Seat(self.path, how == "fork", memory, budget, total)
        self._shelf = shelf = Shelf(lambda member: _values(seat, member))
        self._end = weakref.finalize(self, _left, seat, shelf)

    # verbs

    def reset(self, scene: str | None = None, seed: int | None = None) -> int:
        """As ``Playtest.reset``, in a fresh process."""
        self._hand_over()
        self._begin(scene, seed)
        return int(self._verb("reset", scene, seed))

    def step(self, frames: int = 1, input: str | None = None) -> int:
        """As ``Playtest.step``."""
        return int(self._verb("step", frames, input))

    def hold(self, *buttons: Buttons, frames: int = 1) -> int:
        """As ``Playtest.hold``."""
        return int(self._verb("hold", *buttons, frames=frames))

    def tap(self, *buttons: Buttons, frames: int = 1) -> int:
        """As ``Playtest.tap``."""
        return int(self._verb("tap", *buttons, frames=frames))

    def until(
        self, value: str, within: int = 600, holding: Buttons = (), input: str | None = None
    ) -> int:
        """As ``Playtest.until``."""
        return int(self._verb("until", value, within, holding, input))

    def value(self, expression: str) -> Any:
        """As ``Playtest.value``."""
        return self._verb("value", expression)

    def explain(self, expression: str) -> list[tuple[str, Any]]:
        """As ``Playtest.explain``."""
        parts: list[tuple[str, Any]] = self._verb("explain", expression)
        return parts

    def edit(self, target: str, value: Any) -> None:
        """As ``Playtest.edit``."""
        self._verb("edit_written", target, written(value))

    def save(self, name: str) -> None:
        """As ``Playtest.save``: the process stands still, and another goes on."""
        self._sync("save")
        self._park(name)

    def load(self, name: str) -> int:
        """As ``Playtest.load``: exactly the state that was saved."""
        self._require(name)
        playing = self._failed is None and self._seat.member is not None
        changed = self._verb("changed") if playing else None
        self._hand_over()
        self._stand(name)
        frame = int(self._verb("load", name))
        if changed is not None:
            raise left_changed(changed)
        return frame

    def movie(self, path: str | Path | None = None) -> Movie:
        """As ``Playtest.movie``."""
        reel = self._sync("movie")
        assert reel is not None
        movie = reel.movie()
        if path is not None:
            movie.write(self.base / path)
        return movie

    @property
    def frame(self) -> int:
        """Frames since reset."""
        return self._frame

    # whole runs

    def run(self, request: RunRequest) -> RunResult:
        """As ``Playtest.run``, in a fresh process or from a savestate."""
        against = self._against(request)
        self._hand_over()
        try:
            if request.start is not None:
                self._stand(request.start)
            elif isinstance(request.input, str) and names_movie(request.input):
                self._begin()  # the movie says where
            else:
                self._begin(request.scene, request.seed)
            since = self._since()
            result: RunResult
            result, tail = self._asked("run", self._sent(request), since, against).value
        except WorkerLost as lost:
            return self._lost(request, lost.info)
        movie = None
        if tail is not None:
            movie = late(self._add(Reel(tail, self._reel)).movie)
        asked = replace(result.request, save=request.save)
        name = run_id(asked, result.build, result.state_hash)
        result = replace(result, request=asked, run_id=name, movie=movie)
        remembered(self._runs, result)
        if request.save is not None and result.stopped in ("frames", "until", "assert"):
            self._park(request.save)
        return result

    def _sent(self, request: RunRequest) -> RunRequest:
        return replace(request, game=request.game or shown_path(self.path, self.here), save=None)

    def _against(self, request: RunRequest) -> dict[str, RunResult]:
        """The run that a request names, which its process never saw."""
        if callable(request.input):
            raise RequestError(
                "input: a function cannot go to another process; write bot.py:function, or"
                " isolate in-process"
            )
        name = request.against
        if name is None or name == NO_INPUT or (names_movie(name) and name not in self._runs):
            return {}
        if name not in self._runs:
            raise UnknownName("run or movie", name, [NO_INPUT, *self._runs], "this play")
        run = self._runs[name]
        movie = run.movie and Movie(
            run.movie.header, run.movie.inputs, run.movie.edits, run.movie.marks
        )
        return {name: replace(run, movie=movie)}

    # what surfaces ask of a play

    def played(self) -> Movie | None:
        """As ``Playtest.played``."""
        if self._failed is not None:
            return self._failed.movie
        if self._seat.member is None:
            return None
        if not self._known:
            self._sync("played")
        reel = self._reel
        return late(reel.movie) if reel is not None and reel.frames else None

    def kept(self, name: str) -> Savestate | None:
        """As ``Playtest.kept``."""
        return self._shelf.value(name)

    def keep(self, state: Savestate) -> None:
        """As ``Playtest.keep``."""
        self._shelf.put(state.name, state)

    def cancel(self) -> None:
        """As ``Playtest.cancel``."""
        self._seat.cancel()

    def close(self) -> None:
        """End every process; the play can be reset anew, and its savestates are movies then."""
        self._shelf.evict_all()
        self._seat.leave()
        self._reel, self._known, self._frame = None, False, 0

    # processes

    def _verb(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Ask the process that plays; that it is gone is the game's error."""
        if self._failed is not None:
            ended = f"the game has ended: {self._failed.error}\n  reset or load first"
            raise GameError(ended, self._failed)
        try:
            if self._seat.member is None:
                self._begin()
            return self._asked(name, *args, **kwargs).value
        except WorkerLost as lost:
            run = self._lost(RunRequest(game=str(self.path)), lost.info)
            raise GameError(told(lost.info), run) from None

    def _asked(self, name: str, *args: Any, **kwargs: Any) -> Answer:
        self._known = False
        member = self._seat.member
        try:
            answer = self._seat.act(name, *args, **kwargs)
        except KeyboardInterrupt:
            if member is not None and member.gone:
                info = ErrorInfo("Interrupted", "it did not come to its next frame", self._frame)
                self._lost(RunRequest(game=str(self.path)), info)
            raise
        self._frame = answer.frame
        self.notes += answer.notes
        return answer

    def _begin(self, scene: str | None = None, seed: int | None = None) -> None:
        """Have a process that has played nothing, of the files as they are now."""
        self._failed = self._reel = None
        self._known, self._frame = False, 0
        build = self._files.build()
        for attempt in ("first", "last"):
            if not self._seat.stay(build):
                self._shelf.evict_all()
                self._seat.leave()
            self._seat.sit(build)
            try:
                self._seat.begin(self._start())
                return
            except WorkerLost:
                # Somebody killed the process that it is forked from; a new one can be had.
                assert self._seat.family is not None
                pool.dropped(self._seat.family)
                self._shelf.evict_all()
                self._seat.leave()
                if attempt == "last":
                    raise

    def _start(self) -> Start:
        return Start(str(self.base), str(self.here), self._seed, self._scene, dict(os.environ))

    # savestates

    def _since(self) -> int:
        return self._reel.frames if self._reel is not None else NOTHING

    def _sync(self, purpose: str) -> Reel | None:
        """Know all that was played."""
        tail = self._verb("sync", self._since(), purpose)
        if tail is not None:
            self._add(Reel(tail, self._reel))
        return self._reel

    def _add(self, reel: Reel) -> Reel:
        self._reel, self._known = reel.shortened(), True
        return self._reel

    def _park(self, name: str) -> None:
        """Keep the present frame, which is known, under a name."""
        reel = self._reel
        assert reel is not None
        if self._parked(name, reel, Standing(name, reel.tail.header.scene, reel.tail.header.seed)):
            return
        self._shelf.put(name, reel.savestate(name, self._verb("values")))
        self._known = True

    def _parked(
        self, name: str, reel: Reel, standing: Standing, origin: Savestate | None = None,
        there: bool = False,
    ) -> bool:  # fmt: skip
        """Have the process stand where it is, under a name, and play on in another."""
        seat, member = self._seat, self._seat.member
        assert seat.family is not None
        assert member is not None
        if not seat.family.forks or reel.tail.changed_outside is not None:
            return False
        if seat.go_on(member, Fork(park=True, standing=standing if there else None)):
            return False
        self._shelf.put(name, Parked(member, reel, seat.build, standing, origin))
        return True

    def _require(self, name: str) -> None:
        if name not in self._shelf:
            raise UnknownName("savestate", name, self._shelf, "this play")

    def _stand(self, name: str) -> None:
        """Be in a process that stands at a savestate, or that can restore it."""
        self._require(name)
        state = self._shelf.get(name)
        build = self._files.build()
        if isinstance(state, Parked) and self._seat.stay(build) and state.build == build:
            try:
                fork = Fork(standing=state.standing, start=self._start())
                self._seat.go_on(state.member, fork)
            except WorkerLost:
                self._shelf.evict(name)
            else:
                self._failed, self._reel, self._known = None, state.reel, True
                return
        self._begin()
        kept = self._shelf.value(name)
        assert kept is not None
        if not self._rebuilt(name, kept):
            self._asked("keep", kept)

    def _rebuilt(self, name: str, kept: Savestate) -> bool:
        """Restore a savestate from its movie, and keep it as a process again."""
        assert self._seat.family is not None
        if not self._seat.family.forks:
            return False
        try:
            standing = self._asked("restore", kept).value
        except HarnessError as error:
            if isinstance(error, WorkerLost):
                raise
            # Let the verb that wanted it say so itself.
            self._begin()
            return False
        reel = self._sync("movie")
        assert reel is not None
        self._parked(name, reel, standing, kept, there=True)
        return True

    # telling

    def _hand_over(self) -> None:
        if self.on_movie is not None:
            movie = self.played()
            if movie is not None:
                self.on_movie(movie)

    def _lost(self, request: RunRequest, info: ErrorInfo) -> RunResult:
        """Tell the end of a process as the result of a run."""
        start = self._reel.frames if self._reel is not None else 0
        self._frame = max(0, info.frame - 1)
        info = replace(info, frame=max(0, info.frame - start))
        request = self._sent(request)
        header = self._reel.tail.header if self._reel is not None else None
        seed = header.seed if header else request.seed
        scene = header.scene if header else request.scene or self._scene
        folder = read_folder(self.path)
        build = self._seat.build
        self._failed = RunResult(
            "error", "error", info.frame, start, self._seed if seed is None else seed,
            scene or folder.scene(None), build, "",
            error=info, request=request, run_id=run_id(request, build, ""),
        )  # fmt: skip
        return self._failed


def _values(seat: Seat, member: Member) -> dict[str, Any]:
    """What a savestate's entities hold, as far as its process can still say it."""
    try:
        values: dict[str, Any] = seat.ask(member, "values")
    except HarnessError:
        return {}
    return values


def _left(seat: Seat, shelf: Shelf) -> None:
    shelf.end_all()
    seat.leave()
