"""How a program ends itself: ``os._exit``, another one in its place, and ``pygame.quit``."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NoReturn

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
            if self.leave is not None and runtime.heeds():
                self.leave(status)
            real(status)

        def quit() -> None:
            self._has_quit = True
            quit_pygame()

        patches.put(os, "_exit", leave)
        for name in ("execv", "execve"):  # the others come to one of these
            patches.put(os, name, self._replacing(patches.original(os, name)))
        patches.put(pygame, "quit", quit)

    def _replacing(self, real: Callable[..., NoReturn]) -> Callable[..., NoReturn]:
        def replace(path: Any, args: Any, *env: Any) -> NoReturn:
            if self.leave is not None and self._runtime.heeds():
                words = [os.path.basename(os.fsdecode(word)) for word in args]
                self._runtime.note(
                    f"the game starts {' '.join(words)} in its own place, which ends it here"
                )
                self.leave(0)
            real(path, args, *env)

        return replace

    def begin(self) -> None:
        """Nothing has ended."""
        self._has_quit = False

    def check(self) -> None:
        """After a frame: say so if the program has quit, and plays on."""
        import pygame

        if self._has_quit and not pygame.display.get_init():
            self._runtime.note(_WENT_ON)
