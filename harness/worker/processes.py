"""What a play does with its processes: begins them, keeps some as savestates, tells their end."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from harness.errors import GameError, HarnessError, UnknownName
from harness.games.files import OwnFiles
from harness.games.folder import find_game, read_folder
from harness.playtest.run import shown_path
from harness.playtest.savestates import Savestate
from harness.playtest.stage import Standing
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

BUDGET = 30.0
"""Seconds of wall clock in which a frame must be finished."""

MEMORY = 4096
"""MiB of address space that a game may have."""


class Processes:
    """The processes of one play, and what is known of each."""

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

    def _sent(self, request: RunRequest) -> RunRequest:
        return replace(request, game=request.game or shown_path(self.path, self.here), save=None)

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
