"""What a client says, in raw messages, and a server on pipes to say it to."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
WAIT = 30.0
MODERN = "2026-07-28"
HANDSHAKES = ("2025-11-25", "2025-06-18", "2025-03-26")
REVISIONS = (*HANDSHAKES, MODERN)
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
}


def request(id: Any, method: str, revision: str = HANDSHAKES[0], **params: Any) -> dict[str, Any]:
    """A request of a revision."""
    if revision == MODERN:
        params["_meta"] = {**META, **params.get("_meta", {})}
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def call(id: Any, tool: str, revision: str = HANDSHAKES[0], **arguments: Any) -> dict[str, Any]:
    """A call of a tool."""
    return request(id, "tools/call", revision, name=tool, arguments=arguments)


def opening(revision: str) -> list[dict[str, Any]]:
    """What a client of a revision says first."""
    if revision == MODERN:
        return []
    client = {"name": "test", "version": "1"}
    first = request(0, "initialize", protocolVersion=revision, capabilities={}, clientInfo=client)
    return [first, {"jsonrpc": "2.0", "method": "notifications/initialized"}]


class Piped:
    """A server on pipes."""

    def __init__(
        self,
        *arguments: object,
        env: dict[str, str] | None = None,
        command: Sequence[str] = ("-m", "harness", "mcp"),
    ) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *command, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**(os.environ if env is None else env), "PYTHONPATH": str(ROOT)},
        )
        self.lines: queue.Queue[bytes] = queue.Queue()
        self.errors: queue.Queue[bytes] = queue.Queue()
        for stream, kept in ((self.process.stdout, self.lines), (self.process.stderr, self.errors)):
            threading.Thread(target=self._read, args=(stream, kept), daemon=True).start()

    def _read(self, stream: Any, kept: queue.Queue[bytes]) -> None:
        with stream:
            for line in stream:
                kept.put(line)
        kept.put(b"")

    def send(self, *messages: Any) -> None:
        """Write messages, or bytes as they are."""
        lines = (m if isinstance(m, bytes) else json.dumps(m).encode() + b"\n" for m in messages)
        self.process.stdin.write(b"".join(lines))
        self.process.stdin.flush()

    def answer(self, wait: float = WAIT) -> Any:
        """The next message."""
        line = self.lines.get(timeout=wait)
        assert line, "the server has gone:\n" + self.error_text()
        return json.loads(line)

    def ask(self, message: dict[str, Any]) -> Any:
        """Send a request, and give its answer; what comes before it is dropped."""
        self.send(message)
        while True:
            answer = self.answer()
            if answer.get("id") == message["id"]:
                return answer

    def open(self, revision: str) -> Piped:
        """Say what a client of a revision says first."""
        for message in opening(revision):
            if "id" in message:
                assert self.ask(message)["result"]["protocolVersion"] == revision
            else:
                self.send(message)
        return self

    def error_text(self) -> str:
        """What was written to stderr so far."""
        found = []
        while not self.errors.empty():
            found.append(self.errors.get())
        return b"".join(found).decode()

    def end(self, how: Callable[[], None]) -> int:
        """End the server in a way; gives its exit status."""
        how()
        return self.process.wait(timeout=10)

    def close(self) -> None:
        """Be sure that it is gone."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdin.close()


def parent_of(pid):
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def descendants(pid):
    """The processes below one."""
    pids = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal()]
    parents = {each: parent_of(each) for each in pids}
    found, seen = [], [pid]
    while seen:
        parent = seen.pop()
        below = [each for each, its in parents.items() if its == parent]
        found += below
        seen += below
    return found


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
