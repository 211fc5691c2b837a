"""Ends a worker when its parent is gone: by the kernel where it can be asked, else by a thread.

The lifeline is the worker's standard input, a pipe whose other end the parent alone holds.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import select
import signal
import sys
import threading
import time
from typing import IO

from harness.worker.strays import below, end_all

_F_SETSIG = 10
_PR_SET_CHILD_SUBREAPER = 36

_ROUNDS = 100

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


class Below:
    """Those below a family's first process, which may outlive whoever started it by a moment.

    They are a group of their own, for the kernel to kill when the lifeline is cut; what they took
    out of it, as daemons are, is ended then.
    """

    def __init__(self, lifeline: int) -> None:
        self._lifeline = lifeline
        self._group = 0

    def take(self, child: int) -> None:
        """Have a new process be one of them."""
        if sys.platform != "linux":
            return
        import fcntl

        for group in (self._group or child, child):
            with contextlib.suppress(OSError):  # the last of the group may be gone
                os.setpgid(child, group)
                break
        else:
            return
        if group != self._group:
            self._group = group
            fcntl.fcntl(self._lifeline, fcntl.F_SETOWN, -group)

    def clear_up(self) -> None:
        """End all of them, whatever they do."""
        for _ in range(_ROUNDS):
            left = below(os.getpid(), ())
            if not left:
                return
            end_all(left)
            time.sleep(0.005)
