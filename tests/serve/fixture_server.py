"""The real server with a toolset that only the conformance suite knows."""

import sys

from harness.cli import main
from harness.errors import RequestError
from harness.playtest.protocol import Play
from harness.registry import REGISTRY
from harness.values.picture import Picture

tool = REGISTRY.tool


@tool(toolset="fixtures", reads_only=True)
def test_simple_text(desk: object) -> str:
    """Answer with text."""
    return "This is a simple text response for testing."


class Drawn(Picture):
    """A picture with a caption."""

    def text(self) -> str:
        return "one red pixel"

    def to_json(self) -> dict[str, int]:
        return {"width": 1}


@tool(toolset="fixtures", reads_only=True)
def test_image_content(desk: object) -> Picture:
    """Answer with a picture."""
    return Drawn((1, 1), b"\xff\x00\x00")


@tool(toolset="fixtures", reads_only=True)
def test_error_handling(desk: object) -> None:
    """Fail in words."""
    raise RequestError("this tool intentionally returns an error for testing")


@tool(toolset="fixtures", runs_game_code=True)
def test_tool_with_progress(play: Play) -> str:
    """Play for more than a second."""
    play.reset()
    return f"played {play.step(150)} frames"


@tool(toolset="fixtures", reads_only=True)
def test_logging_tool(desk: object) -> str:
    """Answer, and log nothing to the client."""
    return "logged"


if __name__ == "__main__":
    sys.exit(main(["mcp", *sys.argv[1:], "--toolset", "fixtures"]))
