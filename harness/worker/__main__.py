"""Starts a worker process: ``python -P -m harness.worker`` with its socket as an argument."""

from __future__ import annotations

import os
import signal
import socket
import sys

from harness.worker.process import Process
from harness.worker.wire import Channel


def main() -> None:
    """Take over the channel, and answer on it."""
    # What the game prints must not reach anybody's standard output.
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    how, number = sys.argv[1], int(sys.argv[2])
    channel = Channel(_shared(number) if sys.platform == "win32" else _inherited(number))
    Process(channel, channel.receive(), forks=how == "fork").answer()


def _inherited(number: int) -> socket.socket:
    sock = socket.socket(fileno=number)
    sock.set_inheritable(False)
    return sock


def _shared(size: int) -> socket.socket:
    """Windows hands a socket over as bytes, which come first on standard input."""
    data = b""
    while len(data) < size:
        data += os.read(0, size - len(data))
    return socket.fromshare(data)  # type: ignore[attr-defined,no-any-return,unused-ignore]


if __name__ == "__main__":
    main()
