"""The SDK's own client, in memory, on pipes and over HTTP."""

import asyncio
import os
import sys

import pytest
from mcp import Client, MCPError, StdioServerParameters

from harness import tools as _registers_the_tools  # noqa: F401
from harness.registry import REGISTRY
from harness.serve.bridge import Bridge
from harness.serve.server import build_server
from harness.serve.shown import shown
from harness.tools.desk import Desk
from harness.worker.isolation import play_in, settled

from .client import ROOT

GAME = ROOT / "tests" / "walker"
MODES = ("auto", "legacy")


def in_memory():
    desk = Desk(GAME, GAME, lambda: play_in(settled("auto"), GAME, base=GAME), root=GAME)
    bridge = Bridge(desk)
    return build_server(shown(REGISTRY), bridge), bridge.close


def on_pipes():
    words = ["-m", "harness", "mcp", str(GAME)]
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    return StdioServerParameters(command=sys.executable, args=words, env=env), lambda: None


async def talk(server, mode):
    """What every client must be able to do."""
    async with Client(server, mode=mode) as client:
        listed = (await client.list_tools()).tools
        run = await client.call_tool("game_run", {"frames": 10, "input": "right@1-10"})
        wrong = await client.call_tool("game_run", {"frames": 601})
        with pytest.raises(MCPError) as unknown:
            await client.call_tool("nope", {})
    return listed, run, wrong, unknown.value


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("where", [in_memory, on_pipes, "http"])
def test_the_sdks_client_lists_calls_and_is_refused(where, mode, request):
    if where == "http":
        _, port = request.getfixturevalue("on_http")(GAME)
        server, close = f"http://127.0.0.1:{port}/mcp", lambda: None
    else:
        server, close = where()
    try:
        listed, run, wrong, unknown = asyncio.run(talk(server, mode))
    finally:
        close()
    assert {tool.name for tool in listed} >= {"game_run", "game_query", "game_shot", "game_branch"}
    assert (run.is_error, run.structured_content["frame"]) == (False, 10)
    assert wrong.is_error
    assert wrong.structured_content["recovery"]["action"] == "correct_arguments_and_retry"
    assert unknown.error.code == -32602


def test_every_tool_and_argument_is_described_and_annotated():
    server, close = in_memory()

    async def listing():
        async with Client(server) as client:
            return (await client.list_tools()).tools

    tools = asyncio.run(listing())
    close()
    for tool in tools:
        assert tool.description
        assert tool.input_schema["additionalProperties"] is False
        for name, schema in tool.input_schema["properties"].items():
            assert schema["description"], f"{tool.name}: {name}"
        hints = tool.annotations
        assert None not in (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint)


def test_the_list_of_tools_costs_at_most_3000_tokens():
    server, close = in_memory()

    async def listing():
        async with Client(server, mode="legacy") as client:
            return await client.list_tools()

    listed = asyncio.run(listing())
    close()
    text = listed.model_dump_json(by_alias=True, exclude_none=True)
    assert len(text) / 4 <= 3000
