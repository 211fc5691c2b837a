"""Messages between two processes over one socket: values of ours, and descriptors."""

from __future__ import annotations

import contextlib
import io
import os
import pickle
import socket
import struct
import sys
from collections.abc import Sequence
from types import FunctionType
from typing import Any

from harness import errors
from harness.driver.replay import Comparison
from harness.errors import HarnessError
from harness.playtest.replaying import Played, Replayed
from harness.playtest.savestates import Savestate
from harness.playtest.standing import Standing
from harness.values.answers import QueryAnswer, Shot
from harness.values.inputs import Controls, InputFrame
from harness.values.movie import Edit, Header, Mark, Movie
from harness.values.picture import Picture
from harness.values.run import Difference, ErrorInfo, Failure, RunRequest, RunResult
from harness.values.sight import Box, Contact, EntityView, Inspection, Point, RayHit, RayHits
from harness.worker.reel import Tail
from harness.worker.words import Answer, Boot, Fork, Start

_LENGTH = struct.Struct(">Q")
_CHUNK = 1 << 20
_MOST_HANDLES = 2
_MESSAGE_LIMIT = 60.0
"""Seconds from one part of a message to the next."""

_ERRORS = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, HarnessError)
]
# Values travel by these names alone: the package may be a private copy that nobody can import, and
# what a game's process sends can make nothing else here.
_TRAVEL: tuple[Any, ...] = (
    Answer, Boot, Box, Comparison, Contact, Controls, Difference, Edit, EntityView, ErrorInfo,
    Failure, Fork, Header, InputFrame, Inspection, Mark, Movie, Picture, Played, Point, QueryAnswer,
    RayHit, RayHits, Replayed, RunRequest, RunResult, Savestate, Shot, Standing, Start, Tail,
    errors._rebuilt, *_ERRORS,
)  # fmt: skip
_KINDS = {kind.__name__: kind for kind in _TRAVEL}
_NAMES: dict[Any, str] = {kind: name for name, kind in _KINDS.items()}


class Closed(Exception):
    """The other side is gone."""


class _Pickler(pickle.Pickler):
    def persistent_id(self, value: Any) -> str | None:
        if not isinstance(value, type | FunctionType):
            return None
        if value not in _NAMES:
            raise pickle.PicklingError(f"{value!r} is no value of ours")
        return _NAMES[value]


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, name: str) -> Any:
        return _KINDS[name]

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"{module}.{name} is no value of ours")


def packed(message: Any) -> bytes:
    """Write a message as bytes."""
    buffer = io.BytesIO()
    buffer.write(bytes(_LENGTH.size))
    try:
        _Pickler(buffer, pickle.HIGHEST_PROTOCOL).dump(message)
    except TypeError as error:  # a module, a lock: it says so itself
        raise pickle.PicklingError(str(error)) from None
    _LENGTH.pack_into(buffer.getbuffer(), 0, buffer.tell() - _LENGTH.size)
    return buffer.getvalue()


def portable(value: Any) -> Any:
    """A value of the caller's as one that travels: a vector of somebody's is a pair of numbers."""
    if isinstance(value, list | tuple) and type(value) not in _NAMES:
        return type(value)(map(portable, value)) if type(value) in (list, tuple) else tuple(value)
    if type(value).__name__ == "Vector2" and hasattr(value, "x"):
        return value.x, value.y
    return value


class Channel:
    """One end of a conversation; ``handles`` came with the last message."""

    def __init__(self, sock: socket.socket) -> None:
        self.socket = sock
        self.handles: list[int] = []

    def send(self, message: Any, handles: Sequence[int] = ()) -> None:
        """Send a message, and descriptors with it; one that cannot be packed is not sent at all.

        Raises:
            Closed: the other side is gone.
        """
        self.send_packed(packed(message), handles)

    def send_packed(self, data: bytes, handles: Sequence[int] = ()) -> None:
        """Send a message that is packed already.

        Raises:
            Closed: the other side is gone.
        """
        try:
            self.socket.settimeout(None)
            sent = 0
            if sys.platform != "win32" and handles:
                sent = socket.send_fds(self.socket, [data], handles)
            self.socket.sendall(data[sent:])
        except OSError as error:
            raise Closed(str(error)) from None

    def receive(self, timeout: float | None = None) -> Any:
        """Receive a message.

        Raises:
            TimeoutError: none began to come within so many seconds.
            Closed: the other side is gone.
        """
        self.drop_handles()
        try:
            self.socket.settimeout(timeout)
            header = self._whole(self._first(_LENGTH.size), _LENGTH.size)
            return _Unpickler(io.BytesIO(self._whole(b"", *_LENGTH.unpack(header)))).load()
        except TimeoutError:
            raise
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            raise Closed(str(error)) from None

    def _first(self, most: int) -> bytes:
        if sys.platform == "win32":
            return self.socket.recv(most)
        data, self.handles, _, _ = socket.recv_fds(self.socket, most, _MOST_HANDLES)
        return data

    def _whole(self, data: bytes, size: int) -> bytes:
        parts, missing = [data], size - len(data)
        self.socket.settimeout(_MESSAGE_LIMIT)
        while missing:
            part = self._part(min(missing, _CHUNK))
            if not part:
                raise EOFError("closed")
            parts.append(part)
            missing -= len(part)
        return b"".join(parts)

    def _part(self, most: int) -> bytes:
        try:
            return self.socket.recv(most)
        except TimeoutError:
            raise EOFError("a message broke off") from None

    def take_handles(self) -> list[int]:
        """Take over the descriptors that came with the last message."""
        handles, self.handles = self.handles, []
        return handles

    def drop_handles(self) -> None:
        """Close what nobody took over."""
        for handle in self.take_handles():
            os.close(handle)

    def close(self) -> None:
        """End the conversation."""
        self.drop_handles()
        with contextlib.suppress(OSError):
            self.socket.close()
