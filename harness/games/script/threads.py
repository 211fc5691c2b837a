"""A program's own threads: named in the run's notes, and kept in step as far as that goes.

When a thread of somebody's own gets its turn is the system's to say, so that the same bits cannot
be promised. What can be done is done: a thread that sleeps does so on the virtual clock, and what
one is at work on is done before a frame ends, so that it takes no time of the program's.
"""

from __future__ import annotations

import inspect
import os
import threading
import time
from collections.abc import Callable
from itertools import count
from typing import Any
from weakref import WeakKeyDictionary

from harness.games.script.imports import Imports
from harness.games.script.runtime import SECOND, Patches, Runtime
from harness.games.script.sleepers import Sleeper
from harness.games.script.work import Work

_TURN = 0.05
"""Seconds that a thread is given to rest where it cannot be seen whether it works."""

_MOST_WORK = 5.0
"""Seconds that the program waits for a thread that works; one that never rests is left to it."""

_LOOK = 0.0005
_LONGEST_LOOK = 0.01
_STUCK = 0.2
"""Seconds without any virtual time, after which a sleeper wakes: the program may wait for it."""

_EVERY = SECOND // 120
"""Nanoseconds of virtual time from one look at the sleepers to the next."""


class Threads:
    """Threads that a program starts."""

    def __init__(self, runtime: Runtime, imports: Imports) -> None:
        self._runtime = runtime
        self._settled = threading.Condition()
        self._sleepers: dict[int, Sleeper] = {}
        """Also those that were called, until they know it themselves."""
        self._numbers = count()
        self._run = 0
        self._runs: WeakKeyDictionary[threading.Thread, int] = WeakKeyDictionary()
        self._looks = False
        self._rested: WeakKeyDictionary[threading.Thread, int] = WeakKeyDictionary()
        """How much each had worked when it was last seen to rest."""
        self._worked: WeakKeyDictionary[threading.Thread, float] = WeakKeyDictionary()
        """Seconds that the program has waited for each since then."""
        runtime.shown_elsewhere = self._has_shown
        self._start: Callable[..., Any] = _nothing
        self._join: Callable[..., Any] = _nothing

    def install(self, patches: Patches) -> None:
        """Replace how threads are started, joined, and timed."""
        self._start = patches.original(threading.Thread, "start")
        self._join = patches.original(threading.Thread, "join")
        patches.put(threading.Thread, "start", lambda thread: self.start(thread))
        patches.put(
            threading.Thread, "join", lambda thread, timeout=None: self.join(thread, timeout)
        )
        patches.put(threading.Timer, "run", lambda timer: self.run_timer(timer))

    def begin(self) -> None:
        """Have none; what an earlier program left behind ends at its next sleep."""
        self._run += 1
        self._looks = False
        self._runtime.rest = None
        self._numbers = count()
        for sleeper in list(self._sleepers.values()):
            sleeper.ring()

    def start(self, thread: threading.Thread) -> None:
        """Start a thread, and let it come to where it first sleeps or ends."""
        if not self._runtime.playing:
            self._start(thread)
            return
        self._runtime.note(
            f"the game runs a thread of its own, {named(thread)}: when it gets its turn is not"
            " the harness's to say, so the same bits cannot be promised"
        )
        self._runs[thread] = self._run
        self._start(thread)
        if self._runtime.heeds():
            self._settle(thread)
            self._runtime.rest = self.rest
            if not self._looks:
                self._looks = True
                self._runtime.at(self._runtime.now + _EVERY, self._look)

    def sleep(self, seconds: float) -> None:
        """Sleep as a thread of the program's: on the virtual clock, but never for good."""
        self._sleep(seconds, lambda: False)

    def _sleep(self, seconds: float, is_over: Callable[[], bool]) -> None:
        self._end_if_left_behind()
        self.until_called(self.lain_down(seconds), is_over)
        self._end_if_left_behind()

    def lain_down(self, seconds: float) -> Sleeper:
        """Have the thread that calls be one that sleeps."""
        sleeper = Sleeper(self._runtime.now + int(seconds * SECOND), next(self._numbers))
        with self._settled:
            self._sleepers[threading.get_ident()] = sleeper
            self._settled.notify_all()
        return sleeper

    def until_called(self, sleeper: Sleeper, is_over: Callable[[], bool]) -> bool:
        """Sleep, as the thread that has lain down; says whether anything called it."""
        runtime, run = self._runtime, self._run
        seen, stuck = runtime.now, 0.0
        while not sleeper.is_called(_TURN) and stuck < _STUCK and not is_over():
            stuck = stuck + _TURN if runtime.playing and runtime.now == seen else 0.0
            seen = runtime.now
        if self._run == run:
            self._sleepers.pop(threading.get_ident(), None)
        return sleeper.is_called(0)

    def _end_if_left_behind(self) -> None:
        """End a thread of an earlier program."""
        if self._runs.get(threading.current_thread(), self._run) != self._run:
            raise SystemExit

    def _ours(self) -> list[threading.Thread]:
        """The present program's threads, those that have ended too."""
        return [thread for thread, run in list(self._runs.items()) if run == self._run]

    def _has_shown(self) -> None:
        thread = threading.current_thread()
        if self.has(thread):
            self._runtime.note(
                f"the game shows pictures from a thread of its own, {named(thread)}, which are no"
                " frames: have its loop run in the main thread"
            )

    def join(self, thread: threading.Thread, timeout: float | None = None) -> None:
        """Wait for a thread; the time that it sleeps passes meanwhile."""
        runtime = self._runtime
        if not runtime.heeds() or thread not in self._ours():
            self._join(thread, timeout)
            return
        limit = None if timeout is None else runtime.now + int(timeout * SECOND)
        while thread.is_alive():
            self._settle(thread)
            if not thread.is_alive():
                break
            sleeper = self.next_sleeper()
            if sleeper is None:  # it works, or waits for something that is no clock
                self._join(thread, _TURN if limit is None else timeout)
                if limit is not None:
                    return
                continue
            if limit is not None and sleeper.when > limit:
                runtime.advance(max(0, limit - runtime.now))
                return
            runtime.advance(max(0, sleeper.when - runtime.now))
            self.wake()

    def run_timer(self, timer: threading.Timer) -> None:
        """Call a timer's function when its virtual time has come."""
        if self._runtime.forked or timer not in self._ours():
            timer.finished.wait(timer.interval)
        else:
            self._sleep(timer.interval, timer.finished.is_set)
        if not timer.finished.is_set():
            timer.function(*timer.args, **timer.kwargs)
        timer.finished.set()

    # turns

    def _look(self) -> None:
        """Wake who is due, again and again while there is any thread."""
        self.wake()
        if any(thread.is_alive() for thread in self._ours()):
            self._runtime.at(self._runtime.now + _EVERY, self._look)
        else:
            self._looks = False

    def next_sleeper(self) -> Sleeper | None:
        """Whose time comes first."""
        asleep = [each for each in list(self._sleepers.values()) if each.sleeps]
        return min(asleep, key=lambda each: each.order, default=None)

    def all_sleep(self) -> bool:
        """Whether no thread waits for anything but the clock."""
        return all(self._sleeps(thread) for thread in self._ours() if thread.is_alive())

    def _sleeps(self, thread: threading.Thread) -> bool:
        sleeper = self._sleepers.get(thread.ident or 0)
        return sleeper is not None and sleeper.sleeps

    def rest(self) -> None:
        """Wait until all have done what they are at; the program comes to the end of a frame."""
        while True:
            alive = [thread for thread in self._ours() if thread.is_alive()]
            if not alive:
                self._runtime.rest = None
                return
            with self._settled:  # who was given something to do must be let to begin
                self._settled.wait(_LOOK)
            busy = [thread for thread in alive if not self._is_at_rest(thread)]
            if not busy:
                return
            for thread in busy:
                self._settle(thread)

    def _is_at_rest(self, thread: threading.Thread) -> bool:
        """Whether a thread has done nothing since it was last looked at, or never rests."""
        work, called = Work(thread), self._is_called(thread)
        if work.done is None:
            return not called
        rests = self._rested.get(thread) == work.done and not work.is_due()
        if self._worked.get(thread, 0.0) < _MOST_WORK:
            return rests and not called
        self._rested[thread] = work.done
        if rests:
            self._worked[thread] = 0.0
        return True

    def wake(self) -> None:
        """Give each sleeper that is due its turn, one after another."""
        now = self._runtime.now
        due = [(s.order, ident, s) for ident, s in list(self._sleepers.items()) if s.when <= now]
        for _, ident, sleeper in sorted(due, key=lambda each: each[0]):
            if not sleeper.sleeps:
                continue
            sleeper.ring()
            for thread in self._ours():
                if thread.ident == ident:
                    self._settle(thread)
                    break

    def _settle(self, thread: threading.Thread) -> None:
        """Wait until a thread sleeps, waits for something or has ended; but not for ever."""
        work, look = Work(thread), _LOOK
        began, before = time.monotonic(), self._worked.get(thread, 0.0)
        most = _TURN if work.done is None else _MOST_WORK - before
        with self._settled:
            while thread.is_alive() and not self._sleeps(thread):
                if time.monotonic() - began >= most:
                    self._worked[thread] = before + most
                    return
                self._settled.wait(look)
                look = min(2 * look, _LONGEST_LOOK)
                if work.rests() and not self._is_called(thread):
                    break
        self._worked[thread] = 0.0
        if work.done is not None:
            self._rested[thread] = work.done

    def _is_called(self, thread: threading.Thread) -> bool:
        """Whether a thread is no more to sleep, and may not know it yet."""
        sleeper = self._sleepers.get(thread.ident or 0)
        return sleeper is not None and not sleeper.sleeps

    def is_own(self, condition: threading.Condition) -> bool:
        """Whether a condition is that by which these threads are kept in step."""
        return condition is self._settled

    def has(self, thread: threading.Thread) -> bool:
        """Whether a thread is the present program's."""
        return self._runs.get(thread) == self._run


def named(thread: Any) -> str:
    """A thread, or a process, by what it runs, since its name counts what ran before."""
    target = getattr(thread, "_target", None) or type(thread).run
    if isinstance(thread, threading.Timer):
        target = thread.function
    target = inspect.unwrap(getattr(target, "func", target))
    code = getattr(target, "__code__", None)
    name = getattr(target, "__qualname__", type(thread).__name__)
    if code is None:
        return name
    return f"{name} ({os.path.basename(code.co_filename)}:{code.co_firstlineno})"


def _nothing(*_: Any, **__: Any) -> Any:
    return None
