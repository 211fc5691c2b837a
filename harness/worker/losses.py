"""How a process was lost, and what is told of its run."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from harness.driver.driver import FRAME
from harness.games.folder import own_files
from harness.values.run import ErrorInfo, RunRequest, RunResult, run_id
from harness.worker import places
from harness.worker.ends import status_of, told_end
from harness.worker.lifeline import WHERE as SAY_WHERE
from harness.worker.member import Member, WorkerLost
from harness.worker.process import CRASH, ENDS, WHERE

if TYPE_CHECKING:
    from harness.worker.family import Family

WORD_WAIT = 1.0
"""Seconds that a dying or hanging process has to say where it is."""


def lost_run(
    request: RunRequest, info: ErrorInfo, start: int, seed: int, scene: str, build: str
) -> RunResult:
    """Tell the end of a process as the result of a run that began at frame ``start``."""
    info = replace(info, frame=max(0, info.frame - start))
    return RunResult(
        "error",
        "error",
        info.frame,
        start,
        seed,
        scene,
        build,
        "",
        error=info,
        request=request,
        run_id=run_id(request, build, ""),
    )


def hung(family: Family, member: Member, message: str) -> WorkerLost:
    """End a process that hangs, and say where it was."""
    frame = family.page.beat(member.slot)[FRAME] + 1
    dump = _where(family, member)
    member.end()
    return WorkerLost(places.ended_there(own_files(family.game), dump, "Hung", message, frame))


def _where(family: Family, member: Member) -> str:
    """Ask a process that hangs where it is."""
    file = family.folder / WHERE
    before = file.stat().st_size
    with contextlib.suppress(OSError):
        if sys.platform == "linux" and member.handle is not None:
            signal.pidfd_send_signal(member.handle, signal.SIGUSR1)
        elif sys.platform != "win32":
            os.kill(member.pid, signal.SIGUSR1)
        elif family.process.stdin is not None:
            family.process.stdin.write(SAY_WHERE)
            family.process.stdin.flush()
    return _written(file, before)


def died(family: Family, member: Member) -> WorkerLost:
    """Let go of a process that is gone, and say how it ended."""
    frame = family.page.beat(member.slot)[FRAME] + 1
    status = _status(family, member)
    member.end()
    file = family.folder / CRASH
    dump = file.read_text(errors="replace")
    os.truncate(file, 0)
    message = places.cause(dump) or told_end(status)
    return WorkerLost(places.ended_there(own_files(family.game), dump, "Crashed", message, frame))


def _status(family: Family, member: Member) -> int | None:
    """How a process that is gone ended, as its own parent was told."""
    if member is family.root:
        with contextlib.suppress(subprocess.TimeoutExpired):
            family.process.wait(WORD_WAIT)
        return family.process.returncode
    deadline = time.monotonic() + WORD_WAIT
    while time.monotonic() < deadline:
        text = (family.folder / ENDS).read_text()
        status = status_of(text, member.pid)
        if status is not None:
            return status
        time.sleep(0.005)
    return None


def _written(file: Path, before: int) -> str:
    """What is added to a file, once a whole dump is there."""
    deadline = time.monotonic() + WORD_WAIT
    size = before
    while time.monotonic() < deadline:
        last, size = size, file.stat().st_size
        if size > before and size == last:
            break
        time.sleep(0.01)
    return file.read_text(errors="replace")[before:]
