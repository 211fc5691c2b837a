"""This side: the processes of one game and build, from the first started to the last one gone."""

from __future__ import annotations

import contextlib
import mmap
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import weakref
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.errors import HarnessError
from harness.values.run import ErrorInfo
from harness.worker.channel import Channel, ChannelClosed
from harness.worker.pins import worker_environment
from harness.worker.process import BEAT_SIZE, Start

START_LIMIT = 60.0
"""Seconds that a worker may take to start."""

_PLACE = re.compile(r'^  File "(.+)", line (\d+) in (.+)$', re.MULTILINE)
_SIGNAL = re.compile(r"Fatal Python error: (.+)")
_DUMP_WAIT = 1.0


class WorkerLost(HarnessError):
    """A process is gone, or was stopped; ``info`` says why, as far as it is known."""

    def __init__(self, info: ErrorInfo) -> None:
        self.info = info
        super().__init__(str(info))


@dataclass(slots=True)
class Member:
    """One process of a family: a channel to it, its id, the folder it writes to."""

    channel: Channel
    pid: int
    folder: Path
    gone: bool = field(default=False)


class Family:
    """A worker process and its forks. Closing it leaves no process and no file behind."""

    def __init__(self, start: Start, forks: bool, game: Path) -> None:
        self._game = game
        self._forks = forks
        self.folder = Path(tempfile.mkdtemp(prefix="playtest-"))
        self._count = 0
        (self.folder / "beat").write_bytes(bytes(BEAT_SIZE))
        with open(self.folder / "beat", "r+b") as file:
            self._page = mmap.mmap(file.fileno(), BEAT_SIZE)
        self._beat = memoryview(self._page).cast("Q")
        self._lifeline: int | None = None
        root = self._new_folder()
        self._process, channel = self._started(root)
        self.root = Member(channel, self._process.pid, root)
        self._close = weakref.finalize(
            self, _end, self._process, channel, self.folder, self._lifeline, forks
        )
        self.root.channel.send(
            Start(
                start.game, start.base, start.here, start.seed, start.scene, str(root), start.memory
            )
        )
        self._receive(self.root, START_LIMIT)

    def close(self) -> None:
        """End every process of the family, and remove what they wrote."""
        self._beat.release()
        with contextlib.suppress(BufferError):
            self._page.close()
        self._close()

    def ask(self, member: Member, message: tuple[Any, ...], budget: float, total: float | None) -> Any:
        """Have a member do something.

        Raises:
            WorkerLost: it finished no frame for ``budget`` seconds, took longer than ``total``, or
                died; it is gone then.
        """
        try:
            member.channel.send(message)
        except ChannelClosed:
            raise self._death(member) from None
        return self._receive(member, budget, total)

    def _receive(self, member: Member, budget: float, total: float | None = None) -> Any:
        began = moved = time.monotonic()
        seen = self._beat[0]
        while True:
            limit = moved + budget if total is None else min(moved + budget, began + total)
            try:
                return member.channel.receive(min(max(0.0, limit - time.monotonic()), 0.5) or 0.001)
            except TimeoutError:
                if self._beat[0] != seen:
                    seen, moved = self._beat[0], time.monotonic()
                elif time.monotonic() >= limit:
                    raise self._hang(member, budget) from None
                if total is not None and time.monotonic() >= began + total:
                    raise self._hang(member, total) from None
            except ChannelClosed:
                raise self._death(member) from None

    def fork(self, member: Member, stand: str | None = None) -> Member | str:
        """Make another process that goes on from where ``member`` is; ``member`` stands still.

        Gives the reason instead when the state cannot be kept by a fork.
        """
        folder = self._new_folder(make=False)
        kind, answer = self.ask(member, ("fork", str(folder), stand), START_LIMIT, None)
        if kind == "no":
            return str(answer)
        return Member(Channel(member.channel.receive_socket(START_LIMIT)), answer, folder)

    def end(self, member: Member) -> None:
        """Stop one process."""
        if not member.gone:
            member.gone = True
            member.channel.close()
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(member.pid, signal.SIGKILL if self._forks else signal.SIGTERM)
            shutil.rmtree(member.folder, ignore_errors=True)

    # starting

    def _new_folder(self, make: bool = True) -> Path:
        self._count += 1
        folder = self.folder / f"run-{self._count}"
        if make:
            folder.mkdir()
        return folder

    def _started(self, root: Path) -> tuple[subprocess.Popen[bytes], Channel]:
        ours, theirs = socket.socketpair()
        command = [sys.executable, "-P", "-m", "harness.worker"]
        options: dict[str, Any] = {"cwd": root, "env": worker_environment(root), "stdout": 2}
        if sys.platform == "win32":
            process = subprocess.Popen([*command, "share", "0"], stdin=subprocess.PIPE, **options)
            raise NotImplementedError
        if self._forks:
            read, self._lifeline = os.pipe()
            arguments = ["fork", str(theirs.fileno()), str(read)]
            process = subprocess.Popen(
                [*command, *arguments],
                stdin=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(), read),
                **options,
            )
            os.close(read)
        else:
            arguments = ["spawn", str(theirs.fileno())]
            process = subprocess.Popen(
                [*command, *arguments], stdin=subprocess.PIPE, pass_fds=(theirs.fileno(),), **options
            )
        theirs.close()
        return process, Channel(ours)

    # ending badly

    def _hang(self, member: Member, seconds: float) -> WorkerLost:
        frame = int(self._beat[0])
        places = self._places(member)
        self.end(member)
        return WorkerLost(
            self._info("Hung", f"no frame was finished for {seconds:g} s", frame + 1, places)
        )

    def _places(self, member: Member) -> list[tuple[str, int, str]]:
        """Ask a hung process where it is: its own files, innermost first."""
        if not hasattr(signal, "SIGUSR1"):
            return []
        where = self.folder / "where"
        before = where.stat().st_size if where.exists() else 0
        with contextlib.suppress(ProcessLookupError):
            os.kill(member.pid, signal.SIGUSR1)
        deadline = time.monotonic() + _DUMP_WAIT
        while time.monotonic() < deadline:
            if where.stat().st_size > before:
                time.sleep(0.02)
                break
            time.sleep(0.005)
        return _places_in(where.read_text(errors="replace")[before:])

    def _death(self, member: Member) -> WorkerLost:
        frame = int(self._beat[0])
        self.end(member)
        crash = (self.folder / "crash").read_text(errors="replace")
        (self.folder / "crash").write_text("")
        found = _SIGNAL.search(crash)
        cause = found[1] if found else "the process ended without a word (os._exit, or killed)"
        return WorkerLost(self._info("Crashed", cause, frame + 1, _places_in(crash)))

    def _info(
        self, kind: str, message: str, frame: int, places: list[tuple[str, int, str]]
    ) -> ErrorInfo:
        own = [place for place in places if Path(place[0]).is_relative_to(self._game)]
        file, line = "", 0
        if own:
            file, line = Path(own[0][0]).relative_to(self._game).as_posix(), own[0][1]
        lines = tuple(
            f"{Path(f).relative_to(self._game).as_posix()}:{n}: {name}" for f, n, name in reversed(own)
        )
        return ErrorInfo(kind, message, frame, file, line, lines)


def _places_in(dump: str) -> list[tuple[str, int, str]]:
    return [(file, int(line), name) for file, line, name in _PLACE.findall(dump)]


def _end(
    process: subprocess.Popen[bytes], channel: Channel, folder: Path, lifeline: int | None, forks: bool
) -> None:
    channel.close()
    if lifeline is not None:
        with contextlib.suppress(OSError):
            os.close(lifeline)
    with contextlib.suppress(OSError):
        if forks:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    if process.stdin is not None:
        with contextlib.suppress(OSError):
            process.stdin.close()
    process.wait()
    shutil.rmtree(folder, ignore_errors=True)
