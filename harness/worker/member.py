"""One process, as this side holds it."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

from harness.errors import HarnessError
from harness.values.run import ErrorInfo
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

    def end(self) -> None:
        """Stop the process. Its id may be another's by now, so that a handle is asked for first."""
        if self.gone:
            return
        with contextlib.suppress(OSError):
            if sys.platform != "linux":
                pass  # there it ends as its channel closes
            elif self.handle is not None:
                signal.pidfd_send_signal(self.handle, signal.SIGKILL)
            else:
                os.kill(self.pid, signal.SIGKILL)
        self.let_go()
        try:
            os.rmdir(self.folder)  # most games write nothing
        except OSError:
            shutil.rmtree(self.folder, ignore_errors=True)

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
