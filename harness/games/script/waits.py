"""Waits of ``threading`` that end after a time: they go by the virtual clock.

An event, a queue, a barrier and a future all wait by a condition.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from harness.games.script.imports import Imports
from harness.games.script.runtime import SECOND, Patches, Runtime
from harness.games.script.threads import Threads

_STEP = SECOND // 60
"""Nanoseconds that pass at once while somebody outside of the program may call, and really pass."""


class Waits:
    """``threading.Condition.wait`` with a time."""

    def __init__(self, runtime: Runtime, imports: Imports, threads: Threads) -> None:
        self._runtime = runtime
        self._threads = threads
        self._real: Callable[..., bool] = threading.Condition.wait

    def install(self, patches: Patches) -> None:
        """Replace it; an Event's and a Queue's waits are by a condition."""
        self._real = patches.original(threading.Condition, "wait")
        patches.put(
            threading.Condition, "wait", lambda this, timeout=None: self.wait(this, timeout)
        )

        for module, name in ((queue, "time"), (threading, "_time")):  # they look at what is left
            patches.put(module, name, self._clock)

    def begin(self) -> None:
        """Nothing is kept."""

    def _clock(self) -> float:
        """The virtual clock, for the program and its threads."""
        ours = self._runtime.heeds() or self._threads.has(threading.current_thread())
        if not ours or self._runtime.forked:
            return time.monotonic()
        return self._runtime.now / SECOND

    def wait(self, condition: Any, timeout: float | None = None) -> bool:
        """Wait until somebody notifies, or until virtual time has passed."""
        timed = timeout is not None and 0 < timeout < threading.TIMEOUT_MAX
        if not timed or self._runtime.forked or self._threads.is_own(condition):
            return self._real(condition, timeout)
        assert timeout is not None
        if self._runtime.heeds():
            return self._wait_in_program(condition, timeout)
        if self._threads.has(threading.current_thread()):
            return self._wait_in_thread(condition, timeout)
        return self._real(condition, timeout)

    def _wait_in_thread(self, condition: Any, timeout: float) -> bool:
        _check(condition)
        sleeper = self._threads.lain_down(timeout)
        with _let_go(condition, sleeper.lock):
            called = self._threads.until_called(sleeper, lambda: False)
            return called and not sleeper.has_rung

    def _wait_in_program(self, condition: Any, timeout: float) -> bool:
        _check(condition)
        runtime, threads = self._runtime, self._threads
        end = runtime.now + int(timeout * SECOND)
        lock = threading.Lock()
        lock.acquire()
        with _let_go(condition, lock):
            while True:
                threads.rest()
                if lock.acquire(blocking=False):
                    return True
                left = end - runtime.now
                if left <= 0:
                    return False
                if threads.all_sleep() and runtime.company is None:
                    sleeper = threads.next_sleeper()
                    step = left if sleeper is None else min(left, sleeper.when - runtime.now)
                else:
                    step = min(left, _STEP)
                    if lock.acquire(timeout=step / SECOND):
                        return True
                runtime.wait(max(step, 0))
                threads.wake()


def _check(condition: Any) -> None:
    if not condition._is_owned():
        raise RuntimeError("cannot wait on un-acquired lock")


@contextmanager
def _let_go(condition: Any, lock: Any) -> Iterator[None]:
    """Wait by a lock that whoever notifies lets go of, as a condition itself does it."""
    condition._waiters.append(lock)
    saved = condition._release_save()
    try:
        yield
    finally:
        condition._acquire_restore(saved)
        with suppress(ValueError):
            condition._waiters.remove(lock)
