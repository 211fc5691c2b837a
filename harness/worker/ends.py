"""How a process ended, as the one that forked it was told, written down for the play to read."""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

_OLD = 1 << 20
"""Bytes of old news after which the file begins anew."""


class Ends:
    """A file of one line a process: its id and its status."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._before: Any = None
        self._listens = False

    def listen(self) -> None:
        """Take note of every child that ends, from now on."""
        if sys.platform != "linux":
            return
        if not self._listens:
            self._before, self._listens = signal.signal(signal.SIGCHLD, self._note), True

    def leave_be(self) -> None:
        """Leave children to the game, as it had it before: this is a process that plays."""
        if sys.platform != "linux":
            return
        if self._listens:
            signal.signal(signal.SIGCHLD, self._before or signal.SIG_DFL)
            self._listens = False

    def _note(self, *_: object) -> None:
        if sys.platform != "linux":
            return
        while True:
            try:
                child, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not child:
                return
            if os.fstat(self._file).st_size > _OLD:
                os.ftruncate(self._file, 0)
            os.write(self._file, f"{child} {os.waitstatus_to_exitcode(status)}\n".encode())


def status_of(text: str, process: int) -> int | None:
    """What a file of ends says of a process: its exit status, or minus the signal."""
    found = None
    for line in text.splitlines():
        child, _, status = line.partition(" ")
        if child == str(process) and status:
            found = int(status)
    return found


def told_end(status: int | None) -> str:
    """An end in words."""
    if status is None:
        return "the process ended without a word"
    if status >= 0:
        return f"the process ended with status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    more = ", as the system does when memory runs out" if -status == 9 else ""
    return f"the process was ended by {name}{more}"
