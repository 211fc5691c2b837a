"""What stands between a program and its driver: the virtual clock, and the rule of frames.

The program runs in a greenlet of its own, and everything that it reaches for tells the runtime
here: it read a clock, it waited, it looked for events, it showed its picture. From these alone it
is decided where a frame ends, so that no program can keep the driver waiting for ever but by
computing.
"""

from __future__ import annotations

import heapq
import math
import threading
import time as real_time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Protocol

SECOND = 10**9
"""The virtual clock counts nanoseconds."""

MILLISECOND = 10**6

_FREE_READS = 200
"""Clock reads without progress, after which each further one lets a little time pass."""

_FINE = 1000
"""Nanoseconds between two looks at a fine clock."""

_CREEP = 50_000
_MOST_CREEP = SECOND // 4
"""Nanoseconds that a busy wait may take up within one frame."""

_FREE_LOOKS = 64
"""Looks for events in one frame, after which a program is waiting for one."""

_FREE_WAITS = 8
"""Waits in one frame without a look for events, after which each is a frame of its own."""

_MOST_UPDATES = 4
"""Updates of parts of the screen that are taken together as one frame."""


class Interposition(Protocol):
    """One kind of thing that a program reaches for, replaced."""

    def install(self, patches: Patches) -> None:
        """Put the replacements in, once a process, before the program is started."""

    def begin(self) -> None:
        """Be as in a process that has just begun; the runtime's ``seed`` is the run's."""


@dataclass(order=True, slots=True)
class Alarm:
    """Something that is to happen at a virtual time; ``cancel`` it, and it does not."""

    when: int
    number: int
    act: Callable[[], None] | None = field(compare=False)

    def cancel(self) -> None:
        """Have it not happen."""
        self.act = None


class Others(Protocol):
    """The threads of a program beside the one that it began in."""

    def turn(self) -> None:
        """Let those that are ready have their turn."""

    def settle(self) -> None:
        """Let those that are ready have their turns, until all of them wait."""

    def sleep(self, nanoseconds: int) -> None:
        """Let time pass for who calls, while the others have their turns."""

    def give(self, switch: Callable[[], None]) -> None:
        """Have the driver's turn."""

    def takes_over(self, shows: bool) -> None:
        """Have who calls be the thread that is stepped, if it is."""

    def outside(self, act: Callable[[], Any]) -> Any:
        """Do what waits for something outside of the program, while the others go on."""

    def frame(self) -> Any:
        """Where that thread stands; None for the one that the program began in."""


class Patches:
    """Attributes that were replaced, and what they were before."""

    def __init__(self) -> None:
        self._before: dict[tuple[int, str], tuple[Any, Any]] = {}

    def put(self, owner: Any, name: str, value: Any) -> None:
        """Replace an attribute; a function of the same kind keeps its name and docstring."""
        present = getattr(owner, name, _MISSING)
        self._before.setdefault((id(owner), name), (owner, present))
        for copied in ("__name__", "__doc__", "__module__", "__qualname__"):
            if callable(value) and not isinstance(value, type) and hasattr(present, copied):
                try:
                    setattr(value, copied, getattr(present, copied))
                except (AttributeError, TypeError):
                    break
        setattr(owner, name, value)

    def original(self, owner: Any, name: str) -> Any:
        """What an attribute was before anybody replaced it."""
        known = self._before.get((id(owner), name))
        return known[1] if known is not None else getattr(owner, name)

    def undo(self) -> None:
        """Put everything back."""
        for (_, name), (owner, value) in reversed(self._before.items()):
            if value is _MISSING:
                delattr(owner, name)
            else:
                setattr(owner, name, value)
        self._before.clear()


_MISSING = object()


class Runtime:
    """The virtual clock of one program, and where its frames end.

    ``now`` is in nanoseconds since the program began, ``seed`` the seed of the run.
    """

    def __init__(self, tick_rate: int = 60) -> None:
        self.now = 0
        self.seed = 0
        self.notes: list[str] = []
        self.tick_rate = tick_rate
        self.playing = False
        """Whether the program itself is running, and not the driver."""
        self.switch: Callable[[], None] = _nothing
        """Gives the driver its turn; comes back with the next frame's input posted."""
        self.company: Callable[[], None] | None = None
        """Called after each wait, while a process of the program's own may have to catch up."""
        self.threads: list[Any] = []
        """The program's threads that have not ended, but for the one that it began in."""
        self.others: Others | None = None
        self.elsewhere: Callable[[int], None] = _no_sleep
        """How a thread sleeps that has no turns."""
        self.finish: Callable[[], None] = _nothing
        """Waits for the threads at the program's end."""
        self.helper = False
        """Whether who has its turn is a thread beside the one that is stepped."""
        self._thread: int | None = threading.get_ident()
        self._real = 0
        self._alarms: list[Alarm] = []
        self._numbers = count()
        self.begin(0)

    def begin(self, seed: int) -> None:
        """Set everything to the start of a program."""
        self.now, self.seed = 0, seed
        self.notes.clear()
        self._thread = threading.get_ident()
        self._alarms.clear()
        self._numbers = count()
        self._rest = 0
        self._told = -_FINE
        self._paced = False
        self._shown = self._begun = False
        self._fresh_frame()

    def _fresh_frame(self) -> None:
        self._since = self.now
        self._reads = self._looks = self._waits = self._updates = self._crept = 0
        self._looked_then_waited = self._idled = False

    def heeds(self) -> bool:
        """Whether who calls is the program, in the thread whose turn it is."""
        return self.playing and threading.get_ident() == self._thread

    def has_turn(self, thread: int, helper: bool) -> None:
        """Say whose turn it is."""
        self._thread, self.helper = thread, helper

    @property
    def forked(self) -> bool:
        """Whether this is a process that the program has forked, in which nothing is driven."""
        return self._thread is None

    def leave_to_itself(self) -> None:
        """Be the clock of a process that the program has forked: the real one goes on."""
        self._thread, self._reads = None, _FREE_READS
        self._real = real_time.monotonic_ns()
        self.company = self.others = None
        self.threads.clear()

    def _catch_up(self) -> None:
        now = real_time.monotonic_ns()
        self.advance(now - self._real)
        self._real = now

    # what the program does, as the interpositions tell it

    def read(self) -> int:
        """The time, for a program that reads a clock; one that does nothing else waits."""
        if self.playing:
            self._reads += 1
            if self._reads > _FREE_READS:
                self._creep()
        return self.now

    def read_fine(self) -> int:
        """The time, for a program that reads a fine clock: never twice the same.

        A program may divide by what lies between, and in truth there is always something.
        """
        now = self.read()
        if not self.playing:
            return now
        self._told = max(now, self._told + _FINE)
        return self._told

    def _creep(self) -> None:
        if not self.heeds():
            if self.forked:
                self._catch_up()
            return
        self.advance(_CREEP)
        if self.threads and self.others is not None:
            self.others.turn()
            if self.helper:
                return
        self._crept += _CREEP
        if self._crept >= _MOST_CREEP:
            self.idle()

    def wait(self, nanoseconds: int) -> None:
        """Let time pass: the program sleeps, or paces itself by a clock."""
        if not self.heeds():
            if self.forked:
                real_time.sleep(max(0, nanoseconds) / SECOND)
                self._catch_up()
            elif self.playing:
                self.elsewhere(nanoseconds)
            return
        self._reads = 0
        if self.threads and self.others is not None:
            self.others.sleep(nanoseconds)
        else:
            self.advance(max(0, nanoseconds))
        self.waited()

    def waited(self) -> None:
        """Note that the program has waited for a time, or for no longer than one."""
        if self.helper or not self.heeds():
            return
        self._reads = 0
        self._paced = True
        if self.company is not None:
            self.company()
        self._waits += 1
        self._looked_then_waited = self._looks > 0
        if self._waits > _FREE_WAITS and not self._looks:
            self.idle()

    def rested(self) -> None:
        """Note that time has passed while every thread waits; many times are a frame."""
        self._waits += 1
        if self._waits > _FREE_WAITS and not self._looks:
            self._boundary()

    def looked(self) -> None:
        """Note that the program is about to look for events, before it does.

        A look, a wait and another look, with nothing shown between, are a frame: what a menu does
        that draws only what changes.
        """
        if not self.heeds():
            return
        self._reads = 0
        if self.threads and self.others is not None:
            self.others.takes_over(shows=False)
            if self.helper:
                return
        if self._looked_then_waited or self._looks >= _FREE_LOOKS:
            self.idle()
        self._looks += 1

    def idle(self) -> None:
        """End a frame in which nothing happened: the program waits for an event."""
        if not self.heeds():
            return
        if self.helper:
            self.wait(SECOND // self.tick_rate)
            return
        self._boundary()
        self._idled = True

    def shown(self) -> None:
        """Note that the program has shown its picture, all of it or a part.

        That ends a frame, unless it is one more part of what was shown already, or is what comes
        of an event for which an idle frame has just ended.
        """
        if not self.heeds():
            return
        self._reads = 0
        if self.threads and self.others is not None:
            self.others.takes_over(shows=True)
        if self._shown and self.now == self._since and self._paced:
            more = self._idled or not self._looks
            if more and self._updates < _MOST_UPDATES:
                self._updates += 1
                return
        self._shown = True
        self._boundary()

    # time

    def advance(self, nanoseconds: int) -> None:
        """Move the clock, and do on the way what is due."""
        end = self.now + nanoseconds
        while self._alarms and self._alarms[0].when <= end:
            alarm = heapq.heappop(self._alarms)
            if alarm.act is not None:
                self.now = max(self.now, alarm.when)
                alarm.act()
        self.now = end

    def at(self, when: int, act: Callable[[], None]) -> Alarm:
        """Have something done once the clock comes to ``when``; nobody may wait in it."""
        alarm = Alarm(when, next(self._numbers), act)
        heapq.heappush(self._alarms, alarm)
        return alarm

    def post(self, kind: int, **attributes: Any) -> None:
        """Post a real event now; one that has no room any more is lost, as a real one is."""
        import pygame

        try:
            pygame.event.post(pygame.event.Event(kind, attributes))
        except pygame.error:
            return

    def note(self, text: str) -> None:
        """Say something to whoever reads the run's answer, once."""
        if text not in self.notes:
            self.notes.append(text)

    # frames

    def one_step(self) -> int:
        """What a frame takes that takes no time of its own; so many are exactly a second."""
        step, self._rest = divmod(self._rest + SECOND, self.tick_rate)
        return step

    def _boundary(self) -> None:
        if self.now == self._since and self._begun:
            self.advance(self.one_step())
        self._begun = True
        if self.threads and self.others is not None:
            self.others.settle()
        self.give_turn()
        self._fresh_frame()

    def give_turn(self) -> None:
        """Give the driver its turn, from whichever thread."""
        if self.others is not None:
            self.others.give(self.switch)
        else:
            self.switch()


def span(seconds: float) -> int:
    """Nanoseconds of a wait; none is too short for time to pass, else it would be waited for ever.

    What is left of a wait may be less than a clock of floats can tell.
    """
    return max(0, math.ceil(seconds * SECOND))


def _nothing() -> None:
    pass


def _no_sleep(_nanoseconds: int) -> None:
    pass
