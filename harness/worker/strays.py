"""Ends what a game has started: below a process that ends, and what has lost its parent since.

Who loses its parent, as daemons do, becomes a child of the family's first process. It is not told
by whom it was started, but when; and whoever played then and is still there keeps it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Iterable
from pathlib import Path

_GRAIN = 0.02
"""Seconds within which two moments are taken for one: the system counts in hundredths."""

SETTLED = 1.0
"""Seconds in which a fork of ours that is wanted is made, and known for one."""

Span = tuple[float, float]
"""From when until when a process played, by ``now``."""


def now() -> float:
    """Seconds on the clock that the births of processes are told by."""
    if sys.platform != "linux":
        return 0.0
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def below(process: int, kin: Iterable[int]) -> list[int]:
    """All that descends from a process, but for its kin and what descends from them."""
    found, left, kin = [], [process], set(kin)
    while left:
        fresh = [child for child in _children(left.pop()) if child not in kin]
        found += fresh
        left += fresh
    return found


def end_all(processes: Iterable[int]) -> None:
    """Kill processes."""
    if sys.platform == "win32":
        return
    for process in processes:
        with contextlib.suppress(OSError):
            os.kill(process, signal.SIGKILL)


def end_lost(first: int, kin: Iterable[int], played: Iterable[Span]) -> None:
    """Kill the children of a family's ``first`` process that nobody who is left has started."""
    kin, played = set(kin), list(played)
    for child in _children(first):
        if child in kin:
            continue
        born = _born(child)
        if now() - born < SETTLED:
            continue
        if not any(since - _GRAIN <= born <= until + _GRAIN for since, until in played):
            end_all([*below(child, kin), child])


def _children(process: int) -> list[int]:
    """The children of a process; none where the system does not tell."""
    found: list[int] = []
    with contextlib.suppress(OSError):  # gone meanwhile
        for thread in os.listdir(f"/proc/{process}/task"):
            told = Path(f"/proc/{process}/task/{thread}/children").read_text()
            found += map(int, told.split())
    return found


def _born(process: int) -> float:
    if sys.platform == "win32":
        return now()
    try:
        told = Path(f"/proc/{process}/stat").read_text(errors="replace")
    except OSError:
        return now()
    # The name of the program comes first, in brackets, and may hold anything.
    return int(told.rpartition(")")[2].split()[19]) / os.sysconf("SC_CLK_TCK")
