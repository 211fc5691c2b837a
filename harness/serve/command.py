"""One server from its start to its end: the desk, the transport, and what stops it."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TextIO

from harness.documents import collecting_later
from harness.errors import RequestError
from harness.games.folder import find_game, read_folder
from harness.playtest.protocol import Play
from harness.tools.desk import Desk
from harness.worker.isolation import play_in, settled
from harness.worker.pins import BUDGET, MEMORY


@dataclass(frozen=True, slots=True)
class Serving:
    """What is served, and how. ``port`` is None on stdio."""

    game: str | None = None
    port: int | None = None
    read_only: bool = False
    allow: tuple[str, ...] | None = None
    toolset: str | None = None
    budget: float = BUDGET
    memory: int = MEMORY


def serve(serving: Serving, answers: TextIO) -> int:
    """Serve until the client has gone, or somebody stops it; gives the exit status.

    Raises:
        RequestError: the game, a tool's name or the port is wrong.
    """
    with contextlib.ExitStack() as closing:
        with collecting_later():
            work = _prepared(serving, answers, closing)
        gc.freeze()  # what was imported stays, and need not be looked at in the middle of calls
        asyncio.run(_until_stopped(work))
    return 0


def _prepared(
    serving: Serving, answers: TextIO, closing: contextlib.ExitStack
) -> Callable[[], Awaitable[None]]:
    wire = None if serving.port is not None else _claimed(answers)
    _log_to_stderr()
    from harness import tools as _registers_the_tools  # noqa: F401
    from harness.registry import REGISTRY
    from harness.serve.bridge import TOTAL_LIMIT, Bridge
    from harness.serve.shown import shown

    shows = shown(REGISTRY, serving.toolset, serving.read_only, serving.allow)
    desk = desk_of(serving)
    desk.shown = lambda: list(shows.tools.values())
    bridge = Bridge(desk, total=max(TOTAL_LIMIT, serving.budget))
    closing.callback(bridge.close)
    if wire is not None:
        from harness.serve.server import build_server
        from harness.serve.stdio import serve_stdio

        server = build_server(shows, bridge)
        return lambda: serve_stdio(server, *wire)
    from harness.serve.http import listening, serve_http

    sock = closing.enter_context(listening(int(serving.port or 0)))
    name, port = read_folder(desk.path).title, sock.getsockname()[1]
    print(f"{name}: http://127.0.0.1:{port}/mcp", file=sys.stderr, flush=True)
    return lambda: serve_http(shows, bridge, sock)


def desk_of(serving: Serving) -> Desk:
    """The desk of a server: paths stay below the game's root, and the game runs in a worker."""
    path = find_game(serving.game)
    root = read_folder(path).root

    def opened() -> Play:
        return play_in(
            settled("auto"),
            path,
            budget=serving.budget,
            memory=serving.memory,
            base=root,
            here=root,  # the one place that paths in answers can be given back from
        )

    return Desk(path, root, opened, root=root, may_play=not serving.read_only)


def _claimed(answers: TextIO) -> tuple[int, int]:
    """Take standard input and output for the wire, before anything else reads or writes there."""
    try:
        outlet = answers.fileno()
        inlet = os.dup(0)
    except (OSError, ValueError):
        raise RequestError("mcp: standard input and output must be open; or serve --http") from None
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    if os.isatty(inlet):
        print(
            "harness mcp speaks MCP on standard input, for an agent's client to start;"
            " --install writes it into one's configuration, Ctrl-C ends it",
            file=sys.stderr,
        )
    return inlet, outlet


def _log_to_stderr() -> None:
    logging.basicConfig(level=logging.ERROR, stream=sys.stderr, format="harness: %(message)s")


async def _until_stopped(work: Callable[[], Awaitable[None]]) -> None:
    """Work until it is done, or a signal says stop."""
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(work())
    stopped = asyncio.Event()

    def stop(*_: object) -> None:
        loop.call_soon_threadsafe(stopped.set)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    waiting = asyncio.ensure_future(stopped.wait())
    await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    if not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=1)
    if task.done() and not task.cancelled():
        task.result()
