"""Turns: of a program's threads one runs at a time, and who is next is decided and not raced for.

Whoever runs goes on until it waits: for a time, a lock, another thread. Then it is the turn of the
next that is ready, in the order in which they became so; where none is, the clock goes on to when
the first of them wakes. So threads give the same bits as often as one likes. One that does not come
to wait for long, or waits for what is outside of the program, is let loose: it runs as the system
has it, and the run says so.
"""

from __future__ import annotations

import _thread
import heapq
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from harness.games.script.beside import LOOK, MOST_IDLE, Watch, work_of
from harness.games.script.runtime import Runtime
from harness.games.watch import GameHung

_BRIEFLY = 0.0005

_FREE_GLANCES = 100
"""Looks at a lock or a thread within a turn, after which each lets the others have theirs."""

_MOST_TURNS = 100
"""Turns within one frame, of threads that pass something to and fro for ever."""

FOR_EVER = "it waits for ever: for a lock, an event or a thread that nothing can bring about"


class Task:
    """A thread of the program, the one that it began in included."""

    __slots__ = (
        "away", "baton", "blocked", "failure", "ident", "joiners", "loose", "name", "over",
        "stale", "thread", "when",
    )  # fmt: skip

    def __init__(self, thread: threading.Thread, name: str) -> None:
        self.thread = thread
        self.name = name
        self.ident = thread.ident or 0
        self.baton = _thread.allocate_lock()
        self.baton.acquire()
        self.when: int | None = None
        """The virtual time at which it wakes by itself."""
        self.blocked = self.away = self.loose = self.over = self.stale = False
        self.failure: BaseException | None = None
        self.joiners: list[Task] = []


class Turns:
    """Who of the threads of one program has its turn, and who is next."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._guard = _thread.allocate_lock()
        self.on_loose: Callable[[Task], None] = _nothing
        self.reap: Callable[[threading.Thread, float], None] = threading.Thread.join
        """Really waits for a thread that has ended."""
        self.begin()

    def begin(self) -> None:
        """Have only the thread that the program begins in."""
        self.main = Task(threading.current_thread(), "main")
        self.current = self.stepped = self.main
        self.tasks: list[Task] = self._runtime.threads
        """Those that run beside the first, and have not ended."""
        self.tasks.clear()
        self._ready: deque[Task] = deque()
        self._asleep: list[tuple[int, int, Task]] = []
        self._numbers = count()
        self._count = self._glances = 0
        self._asks: tuple[Task, Callable[[], None]] | None = None
        self._ended: list[threading.Thread] = []
        self._resting = self._is_real = False
        self._vacant = False
        """Whether nobody has a turn, since the first thread waits for something outside."""
        self._watched, self._watched_turn = Watch(None), -1
        self._runtime.has_turn(self.main.ident, False)

    @property
    def locks(self) -> bool:
        """Whether a lock that is made now is one of the program's."""
        return self._runtime.playing and not self._is_real

    @contextmanager
    def really(self) -> Iterator[None]:
        """Have every lock that is made meanwhile be a real one."""
        self._is_real = True
        try:
            yield
        finally:
            self._is_real = False

    def mine(self) -> Task | None:
        """Who calls, if it is the program and has its turn."""
        return self.current if self._runtime.heeds() else None

    # a thread's life

    def started(self, task: Task) -> None:
        """Let a thread that was just started run, up to where it first waits or ends."""
        self.tasks.append(task)
        self._ready.appendleft(task)
        self.turn()

    def enter(self, task: Task) -> None:
        """Wait for the first turn, as the thread itself."""
        task.ident = threading.get_ident()
        self._await(task)

    def leave(self, task: Task) -> None:
        """End, as the thread itself; whoever is next has its turn."""
        has_turn = self.mine() is task
        with self._guard:
            task.over = True
            if task in self.tasks:
                self.tasks.remove(task)
        for joiner in task.joiners:
            self.wake(joiner)
        if self.stepped is task:
            self.stepped = self.main
        if has_turn:
            self._ended.append(task.thread)
            self._pass(self._next())

    def retire(self) -> list[threading.Thread]:
        """Have every thread end at once where it waits; the program is no more."""
        left = [task.thread for task in self.tasks]
        for task in self.tasks:
            task.stale = True
            if task.baton.locked():
                task.baton.release()
        return left

    # waiting

    def turn(self) -> None:
        """Let the others that are ready have their turn."""
        if not self.tasks or self._resting:
            return
        self._glances = 0
        self._wake_due()
        if self._ready:
            me = self.current
            self._ready.append(me)
            self._hand(self._ready.popleft())
            self._await(me)

    def settle(self) -> None:
        """Let the others do all that they are at: what one hands on to the next is done, too."""
        for _ in range(_MOST_TURNS):
            self.turn()
            if not self._ready:
                return

    def glanced(self) -> None:
        """Note a look at what another thread may change; who does nothing else gives way."""
        if self.tasks and self.mine() is not None:
            self._glances += 1
            if self._glances > _FREE_GLANCES:
                self.turn()

    def block(self, when: int | None = None) -> None:
        """Wait until somebody wakes who calls, or until a virtual time."""
        me = self.current
        me.when, me.blocked = when, True
        self._glances = 0
        if when is not None:
            heapq.heappush(self._asleep, (when, next(self._numbers), me))
        following = self._next()
        if following is me:
            return
        self._pass(following)
        self._await(me)

    def wake(self, task: Task) -> None:
        """Have who waits be ready for its turn; any thread may call it."""
        with self._guard:
            if task.blocked:
                task.blocked, task.when = False, None
                self._ready.append(task)
            if self._vacant and self._ready:
                self._vacant = False
                self._hand(self._ready.popleft())

    def sleep(self, nanoseconds: int) -> None:
        """Wait for a time, and let the others have their turns meanwhile."""
        if nanoseconds > 0:
            self.block(self._runtime.now + nanoseconds)
        else:
            self.turn()

    def until_next(self, nanoseconds: int | None) -> None:
        """Sleep for a time, but no longer than to when another thread wakes."""
        others = [when for when, _, task in self._asleep if task.blocked and task.when == when]
        now = self._runtime.now
        times = [nanoseconds] if nanoseconds is not None else []
        times += [max(0, min(others) - now)] if others else []
        if times:
            self.sleep(min(times))
        else:
            self.turn()

    def outside(self, act: Callable[[], Any]) -> Any:
        """Do what waits for something outside of the program, out of turn."""
        me = self.mine()
        if me is None or not self.tasks:
            return act()
        me.blocked = me.away = True
        self._pass(self._next(but=me))
        try:
            return act()
        finally:
            me.away = False
            self.wake(me)
            self._await(me)

    # the driver

    def give(self, switch: Callable[[], None]) -> None:
        """Have the driver's turn, which is given from the thread that the program began in."""
        if self.current is self.main or not self.tasks:
            switch()
            return
        me = self.current
        self._asks = me, switch
        self._hand(self.main)
        self._await(me)

    def takes_over(self, shows: bool) -> None:
        """Note that who has its turn is what is stepped, if it shows, or the other only waits."""
        other = self.stepped
        if self.current is not other and (shows or (other.blocked and other.when is None)):
            self.stepped = self.current
            self._runtime.helper = False

    def frame(self) -> Any:
        """The innermost frame of the thread that is stepped; None for the first one."""
        if self.stepped is self.main:
            return None
        return sys._current_frames().get(self.stepped.ident)

    # handing over

    def _pass(self, following: Task | None) -> None:
        """Hand over to who is next; where nobody is, the first thread looks out for one."""
        if following is not None or not self.main.away:
            self._hand(following or self.main)
            return
        with self._guard:
            self._vacant = not self._ready
            if self._ready:
                self._hand(self._ready.popleft())

    def _hand(self, task: Task) -> None:
        self._count += 1
        self.current = task
        self._runtime.has_turn(task.ident, task is not self.stepped)
        task.baton.release()

    def _await(self, task: Task) -> None:
        """Wait for one's turn."""
        while True:
            self._take(task)
            if task.stale:
                raise SystemExit
            if task.loose:
                return
            self._runtime.has_turn(task.ident, task is not self.stepped)
            while self._ended:  # so that it is gone for whoever counts threads
                self.reap(self._ended.pop(), MOST_IDLE)
            if task is not self.main:
                return
            if self._asks is not None:
                self._answer()
            elif self._is_mine(task):
                return

    def _is_mine(self, main: Task) -> bool:
        """Whether the first thread has its own turn, and not only that nobody else is there."""
        if main.failure is not None:
            failure, main.failure, main.blocked = main.failure, None, False
            raise failure
        if not main.blocked:
            with self._guard:
                if main in self._ready:  # it came back from outside meanwhile
                    self._ready.remove(main)
            return True
        following = self._next()
        while following is None:
            if not self._somebody_outside():
                main.blocked = False
                raise GameHung(FOR_EVER)
            time.sleep(_BRIEFLY)
            following = self._next()
        if following is main:
            return True
        self._hand(following)
        return False

    def _answer(self) -> None:
        """Give the driver its turn for another thread, and that thread's back afterwards."""
        assert self._asks is not None
        (asker, switch), self._asks = self._asks, None
        self._runtime.has_turn(self.main.ident, False)
        try:
            switch()
        except BaseException:
            self.main.blocked = False
            self._ready.append(asker)
            raise
        self._hand(asker)

    def _next(self, but: Task | None = None) -> Task | None:
        """Who is next; time passes to when the first of them wakes."""
        runtime = self._runtime
        while True:
            self._wake_due()
            if self._ready:
                return self._ready.popleft()
            while self._asleep and not self._sleeps(self._asleep[0]):
                heapq.heappop(self._asleep)
            if not self._asleep:
                return None
            runtime.advance(max(0, self._asleep[0][0] - runtime.now))
            if self.stepped.blocked and self.stepped.when is None and but is None:
                self._resting = True
                try:
                    runtime.rested()
                finally:
                    self._resting = False

    @staticmethod
    def _sleeps(entry: tuple[int, int, Task]) -> bool:
        when, _, task = entry
        return task.blocked and task.when == when

    def _wake_due(self) -> None:
        now = self._runtime.now
        while self._asleep and self._asleep[0][0] <= now:
            entry = heapq.heappop(self._asleep)
            if self._sleeps(entry):
                self.wake(entry[2])

    def _somebody_outside(self) -> bool:
        """Whether there is any thread that is not in turn, and may wake one that is."""
        inside = [task for task in (self.main, *self.tasks) if not (task.loose or task.away)]
        ours = {task.ident for task in inside}
        return any(thread.ident not in ours for thread in threading.enumerate())

    # who takes too long

    def _take(self, task: Task) -> None:
        while not task.baton.acquire(timeout=LOOK):
            ready = not task.blocked and not task.loose
            if ready and self._runtime.playing and self._overdue():
                self._let_loose(task)
                if task.loose:
                    return

    def _overdue(self) -> bool:
        """Whether whoever has its turn keeps it for too long."""
        work = work_of(f"/proc/self/task/{self.current.thread.native_id}/stat")
        if self._watched_turn != self._count:
            self._watched, self._watched_turn = Watch(work), self._count
        return self._watched.overdue(work)

    def _let_loose(self, waiting: Task) -> None:
        """Let who keeps its turn run by itself; where that is the first, who waits does."""
        with self._guard:
            holder = self.current
            if self._watched_turn != self._count:
                return
            loose = waiting if holder is self.main else holder
            loose.loose, loose.blocked = True, False
            if loose in self._ready:
                self._ready.remove(loose)
            self._count += 1
        self.on_loose(loose)
        if holder is not self.main:
            if self.stepped is holder:
                self.stepped = self.main
            self._hand(self._ready.popleft() if self._ready else self.main)


def _nothing(*_: Any) -> None:
    pass
