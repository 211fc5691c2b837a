"""The other side: a process that plays what it is told, forks when told, and stands still else."""

from __future__ import annotations

import contextlib
import faulthandler
import mmap
import os
import random
import shutil
import signal
import socket
import sys
import threading
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from harness.errors import HarnessError
from harness.playtest.play import Playtest
from harness.playtest.savestates import Savestate
from harness.values.movie import Movie
from harness.values.run import RunRequest, RunResult
from harness.worker.channel import Channel, ChannelClosed
from harness.worker.told import told

BEAT_SIZE = 4096
_F_SETSIG = 10


@dataclass(frozen=True, slots=True)
class Start:
    """What a worker process is told first."""

    game: str
    base: str
    here: str
    seed: int
    scene: str | None
    scratch: str
    memory: int | None


def serve(channel: Channel, forks: bool) -> NoReturn:
    """Answer until the other side is gone."""
    start: Start = channel.receive()
    _Process(channel, start, forks).answer()


class _Process:
    """One process of a family: the zygote, the one that plays, or one that stands still."""

    def __init__(self, channel: Channel, start: Start, forks: bool) -> None:
        self._channel = channel
        self._start = start
        self._scratch = Path(start.scratch)
        self._forks = forks
        self._keep: list[Any] = []
        self._beat = self._mapped()
        if start.memory is not None:
            _limit_memory(start.memory)
        self._watch_faults()
        self._play = Playtest(
            start.game, seed=start.seed, scene=start.scene, base=Path(start.base), here=Path(start.here)
        )
        self._play.stage.beat = self._beat

    def answer(self) -> NoReturn:
        """Do what comes in, one thing after another."""
        try:
            self._channel.send(("ready", os.getpid()))
            while True:
                kind, *rest = self._channel.receive()
                getattr(self, f"_do_{kind}")(*rest)
        except ChannelClosed:
            _leave()

    # what it can be told

    def _do_warm(self) -> None:
        """Import the game, so that forks need not."""
        try:
            with self._play.stage.game.active():
                self._play.stage.game.refresh()
        except HarnessError:
            pass  # each play will say so itself
        self._channel.send(("ok", self._play.stage.game.build))

    def _do_verb(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        own = getattr(self, f"_verb_{name}", None)
        try:
            answer = ("ok", (own or getattr(self._play, name))(*args, **kwargs))
        except HarnessError as error:
            answer = ("raise", told(error))
        except TypeError as error:
            answer = ("type", str(error))
        sys.stdout.flush()
        self._channel.send(answer)

    def _do_fork(self, folder: str, stand: str | None) -> None:
        """Go on as another process, which writes to ``folder``; this one stands still from now on.

        With ``stand`` the state is a savestate of that name.
        """
        refusal = _unforkable(self._scratch) if stand is not None else ""
        if refusal:
            self._channel.send(("no", refusal))
            return
        ours, theirs = socket.socketpair()
        generator = random.getstate()
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            pid = os.fork()
        if pid:
            theirs.close()
            self._channel.send(("ok", pid))
            self._channel.send_socket(ours)
            ours.close()
            return
        # CPython seeds `random` anew in a forked child.
        random.setstate(generator)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        ours.close()
        self._channel.close()
        self._channel = Channel(theirs)
        self._move_to(Path(folder))
        self._play.stage.stands_at = stand

    def _move_to(self, folder: Path) -> None:
        """Have a write folder of one's own, with what was written so far."""
        before = Path.cwd()
        folder.mkdir(exist_ok=True)
        inside = before.relative_to(self._scratch) if before.is_relative_to(self._scratch) else None
        for item in self._scratch.iterdir():
            if item.is_dir() and not item.is_symlink():
                shutil.copytree(item, folder / item.name, symlinks=True)
            elif item.is_file():
                shutil.copy2(item, folder / item.name)
        self._scratch = folder
        os.environ.update(dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "TMPDIR"), str(folder)))
        if inside is not None:
            os.chdir(folder / inside)

    # verbs that only the other side asks for

    def _verb_run(self, request: RunRequest, against: dict[str, RunResult]) -> RunResult:
        self._play.stage.runs.update(against)
        return self._play.run(request)

    def _verb_frame_now(self) -> int:
        return self._play.frame

    def _verb_notes_now(self) -> list[str]:
        return self._play.notes

    def _verb_start_now(self) -> tuple[int, str]:
        driver = self._play.stage.driver
        return driver.seed, driver.scene

    def _verb_played(self) -> Movie | None:
        return self._play.stage.played()

    def _verb_saved_now(self, name: str) -> Savestate:
        with self._play.stage.acting():
            self._play.stage.save(name)
        return self._play.stage.savestate(name)

    def _verb_keep(self, name: str, state: Savestate) -> None:
        self._play.stage.saves[name] = state

    def _verb_check_name(self, name: str) -> None:
        with self._play.stage.acting():
            pass  # the play must be there, and not have failed

    def _verb_load_here(self, name: str) -> int:
        if self._play.stage.stands_at == name:
            return self._play.frame
        return self._play.load(name)

    # what it is held by

    def _mapped(self) -> memoryview:
        with open(self._scratch.parent / "beat", "r+b") as file:
            page = mmap.mmap(file.fileno(), BEAT_SIZE)
        self._keep.append(page)
        return memoryview(page).cast("Q")

    def _watch_faults(self) -> None:
        """Have the place written down where the process hung or crashed."""
        family = self._scratch.parent
        crash = open(family / "crash", "a", encoding="utf-8")  # noqa: SIM115
        where = open(family / "where", "a", encoding="utf-8")  # noqa: SIM115
        self._keep += [crash, where]
        faulthandler.enable(file=crash, all_threads=False)
        if hasattr(faulthandler, "register"):
            faulthandler.register(signal.SIGUSR1, file=where, all_threads=False)


def _limit_memory(megabytes: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    limit = megabytes << 20
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _unforkable(scratch: Path) -> str:
    """Why a state cannot be kept by a fork; empty when it can."""
    if threading.active_count() > 1:
        return "the game runs threads"
    try:
        handles = os.listdir("/proc/self/fd")
    except OSError:
        return "this system does not tell what files are open"
    for handle in handles:
        try:
            target = os.readlink(f"/proc/self/fd/{handle}")
        except OSError:
            continue
        if not os.path.isfile(target) or int(handle) <= 2:
            continue
        if Path(target).parent != scratch.parent:
            return f"the game has a file open: {target}"
    return ""


def die_with(lifeline: int) -> None:
    """Have the kernel kill this process group when the other end of ``lifeline`` is closed.

    Nothing that the game does can prevent it, a loop in C included.
    """
    import fcntl

    os.setpgid(0, 0)
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, -os.getpid())
    fcntl.fcntl(lifeline, _F_SETSIG, int(signal.SIGKILL))
    flags = fcntl.fcntl(lifeline, fcntl.F_GETFL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, flags | os.O_ASYNC)


def die_at_end_of_input() -> None:
    """Leave when standard input ends; where the kernel cannot be asked to see to it."""

    def watch() -> None:
        while os.read(0, 1):
            pass
        os._exit(1)

    threading.Thread(target=watch, daemon=True, name="playtest lifeline").start()


def _leave() -> NoReturn:
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(0)
