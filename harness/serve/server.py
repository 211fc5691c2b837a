"""The registry as an MCP server: tools only, every revision of the protocol, one bridge behind."""

from __future__ import annotations

import logging
import traceback
from typing import Any

import mcp_types as types
from mcp import MCPError
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server

from harness import __version__
from harness.errors import HarnessError, UnknownName
from harness.registry import Tool
from harness.serve.answers import answered, broken, output_schema, refused
from harness.serve.bridge import Bridge, NotBegun
from harness.serve.shown import Shown

INSTRUCTIONS = """\
Playtests of one pygame game: headless, at a fixed step, from a seed, under the input that you \
give; the same arguments give the same answer, bit for bit. The unit of time is the frame. Every \
call takes the files as they are on disk now: edit the game, and call again."""

RUNNING = """\
 Start with game_run: input, until, assert, print. To go on from a state, save it and name it as \
start. To keep a run, record it as a movie. Expressions are Python over the game's entities."""

_LIST_FRESH = 3_600_000

Context = ServerRequestContext[Any]


def build_server(shown: Shown, bridge: Bridge) -> Server[Any]:
    """Serve the tools that are shown; all others do not exist."""
    tools = shown.tools
    listed = [described(tool) for tool in tools.values()]
    schemas = {tool.name: tool.input_schema for tool in listed}

    async def list_tools(
        context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=listed, ttl_ms=_LIST_FRESH, cache_scope="private")

    async def call_tool(
        context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        tool = tools.get(params.name)
        if tool is None:
            unknown = UnknownName("tool", params.name, tools, "this server")
            raise MCPError(code=types.INVALID_PARAMS, message=str(unknown))
        try:
            return await _called(tool, params.arguments or {}, context, bridge)
        except Exception as error:
            # The SDK would tell some clients the bare text, and end the server for others.
            logging.getLogger(__name__).error(traceback.format_exc())
            return broken(error, tool)

    server: Server[Any] = Server(
        "playtest-harness",
        version=__version__,
        instructions=INSTRUCTIONS + RUNNING * ("game_run" in tools),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        get_tool_input_schema=schemas.get,
    )
    server.middleware.clear()  # it would trace every message, for nobody
    return server


async def _called(
    tool: Tool, arguments: dict[str, Any], context: Context, bridge: Bridge
) -> types.CallToolResult:
    told = 0

    async def report(frame: int) -> None:
        nonlocal told
        if frame > told:
            told = frame
            await context.session.report_progress(frame, None, f"frame {frame}")

    try:
        keywords = tool.checked(arguments, over_mcp=True)
        bridge.desk.confine(tool, keywords)
    except HarnessError as error:
        return refused(error, tool, queued=False)
    try:
        return answered(tool, await bridge.call(tool, keywords, report))
    except HarnessError as error:
        return refused(error, tool, queued=tool.runs_game_code and not isinstance(error, NotBegun))


def described(tool: Tool) -> types.Tool:
    """A tool as clients list it."""
    states = [name for name in ("crashed", "parked") if getattr(tool, f"answers_when_{name}")]
    return types.Tool(
        name=tool.name,
        description=" ".join(tool.description.split()),
        input_schema=tool.input_schema(),
        output_schema=output_schema(tool),
        annotations=types.ToolAnnotations(
            read_only_hint=tool.reads_only,
            destructive_hint=tool.destructive,
            idempotent_hint=tool.idempotent,
        ),
        _meta={"answers_when": states} if states else None,
    )
