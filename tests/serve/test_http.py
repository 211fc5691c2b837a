"""A server on HTTP, spoken to in raw requests."""

import asyncio
import http.client
import json
import socket
import sys
import time
from pathlib import Path

import pytest

from harness import cli
from harness.serve.bridge import Bridge
from harness.serve.connection import Connection
from harness.serve.http import listening, serve_http
from harness.serve.shown import Shown
from harness.tools.desk import Desk

from .client import HANDSHAKES, MODERN, REVISIONS, call, opening, request
from .test_stdio import HOSTILE, SOON

GAME = Path(__file__).parents[1] / "walker"
HALF = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n"
ACCEPT = {"content-type": "application/json", "accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def server(shared_http):
    """One server for all that does not end it; gives its port."""
    return shared_http(GAME)


def post(port, message, path="/mcp", **headers):
    """Post a message; gives the status, the headers and the answer."""
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("POST", path, body, ACCEPT | named(headers))
        answer = connection.getresponse()
        return answer.status, dict(answer.headers), unpacked(answer)
    finally:
        connection.close()


def named(headers):
    return {name.replace("_", "-"): value for name, value in headers.items()}


def unpacked(answer):
    text = answer.read().decode()
    if "event-stream" in (answer.headers["content-type"] or ""):
        data = [line[6:] for line in text.splitlines() if line.startswith("data: {")]
        return json.loads(data[-1])
    try:
        return json.loads(text)
    except ValueError:
        return text


class Client:
    """A client of one revision."""

    def __init__(self, port, revision, path="/mcp"):
        self.port, self.revision, self.path = port, revision, path
        self.headers = {"mcp_protocol_version": revision}
        for message in opening(revision):
            _, headers, _ = self.post(message)
            if "mcp-session-id" in headers:
                self.headers["mcp_session_id"] = headers["mcp-session-id"]

    def post(self, message):
        headers = dict(self.headers)
        if self.revision == MODERN:
            headers["mcp_method"] = message["method"]
            if "name" in message["params"]:
                headers["mcp_name"] = message["params"]["name"]
        return post(self.port, message, self.path, **headers)

    def ask(self, id, method, **params):
        return self.post(request(id, method, self.revision, **params))[2]

    def call(self, id, tool, **arguments):
        return self.post(call(id, tool, self.revision, **arguments))[2]


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_revision_lists_and_calls_tools_at_one_address(server, revision):
    client = Client(server, revision)
    tools = client.ask(1, "tools/list")["result"]["tools"]
    assert "game_run" in [tool["name"] for tool in tools]
    assert client.call(2, "game_run", frames=3)["result"]["structuredContent"]["frame"] == 3


def test_a_toolset_has_an_address_where_only_its_tools_are(server):
    client = Client(server, MODERN, "/mcp/play")
    assert {tool["name"] for tool in client.ask(1, "tools/list")["result"]["tools"]} >= {
        "game_run",
        "game_shot",
    }
    assert post(server, request(1, "tools/list", MODERN), "/mcp/nope")[0] == 404


def test_an_unknown_tool_is_an_error_of_the_protocol(server):
    for revision in REVISIONS:
        assert Client(server, revision).call(1, "nope")["error"]["code"] == -32602


@pytest.mark.parametrize("name", [name for name in HOSTILE if "64 KiB" not in name])
def test_hostile_bodies_are_answered_and_the_next_good_call_works(server, name):
    body, code = HOSTILE[name]
    began = time.monotonic()
    status, _, answer = post(server, body, mcp_protocol_version=HANDSHAKES[0])
    assert time.monotonic() - began < SOON / 2
    if name != "5 MiB":
        assert (status, answer["error"]["code"]) == (400, code)
    assert post(server, opening(HANDSHAKES[0])[0])[0] == 200


def test_a_body_that_is_nested_beyond_all_measure_is_refused(server):
    status, _, answer = post(server, b"[" * 100_000 + b"]" * 100_000)
    assert (status, answer["error"]["code"]) == (400, -32600)


def test_a_body_of_more_than_8_mib_is_refused(server):
    status, _, answer = post(server, b" " * (8 << 20) + b"1")
    assert (status, answer["error"]["code"]) == (413, -32600)


ORIGINS = {
    "http://localhost:3000": 200,
    "https://localhost": 200,
    "https://127.0.0.1:8443": 200,
    "http://[::1]:5173": 200,
    "https://evil.test": 403,
    "null": 403,
    "http://localhost.evil.test": 403,
    "http://127.0.0.1.evil.test": 403,
    "http://localhost@evil.test": 403,
    "file://localhost": 403,
    "chrome-extension://abc": 403,
}


@pytest.mark.parametrize("origin", ORIGINS)
def test_only_origins_on_this_machine_may_ask(server, origin):
    assert post(server, opening(HANDSHAKES[0])[0], origin=origin)[0] == ORIGINS[origin]


@pytest.mark.parametrize(
    "host", ["evil.test", "evil.test:80", "192.168.0.1", "localhost.x.test", ""]
)
def test_only_hosts_on_this_machine_are_answered(server, host):
    assert post(server, opening(HANDSHAKES[0])[0], host=host)[0] == 421


def raw(port, data, wait=5.0):
    """Send bytes, and give all that comes until the server closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=wait) as sock:
        sock.sendall(data)
        found = b""
        while chunk := sock.recv(1 << 16):
            found += chunk
        return found


def test_what_is_refused_for_its_host_costs_no_read_of_its_body(server):
    told = raw(server, b"POST /mcp HTTP/1.1\r\nHost: evil.test\r\nContent-Length: 8000000\r\n\r\n")
    assert told.startswith(b"HTTP/1.1 421 ")


def test_headers_have_at_most_32_kib(server):
    long = b"X: " + b"x" * (33 << 10)
    assert raw(server, b"POST /mcp HTTP/1.1\r\nHost: localhost\r\n" + long).startswith(
        b"HTTP/1.1 400 "
    )


def test_headers_have_at_most_32_kib_each_time_and_in_one_piece_too(server):
    connection = http.client.HTTPConnection("127.0.0.1", server, timeout=5)
    for _ in range(3):
        connection.request("GET", "/mcp", headers={"X": "x" * 20_000})
        assert b"Invalid HTTP request" not in connection.getresponse().read()
        assert connection.sock is not None  # the same one is used again
    connection.close()
    start = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nX: "
    assert b"Invalid HTTP request" in raw(server, start + b"x" * 40_000 + b"\r\n\r\n{}")


def test_the_frames_of_chunks_have_at_most_32_kib(server):
    start = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server), timeout=5) as sock:
        sock.sendall(start + b"1\r\n \r\n" * 6000)
        sock.settimeout(0.3)
        with pytest.raises(TimeoutError):
            sock.recv(1)
        sock.settimeout(5)
        sock.sendall(b"1\r\n \r\n" * 1000)
        assert sock.recv(100).startswith(b"HTTP/1.1 400 ")


def test_a_body_may_come_in_chunks(server):
    body = json.dumps(opening(HANDSHAKES[0])[0]).encode()
    connection = http.client.HTTPConnection("127.0.0.1", server, timeout=10)
    parts = iter([body[:20], body[20:]])
    connection.request("POST", "/mcp", parts, ACCEPT, encode_chunked=True)
    assert connection.getresponse().status == 200
    connection.close()


def test_the_connection_too_many_is_told_to_come_again(on_http):
    _, port = on_http(GAME)
    held = [socket.create_connection(("127.0.0.1", port), timeout=5) for _ in range(32)]
    time.sleep(0.2)  # the last of them is taken on
    told = raw(port, b"")
    assert told.startswith(b"HTTP/1.1 503 ")
    assert b"Retry-After: 1" in told
    held.pop().close()
    time.sleep(0.2)
    assert post(port, opening(HANDSHAKES[0])[0])[0] == 200
    for sock in held:
        sock.close()


def test_a_request_that_does_not_come_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(Connection, "limit", 0.3)

    async def talk(port):
        found = []
        for half in (b"", b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(half)
            found.append(await asyncio.wait_for(reader.read(), 10))
            writer.close()
        return found

    async def serve_and_talk(sock):
        serving = asyncio.ensure_future(serve_http(Shown([]), bridge, sock))
        found = await talk(sock.getsockname()[1])
        serving.cancel()
        await asyncio.wait({serving})
        return found

    bridge = Bridge(Desk(GAME, GAME, lambda: None))
    with listening(0) as sock:
        told = asyncio.run(serve_and_talk(sock))
    bridge.close()
    assert all(answer.startswith(b"HTTP/1.1 408 ") for answer in told)


@pytest.mark.parametrize("part", [b"", b"POST /mcp HT", HALF, HALF + b'{"jsonrpc"'])
def test_who_goes_in_the_middle_of_a_request_leaves_the_others_be(server, part):
    with socket.create_connection(("127.0.0.1", server), timeout=5) as sock:
        sock.sendall(part)
    assert post(server, opening(HANDSHAKES[0])[0])[0] == 200


def test_a_request_that_comes_byte_by_byte_is_answered_and_holds_nobody_up(server):
    body = json.dumps(opening(HANDSHAKES[0])[0]).encode()
    start = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    more = "".join(f"{name}: {value}\r\n" for name, value in ACCEPT.items()).encode()
    request = start + more + b"Content-Length: %d\r\n\r\n" % len(body) + body
    with socket.create_connection(("127.0.0.1", server), timeout=5) as sock:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for n in range(len(request)):
            sock.sendall(request[n : n + 1])
            if n == len(request) // 2:
                assert post(server, opening(HANDSHAKES[0])[0])[0] == 200
        assert sock.recv(100).startswith(b"HTTP/1.1 200 ")


def test_the_65th_call_is_refused_at_once(on_http, slow):
    _, port = on_http(slow)
    client = Client(port, HANDSHAKES[0])
    for n in range(64):  # of this revision, calls go on when their connection is gone
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        message = call(n, "game_run", frames=600)
        connection.request("POST", "/mcp", json.dumps(message), ACCEPT | named(client.headers))
        assert connection.getresponse().status == 200
        connection.close()
    began = time.monotonic()
    refused = client.call(64, "game_run")["result"]["structuredContent"]
    assert (refused["code"], refused["tool_queued"]) == ("queue_full", False)
    assert client.call(65, "help")["result"]["structuredContent"]["code"] == "queue_full"
    assert client.ask(66, "ping")["result"] == {}
    assert time.monotonic() - began < SOON / 2


def test_the_port_is_47371_unless_another_is_given():
    assert cli._parser().parse_args(["mcp", "--http"]).http == "47371"


@pytest.mark.parametrize("port", ["x", "-1", "65536", "1.5"])
def test_what_is_no_port_is_refused(harness_process, port):
    done = harness_process("mcp", GAME, f"--http={port}")
    assert (done.returncode, done.stderr) == (
        2,
        f"harness: http: must be a port, 0 to 65535, not {port!r}\n",
    )


def test_a_taken_port_ends_the_start_with_its_number(server, harness_process):
    done = harness_process("mcp", GAME, "--http", server)
    assert done.returncode == 2
    assert done.stderr == f"harness: http: port {server} is taken; choose another\n"


def test_an_id_that_waits_for_its_answer_is_not_taken_again(on_http, slow, background):
    _, port = on_http(slow)
    client = Client(port, HANDSHAKES[0])
    refused = None
    while refused is None:  # on a busy machine a run may be over before the other one is asked
        first = background(lambda: client.call(7, "game_run", frames=100))
        while refused is None and not first.done():
            status, _, answer = client.post(request(7, "ping"))
            refused = answer if status == 400 else None
    assert "not answered yet" in refused["error"]["message"]
    assert first.result(30)["result"]["structuredContent"]["frame"] == 100


@pytest.mark.skipif(sys.platform != "linux", reason="127.0.0.2 is loopback on Linux alone")
def test_it_listens_on_one_address_alone(server):
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", server), timeout=5)
