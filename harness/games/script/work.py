"""Whether a thread works or waits, as the system tells it; where it tells, which is on Linux."""

from __future__ import annotations

import sys
import threading
import time

_QUIET = 0.01
"""Seconds without any work after which a thread waits for something."""

_QUIET_INSIDE = 0.001
"""The same of one that stands where the standard library waits."""

_WAIT = frozenset(
    ("threading", "queue", "selectors", "socket", "ssl", "concurrent", "multiprocessing")
)
"""Modules in which a thread stands that waits."""


class Work:
    """What a thread has done so far: nanoseconds of work, or None where nobody knows."""

    def __init__(self, thread: threading.Thread) -> None:
        self._thread = thread
        self._task = f"/proc/self/task/{thread.native_id}"
        self.done = self._so_far()
        self._since = time.monotonic()

    def _so_far(self) -> int | None:
        if sys.platform != "linux":
            return None
        try:
            with open(f"{self._task}/schedstat", "rb") as file:
                return int(file.read().split()[0])
        except (OSError, ValueError, IndexError):
            return None

    def rests(self) -> bool:
        """Whether the thread has done nothing for so long that it must be waiting."""
        before, self.done = self.done, self._so_far()
        now = time.monotonic()
        if self.done is None:
            return False
        if self.done != before or self.is_due():
            self._since = now
        quiet = _QUIET_INSIDE if self._stands_waiting() else _QUIET
        return now - self._since >= quiet

    def is_due(self) -> bool:
        """Whether it would work, if there were a processor for it."""
        try:
            with open(f"{self._task}/stat", "rb") as file:
                return file.read().rpartition(b")")[2].split()[0] == b"R"
        except (OSError, IndexError):
            return False

    def _stands_waiting(self) -> bool:
        frame = sys._current_frames().get(self._thread.ident or 0)
        name = "" if frame is None else str(frame.f_globals.get("__name__", ""))
        return name.partition(".")[0] in _WAIT
