"""The other side: a process that plays what it is told, and of which others are forked."""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import os
import random
import shutil
import signal
import socket
import sys
import threading
import traceback
import warnings
from pathlib import Path
from typing import Any, Literal, NoReturn

from harness.driver.environment import movie_header
from harness.errors import HarnessError
from harness.expressions import compiled
from harness.games.opening import loaded_game
from harness.playtest.play import Playtest
from harness.values.notation import parse
from harness.worker import descriptors
from harness.worker.acts import Acts
from harness.worker.ends import Ends
from harness.worker.lifeline import Below, adopt_orphans, hold_on
from harness.worker.page import Page
from harness.worker.pages import have, note_own
from harness.worker.pins import pinned
from harness.worker.reel import Tail
from harness.worker.wire import Channel, Closed
from harness.worker.words import Answer, Boot, Fork, Start

HOME, PAGE, CRASH, WHERE, ENDS, PAGES = "home", "page", "crash", "where", "ends", "pages"
"""What lies in a family's folder, beside a folder for each process."""


class Process:
    """The process that others are forked from, or the one that plays, or one that stands still."""

    def __init__(self, channel: Channel, boot: Boot, forks: bool) -> None:
        self._channel = channel
        self._boot = boot
        self._forks = forks
        self._folder = Path(boot.folder)
        self._family = self._folder.parent
        self._page = Page(self._family / PAGE)
        self._acts: Acts | None = None
        self._pages: Path | None = None
        self._noted = 0
        self._environment = dict(os.environ)
        self._strayed = False
        crash, where = self._opened(CRASH), self._opened(WHERE)
        self._files = [crash, where]
        self._lifeline = hold_on(where)
        self._below = Below(self._lifeline) if forks else None  # for the first process alone
        faulthandler.enable(file=crash, all_threads=False)
        if sys.platform != "win32":
            faulthandler.register(signal.SIGUSR1, file=where, all_threads=True)
        if sys.platform == "linux":
            adopt_orphans()
        if forks:
            self._files.append(self._opened(ENDS))
            self._ends = Ends(self._files[-1].fileno())
            self._base = descriptors.opened() - {channel.socket.fileno()}
        sys.path += [path for path in boot.paths if path not in sys.path]
        limit_memory(boot.memory)
        self._game = loaded_game(Path(boot.game))
        self._game.home = self._home()
        self._game.relieve = lambda: limit_memory(None)

    def _opened(self, name: str) -> Any:
        return open(self._family / name, "a", encoding="utf-8")

    def answer(self) -> NoReturn:
        """Do what comes in, one thing after another, until the other side is gone."""
        try:
            while True:
                kind, *rest = self._channel.receive()
                if kind == "fork":
                    self._fork(*rest)
                else:
                    self._send(self._done(getattr(self, f"_{kind}"), rest))
                    if kind == "act" and rest[0] not in ("reset", "load"):
                        self._note_pages()
        except Closed:
            if self._below is not None:
                self._below.clear_up()
                shutil.rmtree(self._family, ignore_errors=True)
            leave()

    def _send(self, answer: Answer) -> None:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, AttributeError):
                stream.flush()
        try:
            self._channel.send(answer)
        except Closed:
            raise
        except Exception as error:  # it cannot be packed, so that nothing of it was sent
            self._channel.send(_broken(error))

    def _done(self, act: Any, rest: list[Any]) -> Answer:
        kind: Literal["ok", "raise"] = "ok"
        try:
            value = act(*rest)
        except HarnessError as error:
            kind, value = "raise", error
        except MemoryError as error:
            limit_memory(None)
            return _broken(error)
        except Exception as error:
            return _broken(error)
        play = self._acts.play if self._acts is not None else None
        if play is None:
            return Answer(kind, value)
        notes = tuple(play.notes[self._noted :])
        self._noted = len(play.notes)
        logged = tuple(play.logged())
        return Answer(kind, value, play.frame, notes, play.stage.changed_outside, logged)

    # what it can be told

    def _warm(self) -> str:
        """Import the game, so that forks need not; says why none can be made, if so."""
        # What does not import is told by each play.
        with contextlib.suppress(HarnessError), self._game.active():
            self._game.refresh()
            movie_header(self._game, "", 0, 0)  # it reads the versions, and remembers them
            compiled("frame")
            parse("quit@1-2", self._game.folder.vocabulary)
        gc.collect()
        gc.freeze()  # else each fork copies the pages of what was imported, to look for garbage
        return self._unforkable() if self._forks else ""

    def _begin(self, start: Start, slot: int) -> None:
        """Be the process of a play."""
        self._take_on(start.environment)
        with contextlib.suppress(OSError):  # it may be gone since
            os.chdir(start.here)
        if self._acts is None:
            base, here = Path(start.base), Path(start.here)
            play = Playtest(
                self._boot.game, seed=start.seed, scene=start.scene, base=base, here=here
            )
            self._acts = Acts(play)
        stage = self._acts.play.stage
        stage.base, stage.here = Path(start.base), Path(start.here)
        stage.default_seed, stage.default_scene = start.seed, start.scene
        stage.beat_at(self._page.beat(slot))

    def _take_on(self, environment: dict[str, str] | None) -> None:
        """Have the caller's environment; None is the one that the family was started with."""
        if environment is None and not self._strayed:
            return
        self._strayed = environment is not None
        wanted = self._environment if environment is None else pinned(environment, self._home())
        os.environ.clear()
        os.environ.update(wanted)

    def _home(self) -> Path:
        return self._family / HOME

    def _act(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        assert self._acts is not None
        return self._acts.act(name, args, kwargs)

    # forks

    def _unforkable(self) -> str:
        if threading.active_count() > 1:
            return "the game runs threads"
        return descriptors.shared(self._ours() | self._game.shareable())

    def _ours(self) -> frozenset[int]:
        return self._base | {self._channel.socket.fileno()}

    def _fork(self, wanted: Fork) -> None:
        """Go on as another process; this one stands still from now on, but for further forks."""
        if sys.platform != "linux":
            raise NotImplementedError("forks are made on Linux alone")
        tail = None
        if wanted.park:
            parting = self._done(self._part, [wanted])
            if parting.kind != "ok" or isinstance(parting.value, str):
                self._send(parting)
                return
            tail = parting.value
        ours, theirs = socket.socketpair()
        # CPython seeds `random` anew in a forked child.
        generator = random.getstate()
        self._pages = self._family / f"{PAGES}-{os.getpid()}" if wanted.ahead else None
        self._ends.listen()
        with warnings.catch_warnings():
            # Since 3.12 it warns of threads; those of C libraries are none that a fork needs.
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child:
            theirs.close()
            if self._below is not None:
                self._below.take(child)
            self._hand_over(ours, child, Answer("ok", (child, wanted.folder, tail)))
            return
        self._ends.leave_be()
        self._below = None
        random.setstate(generator)
        ours.close()
        self._channel.close()
        self._channel = Channel(theirs)
        try:
            self._go_on(wanted)
        except FileNotFoundError:  # who it was forked of is ended, with its folder: nobody wants it
            leave()

    def _part(self, wanted: Fork) -> Tail | str | None:
        refusal = self._unforkable()
        if refusal or self._acts is None:
            return refusal
        return self._acts.part(wanted.since, wanted.notice)

    def _hand_over(self, sock: socket.socket, child: int, answer: Answer) -> None:
        if sys.platform != "linux":
            return
        handles = [sock.fileno()]
        with contextlib.suppress(OSError, AttributeError):  # a kernel older than 5.3
            handles.append(os.pidfd_open(child))
        try:
            self._channel.send(answer, handles)
        finally:
            sock.close()
            for handle in handles[1:]:
                os.close(handle)

    def _go_on(self, wanted: Fork) -> None:
        descriptors.unshare(self._ours())
        self._move_to(Path(wanted.folder))
        if wanted.start is not None:
            self._begin(wanted.start, wanted.slot)
        elif self._acts is not None:
            self._acts.play.stage.beat_at(self._page.beat(wanted.slot))
        if self._acts is not None:
            self._acts.play.stage.standing = wanted.standing
        if self._pages is not None:
            have(self._pages)

    def _note_pages(self) -> None:
        """Tell the forks to come of the same process what this one has written to, once."""
        if self._pages is not None:
            if not self._pages.exists():
                note_own(self._pages)
            self._pages = None

    def _move_to(self, folder: Path) -> None:
        """Have a write folder of one's own, with what was written so far."""
        folder.mkdir()
        inside = _inside(self._folder)
        if os.listdir(self._folder):
            shutil.copytree(self._folder, folder, symlinks=True, dirs_exist_ok=True)
        self._folder = folder
        if inside is not None:
            os.chdir(folder / inside)


def _inside(folder: Path) -> Path | None:
    """Where the process is within a folder."""
    try:
        here = Path.cwd()
    except OSError:
        return None
    return here.relative_to(folder) if here.is_relative_to(folder) else None


def _broken(error: Exception) -> Answer:
    return Answer("broken", (type(error).__name__, str(error), traceback.format_exc()))


def limit_memory(megabytes: int | None) -> None:
    """Have allocations fail beyond so much address space; None lifts the limit again."""
    if sys.platform == "win32":  # it has no such limit
        return
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_AS)
    wanted = most if megabytes is None else megabytes << 20
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (wanted, most))


def leave() -> NoReturn:
    """End this process, and nothing that others hold."""
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(0)
