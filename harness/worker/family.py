"""This side: the processes of one game and build, from the first started to the last one gone."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.driver.driver import CANCEL, FRAME
from harness.games.watch import hung_message
from harness.values.run import ErrorInfo
from harness.worker.losses import WORD_WAIT, died, hung
from harness.worker.member import Member, WorkerLost
from harness.worker.page import SLOTS, Page
from harness.worker.pins import HASH_SEED, new_folder
from harness.worker.process import CRASH, ENDS, HOME, PAGE, WHERE
from harness.worker.start import end, started
from harness.worker.strays import now
from harness.worker.wire import Channel, Closed, packed
from harness.worker.words import Answer, Boot, Fork

START_LIMIT = 60.0
"""Seconds that a process of ours may take for what no game decides."""

LOADING = 20.0
"""Seconds that a program has for its first frame, however little a frame may take."""

_LOOK = 0.25
"""Seconds from one look at the heartbeat to the next."""


class Family:
    """A worker process and its forks. Closing it leaves no process and no file behind."""

    def __init__(
        self, game: Path, memory: int | None, forks: bool, hash_seed: str = HASH_SEED
    ) -> None:
        self.game = game
        self.forks = forks
        self.environment = dict(os.environ)
        self._lock = threading.RLock()
        self._count = 0
        self._free = list(range(SLOTS - 1, 0, -1))
        self._at_home: Path | None = None
        self.folder = new_folder()
        Page.write(self.folder / PAGE)
        self.page = Page(self.folder / PAGE)
        for name in (CRASH, WHERE, ENDS):
            (self.folder / name).touch()
        # Where it writes has one name, forked or not: with forks a link that leads to each in turn.
        home = self.folder / HOME
        folder = self._new_folder() if forks else home
        folder.mkdir()
        self.page.clear(0)
        try:
            self.process, sock = started(forks, folder, home, hash_seed)
        except OSError as error:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise WorkerLost(ErrorInfo("Crashed", f"no worker can start: {error}", 0)) from None
        self.root = Member(Channel(sock), self.process.pid, folder)
        self._members = self.root.kin
        self._members.append(self.root)
        self._end = weakref.finalize(
            self, _ended, self._members, self.process, self.folder, os.getpid()
        )
        boot = Boot(str(game), str(folder), memory, tuple(sys.path))
        with contextlib.suppress(Closed):  # it is told by the first question
            self._at(self.root)
            self.root.channel.send(boot)

    @property
    def closed(self) -> bool:
        """Whether its processes are gone."""
        return not self._end.alive

    def close(self) -> None:
        """End every process of the family, and remove what they wrote."""
        self._end()

    # talking

    def slot(self) -> int:
        """A place on the page for one play; give it back with ``leave``."""
        return self._free.pop()

    def leave(self, slot: int) -> None:
        """Give a slot back."""
        self._free.append(slot)

    def ask(
        self,
        member: Member,
        message: tuple[Any, ...],
        budget: float,
        total: float | None = None,
        meanwhile: Callable[[], None] | None = None,
        loading: float | None = None,
    ) -> Answer:
        """Have a member do something, and do something else ``meanwhile``.

        Its first frame may take it ``loading`` seconds, where that is given.

        Raises:
            WorkerLost: it finished no frame for ``budget`` seconds, took longer than ``total``, or
                died; it is gone then.
        """
        data = packed(message)
        with self._lock:
            self._called_off(member)
            sent = False
            member.since = member.since or now()
            try:
                self._at(member)
                member.channel.send_packed(data)
                sent = True
                if meanwhile is not None:
                    meanwhile()
                return self._received(member, budget, total, loading)
            except Closed:
                raise died(self, member) from None
            except WorkerLost:
                raise
            except BaseException:
                self._back_in_step(member, sent)
                raise

    def _received(
        self, member: Member, budget: float, total: float | None, loading: float | None = None
    ) -> Answer:
        beat = self.page.beat(member.slot)
        began = moved = time.monotonic()
        seen = beat[FRAME]
        while True:
            patience = loading if loading is not None and seen < 0 else budget
            limit = moved + patience if total is None else min(moved + patience, began + total)
            wait = min(_LOOK, max(0.001, limit - time.monotonic()))
            try:
                answer: Answer = member.channel.receive(wait)
                return answer
            except TimeoutError:
                now = time.monotonic()
                if beat[FRAME] != seen:
                    seen, moved = beat[FRAME], now
                elif now >= moved + patience:
                    raise hung(self, member, hung_message(patience, seen < 0)) from None
                if total is not None and now >= began + total:
                    raise hung(self, member, f"it took longer than {total:g} s") from None

    def _back_in_step(self, member: Member, sent: bool) -> None:
        """After an interrupt: wait for the answer that is due, lest it is taken for the next."""
        beat = self.page.beat(member.slot)
        beat[CANCEL] = 1
        try:
            if not sent:
                raise Closed("a message broke off")
            member.channel.receive(WORD_WAIT)
        except (TimeoutError, Closed):
            member.end()
        finally:
            beat[CANCEL] = 0

    def fork(self, member: Member, wanted: Fork) -> tuple[Member | None, Answer]:
        """Make another process that goes on from where ``member`` is; ``member`` stands still.

        Where that cannot be the answer says why; else it holds what was played, as was asked.

        Raises:
            WorkerLost: ``member`` is gone.
        """
        with self._lock:
            member.stood = min(member.stood, now())
            if member.ordered == wanted:
                made, answer = self._made(member, self._ordered(member), wanted)
                if made is not None and made.lives():
                    return made, answer
                if made is not None:  # somebody killed it meanwhile
                    made.end()
            answer = self.ask(member, ("fork", self._in_a_folder(wanted)), START_LIMIT)
            return self._made(member, answer, wanted)

    def _made(self, member: Member, answer: Answer, wanted: Fork) -> tuple[Member | None, Answer]:
        """The process that a process says it has made."""
        if answer.kind != "ok" or isinstance(answer.value, str):
            return None, answer
        child, folder, tail = answer.value
        first, *more = member.channel.take_handles()
        channel = Channel(socket.socket(fileno=first))
        handle = more[0] if more else None
        made = Member(channel, child, Path(folder), wanted.slot, handle, kin=self._members)
        self._members[:] = [*(each for each in self._members if not each.gone), made]
        return made, replace(answer, value=tail)

    def _ordered(self, member: Member) -> Answer:
        member.ordered = None
        try:
            return self._received(member, START_LIMIT, None)
        except Closed:
            raise died(self, member) from None

    def order(self, member: Member, wanted: Fork) -> None:
        """Have a fork made, for a later ``fork`` that wants the same; nobody waits for it."""
        with self._lock:
            if member.gone or member.ordered is not None:
                return
            with contextlib.suppress(Closed):  # it is told to whoever asks next
                ahead = replace(self._in_a_folder(wanted), ahead=True)
                member.ordered_at = now()
                member.channel.send(("fork", ahead))
                member.ordered = wanted

    def _called_off(self, member: Member) -> None:
        """Take a fork that nobody asked for in the end, so that its answer is not in the way."""
        if member.ordered is not None:
            wanted = member.ordered
            made, _ = self._made(member, self._ordered(member), wanted)
            if made is not None:
                made.end()

    def _in_a_folder(self, wanted: Fork) -> Fork:
        return wanted.writing_to(str(self._new_folder()))

    def _at(self, member: Member) -> None:
        """Have the one path that games write to lead to the folder of who plays next."""
        if not self.forks or self._at_home == member.folder:
            return
        home = self.folder / HOME
        new = self.folder / f"{HOME}-next"
        os.symlink(member.folder, new)
        os.replace(new, home)
        self._at_home = member.folder

    def _new_folder(self) -> Path:
        self._count += 1
        return self.folder / f"run-{self._count}"


def _ended(
    members: list[Member], process: subprocess.Popen[bytes], folder: Path, owner: int
) -> None:
    # First, since the first process ends by itself when it is let go, and loses its children.
    end(process, folder, owner)
    for member in members:
        member.let_go()
