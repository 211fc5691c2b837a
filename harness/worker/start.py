"""Starts the first process of a family, and ends all of them."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

from harness.worker.pins import start_environment


def started(
    forks: bool, folder: Path, home: Path, hash_seed: str
) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Start a worker that stands in ``folder`` and takes ``home`` for its home.

    Raises:
        OSError: it cannot be started.
    """
    ours, theirs = socket.socketpair()
    with theirs:
        try:
            environment = start_environment(home, hash_seed)
            return _process("fork" if forks else "spawn", theirs, folder, environment), ours
        except OSError:
            ours.close()
            raise


def _process(
    how: str, sock: socket.socket, folder: Path, environment: dict[str, str]
) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-P", "-m", "harness.worker", how]
    options: dict[str, Any] = {
        "cwd": folder,
        "env": environment,
        "stdin": subprocess.PIPE,
        "stdout": 2,
        "bufsize": 0,
    }
    if sys.platform != "win32":
        options.update(pass_fds=(sock.fileno(),), process_group=0)
        return subprocess.Popen([*command, str(sock.fileno())], **options)
    process = subprocess.Popen([*command, _WINDOWS_SHARE], **options)
    assert process.stdin is not None
    process.stdin.write(sock.share(process.pid))
    return process


_WINDOWS_SHARE = "372"
"""Bytes of a WSAPROTOCOL_INFO, which is what ``share`` gives."""


def end(process: subprocess.Popen[bytes], folder: Path, owner: int, forks: bool) -> None:
    """End a worker and all that were forked of it, and remove what they wrote."""
    if os.getpid() != owner:  # a fork of the process whose family it is
        return
    with contextlib.suppress(OSError):
        # The group is there as long as its first process is not waited for.
        if sys.platform != "win32" and forks and process.returncode is None:
            for escaped in _escaped(process.pid):
                with contextlib.suppress(OSError):
                    os.kill(escaped, signal.SIGKILL)
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    if process.stdin is not None:
        with contextlib.suppress(OSError):
            process.stdin.close()
    process.wait()
    shutil.rmtree(folder, ignore_errors=True)


def _escaped(root: int) -> list[int]:
    """The processes below ``root`` that a game took out of its group, as daemons are."""
    below: dict[int, list[tuple[int, int]]] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):  # gone meanwhile
            told = Path("/proc", name, "stat").read_text(errors="replace")
            # The name of the program comes first, in brackets, and may hold anything.
            _, parent, group, *_ = told.rpartition(")")[2].split()
            below.setdefault(int(parent), []).append((int(name), int(group)))
    found, left = [], [root]
    while left:
        children = below.get(left.pop(), [])
        left += [process for process, _ in children]
        found += [process for process, group in children if group != root]
    return found
