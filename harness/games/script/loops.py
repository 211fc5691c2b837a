"""asyncio on the virtual clock: its loops take their time, and their waits, from there."""

from __future__ import annotations

import selectors
from types import ModuleType
from typing import Any

from harness.games.script.runtime import SECOND, Patches, Runtime

_ELSEWHERE = 0.05
"""Seconds that are really waited for what other threads hand to an event loop."""


def install_loops(asyncio: Any, patches: Patches, runtime: Runtime, time: ModuleType) -> None:
    """Have every new event loop wait for virtual time."""

    class VirtualSelector(selectors.DefaultSelector):
        """Looks at real files in passing, and waits on the virtual clock."""

        def select(self, timeout: float | None = None) -> Any:
            if not runtime.heeds():
                return super().select(timeout)
            ready = super().select(0 if timeout is not None else _ELSEWHERE)
            if ready or timeout is None or timeout <= 0:
                return ready
            # A little more: the loop compares floats, and must not come a hair too early.
            runtime.wait(int(timeout * SECOND) + 1)
            return super().select(0)

    def new_event_loop() -> Any:
        return asyncio.SelectorEventLoop(VirtualSelector())

    patches.put(asyncio.base_events, "time", time)
    for owner in (asyncio, asyncio.events):
        patches.put(owner, "new_event_loop", new_event_loop)
    policy = type(asyncio.get_event_loop_policy())
    patches.put(policy, "new_event_loop", lambda _self: new_event_loop())
