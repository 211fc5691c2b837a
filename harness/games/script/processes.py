"""Processes of a program's own: they run on the real clock, and are none of the harness's.

What a program forks is a copy of the process that plays it, driver and all. It only ever goes on as
the program: its waits are real, its pictures end no frame, and it ends where the program would.

One that computes something and ends, as the move of a chess game, has ended when its start comes
back, so that the program finds it done in the same frame each time. While another lives, the
program's clock goes no faster than the real one, so that an answer comes about as many frames later
as it would for somebody who plays.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from harness.games.script.beside import LOOK, Watch, named, target_of, work_of
from harness.games.script.imports import Imports
from harness.games.script.runtime import SECOND, Patches, Runtime

_LONGEST = 10 * SECOND
"""How long one process keeps the program's clock at the pace of the real one."""

_MOST_IDLE = 0.5
"""Seconds without any CPU after which a process waits for something, most likely the program."""

_POOLS = ("multiprocessing.", "concurrent.")
"""Modules whose own processes wait for work."""


class Processes:
    """Forks, those of multiprocessing, and other programs that are started."""

    def __init__(self, runtime: Runtime, imports: Imports) -> None:
        self._runtime = runtime
        self._living: list[Callable[[], bool]] = []
        self._pace_until = 0
        self._is_multiprocessing = False
        self._since = (0, 0)
        """The virtual and the real time from which the pace is kept."""
        self.starting: Callable[[], None] = _nothing
        """Called before a process is started, which may write wherever the program does."""
        imports.when("multiprocessing.process", self._multiprocessing_loaded)
        for name in ("connection", "queues"):
            imports.when(f"multiprocessing.{name}", _waits_really)

    def install(self, patches: Patches) -> None:
        """Look out for forks, and for programs that are started."""
        begin = subprocess.Popen.__init__
        runtime = self._runtime

        def started(process: Any, *given: Any, **keywords: Any) -> None:
            begin(process, *given, **keywords)
            if runtime.heeds():
                self._keep_pace(lambda: process.poll() is None)

        patches.put(subprocess.Popen, "__init__", started)
        if sys.platform == "win32":
            return
        fork = patches.original(os, "fork")

        def forked() -> int:
            if runtime.heeds() and not self._is_multiprocessing:
                caller = sys._getframe(1)
                file = os.path.basename(caller.f_code.co_filename)
                self._note(f"forked at {file}:{caller.f_lineno}")
                self.starting()
            return int(fork())

        patches.put(os, "fork", forked)
        os.register_at_fork(after_in_child=self._in_child)

    def begin(self) -> None:
        """There are none."""
        self._living.clear()
        self._pace_until = 0
        self._runtime.company = None

    def _in_child(self) -> None:
        if self._runtime.playing:  # else it is one of ours, which goes on as the whole
            self._living.clear()
            self._runtime.leave_to_itself()

    def _multiprocessing_loaded(self, module: Any, patches: Patches) -> None:
        start = patches.original(module.BaseProcess, "start")

        def started(process: Any) -> None:
            ours = self._runtime.heeds()
            target = target_of(process)  # its start forgets what it was
            if ours:
                self.starting()
            self._is_multiprocessing = True
            try:
                start(process)
            finally:
                self._is_multiprocessing = False
            pools = str(getattr(target, "__module__", "")).startswith(_POOLS)
            if ours and (pools or not _is_over(process)):
                self._note(named(target))
                self._keep_pace(process.is_alive)

        patches.put(module.BaseProcess, "start", started)

    def _note(self, name: str) -> None:
        self._runtime.note(
            f"the game runs a process of its own, {name}: when it answers is not the harness's to"
            " say, so the same bits cannot be promised"
        )

    # the pace

    def _keep_pace(self, lives: Callable[[], bool]) -> None:
        now = self._runtime.now
        if self._runtime.company is None:
            self._since = (now, time.monotonic_ns())
        self._living.append(lives)
        self._pace_until = now + _LONGEST
        self._runtime.company = self._wait_for_company

    def _wait_for_company(self) -> None:
        """Really wait until the real clock is where the program's is."""
        now = self._runtime.now
        self._living = [lives for lives in self._living if _is(lives)]
        if not self._living or now > self._pace_until:
            self._living.clear()
            self._runtime.company = None
            return
        ahead = (now - self._since[0]) - (time.monotonic_ns() - self._since[1])
        if ahead > 0:
            time.sleep(ahead / SECOND)


def _waits_really(module: Any, patches: Patches) -> None:
    """Have what waits for a process do so by the clock that the process goes by."""
    patches.put(module, "time", time)


def _is_over(process: Any) -> bool:
    """Wait for a process as long as it works; says whether it has ended."""
    from multiprocessing.connection import wait

    stat = f"/proc/{process.pid}/stat"
    watch = Watch(work_of(stat), _MOST_IDLE)
    while not wait([process.sentinel], LOOK):
        if watch.overdue(work_of(stat)):
            return False
    process._popen.wait()  # its files are closed a little before it has ended
    return True


def _is(lives: Callable[[], bool]) -> bool:
    """Whether a process lives; one that a parent of this fork started is no longer known."""
    try:
        return lives()
    except (AssertionError, ValueError, OSError):
        return False


def _nothing() -> None:
    pass
