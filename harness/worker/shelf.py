"""The savestates of one play: processes that stand still, as far as they are worth their memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.playtest.savestates import Savestate
from harness.playtest.standing import Standing
from harness.values.movie import Mark
from harness.worker.member import Member
from harness.worker.reel import Reel

MOST_PARKED = 32
"""Savestates that stand as processes; older ones are kept as movies."""

MOST_PRIVATE = 1024
"""MiB that those processes may have for themselves alone, all together."""

_LOOK_EVERY = 8
"""Saves from one look at their memory to the next; it costs as much as a fork."""


@dataclass(frozen=True, slots=True)
class Parked:
    """A savestate that stands still as a process. ``origin`` is what it was rebuilt from."""

    member: Member
    reel: Reel
    build: str
    standing: Standing
    origin: Savestate | None = None


class Shelf:
    """Savestates by name, those that stand as processes among them."""

    def __init__(self, ask: Callable[[Member], tuple[Mark | None, dict[str, Any]]]) -> None:
        self._ask = ask
        self._states: dict[str, Parked | Savestate] = {}
        self._saves = 0

    def __iter__(self) -> Iterator[str]:
        return iter(self._states)

    def __contains__(self, name: str) -> bool:
        return name in self._states

    def put(self, name: str, state: Parked | Savestate) -> None:
        """Keep a savestate; the oldest ones may have to become movies for it."""
        old = self._states.pop(name, None)
        if isinstance(old, Parked):
            old.member.end()
        self._states[name] = state
        if isinstance(state, Parked):
            self._saves += 1
            self._make_room()

    def get(self, name: str) -> Parked | Savestate | None:
        """The savestate of that name, as it is kept."""
        return self._states.get(name)

    def value(self, name: str) -> Savestate | None:
        """The savestate of that name as a value."""
        state = self._states.get(name)
        return self._as_movie(name, state) if isinstance(state, Parked) else state

    def evict(self, name: str) -> None:
        """Keep a savestate as its movie from now on."""
        state = self._states[name]
        if isinstance(state, Parked):
            self._states[name] = self._as_movie(name, state)
            state.member.end()

    def evict_all(self) -> None:
        """Keep every savestate as its movie."""
        for name in list(self._states):
            self.evict(name)

    def end_all(self) -> None:
        """Forget every savestate."""
        for state in self.parked().values():
            state.member.end()
        self._states.clear()

    def parked(self) -> dict[str, Parked]:
        """Those that stand as processes, the oldest first."""
        return {name: s for name, s in self._states.items() if isinstance(s, Parked)}

    def _as_movie(self, name: str, state: Parked) -> Savestate:
        if state.origin is not None:
            return replace(state.origin, name=name)
        closing, values = self._ask(state.member)
        return state.reel.closed(closing).savestate(name, values)

    def _make_room(self) -> None:
        parked = self.parked()
        names = list(parked)
        for name in names[: max(0, len(names) - MOST_PARKED)]:
            self.evict(name)
        if self._saves % _LOOK_EVERY:
            return
        sizes = {name: private_memory(state.member.pid) for name, state in parked.items()}
        for name in names[:-1]:
            if sum(sizes.values()) <= MOST_PRIVATE << 20:
                break
            self.evict(name)
            sizes[name] = 0


def private_memory(process: int) -> int:
    """Bytes that a process shares with no other; 0 where the system does not tell."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith("Private_"))


def origin_of(state: Parked | Savestate | None) -> tuple[int, int, str]:
    """The frame, seed and scene at which a savestate lets a run begin."""
    if isinstance(state, Parked):
        return state.reel.frames, state.standing.seed, state.standing.scene
    assert state is not None
    return state.frame, state.movie.header.seed, state.movie.header.scene
