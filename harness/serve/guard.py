"""Stands before the HTTP server: who may ask, how much, and whether it is JSON-RPC at all."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from harness.serve.wire import INVALID_REQUEST, MOST_BODY, Refusal, checked, is_request, parsed

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
_POUR = 0.5

App = Callable[[Scope, Receive, Send], Awaitable[None]]


class Guard:
    """An ASGI application that refuses what the one behind it must not see."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._waiting: set[tuple[str, Any] | None] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = _headers(scope)
        try:
            _check_asker(headers)
            if scope["method"] != "POST":
                await self._app(scope, receive, send)
                return
            body = await _body(headers, receive)
            if body is None:  # the asker has gone
                return
            message = _message(body)
        except _HttpRefusal as refused:
            await _answer(send, refused)
            return
        await self._serve(scope, headers, body, message, receive, send)

    async def _serve(
        self,
        scope: Scope,
        headers: dict[str, str],
        body: bytes,
        message: dict[str, Any],
        receive: Receive,
        send: Send,
    ) -> None:
        session = headers.get("mcp-session-id")
        key = (session, message["id"]) if session and is_request(message) else None
        if key in self._waiting:
            problem = "id: a request of this id is not answered yet"
            await _answer(send, _HttpRefusal(400, Refusal(INVALID_REQUEST, problem, message["id"])))
            return
        if key is not None:
            self._waiting.add(key)
        try:
            await self._app(scope, _again(body, receive), send)
        finally:
            self._waiting.discard(key)


class _HttpRefusal(Exception):
    """A refusal with its HTTP status."""

    def __init__(self, status: int, refusal: Refusal) -> None:
        self.status, self.refusal = status, refusal
        super().__init__(refusal.message)


def _refusal(status: int, message: str) -> _HttpRefusal:
    return _HttpRefusal(status, Refusal(INVALID_REQUEST, message))


def _headers(scope: Scope) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        key, text = name.decode("latin-1"), value.decode("latin-1")
        # Of two Hosts or Origins neither is to be trusted.
        found[key] = f"{found[key]}, {text}" if key in found else text
    return found


def _check_asker(headers: dict[str, str]) -> None:
    host = headers.get("host", "")
    if not _is_loopback(f"//{host}"):
        raise _refusal(421, f"Host: must be localhost or a loopback address, not {host[:80]!r}")
    origin = headers.get("origin")
    if origin is not None and not (
        origin.startswith(("http://", "https://")) and _is_loopback(origin)
    ):
        raise _refusal(403, f"Origin: must be on localhost or loopback, not {origin[:80]!r}")


def _is_loopback(url: str) -> bool:
    try:
        parts = urlsplit(url)
        name, _ = parts.hostname, parts.port
        rest = parts.path + parts.query + parts.fragment
    except ValueError:
        return False
    if not name or parts.username is not None or rest:
        return False
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


async def _body(headers: dict[str, str], receive: Receive) -> bytes | None:
    """Read a body, unless it is too long."""
    declared = headers.get("content-length", "0")
    if declared.isdecimal() and int(declared) > MOST_BODY:
        if "expect" not in headers:
            await _poured_away(receive)
        raise _refusal(413, f"a body has at most {MOST_BODY} bytes")
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message.get("body", b"")
        if len(body) > MOST_BODY:
            await _poured_away(receive)
            raise _refusal(413, f"a body has at most {MOST_BODY} bytes")
        if not message.get("more_body", False):
            return bytes(body)


async def _poured_away(receive: Receive) -> None:
    """Read on for a moment: who is still sending would not see the answer."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_POUR):
            while (await receive()).get("more_body", False):
                pass


def _message(body: bytes) -> dict[str, Any]:
    try:
        return checked(parsed(body))
    except Refusal as refusal:
        raise _HttpRefusal(400, refusal) from None


def _again(body: bytes, receive: Receive) -> Receive:
    """Give a body that was read once more, and then what comes after it."""
    given = False

    async def replayed() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replayed


async def _answer(send: Send, refused: _HttpRefusal) -> None:
    data = json.dumps(refused.refusal.to_json()).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(data)).encode()),
        # What is left of the body is not read.
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": data})
