"""What runs beside a program, a thread or a process: what it is called, and whether it works."""

from __future__ import annotations

import inspect
import os
import sys
import time
from typing import Any

LOOK = 0.1
"""Seconds from one look at whoever has its turn to the next."""

_MOST_WORK = 4.0
"""Seconds of CPU that a turn may take while others wait for theirs."""

MOST_IDLE = 1.0
"""Seconds without any CPU after which a turn waits for something outside of the program."""

_MOST_TURN = 4.0
"""Seconds that a turn may take where the system does not tell a thread's CPU time."""


Work = tuple[float, bool]
"""Seconds of CPU that were used, and whether more is wanted, or a file, right now."""


class Watch:
    """Whether what others wait for works; ``idle`` seconds without any CPU are too many."""

    def __init__(self, seen: Work | None, idle: float = MOST_IDLE) -> None:
        self._most_idle = idle
        self._cpu = self._last = seen[0] if seen is not None else 0.0
        self._began = self._looked = time.monotonic()
        self._idle = 0.0

    def overdue(self, seen: Work | None) -> bool:
        """Look at it once more, and at what it has worked; says whether it takes too long."""
        now = time.monotonic()
        if seen is None:
            return now - self._began > _MOST_TURN
        cpu, wants_more = seen
        if cpu > self._last or wants_more:
            self._last, self._idle = cpu, 0.0
        elif now - self._looked >= LOOK:  # this process may have stood still for longer
            self._idle += LOOK
        self._looked = now
        return cpu - self._cpu > _MOST_WORK or self._idle > self._most_idle


def work_of(stat: str) -> Work | None:
    """What a thread or a process has worked, where the system tells."""
    if sys.platform != "linux":
        return None
    try:
        with open(stat, "rb") as told:
            # The name comes first, in brackets, and may hold anything.
            fields = told.read().rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), fields[0] in b"RD"
    except (AttributeError, OSError, ValueError, IndexError):
        return None


def target_of(beside: Any) -> Any:
    """What a thread or a process runs, until it is started: a process forgets it then."""
    return getattr(beside, "_target", None) or type(beside).run


def named(target: Any) -> str:
    """What runs, by its name and place, since the name of a thread counts what ran before."""
    target = inspect.unwrap(getattr(target, "func", target))
    code = getattr(target, "__code__", None)
    name = str(getattr(target, "__qualname__", type(target).__name__))
    if code is None:
        return name
    return f"{name} ({os.path.basename(code.co_filename)}:{code.co_firstlineno})"
