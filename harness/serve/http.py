"""MCP over Streamable HTTP, on this machine alone: ``/mcp``, and ``/mcp/<toolset>`` for a part."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import socket
import sys
from collections.abc import AsyncIterator, Generator, Iterator
from typing import Any

import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.routing import Route

from harness.errors import ArgumentError
from harness.serve.bridge import Bridge
from harness.serve.connection import MOST_HEADERS, Connection
from harness.serve.guard import Guard
from harness.serve.server import build_server
from harness.serve.shown import Shown
from harness.serve.wire import MOST_BODY

HOST = "127.0.0.1"
_MOST_SESSIONS = 512
_KEEP_ALIVE = 60
_DRAIN = 0.5


@contextlib.contextmanager
def listening(port: int) -> Iterator[socket.socket]:
    """A socket that listens on loopback; port 0 lets the system choose.

    Raises:
        ArgumentError: the port is taken, or may not be used.
    """
    # Without the protocol's number asyncio leaves Nagle's algorithm on: 40 ms for each answer.
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    with sock:
        # On Windows the same word would let two servers have one port.
        option = "SO_EXCLUSIVEADDRUSE" if sys.platform == "win32" else "SO_REUSEADDR"
        sock.setsockopt(socket.SOL_SOCKET, getattr(socket, option), 1)
        try:
            sock.bind((HOST, port))
            sock.listen(128)
        except OSError as error:
            taken = error.errno in (errno.EADDRINUSE, errno.EACCES) and port
            why = "is taken" if taken and error.errno == errno.EADDRINUSE else str(error.strerror)
            raise ArgumentError("http", f"port {port} {why}; choose another") from None
        yield sock


def build_app(shows: Shown, bridge: Bridge) -> Guard:
    """The application: one server for all that is shown, and one for each of its toolsets."""
    paths = {"/mcp": shows, **{f"/mcp/{name}": shows.only(name) for name in shows.toolsets}}
    managers = {path: _manager(part, bridge) for path, part in paths.items()}

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with contextlib.AsyncExitStack() as stack:
            for manager in managers.values():
                await stack.enter_async_context(manager.run())
            yield

    routes = [Route(path, StreamableHTTPASGIApp(manager)) for path, manager in managers.items()]
    app = Starlette(routes=routes, lifespan=lifespan)
    app.router.redirect_slashes = False
    return Guard(app)


def _manager(part: Shown, bridge: Bridge) -> StreamableHTTPSessionManager:
    return StreamableHTTPSessionManager(
        build_server(part, bridge),
        # As JSON alone a request of 2026-07-28 could not be cancelled.
        json_response=False,
        # The guard has looked already, and admits every port.
        security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        max_request_body_size=MOST_BODY,
        max_sessions=_MOST_SESSIONS,
    )


class _Server(uvicorn.Server):
    """One that leaves signals to whoever runs it."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield


async def serve_http(shows: Shown, bridge: Bridge, sock: socket.socket) -> None:
    """Serve on a listening socket until cancelled; what is under way then has a moment to end."""
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    app: Any = build_app(shows, bridge)
    config = uvicorn.Config(
        app,
        http=Connection,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        timeout_keep_alive=_KEEP_ALIVE,
        timeout_graceful_shutdown=_DRAIN,  # type: ignore[arg-type]
        h11_max_incomplete_event_size=MOST_HEADERS,
        server_header=False,
    )
    server = _Server(config)
    work = asyncio.ensure_future(server.serve(sockets=[sock]))
    try:
        await asyncio.shield(work)
    except asyncio.CancelledError:
        server.should_exit = True
        await work
