"""Budgets, turns and faults of calls, in memory."""

import asyncio
import os
import subprocess
import sys
import threading

import pytest
from mcp import Client

from harness.errors import RequestError
from harness.registry import Registry
from harness.serve.bridge import Bridge
from harness.serve.server import build_server
from harness.serve.shown import shown
from harness.tools.desk import Desk
from harness.worker.isolation import play_in, settled

from .client import ROOT


class Tools:
    """A few tools, and what became of them."""

    def __init__(self):
        self.registry = Registry()
        self.free, self.began = threading.Event(), []

        @self.registry.tool(runs_game_code=True)
        def wait(desk: object) -> str:
            """Wait until the test says so."""
            self.began.append(1)
            assert self.free.wait(30)
            return "waited"

        @self.registry.tool(reads_only=True)
        def read(desk: object) -> dict[str, int]:
            """Answer at once."""
            return {"answer": 42}

        @self.registry.tool(reads_only=True, at_once=True)
        def know(desk: object) -> dict[str, str]:
            """Answer from memory."""
            return {"thread": threading.current_thread().name}

        @self.registry.tool(reads_only=True, at_once=True)
        def slip(desk: object) -> None:
            """Refuse from memory."""
            raise RequestError("what is asked for is not there")

        @self.registry.tool(reads_only=True)
        def fall(desk: object) -> None:
            """Fail for a fault of ours."""
            raise KeyError("a secret place")

        @self.registry.tool(runs_game_code=True, limit=0.3)
        def long(play: object) -> object:
            """Play for long."""
            return play.step(100_000)


@pytest.fixture
def tools():
    found = Tools()
    yield found
    found.free.set()


@pytest.fixture
def together(tools, slow):
    """Call tools side by side, each named with its arguments; gives their results in order."""
    bridges = []

    def run(*names, then=lambda: None, **more):
        desk = Desk(slow, slow, lambda: play_in(settled("auto"), slow, base=slow))
        bridges.append(Bridge(desk, **more))
        server = build_server(shown(tools.registry), bridges[-1])

        async def talk():
            async with Client(server) as client:
                calls = [asyncio.ensure_future(client.call_tool(name, {})) for name in names]
                done = [await calls[-1]]
                then()
                return [await each for each in calls[:-1]] + done

        return asyncio.run(talk())

    yield run
    for bridge in bridges:
        bridge.close()


def test_what_only_reads_is_answered_while_a_run_goes_on(together, tools):
    waited, read = together("wait", "read", then=tools.free.set)
    assert read.structured_content == {"answer": 42}
    assert waited.content[0].text == "waited"


def test_what_is_known_is_answered_without_a_thread_while_a_run_goes_on(together, tools):
    waited, refused, known = together("wait", "slip", "know", then=tools.free.set)
    assert known.structured_content == {"thread": threading.current_thread().name}
    assert refused.structured_content["code"] == "invalid_arguments"
    assert waited.content[0].text == "waited"


def test_a_call_whose_turn_does_not_come_is_told_so_and_never_begins(together, tools):
    waited, refused = together("wait", "wait", then=tools.free.set, wait=0.3)
    assert waited.is_error is False
    told = refused.structured_content
    assert told["message"] == "wait did not begin in 0.3 s; wait is still running"
    assert (told["code"], told["tool_queued"]) == ("not_begun", False)
    assert len(tools.began) == 1


def test_a_call_that_takes_too_long_ends_at_a_frame(together):
    (told,) = together("long")
    assert told.is_error
    assert "long was stopped after 0.3 s, at frame" in told.content[0].text
    assert told.structured_content["code"] == "took_too_long"


def test_what_does_not_end_is_answered_all_the_same(together):
    (told,) = together("wait", total=0.3, patience=0.2)
    assert told.structured_content["code"] == "took_too_long"


def test_a_fault_of_ours_is_not_blamed_on_the_arguments(together):
    (told,) = together("fall")
    assert told.is_error
    assert told.structured_content["code"] == "tool_broken"
    assert "KeyError" in told.content[0].text
    assert "Traceback" not in str(told.structured_content)


def test_a_missing_extra_is_told_with_the_command_that_mends_it(tmp_path):
    # A site customisation that cannot find the package, as where it is not installed.
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util as u\n"
        "find = u.find_spec\n"
        "u.find_spec = lambda name, *more: None if name == 'mcp' else find(name, *more)\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-m", "harness", "mcp", str(ROOT / "tests" / "walker")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])},
        capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "harness: harness mcp needs mcp, which is not installed",
        "  pip install 'playtest-harness[mcp]'",
    ]
