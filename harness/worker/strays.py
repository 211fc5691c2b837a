"""Ends what a game has started: below a process that ends, and what has lost its parent since.

Who loses its parent, as daemons do, becomes a child of the family's first process. It is not told
by whom it was started, but when; and whoever played then and is still there keeps it.
"""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import sys
import time
from collections.abc import Iterable
from pathlib import Path

_GRAIN = 0.01
"""Seconds by which a birth may be told too early: the system counts in hundredths."""

_SETTLED = 1.0
"""Seconds in which a fork of ours that is asked for is made, and known for one."""

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


def end_lost(
    first: int, kin: Iterable[int], played: Iterable[Span], due: float | None = None
) -> None:
    """Kill the children of a family's ``first`` process that nobody who is left has started.

    ``due`` is when it was told to make a fork that is not fetched yet. Should that be taken for
    another's, whoever fetches it has a new one made.
    """
    kin, played = set(kin), list(played)
    lost = sorted((_born(child), child) for child in _children(first) if child not in kin)
    for born, child in lost:
        if now() - born < _SETTLED:
            return
        if due is not None and born >= due - _GRAIN:
            due = None
        elif not any(since - _GRAIN <= born <= until for since, until in played):
            end_all([*below(child, kin), child])


def _children(process: int) -> list[int]:
    """The children of a process; none where the system does not tell."""
    found: list[int] = []
    with contextlib.suppress(OSError):  # gone meanwhile
        for thread in os.listdir(f"/proc/{process}/task") if _listed() else ():
            told = Path(f"/proc/{process}/task/{thread}/children").read_text()
            found += map(int, told.split())
        if not _listed():
            everybody = map(int, filter(str.isdecimal, os.listdir("/proc")))
            found = [
                each for each in everybody if (_told(each) or "0 0").split()[1] == str(process)
            ]
    return found


@functools.cache
def _listed() -> bool:
    """Whether children are listed; not every kernel is built so."""
    return os.path.exists(f"/proc/self/task/{os.getpid()}/children")


def _born(process: int) -> float:
    if sys.platform == "win32":
        return now()
    told = _told(process)
    return int(told.split()[19]) / os.sysconf("SC_CLK_TCK") if told else now()


def _told(process: int) -> str:
    """What the system tells of a process, from its state on; nothing once it is gone."""
    try:
        told = Path(f"/proc/{process}/stat").read_text(errors="replace")
    except OSError:
        return ""
    # The name of the program comes first, in brackets, and may hold anything.
    return told.rpartition(")")[2]
