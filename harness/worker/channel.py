"""Messages between two processes over one socket: pickled values, and sockets themselves."""

from __future__ import annotations

import contextlib
import pickle
import socket
import struct
from typing import Any

_LENGTH = struct.Struct(">Q")
_CHUNK = 1 << 20


class ChannelClosed(Exception):
    """The other side is gone."""


class Channel:
    """One end of a conversation. Pickles come from our own processes only."""

    def __init__(self, sock: socket.socket) -> None:
        self.socket = sock

    def send(self, message: Any) -> None:
        """Send a value.

        Raises:
            ChannelClosed: the other side is gone.
        """
        data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        try:
            self.socket.settimeout(None)
            self.socket.sendall(_LENGTH.pack(len(data)) + data)
        except OSError as error:
            raise ChannelClosed(str(error)) from None

    def receive(self, timeout: float | None = None) -> Any:
        """Receive a value.

        Raises:
            TimeoutError: nothing came within so many seconds.
            ChannelClosed: the other side is gone.
        """
        self.socket.settimeout(timeout)
        try:
            first = self.socket.recv(_LENGTH.size)
            self.socket.settimeout(None)
            header = self._rest(first, _LENGTH.size)
            return pickle.loads(self._rest(b"", _LENGTH.unpack(header)[0]))
        except TimeoutError:
            raise
        except (OSError, EOFError) as error:
            raise ChannelClosed(str(error)) from None

    def _rest(self, data: bytes, size: int) -> bytes:
        parts = [data]
        missing = size - len(data)
        while missing:
            part = self.socket.recv(min(missing, _CHUNK)) if data or len(parts) > 1 or size else b""
            if not part:
                raise EOFError("closed")
            parts.append(part)
            missing -= len(part)
        return b"".join(parts)

    def send_socket(self, sock: socket.socket) -> None:
        """Hand a socket over."""
        socket.send_fds(self.socket, [b"s"], [sock.fileno()])

    def receive_socket(self, timeout: float) -> socket.socket:
        """Take over a socket.

        Raises:
            ChannelClosed: the other side is gone.
        """
        self.socket.settimeout(timeout)
        try:
            _, handles, _, _ = socket.recv_fds(self.socket, 1, 1)
        except OSError as error:
            raise ChannelClosed(str(error)) from None
        if not handles:
            raise ChannelClosed("no socket came")
        return socket.socket(fileno=handles[0])

    def close(self) -> None:
        """End the conversation."""
        with contextlib.suppress(OSError):
            self.socket.close()
