"""``pygame.event``: looking for events is what tells the runtime that a program is listening.

The queue is the real one, and so are filters and blocked types: input is posted as real events.
"""

from __future__ import annotations

from typing import Any

from harness.games.script.imports import Imports
from harness.games.script.runtime import MILLISECOND, SECOND, Patches, Runtime

_LOOKS = ("get", "poll", "peek", "clear", "pump", "get_busy")


class Events:
    """The functions that look into the queue, of ``pygame.event`` and ``pygame.fastevent``."""

    def __init__(self, runtime: Runtime, imports: Imports) -> None:
        self._runtime = runtime
        self._clear: Any = None
        imports.when("pygame.fastevent", self._wrap)

    def install(self, patches: Patches) -> None:
        """Wrap what looks, and replace what waits."""
        import pygame

        self._clear = pygame.event.clear
        self._wrap(pygame.event, patches)

    def _wrap(self, module: Any, patches: Patches) -> None:
        poll = module.poll
        for name in _LOOKS:
            if hasattr(module, name):
                patches.put(module, name, self._looking(getattr(module, name)))
        patches.put(module, "wait", self._waiting(poll))

    def begin(self) -> None:
        """Forget the events of a program that ran before."""
        import pygame

        if pygame.display.get_init():
            self._clear()

    def _looking(self, real: Any) -> Any:
        looked = self._runtime.looked

        def look(*args: Any, **kwargs: Any) -> Any:
            looked()
            return real(*args, **kwargs)

        return look

    def _waiting(self, poll: Any) -> Any:
        import pygame

        runtime = self._runtime

        def wait(timeout: int = 0) -> Any:
            end = runtime.now + timeout * MILLISECOND if timeout > 0 else None
            while True:
                event = poll()
                if event.type != pygame.NOEVENT or (end is not None and runtime.now >= end):
                    return event
                step = SECOND // runtime.tick_rate
                if end is not None:
                    step = min(step, end - runtime.now)
                if not runtime.heeds():
                    runtime.wait(step)
                    continue
                if end is not None:
                    runtime.advance(step)
                runtime.idle()

        return wait
