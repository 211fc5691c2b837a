"""The pymunk spaces of a program: those that it stepped in a frame are part of that frame."""

from __future__ import annotations

from typing import Any

from harness.games.script.runtime import Patches, Runtime

_THREADS = "Space(threaded=True) is run with one thread: more give other results each time"


class Spaces:
    """Which spaces were stepped since the last frame, in the order in which they were."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self.stepped: tuple[Any, ...] = ()
        self.last: Any = None
        """The space that was stepped last."""

    def install(self, patches: Patches) -> None:
        """Watch the step of every space."""
        import pymunk

        step = pymunk.Space.step

        def watched_step(space: Any, dt: float) -> None:
            if space is not self.last or not self.stepped:
                self._note(space)
            step(space, dt)

        patches.put(pymunk.Space, "step", watched_step)

    def begin(self) -> None:
        """None was stepped."""
        self.stepped, self.last = (), None

    def fresh_frame(self) -> None:
        """None was stepped in this frame."""
        self.stepped = ()

    def _note(self, space: Any) -> None:
        self.last = space
        if not any(space is known for known in self.stepped):
            self.stepped = (*self.stepped, space)
        if space.threaded and space.threads != 1:
            space.threads = 1
            self._runtime.note(_THREADS)
