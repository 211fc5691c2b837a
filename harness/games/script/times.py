"""The modules ``time`` and ``datetime`` as a program has them, on the virtual clock.

They are modules of their own, put in the place of the real ones while the program runs: what the
standard library and the harness hold goes on telling the real time.
"""

from __future__ import annotations

import sys
import time as real_time
from calendar import timegm
from collections.abc import Callable
from types import ModuleType
from typing import Any

from harness.games.script.dates import EPOCH, datetime_module
from harness.games.script.imports import Imports
from harness.games.script.loops import install_loops
from harness.games.script.runtime import SECOND, Patches, Runtime


class Times:
    """``time`` and ``datetime``, and asyncio's clock and selector."""

    def __init__(self, runtime: Runtime, imports: Imports) -> None:
        self._runtime = runtime
        self.loops: list[Any] = []
        """The event loops that were made."""
        self.time = self._time_module()
        self.datetime = datetime_module(self._runtime)

        imports.when("asyncio", self._asyncio_loaded)

    def install(self, patches: Patches) -> None:
        """Nothing: the modules are swapped in while the program runs."""

    def _asyncio_loaded(self, asyncio: Any, patches: Patches) -> None:
        install_loops(asyncio, patches, self._runtime, self.loops)

    def begin(self) -> None:
        """No loop is made yet."""
        self.loops.clear()

    @property
    def modules(self) -> dict[str, ModuleType]:
        """What stands in ``sys.modules`` while the program runs."""
        return {"time": self.time, "datetime": self.datetime}

    def _time_module(self) -> ModuleType:
        module = ModuleType("time", real_time.__doc__)
        vars(module).update(vars(real_time))
        read = self._runtime.read_fine
        for names, start in (
            (("time",), EPOCH * SECOND),
            (("monotonic", "perf_counter", "process_time", "thread_time"), 0),
        ):
            for name in names:
                setattr(module, name, _seconds(read, start))
                setattr(module, f"{name}_ns", _nanoseconds(read, start))

        for function in (*self._sleeps(), *_calendar(read)):
            setattr(module, function.__name__, function)
        more: Any = module
        more.timezone, more.altzone, more.daylight = 0, 0, 0
        more.tzname = ("UTC", "UTC")
        _clock_ids(module, read)
        return module

    def _sleeps(self) -> list[Callable[..., Any]]:
        runtime = self._runtime

        def sleep(seconds: float, /) -> None:
            if seconds < 0:
                raise ValueError("sleep length must be non-negative")
            if runtime.playing:
                runtime.wait(int(seconds * SECOND))
            else:
                real_time.sleep(seconds)

        return [sleep]


def _calendar(read: Callable[[], int]) -> list[Callable[..., Any]]:
    """What tells dates: everywhere is UTC, lest a run depend on where the machine stands."""

    def gmtime(seconds: float | None = None, /) -> Any:
        return real_time.gmtime(EPOCH + read() / SECOND if seconds is None else seconds)

    def localtime(seconds: float | None = None, /) -> Any:
        return gmtime(seconds)

    def ctime(seconds: float | None = None, /) -> str:
        return real_time.asctime(gmtime(seconds))

    def asctime(moment: Any = None, /) -> str:
        return real_time.asctime(gmtime() if moment is None else moment)

    def strftime(format: str, moment: Any = None, /) -> str:
        return real_time.strftime(format, gmtime() if moment is None else moment)

    def mktime(moment: Any, /) -> float:
        return float(timegm(moment))

    return [gmtime, localtime, ctime, asctime, strftime, mktime]


def _seconds(read: Callable[[], int], start: int) -> Callable[[], float]:
    return lambda: (start + read()) / SECOND


def _nanoseconds(read: Callable[[], int], start: int) -> Callable[[], int]:
    return lambda: start + read()


def _clock_ids(module: Any, read: Callable[[], int]) -> None:
    if sys.platform == "win32":
        return

    def clock_gettime_ns(clock: int, /) -> int:
        return read() + (EPOCH * SECOND if clock == real_time.CLOCK_REALTIME else 0)

    module.clock_gettime_ns = clock_gettime_ns
    module.clock_gettime = lambda clock, /: clock_gettime_ns(clock) / SECOND
