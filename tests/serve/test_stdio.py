"""A server on pipes, spoken to in raw lines."""

import json
import os
import sys
import time
from pathlib import Path

import pytest

from .client import HANDSHAKES, MODERN, REVISIONS, call, descendants, opening, request

GAME = Path(__file__).parents[1] / "walker"
SOON = 8
"""Seconds: four times what is promised, since tests run on busy machines."""


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_revision_lists_and_calls_tools(piped, revision):
    server = piped(GAME).open(revision)
    tools = server.ask(request(1, "tools/list", revision))["result"]["tools"]
    assert "game_run" in [tool["name"] for tool in tools]
    answer = server.ask(call(2, "game_run", revision, frames=3))["result"]
    assert answer["structuredContent"]["frame"] == 3
    assert answer.get("resultType") == ("complete" if revision == MODERN else None)


def test_a_modern_client_discovers_what_there_is(piped):
    found = piped(GAME).ask(request(1, "server/discover", MODERN))["result"]
    assert MODERN in found["supportedVersions"]
    assert list(found["capabilities"]) == ["tools"]


def test_only_tools_are_offered(piped):
    server = piped(GAME)
    opened = server.ask(opening(HANDSHAKES[0])[0])["result"]
    assert list(opened["capabilities"]) == ["tools"]
    server.send(opening(HANDSHAKES[0])[1])
    for method in ("resources/list", "prompts/list", "resources/templates/list"):
        assert server.ask(request(1, method))["error"]["code"] == -32601


def test_a_call_before_the_handshake_is_an_error_and_runs_nothing(piped, tmp_path):
    server = piped(GAME)
    assert "error" in server.ask(call(1, "game_run", record="never.movie"))
    assert not (GAME / "never.movie").exists()


def test_an_unknown_tool_is_an_error_of_the_protocol(piped):
    error = piped(GAME).open(HANDSHAKES[0]).ask(call(1, "nope"))["error"]
    assert error["code"] == -32602
    assert "nope" in error["message"]


def test_wrong_arguments_are_a_tool_error_that_names_them(piped):
    server = piped(GAME).open(HANDSHAKES[0])
    result = server.ask(call(1, "game_run", frames=601))["result"]
    assert result["isError"]
    told = result["structuredContent"]
    assert told["message"] == "frames: must be at most 600, not 601; continue with save and start"
    assert told["code"] == "invalid_arguments"
    assert told["recovery"] == {
        "action": "correct_arguments_and_retry",
        "schema_method": "tools/list",
    }
    assert told["tool_queued"] is False


def test_a_batch_is_answered_as_one_where_the_revision_has_them(piped):
    server = piped(GAME).open("2025-03-26")
    server.send([request(1, "ping"), {"jsonrpc": "2.0", "id": None}, request("b", "tools/list")])
    answers = server.answer()
    assert {answer["id"] for answer in answers} == {1, "b", None}
    server.send([])
    assert server.answer()["error"]["code"] == -32600


def test_a_batch_is_refused_where_it_has_none(piped):
    server = piped(GAME).open(HANDSHAKES[0])
    server.send([request(1, "ping")])
    assert server.answer()["error"]["code"] == -32600
    assert server.ask(request(2, "ping"))["result"] == {}


LONG = json.dumps(request(7, "ping", pad="x")).encode()


def padded(size):
    return LONG.replace(b'"x"', b'"' + b"x" * (size - len(LONG) + 1) + b'"')


HOSTILE = {
    "broken": (b"{", -32700),
    "a scalar": (b"3", -32600),
    "no id": (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
    "a fraction": (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600),
    "twice": (b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', -32700),
    "64 KiB and one": (padded((64 << 10) + 1), -32600),
    "5 MiB": (padded(5 << 20), -32600),
    "deep": (b"[" * 17 + b"]" * 17, -32600),
    "very deep": (b"[" * 60_000, -32600),
    "a batch": (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600),
    "no method": (b'{"jsonrpc":"2.0","id":1}', -32600),
    "NaN": (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":NaN}}', -32700),
    "1e999": (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":1e999}}', -32700),
    "digits": (b'{"jsonrpc":"2.0","id":' + b"7" * 5000 + b',"method":"ping"}', -32700),
    "surrogate": (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"\\ud800"}}', -32700),
    "bytes": (b"\xff\xfe\x00", -32700),
}


def test_hostile_lines_are_answered_and_the_next_good_call_works(piped):
    server = piped(GAME).open(HANDSHAKES[0])
    for name, (line, code) in HOSTILE.items():
        server.send(line + b"\n")
        began = time.monotonic()
        assert server.answer()["error"]["code"] == code, name
        assert time.monotonic() - began < SOON / 2, name
        assert server.ask(request(name, "ping"))["result"] == {}


def test_a_line_of_exactly_64_kib_is_read(piped):
    server = piped(GAME).open(HANDSHAKES[0])
    server.send(padded(64 << 10) + b"\n")
    assert server.answer()["id"] == 7


def test_an_id_that_waits_for_its_answer_is_not_taken_again(piped):
    server = piped(GAME).open(HANDSHAKES[0])
    server.send(call(1, "game_run", frames=600), request(1, "ping"))
    refused, answered = server.answer(), server.answer()
    assert "not answered yet" in refused["error"]["message"]
    assert answered["result"]["structuredContent"]["frame"] == 600


def test_runs_are_answered_in_order(piped):
    server = piped(GAME).open(HANDSHAKES[0])
    server.send(*(call(n, "game_run", frames=600 - 100 * n) for n in range(1, 6)))
    assert [server.answer()["id"] for _ in range(5)] == [1, 2, 3, 4, 5]


def test_what_the_game_prints_never_reaches_the_wire(piped, stub):
    folder = stub(
        """
        import os, sys
        from honest import Honest

        print("imported")

        class Stub(Honest):
            def step(self, inputs):
                print("python")
                os.write(1, b"native")
                super().step(inputs)
        """
    )
    server = piped(folder).open(HANDSHAKES[0])
    assert server.ask(call(1, "game_run", frames=2))["result"]["isError"] is False
    assert server.lines.empty()
    server.end(server.process.stdin.close)
    assert "native" in server.error_text()


def listening():
    """The inodes of sockets that listen on this machine."""
    found = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        if Path(table).exists():
            rows = [line.split() for line in Path(table).read_text().splitlines()[1:]]
            found |= {row[9] for row in rows if row[3] == "0A"}
    return found


def sockets(pid):
    """The inodes of the sockets that a process has."""
    found = set()
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        try:
            target = os.readlink(entry)
        except OSError:
            continue
        if target.startswith("socket:["):
            found.add(target[8:-1])
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_on_pipes_nothing_listens(piped):
    server = piped(GAME).open(HANDSHAKES[0])
    server.ask(call(1, "game_run", frames=1))
    for pid in (server.process.pid, *descendants(server.process.pid)):
        assert not sockets(pid) & listening()


def test_calls_that_came_before_the_input_ended_are_answered(piped):
    server = piped(GAME).open(HANDSHAKES[0])
    server.ask(call(1, "game_run", frames=1))
    server.send(call(2, "game_run", frames=30), request(3, "ping"))
    server.process.stdin.close()
    answers = [server.answer(), server.answer()]
    assert {answer["id"]: "result" in answer for answer in answers} == {2: True, 3: True}
    assert server.process.wait(timeout=10) == 0


def test_half_a_line_at_the_end_is_answered(piped):
    server = piped(GAME)
    server.send(b'{"jsonrpc": "2.0", "id"')
    server.process.stdin.close()
    assert server.answer()["error"]["code"] == -32700
    assert server.process.wait(timeout=10) == 0


def test_path_alone_is_environment_enough(piped):
    server = piped(GAME, env={"PATH": os.environ["PATH"]}).open(HANDSHAKES[0])
    assert server.ask(call(1, "game_run", frames=1))["result"]["isError"] is False
