"""asyncio on the virtual clock: its loops take their time, and their waits, from there."""

from __future__ import annotations

import selectors
import time as real_time
from types import ModuleType
from typing import Any

from harness.games.script.runtime import SECOND, Patches, Runtime

_ELSEWHERE = 0.05
"""Seconds that are really waited for what other threads hand to an event loop."""


def install_loops(asyncio: Any, patches: Patches, runtime: Runtime, made: list[Any]) -> None:
    """Have every new event loop wait for virtual time; it is added to those that were ``made``."""
    # Not one that keeps its list in the kernel, where forks of this process would share it.
    kind: Any = getattr(selectors, "PollSelector", selectors.SelectSelector)

    class VirtualSelector(kind):  # type: ignore[misc]
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
        loop = asyncio.SelectorEventLoop(VirtualSelector())
        made.append(loop)
        return loop

    time = ModuleType("time")
    vars(time).update(vars(real_time))
    # The plain clock: what a loop waits for must add up.
    time.monotonic = lambda: runtime.read() / SECOND  # type: ignore[attr-defined]
    patches.put(asyncio.base_events, "time", time)
    for owner in (asyncio, asyncio.events):
        patches.put(owner, "new_event_loop", new_event_loop)
    policy = type(asyncio.get_event_loop_policy())
    patches.put(policy, "new_event_loop", lambda _self: new_event_loop())


def pipes(loops: list[Any]) -> frozenset[int]:
    """The descriptors by which event loops wake themselves: forks may share them.

    What is written there says nothing, and is only read to be forgotten.
    """
    ends = [getattr(loop, name, None) for loop in loops for name in ("_ssock", "_csock")]
    return frozenset(end.fileno() for end in ends if end is not None and end.fileno() >= 0)
