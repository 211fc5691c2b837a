"""Where a game is played: in this process, in a fork of a warm one, or in a fresh one."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, Literal, get_args

from harness.errors import ArgumentError
from harness.games.folder import find_game, read_folder
from harness.playtest.play import Playtest
from harness.playtest.protocol import Play
from harness.values.kinds import short
from harness.values.numbers import number
from harness.worker.pins import BUDGET, MEMORY
from harness.worker.play import WorkerPlay

Isolation = Literal["auto", "in-process", "fork", "spawn"]
ISOLATIONS: tuple[str, ...] = get_args(Isolation)

# Forks were measured to be copies, sound threads of SDL's and all, on Linux alone.
FORKS = sys.platform == "linux" and sys.implementation.name == "cpython"


def settled(isolation: str, alone: bool = False, program: bool = False) -> str:
    """What ``auto`` means: this process for a game that is ``alone`` in it, else a worker.

    A ``program`` always has a process to itself: all that it reaches for is replaced there.

    Raises:
        ArgumentError: it is no isolation, or none that this system or this game has.
    """
    if isolation not in ISOLATIONS:
        raise ArgumentError("isolation", f"must be {' or '.join(ISOLATIONS)}, not {isolation!r}")
    if isolation == "fork" and not FORKS:
        raise ArgumentError("isolation", "fork is for CPython on Linux; here a worker is spawned")
    if isolation == "in-process" and program:
        raise ArgumentError(
            "isolation", "a program is played in a process of its own; give auto, fork or spawn"
        )
    if isolation == "auto":
        return "in-process" if alone and not program else ("fork" if FORKS else "spawn")
    return isolation


def is_program(game: str | os.PathLike[str] | None, base: Path | None = None) -> bool:
    """Whether a game, as it is given, is a program of its own and no native game.

    Raises:
        ConfigError: there is no such game.
    """
    return read_folder(find_game(game, base)).script is not None


def play_in(
    isolation: str,
    game: str | os.PathLike[str] | None,
    *,
    budget: float | None = BUDGET,
    memory: int = MEMORY,
    kinds: tuple[type[Playtest], type[WorkerPlay]] = (Playtest, WorkerPlay),
    **more: Any,
) -> Play:
    """Open a game for one play where it was settled to be played.

    Raises:
        ConfigError: there is no such game.
        ArgumentError: a budget that is none.
    """
    if budget is not None and (number(budget) is None or budget <= 0):
        raise ArgumentError("budget", f"must be more than 0 seconds, not {short(budget)}")
    here, elsewhere = kinds
    if isolation == "in-process":
        return here(game, budget=budget, **more)
    how: Any = isolation
    seconds = BUDGET if budget is None else budget
    return elsewhere(game, how=how, budget=seconds, memory=memory, **more)
