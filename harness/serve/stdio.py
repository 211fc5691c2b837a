"""MCP on standard input and output: one message a line, and nothing else on the wire."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from queue import SimpleQueue
from typing import Any

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from harness.serve.exchange import Exchange
from harness.serve.wire import INVALID_REQUEST, MOST_LINE, Refusal, parsed

_CHUNK = 1 << 16
_AHEAD = 256
"""Lines that are read before those before them are worked on."""

GRACE = 1.0
"""Seconds that calls may still take when the input has ended."""

_FLUSH = 0.5


def lines(descriptor: int, most: int = MOST_LINE) -> Iterator[bytes | None]:
    """Read lines without their ends; None stands for one that is too long."""
    rest, too_long = b"", False
    while chunk := os.read(descriptor, _CHUNK):
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            line = line.removesuffix(b"\r")
            yield None if too_long or len(line) > most else line
            too_long = False
        if len(rest) > most + 1:
            rest, too_long = b"", True
    if rest or too_long:
        yield None if too_long or len(rest) > most else rest


class _End:
    """Stands behind the last line."""


class Wire:
    """The two descriptors, each with a thread of its own: a slow client holds nobody up."""

    def __init__(self, inlet: int, outlet: int) -> None:
        self._inlet, self._outlet = inlet, outlet
        self._lines: asyncio.Queue[bytes | _End | None] = asyncio.Queue()
        self._free = threading.BoundedSemaphore(_AHEAD)
        self._out: SimpleQueue[bytes | None] = SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._writer = self._thread(self._write, "playtest stdout")
        self._thread(self._read, "playtest stdin")

    def _thread(self, work: Callable[[], None], name: str) -> threading.Thread:
        thread = threading.Thread(target=work, name=name, daemon=True)
        thread.start()
        return thread

    def _read(self) -> None:
        with contextlib.suppress(OSError, RuntimeError):  # the loop may be gone
            for line in lines(self._inlet):
                self._free.acquire()
                self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
        self._end()

    def _end(self) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._lines.put_nowait, _End())

    def _write(self) -> None:
        while (data := self._out.get()) is not None:
            try:
                while data:
                    data = data[os.write(self._outlet, data) :]
            except OSError:  # nobody reads any more
                self._end()
                return

    async def lines(self) -> AsyncIterator[bytes | None]:
        """The lines as they come, until the input ends or nobody reads the answers."""
        while not isinstance(line := await self._lines.get(), _End):
            self._free.release()
            yield line

    def send(self, message: Any) -> None:
        """Write a message, or a list of them, as a line."""
        self._out.put(json.dumps(message, separators=(",", ":")).encode() + b"\n")

    def close(self) -> None:
        """Have all that is to be written written, unless nobody reads it."""
        self._out.put(None)
        self._writer.join(_FLUSH)


async def serve_stdio(server: Server[Any], inlet: int, outlet: int) -> None:
    """Serve one client until its input ends, or nobody reads the answers."""
    wire = Wire(inlet, outlet)
    exchange = Exchange(wire.send)
    incoming, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, outgoing = anyio.create_memory_object_stream[SessionMessage](0)
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(_answers, outgoing, exchange)
            group.start_soon(_requests, wire, exchange, incoming)
            await server.run(read, write, server.create_initialization_options())
            group.cancel_scope.cancel()
    finally:
        wire.close()


async def _requests(wire: Wire, exchange: Exchange, incoming: Any) -> None:
    """Hand over what comes, until it ends and what was asked is answered."""
    async with incoming:
        async for line in wire.lines():
            for message in _messages(line, wire, exchange):
                await incoming.send(message)
        with anyio.move_on_after(GRACE):
            await exchange.settled()


def _messages(line: bytes | None, wire: Wire, exchange: Exchange) -> Iterator[SessionMessage]:
    """What a line says to the server; what it must not say is refused here."""
    if line is not None and not line.strip():
        return
    try:
        if line is None:
            raise Refusal(INVALID_REQUEST, f"a line has at most {MOST_LINE} bytes")
        accepted = exchange.accept(parsed(line))
    except Refusal as refusal:
        wire.send(refusal.to_json())
        return
    for message in accepted:
        try:
            yield SessionMessage(
                types.jsonrpc_message_adapter.validate_python(message, by_name=False)
            )
        except ValidationError:
            exchange.refuse(Refusal(INVALID_REQUEST, "not a JSON-RPC message", message.get("id")))


async def _answers(outgoing: Any, exchange: Exchange) -> None:
    async for item in outgoing:
        exchange.answer(item.message.model_dump(mode="json", by_alias=True, exclude_unset=True))
