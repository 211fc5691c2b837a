"""One program in a greenlet: started, let run to the end of its frame, and stopped."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any, NoReturn

from greenlet import greenlet

from harness.games.loaded import exit_status
from harness.games.script.runtime import Runtime

_MOST_STOPS = 8
"""How often a program that swallows its stop is told again."""

_left_behind: list[greenlet] = []
"""Programs that would not stop; letting go of them would run them once more."""


class Stopped(BaseException):
    """Raised in a program that is to end; no ``except Exception`` of its own stops it."""


class Program:
    """A running program. ``ended`` is how it ended: its exception, or SystemExit of its own."""

    def __init__(
        self, runtime: Runtime, run: Callable[[], None], modules: dict[str, ModuleType]
    ) -> None:
        self._runtime = runtime
        self._run = run
        self._modules = modules
        """What stands in ``sys.modules`` in place of others, while the program runs."""
        self._greenlet: greenlet | None = None
        self._driver: greenlet | None = None
        self._stopping = False
        self.ended: BaseException | None = None

    def resume(self) -> None:
        """Let the program run, from its start or from where it stands, to the end of a frame."""
        if self.ended is not None:
            return
        self._driver = greenlet.getcurrent()
        if self._greenlet is None:
            self._greenlet = greenlet(self._main)
            self._runtime.switch = self._give_turn
        aside = _swapped(self._modules)
        self._runtime.playing = True
        try:
            self._greenlet.switch()
        finally:
            self._runtime.playing = False
            _put_back(aside, self._modules)

    def stop(self) -> None:
        """End the program where it stands."""
        self._stopping = True
        for _ in range(_MOST_STOPS):
            if self._greenlet is None or self.ended is not None:
                return
            self.resume()
        if self._greenlet is not None and self.ended is None:
            self.ended = Stopped()
            _left_behind.append(self._greenlet)

    def leave(self, status: int) -> NoReturn:
        """End the program at once, as ``os._exit`` does: nothing of it runs any more."""
        self.ended = SystemExit(status)
        if self._greenlet is not None:
            _left_behind.append(self._greenlet)
        while True:
            self._runtime.give_turn()

    @property
    def frame(self) -> Any:
        """The innermost Python frame that the program stands in."""
        others = self._runtime.others
        elsewhere = others.frame() if others is not None else None
        if elsewhere is not None:
            return elsewhere
        return self._greenlet.gr_frame if self._greenlet is not None else None

    def _main(self) -> None:
        try:
            self._run()
            self._runtime.finish()
            self.ended = SystemExit(0)
        except BaseException as error:
            self.ended = error
        if self._runtime.is_child:  # nobody waits for it, and what drives it is not there
            os._exit(exit_status(getattr(self.ended, "code", 1)))

    def _give_turn(self) -> None:
        if self._runtime.is_child:
            time.sleep(1 / self._runtime.tick_rate)
            return
        assert self._driver is not None
        self._driver.switch()
        if self._stopping:
            raise Stopped


def _swapped(modules: dict[str, ModuleType]) -> dict[str, ModuleType | None]:
    known = sys.modules
    aside = {name: known.get(name) for name in modules}
    known.update(modules)
    return aside


def _put_back(aside: dict[str, ModuleType | None], modules: dict[str, ModuleType]) -> None:
    known = sys.modules
    for name, module in aside.items():
        if name in known:  # what the program put there itself is its own from now on
            modules[name] = known[name]
        if module is None:
            known.pop(name, None)
        else:
            known[name] = module
