"""How a program ends itself: ``os._exit``, and ``pygame.quit`` after which it goes on."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NoReturn

from harness.games.script.runtime import Patches, Runtime

_WENT_ON = "the program called pygame.quit() and went on without a window"


class Exits:
    """Ends a program, and not the process, where it says so."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self.leave: Callable[[int], NoReturn] | None = None
        """Ends the program that runs, at once."""
        self._has_quit = False

    def install(self, patches: Patches) -> None:
        """Replace ``os._exit``; other threads, and forks of the game's, leave by it as ever."""
        import pygame

        real, runtime, quit_pygame = os._exit, self._runtime, pygame.quit

        def leave(status: int) -> NoReturn:
            if self.leave is not None and not runtime.is_child and runtime.heeds():
                self.leave(status)
            real(status)

        def quit() -> None:
            self._has_quit = True
            quit_pygame()

        patches.put(os, "_exit", leave)
        patches.put(pygame, "quit", quit)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forked)

    def _forked(self) -> None:
        """A fork that is made while the program runs is the program's own."""
        self._runtime.is_child = self._runtime.playing

    def begin(self) -> None:
        """Nothing has ended."""
        self._has_quit = False

    def check(self) -> None:
        """After a frame: say so if the program has quit, and plays on."""
        import pygame

        if self._has_quit and not pygame.display.get_init():
            self._runtime.note(_WENT_ON)
