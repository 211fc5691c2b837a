"""One HTTP connection, bounded: how many there are, how long a request may take to come."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_CONNECTIONS = 32

MOST_HEADERS = 32 << 10
"""Bytes of a request's headers, and as many of what frames its chunks, trailers included."""

READ_LIMIT = 15.0
"""Seconds in which a request must be read."""

_TOO_MANY = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\nContent-Length: 20\r\n\r\ntoo many connections"
)
_TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
_LINGER = 1.0


class _Framed(h11.Connection):
    """Counts what of a body is no body: the frames of its chunks."""

    def __init__(self, most: int) -> None:
        super().__init__(h11.SERVER, most)
        self._most = most
        self._received = self._start = self._body = self._end = 0

    def receive_data(self, data: bytes) -> None:
        self._received += len(data)
        super().receive_data(data)

    def next_event(self) -> Any:
        event = super().next_event()
        read = self._received - len(self.trailing_data[0])
        if isinstance(event, h11.Request):
            # h11 itself bounds only those that come in several pieces.
            if read - self._end > self._most:
                raise h11.RemoteProtocolError("the headers are too long", error_status_hint=431)
            self._start, self._body = read, 0
        elif isinstance(event, h11.EndOfMessage):
            self._end = read
        elif isinstance(event, h11.Data):
            self._body += len(event.data)
        if self.their_state is h11.SEND_BODY and read - self._start - self._body > self._most:
            raise h11.RemoteProtocolError("the frames of its chunks are too long")
        return event


class Connection(H11Protocol):
    """uvicorn's connection, which refuses the one too many and the slow ones."""

    limit = READ_LIMIT

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conn = _Framed(MOST_HEADERS)
        self._refused = False
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, unless there are enough."""
        if len(self.connections) >= MOST_CONNECTIONS:
            self._refused, self.transport = True, transport
            transport.write(_TOO_MANY)
            # What it sends is still read for a while: a reset could overtake the answer.
            transport.write_eof()
            self._timer = self.loop.call_later(_LINGER, transport.abort)
            return
        super().connection_made(transport)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        self._unwatch()
        if not self._refused:
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take bytes of a request."""
        if self._refused:
            return
        if self.cycle is None or self.cycle.response_complete:
            self._watch()
        super().data_received(data)
        if self.cycle is not None and not self.cycle.more_body:
            self._unwatch()

    def _watch(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(self.limit, self._too_slow)

    def _unwatch(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_slow(self) -> None:
        self._timer = None
        if self.transport.is_closing():
            return
        if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
            self.transport.write(_TOO_SLOW)
        self.transport.close()
