"""A play in a process of its own, with the same verbs and the same answers as one in this process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from harness.errors import GameError, RequestError, UnknownName
from harness.games.files import OwnFiles
from harness.games.folder import find_game
from harness.playtest.run import shown_path
from harness.playtest.savestates import Savestate
from harness.playtest.steps import told
from harness.values.movie import Movie
from harness.values.run import ErrorInfo, RunRequest, RunResult, run_id
from harness.worker.family import Family, Member, WorkerLost
from harness.worker.process import Start
from harness.worker.told import untold

How = Literal["fork", "spawn"]

BUDGET = 30.0
"""Seconds of wall clock in which a frame must be finished."""

MEMORY = 4096
"""MiB of address space that a game may have."""

MOST_PARKED = 16
"""Savestates that stand as processes; older ones are kept as movies."""


@dataclass(frozen=True, slots=True)
class Parked:
    """A savestate that stands still as a process."""

    member: Member
    build: str
    seed: int
    scene: str


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
        self._settings = (seed, scene, memory)
        self._forks = how == "fork"
        self._budget, self._total = budget, total
        self._files = OwnFiles(self.path)
        self._build = ""
        self._family: Family | None = None
        self._active: Member | None = None
        self._failed: RunResult | None = None
        self._saves: dict[str, Parked | Savestate] = {}
        self._runs: dict[str, RunResult] = {}

    # verbs

    def reset(self, scene: str | None = None, seed: int | None = None) -> int:
        """As ``Playtest.reset``, in a fresh process."""
        self._hand_over()
        self._begin_anew()
        return int(self._verb("reset", scene=scene, seed=seed))

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in _PLAIN_VERBS:
            raise AttributeError(name)

        def verb(*args: Any, **kwargs: Any) -> Any:
            return self._verb(name, *args, **kwargs)

        return verb

    @property
    def frame(self) -> int:
        """Frames since reset."""
        return int(self._verb("frame_now")) if self._active is not None else 0

    @property
    def notes(self) -> list[str]:
        """What was noticed on the way."""
        return list(self._verb("notes_now")) if self._active is not None else []

    def movie(self, path: str | Path | None = None) -> Movie:
        """As ``Playtest.movie``."""
        movie: Movie = self._verb("movie")
        if path is not None:
            movie.write(self.base / path)
        return movie

    def save(self, name: str) -> None:
        """As ``Playtest.save``: the process stands still, and another goes on."""
        self._verb("check_name", name)
        self._park(name)

    def load(self, name: str) -> int:
        """As ``Playtest.load``: exactly the state that was saved."""
        self._stand(name)
        return int(self._verb("load_here", name))

    def run(self, request: RunRequest) -> RunResult:
        """As ``Playtest.run``, in a fresh process or from a savestate."""
        if callable(request.input):
            raise RequestError(
                "input: a function cannot go to another process; write bot.py:function, or isolate in-process"
            )
        request = replace(request, game=request.game or shown_path(self.path, self.here))
        if request.start is not None:
            self._stand(request.start)
        else:
            self._hand_over()
            self._begin_anew()
        asked = replace(request, save=None) if self._forks else request
        try:
            result: RunResult = self._verb("run", asked, self._against(request))
        except GameError as error:
            lost: RunResult = error.run
            return replace(lost, request=request, seed=request.seed or lost.seed)
        result = replace(result, request=replace(result.request, save=request.save))
        result = replace(result, run_id=run_id(result.request, result.build, result.state_hash))
        self._runs[result.run_id] = result
        if result.status == "error" or result.stopped == "exit":
            self._failed = result
        elif request.save is not None:
            self._park(request.save)
        return result

    def played(self) -> Movie | None:
        """The movie of what was played since the last reset."""
        if self._failed is not None:
            return self._failed.movie
        if self._active is None:
            return None
        movie: Movie | None = self._verb("played")
        return movie

    def kept(self, name: str) -> Savestate | None:
        """A savestate of this play as a value, if there is one of that name."""
        state = self._saves.get(name)
        return self._fetched(name, state) if isinstance(state, Parked) else state

    def keep(self, name: str, state: Savestate) -> None:
        """Take in a savestate from elsewhere."""
        self._saves[name] = state

    def close(self) -> None:
        """End every process; the play can be reset anew."""
        family, self._family, self._active = self._family, None, None
        self._saves = {n: s for n, s in self._saves.items() if not isinstance(s, Parked)}
        if family is not None:
            family.close()

    # processes

    def _verb(self, name: str, *args: Any, **kwargs: Any) -> Any:
        if self._failed is not None and name != "reset":
            ended = f"the game ended in frame {self._failed.frame}; reset or load first"
            raise GameError(ended, self._failed)
        if self._active is None:
            self._begin_anew()
        family, active = self._family, self._active
        assert family is not None
        assert active is not None
        try:
            kind, value = family.ask(active, ("verb", name, args, kwargs), self._budget, self._total)
        except WorkerLost as lost:
            self._active = None
            self._failed = self._lost(lost.info)
            raise GameError(told(lost.info), self._failed) from None
        if kind == "raise":
            error = untold(value)
            if isinstance(error, GameError):
                self._failed = error.run
            raise error
        if kind == "type":
            raise TypeError(value)
        return value

    def _begin_anew(self) -> None:
        """A process that has played nothing, of the files as they are now."""
        self._failed = None
        build = self._files.build()
        if self._family is not None and (build != self._build or not self._forks):
            self._retire()
        if self._family is None:
            self._build = build
            self._family = self._started()
            if self._forks:
                self._family.ask(self._family.root, ("warm",), self._budget, self._total)
        if self._active is not None:
            self._family.end(self._active)
        if not self._forks:
            self._active = self._family.root
            return
        member = self._family.fork(self._family.root)
        assert isinstance(member, Member)
        self._active = member

    def _started(self) -> Family:
        seed, scene, memory = self._settings
        start = Start(
            str(self.path), str(self.base), str(self.here), seed, scene, "", memory
        )
        return Family(start, self._forks, self.path)

    def _retire(self) -> None:
        """The game has changed: keep its savestates as movies, and end its processes."""
        for name, state in list(self._saves.items()):
            if isinstance(state, Parked):
                self._saves[name] = self._fetched(name, state)
        family, self._family, self._active = self._family, None, None
        assert family is not None
        family.close()

    # savestates

    def _park(self, name: str) -> None:
        family, active = self._family, self._active
        assert family is not None
        assert active is not None
        old = self._saves.pop(name, None)
        if isinstance(old, Parked):
            family.end(old.member)
        if self._forks:
            seed, scene = self._verb("start_now")
            member = family.fork(active, name)
            if isinstance(member, Member):
                self._saves[name] = Parked(active, self._build, seed, scene)
                self._active = member
                self._evict()
                return
        self._saves[name] = self._verb("saved_now", name)

    def _evict(self) -> None:
        parked = [(name, state) for name, state in self._saves.items() if isinstance(state, Parked)]
        for name, state in parked[: max(0, len(parked) - MOST_PARKED)]:
            self._saves[name] = self._fetched(name, state)
            assert self._family is not None
            self._family.end(state.member)

    def _fetched(self, name: str, state: Parked) -> Savestate:
        assert self._family is not None
        message = ("verb", "saved_now", (name,), {})
        kind, value = self._family.ask(state.member, message, self._budget, self._total)
        if kind != "ok":
            raise untold(value)
        saved: Savestate = value
        return saved

    def _stand(self, name: str) -> None:
        """Be in a process that stands at a savestate, or that can restore it."""
        if name not in self._saves:
            raise UnknownName("savestate", name, self._saves, "this play")
        self._hand_over()
        state = self._saves[name]
        if isinstance(state, Parked) and state.build == self._files.build():
            assert self._family is not None
            self._failed = None
            if self._active is not None:
                self._family.end(self._active)
            member = self._family.fork(state.member, name)
            if isinstance(member, Member):
                self._active = member
                return
            self._active = None
        self._begin_anew()
        kept = self._saves[name]
        assert isinstance(kept, Savestate)
        self._verb("keep", name, kept)

    # telling

    def _hand_over(self) -> None:
        if self.on_movie is not None:
            movie = self.played()
            if movie is not None:
                self.on_movie(movie)

    def _against(self, request: RunRequest) -> dict[str, RunResult]:
        name = request.against
        return {name: self._runs[name]} if name is not None and name in self._runs else {}

    def _lost(self, info: ErrorInfo) -> RunResult:
        seed, scene, _ = self._settings
        request = RunRequest(game=str(self.path))
        build = self._build
        return RunResult(
            "error", "error", info.frame, 0, seed, scene or "", build, "",
            error=info, request=request, run_id=run_id(request, build, ""),
        )  # fmt: skip


_PLAIN_VERBS = ("step", "hold", "tap", "until", "value", "explain", "edit")
