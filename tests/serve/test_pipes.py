"""Both ways to read and write a client's descriptors lose nothing, mix nothing and always end."""

import asyncio
import json
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.registry import Describe, Registry
from harness.serve import pipes
from harness.serve.bridge import Bridge
from harness.serve.pipes import Outlet, can_be_watched, inlet
from harness.serve.server import build_server
from harness.serve.shown import shown
from harness.serve.stdio import Lines, serve_stdio
from harness.tools.desk import Desk

from .client import HANDSHAKES, ROOT, call, opening, request

GAME = ROOT / "tests" / "walker"
WAYS = [
    pytest.param(True, id="watched", marks=pytest.mark.skipif(
        sys.platform == "win32", reason="Windows has nothing to watch a pipe with")),
    pytest.param(False, id="waited"),
]  # fmt: skip
watched_or_not = pytest.mark.parametrize("watched", WAYS)


@pytest.fixture(params=["pipe", "socket"])
def pair(request):
    """Two ends, to read from and to write to, as clients of each kind make them."""
    if request.param == "pipe":
        ends = os.pipe()
    else:
        made = getattr(socket, "AF_UNIX", None) and socket.socketpair()
        if not made:
            pytest.skip("no descriptors are sockets here")
        ends = tuple(end.detach() for end in made)
    closed = set()

    def close(end):
        if end not in closed:
            closed.add(end)
            os.close(end)

    yield *ends, close
    for end in ends:
        close(end)


def everything(descriptor, wanted=None):
    found = b""
    while (wanted is None or len(found) < wanted) and (chunk := os.read(descriptor, 1 << 16)):
        found += chunk
    return found


async def until(condition):
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.005)


@watched_or_not
def test_all_that_was_written_is_read_and_then_its_end(pair, watched):
    source, sink, close = pair
    sent = [bytes([n]) * 5000 for n in range(200)]

    async def reading():
        found = []
        inlet(source, found.append, watched)
        writer = threading.Thread(target=lambda: [os.write(sink, s) for s in sent] + [close(sink)])
        writer.start()
        await until(lambda: found and not found[-1])
        writer.join()
        return found

    found = asyncio.run(reading())
    assert b"".join(found) == b"".join(sent)
    assert found.count(b"") == 1


@watched_or_not
def test_what_is_held_is_not_read_until_there_may_be_more(pair, watched):
    source, sink, _ = pair

    async def reading():
        found = []

        def take(data):
            found.append(data)
            come.hold()

        come = inlet(source, take, watched)
        os.write(sink, b"first")
        await until(lambda: found)
        os.write(sink, b"second")
        await asyncio.sleep(0.05)
        assert found == [b"first"]
        come.more()
        await until(lambda: len(found) > 1)
        come.close()
        return found

    assert asyncio.run(reading()) == [b"first", b"second"]


@watched_or_not
@pytest.mark.parametrize("waits", [True, False])
def test_answers_of_every_length_stay_whole_and_in_order_when_the_reader_is_slow(
    pair, watched, waits
):
    source, sink, _ = pair
    os.set_blocking(sink, waits)
    sent = [b"%d " % n * (1 + n * n % 3000) + b"\n" for n in range(300)]
    total = sum(map(len, sent))

    async def writing():
        out = Outlet(sink, lambda: pytest.fail("somebody reads"), watched)
        for each in sent:
            out.write(each)
        found = await asyncio.to_thread(everything, source, total)
        out.write(b"again\n")  # short, and at once
        found += await asyncio.to_thread(everything, source, 6)
        out.close()
        return found

    assert asyncio.run(writing()) == b"".join([*sent, b"again\n"])


@watched_or_not
@pytest.mark.parametrize("size", [10, 100_000])
def test_an_answer_that_nobody_can_read_is_noticed(pair, watched, size):
    source, sink, close = pair
    close(source)

    async def writing():
        lost = []
        out = Outlet(sink, lambda: lost.append(1), watched)
        out.write(b"x" * size)
        await until(lambda: lost)
        out.close()

    asyncio.run(writing())


@watched_or_not
def test_a_client_that_leaves_too_much_unread_is_taken_for_gone(pair, watched, monkeypatch):
    monkeypatch.setattr(pipes, "MOST_UNREAD", 3 << 20)
    monkeypatch.setattr(pipes, "_FLUSH", 0.05)
    source, sink, close = pair

    async def writing():
        lost = []
        out = Outlet(sink, lambda: lost.append(1), watched)
        while not lost:
            out.write(b"x" * (1 << 20))
        out.close()
        close(source)

    asyncio.run(writing())


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is watched there")
def test_files_and_devices_are_not_watched(pair):
    assert can_be_watched(pair[0])
    with Path(__file__).open("rb") as file, Path(os.devnull).open("rb") as device:
        assert not can_be_watched(file.fileno())
        assert not can_be_watched(device.fileno())


@given(st.lists(st.sampled_from([b"\n", b"\r\n", b"a", b"bcd", b"e" * 7])), st.integers(1, 9))
def test_lines_are_the_same_however_they_are_cut(pieces, size):
    data = b"".join(pieces)
    lines, found = Lines(most=6), []
    for start in range(0, len(data), size):
        found += lines.cut(data[start : start + size])
    found += lines.cut(b"")
    whole = [line.removesuffix(b"\r") for line in data.split(b"\n")]
    assert found == [line if len(line) <= 6 else None for line in whole]


@pytest.fixture
def talk():
    """Serve a tool that echoes; ``client`` writes to and reads from the ends that it is given."""
    registry = Registry()

    @registry.tool(reads_only=True)
    def echo(desk: object, *, words: Annotated[str, Describe("what to say")]) -> dict[str, str]:
        """Say it again."""
        return {"words": words}

    bridge = Bridge(Desk(GAME, GAME, lambda: None))

    def talked(watched, client):
        server = build_server(shown(registry), bridge)
        (there, to_server), (from_server, back) = os.pipe(), os.pipe()

        async def serving():
            spoken = asyncio.create_task(asyncio.to_thread(client, to_server, from_server))
            await asyncio.wait_for(serve_stdio(server, there, back, watched), 20)
            os.close(back)
            return await spoken

        try:
            return asyncio.run(serving())
        finally:
            os.close(there)

    yield talked
    bridge.close()


def said(*messages):
    return b"".join(json.dumps(message).encode() + b"\n" for message in messages)


@watched_or_not
def test_a_client_that_reads_late_gets_each_answer_once_and_its_own(talk, watched):
    words = {n: f"{n} " * (n * n * 97 % 9000) for n in range(1, 60)}
    pings = [f"ping {n}" for n in range(1000)]

    def client(sink, source):
        with open(sink, "wb") as out:
            out.write(said(*opening(HANDSHAKES[0]), *(request(id, "ping") for id in pings[:500])))
            out.write(said(*(call(n, "echo", words=text) for n, text in words.items())))
            out.write(said(*(request(id, "ping") for id in pings[500:])))
            out.flush()
            with open(source, "rb") as answers:
                return [json.loads(answers.readline()) for _ in range(1 + 1000 + len(words))]

    answers = {answer["id"]: answer["result"] for answer in talk(watched, client)}
    assert set(answers) == {0, *pings, *words}
    for n, text in words.items():
        assert answers[n]["structuredContent"] == {"words": text}


HARD = {
    "nothing": [],
    "half a line": [b'{"jsonrpc": "2.0", "id"'],
    "5 MiB without an end": [b"x" * (1 << 20)] * 5,
    "5 MiB and a good call": [*[b"x" * (1 << 20)] * 5, b"\n", said(call(1, "echo", words="here"))],
    "bytes in pieces": [b"\xff", b"\xfe", b"\n", b"[", b"1]", b"\n"],
}
CODES = {
    "nothing": [],
    "half a line": [-32700],
    "5 MiB without an end": [-32600],
    "5 MiB and a good call": [-32600, "here"],
    "bytes in pieces": [-32700, -32600],
}


@watched_or_not
@pytest.mark.parametrize("what", HARD)
def test_hard_ends_are_answered_and_end_the_server(talk, watched, what):
    def client(sink, source):
        os.write(sink, said(*opening(HANDSHAKES[0])))
        with open(source, "rb") as answers:
            assert json.loads(answers.readline())["id"] == 0
            with open(sink, "wb", buffering=0) as out:
                for piece in HARD[what]:
                    out.write(piece)
            return [json.loads(line) for line in answers]

    told = [
        answer["error"]["code"]
        if "error" in answer
        else answer["result"]["structuredContent"]["words"]
        for answer in talk(watched, client)
    ]
    assert told == CODES[what]


@watched_or_not
def test_an_end_before_anything_was_asked_ends_the_server(talk, watched):
    def client(sink, source):
        os.close(sink)
        with open(source, "rb") as answers:
            return answers.read()

    assert talk(watched, client) == b""


@watched_or_not
def test_a_client_that_reads_no_more_ends_the_server(talk, watched):
    def client(sink, source):
        os.write(sink, said(*opening(HANDSHAKES[0])))
        os.read(source, 1 << 16)
        os.close(source)
        os.write(sink, said(request(1, "ping")))

    talk(watched, client)


def test_requests_may_come_from_a_file(tmp_path):
    asked = tmp_path / "asked.jsonl"
    asked.write_bytes(said(*opening(HANDSHAKES[0]), request(1, "ping"), call(2, "help")))
    with asked.open("rb") as file:
        done = subprocess.run(
            [sys.executable, "-m", "harness", "mcp", GAME],
            stdin=file, capture_output=True, check=True, timeout=30,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
    assert {json.loads(line)["id"] for line in done.stdout.splitlines()} == {0, 1, 2}
