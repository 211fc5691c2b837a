"""What a play does with its processes: begins them, keeps some as savestates, tells their end."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.errors import GameError, HarnessError, RequestError, UnknownName
from harness.games.files import OwnFiles
from harness.games.folder import find_game, read_folder
from harness.playtest.savestates import Savestate
from harness.playtest.standing import Standing
from harness.playtest.steps import told, whole_number
from harness.values.files import shown_path, working_folder
from harness.values.kinds import text
from harness.values.movie import Movie
from harness.values.picture import Picture
from harness.values.run import MOST_SEED, ErrorInfo, RunRequest, RunResult
from harness.worker import pool
from harness.worker.acts import VERBS
from harness.worker.firsts import FirstFrames, Key
from harness.worker.losses import lost_run
from harness.worker.member import WorkerLost
from harness.worker.pins import BUDGET, HASH_SEED, MEMORY, How
from harness.worker.reel import NOTHING, Reel, late
from harness.worker.seat import Seat, values_of
from harness.worker.shelf import Parked, Shelf, origin_of
from harness.worker.wire import portable
from harness.worker.words import Answer, Fork, Start

_LOOKS = VERBS - {"step", "hold", "tap", "until"}
"""Verbs after which the game may be changed without anybody having noticed."""


class Processes:
    """The processes of one play, and what is known of each."""

    def __init__(
        self,
        game: str | os.PathLike[str] | None = None,
        *,
        seed: int = 0,
        scene: str | None = None,
        base: Path | None = None,
        here: Path | None = None,
        how: How = "fork",
        budget: float = BUDGET,
        total: float | None = None,
        memory: int | None = MEMORY,
        hash_seed: str = HASH_SEED,
    ) -> None:
        self.base = base or working_folder()
        self.here = here or working_folder()
        self.path = find_game(game, self.base)
        self.on_movie: Callable[[Movie], None] | None = None
        self.notes: list[str] = []
        self._seed, self._scene = seed, scene
        # One that does not fit is refused at once.
        self._files = OwnFiles(read_folder(self.path).own)
        self._frame = 0
        self._failed: RunResult | None = None
        self._reel: Reel | None = None
        self._known = self._looked = False
        self._changed: int | None = None
        self._origin: tuple[int, int, str] | None = None
        self._runs: dict[str, RunResult] = {}
        self._last_shot: Picture | None = None
        self._seat = seat = Seat(self.path, how == "fork", memory, budget, total, hash_seed)
        self._shelf = shelf = Shelf(lambda member: values_of(seat, member))
        self._end = weakref.finalize(self, _left, seat, shelf)

    # processes

    def _verb(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Ask the process that plays; that it is gone is the game's error."""
        with self._loss_told():
            self._be_there()
            return self._asked(name, *map(portable, args), **kwargs).value

    @contextmanager
    def _loss_told(self) -> Iterator[None]:
        try:
            yield
        except WorkerLost as lost:
            run = self._lost(RunRequest(game=str(self.path)), lost.info)
            raise GameError(told(lost.info), run) from None

    def _be_there(self) -> None:
        """Have a process that can be asked."""
        if self._failed is not None:
            ended = f"the game has ended: {self._failed.error}\n  reset or load first"
            raise GameError(ended, self._failed)
        if self._seat.member is None:
            self._begin()

    def _asked(self, name: str, *args: Any, **kwargs: Any) -> Answer:
        self._known = False
        self._looked = name in _LOOKS
        member = self._seat.member
        try:
            answer = self._seat.act(name, *args, **kwargs)
        except KeyboardInterrupt:
            if member is not None and member.gone:
                info = ErrorInfo("Interrupted", "it did not come to its next frame", self._frame)
                self._lost(RunRequest(game=str(self.path)), info)
            raise
        self._frame, self._changed = answer.frame, answer.changed_outside
        self.notes += answer.notes
        return answer

    def _begin(self, first: Key | None = None) -> None:
        """Have a process that has played nothing, of the files as they are now.

        It may stand already at the ``first`` frame that it will be asked for.
        """
        self._failed = self._reel = self._changed = None
        self._known = self._looked = False
        self._frame = 0
        build = self._files.build()
        for attempt in ("first", "last"):
            if not self._seat.stay(build):
                read_folder(self.path)
                self._shelf.evict_all()
                self._seat.leave()
            self._seat.sit(build)
            try:
                self._begin_at(first)
                return
            except WorkerLost:
                # Somebody killed the process that it is forked from; a new one can be had.
                assert self._seat.family is not None
                pool.dropped(self._seat.family)
                self._shelf.evict_all()
                self._seat.leave()
                if attempt == "last":
                    raise

    def _begin_at(self, first: Key | None) -> None:
        seat = self._seat
        assert seat.family is not None
        if first is None or not seat.family.forks:
            seat.begin(self._start())
            return
        firsts = pool.first_frames(seat.family)
        there = firsts.find(first)
        if there is not None:
            member, standing = there
            try:
                seat.go_on(member, Fork(standing=standing, start=self._start()))
                return
            except WorkerLost:
                firsts.forget(first)
        seat.begin(self._start())
        if firsts.is_due(first):
            self._keep_first(firsts, first)

    def _keep_first(self, firsts: FirstFrames, first: Key) -> None:
        standing = self._asked("stand", *first).value
        member = self._seat.member
        assert member is not None
        if standing is None:
            self._seat.begin(self._start())
        elif self._seat.go_on(member, Fork(park=True, standing=standing)) is None:
            firsts.put(first, member, standing)

    def _first(self, scene: str | None, seed: int | None) -> Key:
        scene = self._scene if scene is None else text("scene", scene)
        seed = self._seed if seed is None else seed
        whole_number("seed", seed, 0, MOST_SEED)
        return scene, seed

    def _start(self) -> Start:
        family = self._seat.family
        environment: dict[str, str] | None = dict(os.environ)
        if family is not None and environment == family.environment:
            environment = None
        return Start(str(self.base), str(self.here), self._seed, self._scene, environment)

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
        """Keep the present frame under a name."""
        why_not = self._parked(text("name", name))
        if why_not is None:
            return
        reel = self._sync("save")
        assert reel is not None
        closing, values = self._verb("values")
        self._shelf.put(name, reel.closed(closing).savestate(name, values))
        if why_not:
            self.notes.append(
                f"savestate {name!r} is kept as a movie, which a load plays again: {why_not}"
            )

    def _parked(
        self, name: str, standing: Standing | None = None, origin: Savestate | None = None
    ) -> str | None:
        """Have the process stand where it is, under a name, and play on in another.

        Gives why it cannot; the empty text where no process can.
        """
        seat = self._seat
        assert seat.family is not None
        assert seat.member is not None
        if not seat.family.forks:
            return ""
        member, since = seat.member, None if self._known else self._since()
        fork = Fork(park=True, since=since, notice=self._looked, standing=standing)
        tail = seat.go_on(member, fork)
        if isinstance(tail, str):
            return tail
        reel = self._reel if tail is None else self._add(Reel(tail, self._reel))
        assert reel is not None
        header = reel.tail.header
        there = standing or Standing(name, header.scene, header.seed)
        self._frame = reel.frames
        self._shelf.put(name, Parked(member, reel, seat.build, there, origin))
        return None

    def _require(self, name: str) -> None:
        if text("name", name) not in self._shelf:
            raise UnknownName("savestate", name, self._shelf, "this play")

    def _stand(self, name: str, to_load: bool = False) -> bool:
        """Be in a process that stands at a savestate, or that can restore it.

        Says whether nothing is left to do but to play on, where it is loaded.
        """
        self._require(name)
        state = self._shelf.get(name)
        self._origin = origin_of(state)
        build = self._files.build()
        if isinstance(state, Parked) and self._seat.stay(build) and state.build == build:
            standing = None if to_load else state.standing
            try:
                self._seat.go_on(state.member, Fork(standing=standing, start=self._start()))
            except WorkerLost:
                self._shelf.evict(name)
            else:
                self._failed, self._reel, self._changed = None, state.reel, None
                self._known, self._looked, self._frame = True, False, state.reel.frames
                self.notes += state.standing.notes if to_load else ()
                return to_load
        self._begin()
        kept = self._shelf.value(name)
        assert kept is not None
        if not self._rebuilt(name, kept):
            self._asked("keep", kept)
        return False

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
        self._parked(name, standing, kept)
        return True

    # telling

    def _hand_over(self) -> None:
        if self.on_movie is not None:
            movie = self.played()
            if movie is not None:
                self.on_movie(movie)

    def _lost(self, request: RunRequest, info: ErrorInfo) -> RunResult:
        """Tell the end of a process as the result of a run."""
        self._frame = max(0, info.frame - 1)
        start, seed, scene = 0, request.seed, request.scene or self._scene
        if request.start is not None and self._origin is not None:
            start, seed, scene = self._origin
        seed = self._seed if seed is None else seed
        scene = scene or read_folder(self.path).scene(None)
        asked, build = self._sent(request), self._seat.build
        self._failed = lost_run(asked, info, start, seed, scene, build)
        return self._failed

    def _sent(self, request: RunRequest) -> RunRequest:
        if callable(request.input):
            raise RequestError(
                "input: a function cannot go to another process; write bot.py:function, or"
                " isolate in-process"
            )
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


def _left(seat: Seat, shelf: Shelf) -> None:
    shelf.end_all()
    seat.leave()
