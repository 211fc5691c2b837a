"""The two descriptors of a client: read when something has come, written without waiting.

A call has few threads' turns to spare. So the event loop itself watches a pipe or a socket, and
writes a short answer as soon as there is room. What cannot be watched (a file, a terminal, all of
it on Windows) a thread reads; what has no room, and all that comes behind it, a thread writes.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import stat
import sys
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, Protocol

CHUNK = 1 << 16

MOST_UNREAD = 64 << 20
"""Bytes of answers that may wait for a client; of one that leaves more lying nobody reads."""

_FLUSH = 0.5
_AT_ONCE = getattr(select, "PIPE_BUF", 512)
"""Bytes that a pipe which is ready takes whole."""

Took = Callable[[bytes], None]
"""Takes what was read, on the event loop; nothing at all once it has ended."""


class Inlet(Protocol):
    """Where bytes come from."""

    def hold(self) -> None:
        """Read no more for now."""

    def more(self) -> None:
        """Read on."""

    def close(self) -> None:
        """Read nothing more at all."""


def inlet(descriptor: int, took: Took, watched: bool | None = None) -> Inlet:
    """Read a descriptor from now on; ``watched`` chooses how, where the caller knows better."""
    watched = can_be_watched(descriptor) if watched is None else watched
    return (_Watched if watched else _Waited)(descriptor, took)


def can_be_watched(descriptor: int) -> bool:
    """Whether an event loop can tell when there is something to read, or room to write."""
    if sys.platform == "win32":
        return False
    mode = os.fstat(descriptor).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def _read(descriptor: int) -> bytes | None:
    """Read what there is; None where somebody has made it not wait, and nothing is there."""
    try:
        return os.read(descriptor, CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""


class _Watched:
    """A descriptor that the event loop watches."""

    def __init__(self, descriptor: int, took: Took) -> None:
        self._descriptor, self._took = descriptor, took
        self._loop = asyncio.get_running_loop()
        self._watching = False
        self.more()

    def _ready(self) -> None:
        data = _read(self._descriptor)
        if data == b"":
            self.close()
        if data is not None:
            self._took(data)

    def more(self) -> None:
        if not self._watching:
            self._loop.add_reader(self._descriptor, self._ready)
            self._watching = True

    def hold(self) -> None:
        if self._watching:
            self._loop.remove_reader(self._descriptor)
            self._watching = False

    close = hold


class _Waited:
    """A descriptor that a thread waits for. One chunk is under way at a time."""

    def __init__(self, descriptor: int, took: Took) -> None:
        self._descriptor, self._took = descriptor, took
        self._loop = asyncio.get_running_loop()
        self._go, self._held, self._closed = threading.Event(), False, False
        self.more()
        # A daemon: what never comes must not keep the server from ending.
        threading.Thread(target=self._run, name="playtest stdin", daemon=True).start()

    def _run(self) -> None:
        data: bytes | None = None
        while data != b"":
            self._go.wait()
            if self._closed:
                return
            data = _read(self._descriptor)
            if data is None:
                select.select([self._descriptor], [], [])
                continue
            self._go.clear()
            try:
                self._loop.call_soon_threadsafe(self._take, data)
            except RuntimeError:  # the loop has ended
                return

    def _take(self, data: bytes) -> None:
        if not self._closed:
            self._took(data)
        if not self._held:
            self._go.set()

    def more(self) -> None:
        self._held = False
        self._go.set()

    def hold(self) -> None:
        self._held = True
        self._go.clear()

    def close(self) -> None:
        self._closed = True
        self._go.set()


class Outlet:
    """Where answers go, in order. ``lost`` is told, on the event loop, that nobody reads them."""

    def __init__(
        self, descriptor: int, lost: Callable[[], None], watched: bool | None = None
    ) -> None:
        self._descriptor, self._lost = descriptor, lost
        self._loop = asyncio.get_running_loop()
        self._room: Callable[[int], list[Any]] | None = None
        watched = can_be_watched(descriptor) if watched is None else watched
        if sys.platform != "win32" and watched:
            place = select.poll()
            place.register(descriptor, select.POLLOUT)
            self._room = place.poll
        self._waiting: SimpleQueue[bytes | None] = SimpleQueue()
        self._writer: threading.Thread | None = None
        # Each is counted by one thread alone: the difference is what waits.
        self._put = self._written = 0

    def write(self, data: bytes) -> None:
        """Write, at once or in turn."""
        if self._put == self._written and len(data) <= _AT_ONCE and self._has_room():
            try:
                data = data[os.write(self._descriptor, data) :]
            except BlockingIOError:
                pass
            except OSError:
                self._lost()
                return
        if data:
            self._queue(data)

    def _has_room(self) -> bool:
        return self._room is not None and bool(self._room(0))

    def _queue(self, data: bytes) -> None:
        self._put += len(data)
        if self._put - self._written > MOST_UNREAD:
            self._lost()
            return
        if self._writer is None:
            self._writer = threading.Thread(target=self._run, name="playtest stdout", daemon=True)
            self._writer.start()
        self._waiting.put(data)

    def _run(self) -> None:
        while (data := self._waiting.get()) is not None:
            try:
                self._write_all(data)
            except OSError:
                with contextlib.suppress(RuntimeError):  # the loop has ended
                    self._loop.call_soon_threadsafe(self._lost)
                return
            self._written += len(data)

    def _write_all(self, data: bytes) -> None:
        while data:
            try:
                data = data[os.write(self._descriptor, data) :]
            except BlockingIOError:
                select.select([], [self._descriptor], [])

    def close(self) -> None:
        """Have all that is to be written written, unless nobody reads it."""
        if self._writer is not None:
            self._waiting.put(None)
            self._writer.join(_FLUSH)
