"""A server with a tool that does nothing, to measure the way there and back."""

import sys

from harness.cli import main
from harness.registry import REGISTRY


@REGISTRY.tool(toolset="trivial", reads_only=True, idempotent=True, at_once=True)
def nothing(desk: object) -> dict[str, bool]:
    """Answer at once."""
    return {"answered": True}


if __name__ == "__main__":
    sys.exit(main(["mcp", *sys.argv[1:], "--toolset", "trivial"]))
