"""Processes that a program starts of itself: by multiprocessing, or by a fork.

One that computes something and ends, as the move of a chess game, has ended when its start comes
back, so that the program finds it done in the same frame each time. Others are named.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from harness.games.script.imports import Imports
from harness.games.script.runtime import Patches, Runtime
from harness.games.script.turns import LOOK, Watch, named, work_of

_MOST_IDLE = 0.5
"""Seconds without any CPU after which a process waits for something, most likely the program."""

_POOLS = ("multiprocessing.", "concurrent.")
"""Modules whose own processes wait for work."""


def _really_waits(module: Any, patches: Patches) -> None:
    """Have what waits for a process do so by the clock that the process goes by."""
    patches.put(module, "time", time)


class Children:
    """The processes of a program."""

    def __init__(self, runtime: Runtime, imports: Imports) -> None:
        self._runtime = runtime
        self._starts = False
        imports.when("multiprocessing.process", self._loaded)
        for name in ("connection", "queues"):
            imports.when(f"multiprocessing.{name}", _really_waits)

    def install(self, patches: Patches) -> None:
        """Notice forks; processes are replaced when their module is imported."""
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_parent=self._forked)

    def begin(self) -> None:
        """None is left behind: they end with the process of the program."""

    def _forked(self) -> None:
        if self._runtime.playing and not self._starts:
            self._note("by a fork")

    def _loaded(self, module: Any, patches: Patches) -> None:
        start = patches.original(module.BaseProcess, "start")

        def started(process: Any) -> None:
            target = getattr(process, "_target", None) or type(process).run
            with self._starting():
                start(process)
            pools = str(getattr(target, "__module__", "")).startswith(_POOLS)
            if self._runtime.heeds() and (pools or not _is_over(process)):
                self._note(named(target))

        patches.put(module.BaseProcess, "start", started)

    @contextmanager
    def _starting(self) -> Iterator[None]:
        self._starts = True
        try:
            yield
        finally:
            self._starts = False

    def _note(self, what: str) -> None:
        self._runtime.note(
            f"the game starts a process of its own, {what}: when that comes to what is not the"
            " harness's to say, so the same bits cannot be promised"
        )


def _is_over(process: Any) -> bool:
    """Wait for a process as long as it works; says whether it has ended."""
    from multiprocessing.connection import wait

    stat = f"/proc/{process.pid}/stat"
    watch = Watch(0, work_of(stat), _MOST_IDLE)
    while not wait([process.sentinel], LOOK):
        if watch.overdue(work_of(stat)):
            return False
    process._popen.wait()  # its files are closed a little before it has ended
    return True
