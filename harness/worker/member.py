"""One process, as this side holds it."""

from __future__ import annotations

import contextlib
import math
import os
import select
import shutil
import signal
import sys
from dataclasses import dataclass, field
from pathlib import Path

from harness.errors import HarnessError
from harness.values.run import ErrorInfo
from harness.worker import strays
from harness.worker.wire import Channel
from harness.worker.words import Fork


class WorkerLost(HarnessError):
    """A process is gone, or was stopped; ``info`` says why, as far as it is known."""

    def __init__(self, info: ErrorInfo) -> None:
        self.info = info
        super().__init__(str(info))


@dataclass(slots=True, eq=False)
class Member:
    """One process of a family: a channel to it, and what it takes to end that very process."""

    channel: Channel
    pid: int
    folder: Path
    slot: int = 0
    handle: int | None = None
    gone: bool = False
    ordered: Fork | None = None
    """The fork of it that is being made already, for whoever asks for that very one."""
    ordered_at: float = 0.0
    since: float | None = None
    """When it was first asked for something."""
    stood: float = math.inf
    """When it came to stand still."""
    kin: list[Member] = field(default_factory=list)
    """The members of its family, the first process at their head."""

    def end(self) -> None:
        """Stop the process, and what its game has started.

        Its id may be another's by now, so that a handle is asked for first.
        """
        if self.gone:
            return
        started = self._started()
        with contextlib.suppress(OSError):
            if sys.platform != "linux":
                pass  # there it ends as its channel closes
            elif self.handle is not None:
                signal.pidfd_send_signal(self.handle, signal.SIGKILL)
            else:
                os.kill(self.pid, signal.SIGKILL)
        self.let_go()
        strays.end_all(started)
        self._end_lost()
        try:
            os.rmdir(self.folder)  # most games write nothing
        except OSError:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _started(self) -> list[int]:
        if sys.platform != "linux" or not self.lives():
            return []
        return strays.below(self.pid, [each.pid for each in self.kin])

    def _end_lost(self) -> None:
        left = [each for each in self.kin if not each.gone]
        if left and left[0] is self.kin[0]:
            first = left[0]
            played = [(each.since, each.stood) for each in left if each.since is not None]
            due = first.ordered_at if first.ordered is not None else None
            strays.end_lost(first.pid, [each.pid for each in self.kin], played, due)

    def let_go(self) -> None:
        """Close what the process is held by."""
        if self.gone:
            return
        self.gone = True
        self.channel.close()
        if self.handle is not None:
            os.close(self.handle)

    def lives(self) -> bool:
        """Whether the process is there, as far as the system can tell."""
        if sys.platform != "linux" or self.handle is None:
            return True
        poll = select.poll()
        poll.register(self.handle, select.POLLIN)
        return not poll.poll(0)
