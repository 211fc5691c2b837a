"""A thread that sleeps until a time, or until it is called."""

from __future__ import annotations

import threading
from contextlib import suppress


class Sleeper:
    """A thread that sleeps until a virtual time, or until somebody lets go of ``lock``."""

    def __init__(self, when: int, number: int) -> None:
        self.order = (when, number)
        self.when = when
        self.lock = threading.Lock()
        self.lock.acquire()
        self.has_rung = False
        self._is_called = False

    @property
    def sleeps(self) -> bool:
        """Whether nobody has called it yet."""
        return self.lock.locked() and not self._is_called

    def ring(self) -> None:
        """Call it: its time has come."""
        if self.sleeps:
            self.has_rung = True
            with suppress(RuntimeError):  # somebody else was faster
                self.lock.release()

    def is_called(self, seconds: float) -> bool:
        """Wait so long for somebody to call; says whether somebody did."""
        self._is_called = self._is_called or self.lock.acquire(timeout=seconds)
        return self._is_called
