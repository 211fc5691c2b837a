"""The warm families of this process: plays of one game and build share one."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from weakref import WeakKeyDictionary

from harness.games.folder import read_folder
from harness.worker.family import START_LIMIT, Family
from harness.worker.firsts import FirstFrames

MOST_IDLE = 2
"""Families that are kept warm while nobody plays in them."""

_Key = tuple[int, Path, int | None]

_lock = threading.Lock()
_warm: dict[_Key, tuple[str, Family]] = {}
_plays: dict[Family, int] = {}
_firsts: WeakKeyDictionary[Family, FirstFrames] = WeakKeyDictionary()
_unforkable: set[tuple[Path, str]] = set()


def forkable(game: Path, build: str) -> bool:
    """Whether forks of a process that has imported the game are copies of it."""
    return (game, build) not in _unforkable


def joined(game: Path, build: str, memory: int | None, budget: float) -> Family | None:
    """The family of a game's present build, for one more play; None when it cannot be forked.

    Raises:
        WorkerLost: the game's import hung, or ended the process.
    """
    key = (os.getpid(), game, memory)
    with _lock:
        known, family = _warm.get(key, ("", None))
        if family is not None and (known != build or family.closed):
            del _warm[key]
            _close_if_idle(family)
            family = None
        if family is None:
            family = _started(game, build, memory, budget)
            if family is None:
                return None
        _warm.pop(key, None)
        _warm[key] = build, family
        _plays[family] = _plays.get(family, 0) + 1
        return family


def first_frames(family: Family) -> FirstFrames:
    """The first frames that processes of a family stand at."""
    return _firsts.setdefault(family, FirstFrames())


def _started(game: Path, build: str, memory: int | None, budget: float) -> Family | None:
    family = Family(game, memory, forks=True)
    try:
        limit = import_budget(game, budget)
        refusal = family.ask(family.root, ("warm",), limit, START_LIMIT + budget).value
    except BaseException:
        family.close()
        raise
    if refusal:
        family.close()
        _unforkable.add((game, build))
        return None
    return family


def import_budget(game: Path, budget: float) -> float:
    """Seconds until a process must be warm: of a program, nothing has been run by then."""
    return START_LIMIT if read_folder(game).script is not None else budget


def left(family: Family) -> None:
    """Say that a play is done with a family."""
    with _lock:
        _plays[family] -= 1
        if not _plays[family]:
            del _plays[family]
        _close_if_idle(family)
        idle = [f for _, f in _warm.values() if f not in _plays]
        for old in idle[: max(0, len(idle) - MOST_IDLE)]:
            _forget(old)


def dropped(family: Family) -> None:
    """Start the next play of the game in a new family: something is wrong with this one."""
    with _lock:
        _forget(family)


def _forget(family: Family) -> None:
    for key, (_, known) in list(_warm.items()):
        if known is family:
            del _warm[key]
    _close_if_idle(family)


def _close_if_idle(family: Family) -> None:
    if family not in _plays and all(known is not family for _, known in _warm.values()):
        family.close()
