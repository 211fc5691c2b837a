"""Ends a worker when its parent is gone: by the kernel where it can be asked, else by a thread.

The lifeline is the worker's standard input, a pipe whose other end the parent alone holds.
"""

from __future__ import annotations

import faulthandler
import os
import select
import signal
import sys
import threading
from typing import IO

_F_SETSIG = 10
_PR_SET_CHILD_SUBREAPER = 36

WHERE = b"w"
"""Written into the lifeline of a process that no signal reaches: say where you are."""


def hold_on(where: IO[str]) -> int:
    """Leave when the lifeline is cut; gives the descriptor that it is held by from now on."""
    lifeline = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    if sys.platform == "linux":
        _by_kernel(lifeline)
    else:
        thread = threading.Thread(target=_by_thread, args=(lifeline, where), daemon=True)
        thread.name = "playtest lifeline"
        thread.start()
    return lifeline


def _by_kernel(lifeline: int) -> None:
    """Have the kernel kill this process group: nothing that the game does can prevent it."""
    if sys.platform != "linux":
        return
    import fcntl

    fcntl.fcntl(lifeline, fcntl.F_SETOWN, -os.getpgrp())
    fcntl.fcntl(lifeline, _F_SETSIG, int(signal.SIGKILL))
    flags = fcntl.fcntl(lifeline, fcntl.F_GETFL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, flags | os.O_ASYNC)
    if select.select([lifeline], [], [], 0)[0]:  # it was cut before the kernel knew
        os._exit(1)


def _by_thread(lifeline: int, where: IO[str]) -> None:
    while byte := os.read(lifeline, 1):
        if byte == WHERE:
            faulthandler.dump_traceback(file=where, all_threads=True)
    os._exit(1)


def adopt_orphans() -> None:
    """Become the parent of every descendant that loses its own, so that none stays a zombie."""
    import ctypes

    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
