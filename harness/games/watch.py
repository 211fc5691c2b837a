"""Names the line at which a game hangs in this process, by a timer signal where there is one."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

_CHECKS = 8
"""How often the clock is looked at within one budget."""

_DEBUGGERS = frozenset(("pdb", "bdb", "IPython", "pudb", "pydevd", "_pydevd_bundle", "debugpy"))


class GameHung(BaseException):
    """Raised at the line where the game hangs; no ``except Exception`` of the game's stops it."""


def hung_message(seconds: float, loads: bool = False) -> str:
    """Say that a game hangs, the same however that was found out; or never came to a frame."""
    if loads:
        return f"it came to no first frame in {seconds:g} s"
    return f"no frame was finished for {seconds:g} s"


@contextmanager
def watched(beat: Sequence[int] | memoryview, budget: float | None) -> Iterator[None]:
    """Raise GameHung in the main thread when ``beat[0]`` stands still for ``budget`` seconds.

    Somebody else's timer or handler is left alone, and so is whoever sits in a debugger.
    """
    if sys.platform == "win32" or budget is None or not _free():
        yield
        return
    seen, since = beat[0], time.monotonic()

    def look(_number: int, frame: FrameType | None) -> None:
        nonlocal seen, since
        now = time.monotonic()
        if beat[0] != seen or _debugged(frame):
            seen, since = beat[0], now
        elif now - since >= budget:
            since = now
            raise GameHung(hung_message(budget))

    before = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, budget / _CHECKS, budget / _CHECKS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _free() -> bool:
    if sys.platform == "win32":
        return False
    if threading.current_thread() is not threading.main_thread():
        return False
    unused = signal.getsignal(signal.SIGALRM) == signal.SIG_DFL
    return unused and signal.getitimer(signal.ITIMER_REAL)[0] == 0


def _debugged(frame: FrameType | None) -> bool:
    while frame is not None:
        if str(frame.f_globals.get("__name__", "")).partition(".")[0] in _DEBUGGERS:
            return True
        frame = frame.f_back
    return False
