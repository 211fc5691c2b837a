"""Starts a worker process: ``python -P -m harness.worker`` with its sockets as arguments."""

from __future__ import annotations

import os
import signal
import socket
import sys

from harness.worker.channel import Channel
from harness.worker.process import die_at_end_of_input, die_with, serve


def main() -> None:
    """Take over the channel, and answer on it."""
    # What the game prints must not reach anybody's standard output.
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    kind = sys.argv[1]
    if kind == "fork":
        die_with(int(sys.argv[3]))
        sock = socket.socket(fileno=int(sys.argv[2]))
    elif kind == "spawn":
        sock = socket.socket(fileno=int(sys.argv[2]))
        die_at_end_of_input()
    else:
        sock = socket.fromshare(sys.stdin.buffer.read(int(sys.argv[2])))  # type: ignore[attr-defined]
        die_at_end_of_input()
    serve(Channel(sock), forks=kind == "fork")


if __name__ == "__main__":
    main()
