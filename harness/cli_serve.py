"""The command that serves the tools to agents."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from harness.cli_play import seconds
from harness.errors import RequestError

if TYPE_CHECKING:
    import argparse

PORT = 47371
CLIENTS = ("claude", "cursor", "vscode", "codex")


def add(commands: Any, command: Callable[..., Any]) -> None:
    """Add the command."""
    mcp = command(
        commands, "mcp", _mcp, "serve the tools to an agent over MCP, on stdio or HTTP",
        "The tools run the game and write below its folder: serve only games that you trust."
        "\n\n"
        "examples:\n  harness mcp game --install claude\n  harness mcp game --http 7100"
        "\n  harness mcp game --read-only",
    )  # fmt: skip
    mcp.add_argument(
        "game", nargs="?", metavar="GAME", help="the game: a folder, a program or -m MODULE"
    )
    mcp.add_argument(
        "--http",
        nargs="?",
        const=str(PORT),
        metavar="PORT",
        help=f"serve on http://127.0.0.1:PORT/mcp in place of stdio ({PORT})",
    )
    mcp.add_argument(
        "--install",
        choices=CLIENTS,
        help="write the server into that client's file for this project, and serve nothing",
    )
    mcp.add_argument(
        "--read-only", action="store_true", help="only tools that change and run nothing"
    )
    mcp.add_argument(
        "--allow", metavar="TOOL,TOOL", help="only these of the tools that are served else"
    )
    mcp.add_argument("--toolset", metavar="NAME", help="only this part of the tools")
    mcp.add_argument(
        "--budget", metavar="SECONDS", default="30", help="how long one frame may take (30)"
    )
    mcp.add_argument(
        "--memory", metavar="MIB", default="4096", help="how much a game may take (4096)"
    )


def _mcp(options: argparse.Namespace, answers: TextIO) -> int:
    from harness.documents import collecting_later
    from harness.serve import require_mcp

    with collecting_later():  # modules stay
        from harness.serve.command import Serving, serve

    serving = Serving(
        game=options.game,
        port=_port(options.http),
        read_only=options.read_only,
        allow=_names(options.allow),
        toolset=options.toolset,
        budget=seconds(options),
        memory=_memory(options.memory),
    )
    if options.install is not None:
        from harness.serve.install import install

        for line in install(serving, options.install, Path.cwd()):
            print(line, file=answers)
        return 0
    require_mcp()
    return serve(serving, answers)


def _names(given: str | None) -> tuple[str, ...] | None:
    return None if given is None else tuple(name.strip() for name in given.split(","))


def _port(given: str | None) -> int | None:
    from harness.values.numbers import whole

    if given is None:
        return None
    port = whole(given)
    if port is None or not 0 <= port <= 65535:
        raise RequestError(f"http: must be a port, 0 to 65535, not {given!r}")
    return port


def _memory(given: str) -> int:
    from harness.values.numbers import whole

    memory = whole(given)
    if memory is None or memory <= 0:
        raise RequestError(f"memory: must be a whole number of MiB, not {given!r}")
    return memory
