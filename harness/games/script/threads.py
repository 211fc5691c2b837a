"""A program's own threads: started, joined and looked at in turns, so that they give the same bits.

What cannot be kept in turn, since it works for long or waits for something outside of the program,
is named in the run's notes.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from harness.games.script.beside import named, target_of
from harness.games.script.imports import Imports
from harness.games.script.locks import install_locks
from harness.games.script.runtime import Patches, Runtime, span
from harness.games.script.turns import Task, Turns

_BRIEFLY = 0.001
_STUCK = 0.2
"""Seconds without any virtual time, after which a thread that is loose wakes by itself."""

_GOODBYE = 0.2
"""Seconds that a thread of an earlier program has to end."""

_OUTSIDE = ("multiprocessing", "subprocess", "concurrent.futures.process")
"""Modules whose own threads talk to other processes."""


class Threads:
    """Threads that a program starts."""

    def __init__(self, runtime: Runtime, imports: Imports) -> None:
        self._runtime = runtime
        self._imports = imports
        self.turns = Turns(runtime)
        self.turns.on_loose = self._note_loose
        self._known: WeakKeyDictionary[threading.Thread, Task] = WeakKeyDictionary()
        self._start: Callable[..., Any] = _nothing
        self._join: Callable[..., Any] = _nothing
        self._is_alive: Callable[..., Any] = _nothing

    def install(self, patches: Patches) -> None:
        """Replace how threads are started, joined and asked, and all that they wait with."""
        thread, turns = threading.Thread, self.turns
        self._start = patches.original(thread, "start")
        self._join = turns.reap = patches.original(thread, "join")
        self._is_alive = patches.original(thread, "is_alive")
        patches.put(thread, "start", lambda thread: self.start(thread))
        patches.put(thread, "join", lambda thread, timeout=None: self.join(thread, timeout))
        patches.put(thread, "is_alive", lambda thread: self.is_alive(thread))
        is_set = patches.original(threading.Event, "is_set")

        def glancing(event: threading.Event) -> Any:
            turns.glanced()
            return is_set(event)

        patches.put(threading.Event, "is_set", glancing)
        install_locks(self._runtime, turns, self._imports, patches)
        self._runtime.others, self._runtime.elsewhere = turns, self.sleep_loose
        self._runtime.finish = self.finish

    def begin(self) -> None:
        """Have none; what an earlier program left behind ends where it waits."""
        for thread in self.turns.retire():
            self._join(thread, _GOODBYE)
        self._known.clear()
        self.turns.begin()

    def start(self, thread: threading.Thread) -> None:
        """Start a thread, and let it come to where it first waits or ends."""
        turns = self.turns
        if turns.mine() is None or _is_outside(thread):
            if self._runtime.playing:
                self._note_thread(_named(thread), "is started out of turn")
            with turns.really():
                self._start(thread)
            return
        run, task = thread.run, Task(thread, _named(thread))

        def in_turn() -> None:
            del thread.run
            turns.enter(task)
            try:
                run()
            except SystemExit:
                pass
            except BaseException as error:
                if self._failed(task, error):
                    raise
            finally:
                turns.leave(task)

        thread.run = in_turn  # type: ignore[method-assign]
        with turns.really():
            # What it says with this that it is there must be no lock of the program's.
            thread._started = threading.Event()  # type: ignore[attr-defined]
            self._start(thread)
        task.ident = thread.ident or 0
        self._known[thread] = task
        turns.started(task)

    def _failed(self, task: Task, error: BaseException) -> bool:
        """Tell of a thread that fails; says whether Python is to tell of it too."""
        turns = self.turns
        if turns.stepped is task and turns.mine() is task:
            # It is the game: whoever waits for it hears of it.
            turns.main.failure = error
            turns.wake(turns.main)
            return False
        self._runtime.note(
            f"a thread of the game's own, {task.name}, ended with {type(error).__name__}: {error}"
        )
        return True

    def join(self, thread: threading.Thread, timeout: float | None = None) -> None:
        """Wait for a thread, while it and others have their turns."""
        me, task = self.turns.mine(), self._known.get(thread)
        if me is None or task is None or me is task:
            self._join(thread, timeout)
            return
        runtime = self._runtime
        when = None if timeout is None else runtime.now + span(timeout)
        while not task.over and (when is None or runtime.now < when):
            task.joiners.append(me)
            self.turns.block(when)
            if me.loose:
                self._join(thread, timeout)
                return
        if when is not None:
            runtime.waited()
            self.turns.turn()

    def is_alive(self, thread: threading.Thread) -> bool:
        """Whether a thread runs; one in turn is over as soon as it has done all that it does."""
        task = self._known.get(thread)
        if task is None:
            return bool(self._is_alive(thread))
        self.turns.glanced()
        return not task.over and bool(self._is_alive(thread))

    def finish(self) -> None:
        """At the program's end, wait for its threads as Python does."""
        for task in list(self.turns.tasks):
            if not task.thread.daemon:
                self.join(task.thread)

    def sleep_loose(self, nanoseconds: int) -> None:
        """Sleep as a thread that has no turns: until the virtual time has come, as it may be."""
        task = self._known.get(threading.current_thread())
        runtime = self._runtime
        when, seen, stuck = runtime.now + nanoseconds, runtime.now, 0.0
        while runtime.now < when and stuck < _STUCK:
            if task is not None and task.stale:
                raise SystemExit
            time.sleep(_BRIEFLY)
            stuck = stuck + _BRIEFLY if runtime.playing and runtime.now == seen else 0.0
            seen = runtime.now
        time.sleep(0)

    # notes

    def _note_loose(self, task: Task) -> None:
        self._note_thread(task.name, "works for long, or waits for something outside of it")

    def _note_thread(self, name: str, why: str) -> None:
        self._runtime.note(
            f"a thread of the game's own, {name}, {why}: when it gets its turn is not the"
            " harness's to say, so the same bits cannot be promised"
        )


def _is_outside(thread: threading.Thread) -> bool:
    module = str(getattr(target_of(thread), "__module__", ""))
    return any(module == name or module.startswith(f"{name}.") for name in _OUTSIDE)


def _named(thread: threading.Thread) -> str:
    return named(thread.function if isinstance(thread, threading.Timer) else target_of(thread))


def _nothing(*_: Any, **__: Any) -> Any:
    return None
