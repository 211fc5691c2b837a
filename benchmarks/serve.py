"""What the tools cost over MCP: the way there and back on pipes, a run, a start.

Sides take turns. Of a trivial call the median counts, of a run and a start the fastest turn, since
several processes wait for each other on a busy machine.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.worker import REFERENCE_GAME, taken
from harness.playtest.play import Playtest
from harness.values.run import RunRequest

TRIVIAL = Path(__file__).parent / "trivial.py"
CALLS, TURNS, STARTS = 2000, 60, 12
MOST_MILLISECONDS = 0.4
MOST_RUN = 1.10
MOST_START = 1.2
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Server:
    """A server on pipes, asked in raw lines."""

    def __init__(self, *command: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def ask(self, method: str, **params: Any) -> Any:
        """Send one request, and wait for its answer."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": META}}
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer or answer["result"].get("isError"):
            raise SystemExit(f"{method} failed: {answer}")
        return answer["result"]

    def close(self) -> None:
        """End the server."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def trivial(calls: int) -> float:
    """The median of a call that does nothing, in milliseconds."""
    server = Server(str(TRIVIAL), str(REFERENCE_GAME))
    times = []
    for _ in range(calls):
        began = time.perf_counter()
        server.ask("tools/call", name="nothing", arguments={})
        times.append((time.perf_counter() - began) * 1e3)
    server.close()
    return statistics.median(times)


def runs(turns: int) -> dict[str, float]:
    """The fastest run of 600 frames, here and over pipes, in milliseconds."""
    here, server = Playtest(REFERENCE_GAME), Server("-m", "harness", "mcp", str(REFERENCE_GAME))
    arguments = {"frames": 600, "seed": 3, "input": "right@1-40"}
    request = RunRequest(frames=600, seed=3, input="right@1-40")
    sides = {
        "here": lambda: here.run(request),
        "there": lambda: server.ask("tools/call", name="game_run", arguments=arguments),
    }
    taken(sides, 3)
    found = taken(sides, turns)
    server.close()
    return found


def starts(turns: int) -> dict[str, float]:
    """The fastest start to a list of tools, and the fastest import of mcp, in milliseconds."""

    def import_mcp() -> None:
        subprocess.run([sys.executable, "-c", "import mcp"], check=True)

    servers: list[Server] = []

    def start() -> None:
        servers.append(Server("-m", "harness", "mcp", str(REFERENCE_GAME)))
        servers[-1].ask("tools/list")

    found = taken({"import": import_mcp, "start": start}, turns)
    for server in servers:
        server.close()
    return found


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and say which bounds are missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--no-bounds", action="store_true", help="only print")
    parser.add_argument("--quick", action="store_true", help="a quarter of the turns")
    chosen = parser.parse_args(arguments)
    part = 4 if chosen.quick else 1
    call, run, start = trivial(CALLS // part), runs(TURNS // part), starts(STARTS // part)
    print(f"a trivial tool over stdio: {call:.3f} ms")
    print(f"a run of 600 frames: {run['here']:.1f} ms in-process, {run['there']:.1f} over stdio")
    print(f"import mcp {start['import']:.0f} ms, a start to tools/list {start['start']:.0f} ms")
    missed = [
        f"{what} is {found:.3f}, at most {most:g}"
        for what, found, most in (
            ("a trivial tool over stdio, in milliseconds,", call, MOST_MILLISECONDS),
            ("a run over stdio against one in-process", run["there"] / run["here"], MOST_RUN),
            ("a start against import mcp", start["start"] / start["import"], MOST_START),
        )
        if found > most
    ]
    for line in missed:
        print(f"missed: {line}")
    return 1 if missed and not chosen.no_bounds else 0


if __name__ == "__main__":
    sys.exit(main())
