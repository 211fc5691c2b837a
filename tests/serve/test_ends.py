"""However a server ends, it ends soon, and no process of a game is left."""

import signal
import sys
import time

import pytest

from .client import HANDSHAKES, MODERN, alive, call, descendants, request
from .test_http import Client
from .test_stdio import SOON

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

ENDS = {
    "EOF": lambda server: server.process.stdin.close(),
    "SIGINT": lambda server: server.process.send_signal(signal.SIGINT),
    "SIGTERM": lambda server: server.process.send_signal(signal.SIGTERM),
    "SIGKILL": lambda server: server.process.kill(),
}
IDLE = [("stdio", "EOF"), ("stdio", "SIGINT"), ("stdio", "SIGTERM"), ("http", "SIGTERM")]
BUSY = [*IDLE, ("stdio", "SIGKILL"), ("http", "SIGINT"), ("http", "SIGKILL")]


@pytest.fixture
def game(stub):
    """A game that plays for a minute when a button is held, and has two programs help it."""
    return stub(
        """
        import subprocess, sys, time
        from honest import Honest

        class Stub(Honest):
            def step(self, inputs):
                super().step(inputs)
                if inputs.held:
                    help = [sys.executable, "-c", "import time; time.sleep(60)"]
                    subprocess.Popen(help)
                    subprocess.Popen(help, start_new_session=True)
                    time.sleep(60)
        """
    )


@pytest.fixture
def served(piped, on_http, background):
    """Start a server, and have it play; gives it when it does."""

    def start(game, transport, busy):
        if transport == "stdio":
            server = piped(game).open(HANDSHAKES[0])
            server.ask(call(1, "game_run", frames=1))
            if busy:
                server.send(call(2, "game_run", frames=9, input="right@1-9"), request(3, "ping"))
                assert server.answer()["id"] == 3
        else:
            server, port = on_http(game)
            Client(port, MODERN).call(1, "game_run", frames=1)
            if busy:
                background(Client(port, MODERN).call, 2, "game_run", frames=9, input="right@1-9")
        wanted = 2 + 2 * busy  # the first process, who plays, and who help
        deadline = time.monotonic() + SOON
        while len(below := descendants(server.process.pid)) < wanted:
            assert time.monotonic() < deadline, "nothing plays"
            time.sleep(0.02)
        return server, below

    return start


@pytest.mark.parametrize(
    ("transport", "how", "busy"),
    [(*each, False) for each in IDLE] + [(*each, True) for each in BUSY],
)
def test_a_server_that_is_stopped_ends_soon_and_leaves_no_process(
    served, game, transport, how, busy
):
    server, below = served(game, transport, busy)
    began = time.monotonic()
    assert server.end(lambda: ENDS[how](server)) == (-signal.SIGKILL if how == "SIGKILL" else 0)
    while any(map(alive, below)):
        assert time.monotonic() - began < SOON, "a process is left"
        time.sleep(0.02)
    assert time.monotonic() - began < SOON
