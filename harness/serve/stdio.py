"""MCP on standard input and output: one message a line, and nothing else on the wire."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterator
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from harness.serve.exchange import Exchange
from harness.serve.pipes import Outlet, inlet
from harness.serve.wire import INVALID_REQUEST, MOST_LINE, Refusal, parsed

_AHEAD = 256
"""Messages that are read before those before them are worked on."""

GRACE = 1.0
"""Seconds that calls may still take when the input has ended."""


class Lines:
    """Cuts what is read into lines, without their ends; None stands for one that is too long."""

    def __init__(self, most: int = MOST_LINE) -> None:
        self._most, self._rest, self._too_long = most, b"", False

    def cut(self, chunk: bytes) -> Iterator[bytes | None]:
        """The lines that this chunk ends; what has no end yet is kept. Nothing at all ends all."""
        *whole, rest = (self._rest + (chunk or b"\n")).split(b"\n")
        for line in whole:
            line = line.removesuffix(b"\r")
            yield None if self._too_long or len(line) > self._most else line
            self._too_long = False
        if len(rest) > self._most + 1:
            rest, self._too_long = b"", True
        self._rest = rest


class _Stream:
    """What the SDK's two streams have in common."""

    async def aclose(self) -> None:
        pass

    async def __aenter__(self) -> Any:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


class _Answers(_Stream):
    """Where the SDK writes to."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange

    async def send(self, item: SessionMessage) -> None:
        message = item.message.model_dump(mode="json", by_alias=True, exclude_unset=True)
        self._exchange.answer(message)


class _Requests(_Stream):
    """Where the SDK reads from: what the lines say, until they end and all is answered."""

    def __init__(self, descriptor: int, exchange: Exchange, watched: bool | None) -> None:
        self._exchange, self._lines = exchange, Lines()
        self._messages: asyncio.Queue[SessionMessage | None] = asyncio.Queue()
        self._inlet = inlet(descriptor, self._take, watched)

    def _take(self, chunk: bytes) -> None:
        for line in self._lines.cut(chunk):
            for message in self._said(line):
                self._messages.put_nowait(message)
        if not chunk:
            self._messages.put_nowait(None)
        elif self._messages.qsize() >= _AHEAD:
            self._inlet.hold()

    def _said(self, line: bytes | None) -> Iterator[SessionMessage]:
        """What a line says to the server; what it must not say is refused here."""
        if line is not None and not line.strip():
            return
        try:
            if line is None:
                raise Refusal(INVALID_REQUEST, f"a line has at most {MOST_LINE} bytes")
            accepted = self._exchange.accept(parsed(line))
        except Refusal as refusal:
            self._exchange.send(refusal.to_json())
            return
        for message in accepted:
            try:
                yield SessionMessage(
                    types.jsonrpc_message_adapter.validate_python(message, by_name=False)
                )
            except ValidationError:
                self._exchange.refuse(
                    Refusal(INVALID_REQUEST, "not a JSON-RPC message", message.get("id"))
                )

    def lost(self) -> None:
        """Nobody reads the answers: there is nobody to wait for."""
        self._exchange.give_up()
        self._messages.put_nowait(None)

    def __aiter__(self) -> _Requests:
        return self

    async def __anext__(self) -> SessionMessage:
        message = await self._messages.get()
        if message is None:
            self._messages.put_nowait(None)  # whoever asks again is told the same
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._exchange.settled(), GRACE)
            raise StopAsyncIteration
        if not self._messages.qsize():
            self._inlet.more()
        return message

    receive = __anext__

    async def aclose(self) -> None:
        self._inlet.close()


async def serve_stdio(
    server: Server[Any], inlet: int, outlet: int, watched: bool | None = None
) -> None:
    """Serve one client until its input ends, or nobody reads the answers."""
    out = Outlet(outlet, lambda: requests.lost(), watched)
    exchange = Exchange(
        lambda message: out.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
    )
    requests = _Requests(inlet, exchange, watched)
    try:
        await server.run(requests, _Answers(exchange), server.create_initialization_options())
    finally:
        out.close()
