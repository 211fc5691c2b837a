"""``pygame.time`` on the virtual clock: nothing sleeps, and ticks add up exactly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from harness.games.script.runtime import MILLISECOND, SECOND, Alarm, Patches, Runtime

_FPS_TICKS = 10
"""pygame averages its frame rate over so many ticks."""


class PygameTime:
    """``pygame.time``, and what other modules of pygame took from it when they were imported."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._timers: dict[Any, Alarm] = {}

    def install(self, patches: Patches) -> None:
        """Replace the module's functions, and ``Clock``."""
        import pygame.sprite

        read = self._runtime.read

        def get_ticks() -> int:
            return read() // MILLISECOND

        def set_timer(event: Any, millis: int, loops: int = 0) -> None:
            self._set_timer(event, millis, loops)

        for name, value in (
            ("get_ticks", get_ticks),
            ("wait", _waits("wait", self._runtime)),
            ("delay", _waits("delay", self._runtime)),
            ("set_timer", set_timer),
            ("Clock", clock_class(self._runtime)),
        ):
            patches.put(pygame.time, name, value)
        # It has taken the function itself, and picks between two ways to draw by it.
        if hasattr(pygame.sprite, "get_ticks"):
            patches.put(pygame.sprite, "get_ticks", get_ticks)

    def begin(self) -> None:
        """Forget the timers."""
        self._timers.clear()

    def _set_timer(self, event: Any, millis: int, loops: int = 0) -> None:
        import pygame

        if isinstance(event, bool) or not isinstance(event, int | pygame.event.EventType):
            raise TypeError("first argument must be an event type or event object")
        if isinstance(event, int):
            if not 0 <= event < pygame.NUMEVENTS:
                raise ValueError("event type out of range")
            event = pygame.event.Event(event)
        known = self._timers.pop(event.type, None)
        if known is not None:
            known.cancel()
        if millis > 0:
            self._arm(event, int(millis) * MILLISECOND, loops, self._runtime.now)

    def _arm(self, event: Any, every: int, left: int, since: int) -> None:
        when = since + every

        def ring() -> None:
            self._timers.pop(event.type, None)
            self._runtime.post(event.type, **event.dict)
            if left != 1:
                self._arm(event, every, max(0, left - 1), when)

        self._timers[event.type] = self._runtime.at(when, ring)


def _waits(name: str, runtime: Runtime) -> Callable[[int], int]:
    def wait(milliseconds: int) -> int:
        if not isinstance(milliseconds, int):
            raise TypeError(f"{name} requires one integer argument")
        runtime.wait(milliseconds * MILLISECOND)
        return max(0, milliseconds)

    return wait


class Clock:
    """Ticks that let virtual time pass, so that n of them take n / framerate seconds."""

    runtime: ClassVar[Runtime]

    def __init__(self) -> None:
        self._last = self._base = self._averaged = self.runtime.now
        self._count = self._ticks = self._raw = self._time = 0
        self._rate = self._fps = 0.0

    def tick(self, framerate: float = 0) -> int:
        """Wait until the next tick is due; gives the milliseconds since the last."""
        runtime, last = self.runtime, self._last
        now = runtime.now
        self._raw = now // MILLISECOND - last // MILLISECOND
        if framerate > 0:
            wait = self._due(float(framerate), now) - now
        else:  # it runs free, and yet some time must pass
            wait = 0 if now > last else runtime.one_step()
        runtime.wait(wait)
        # Not `due`: an idle frame may have ended meanwhile.
        self._last = now = runtime.now
        self._time = now // MILLISECOND - last // MILLISECOND
        self._ticks += 1
        if self._ticks % _FPS_TICKS == 0:
            spent = now - self._averaged
            self._fps = _FPS_TICKS * SECOND / spent if spent else 0.0
            self._averaged = now
        return self._time

    tick_busy_loop = tick

    def _due(self, rate: float, now: int) -> int:
        if rate != self._rate:
            self._rate, self._base, self._count = rate, self._last, 0
        self._count += 1
        due = self._base + int(self._count * SECOND / rate)
        if due < now:
            self._base, self._count = now, 0
            return now
        return due

    def get_time(self) -> int:
        """Milliseconds between the last two ticks."""
        return self._time

    def get_rawtime(self) -> int:
        """Milliseconds that were used between the last two ticks, waiting left out."""
        return self._raw

    def get_fps(self) -> float:
        """Ticks a second, over the last ten."""
        return self._fps

    def __repr__(self) -> str:
        return f"<Clock(fps={self._fps:.2f})>"


def clock_class(runtime: Runtime) -> type[Clock]:
    """Make ``pygame.time.Clock`` for a runtime."""
    return type("Clock", (Clock,), {"runtime": runtime, "__module__": "pygame.time"})
