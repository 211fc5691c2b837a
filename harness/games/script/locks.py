"""Locks of a program whose threads take turns: who waits for one gives its turn away.

Conditions, events, semaphores, barriers, queues, timers and futures of the standard library are
made of plain locks and the clock, so that these are all that there is to replace.
"""

from __future__ import annotations

import _thread
import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any, ClassVar

from harness.games.script.imports import Imports
from harness.games.script.runtime import SECOND, Patches, Runtime, span
from harness.games.script.turns import Task, Turns


class Lock:
    """As ``threading.Lock``; its timeouts are of virtual time."""

    turns: ClassVar[Turns]
    runtime: ClassVar[Runtime]
    __slots__ = ("__weakref__", "_real", "_waiting")

    def __new__(cls) -> Any:
        """Make one for a program, and a real one for anybody else."""
        return super().__new__(cls) if cls.turns.locks else _thread.allocate_lock()

    def __init__(self) -> None:
        self._real = _thread.allocate_lock()
        self._waiting: deque[Task] = deque()

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """Take it, and wait for it if that is wanted."""
        if self._real.acquire(False):
            return True
        if not blocking:
            if timeout != -1:
                raise ValueError("can't specify a timeout for a non-blocking call")
            self.turns.glanced()
            return False
        if timeout < 0 and timeout != -1:
            raise ValueError("timeout value must be a non-negative number")
        me = self.turns.mine()
        if me is None:
            return self._real.acquire(True, timeout)
        if timeout == -1:
            return self._waited(me, None)
        took = self._waited(me, self.runtime.now + span(timeout))
        self.runtime.waited()
        return took

    def _waited(self, me: Task, when: int | None) -> bool:
        while True:
            self._waiting.append(me)
            try:
                self.turns.block(when)
            finally:
                if me in self._waiting:
                    self._waiting.remove(me)
            if self._real.acquire(False):
                return True
            if when is not None and self.runtime.now >= when:
                return False
            if me.loose:
                return self._real.acquire()

    def release(self) -> None:
        """Let go of it; who has waited for it longest is ready."""
        self._real.release()
        if self._waiting:
            self.turns.wake(self._waiting.popleft())

    def locked(self) -> bool:
        """Whether anybody has it."""
        self.turns.glanced()
        return self._real.locked()

    acquire_lock, release_lock, locked_lock = acquire, release, locked

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()

    def _at_fork_reinit(self) -> None:
        self._real = _thread.allocate_lock()
        self._waiting.clear()

    def __repr__(self) -> str:
        state = "locked" if self._real.locked() else "unlocked"
        return f"<{state} _thread.lock object at {id(self):#x}>"


def install_locks(runtime: Runtime, turns: Turns, imports: Imports, patches: Patches) -> None:
    """Have every lock that a program makes from now on be one of these, and its clock theirs."""
    kind = type("lock", (Lock,), {"turns": turns, "runtime": runtime, "__slots__": ()})
    for name in ("Lock", "_allocate_lock"):
        patches.put(threading, name, kind)
    patches.put(threading, "_CRLock", None)  # so that it is made of plain locks
    monotonic = _clock(runtime)
    patches.put(threading, "_time", monotonic)
    patches.put(queue, "time", monotonic)
    patches.put(queue, "SimpleQueue", queue._PySimpleQueue)  # type: ignore[attr-defined]

    def futures_loaded(module: Any, patches: Patches) -> None:
        patches.put(module, "time", _Time(monotonic))

    def pool_loaded(module: Any, patches: Patches) -> None:
        patches.put(module, "_global_shutdown_lock", kind())

    imports.when("concurrent.futures._base", futures_loaded)
    imports.when("concurrent.futures.thread", pool_loaded)


class _Time:
    """The module ``time`` for who needs its monotonic clock alone."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self.monotonic = monotonic


def _clock(runtime: Runtime) -> Callable[[], float]:
    def monotonic() -> float:
        return runtime.now / SECOND if runtime.playing else time.monotonic()

    return monotonic
