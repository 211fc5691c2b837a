"""The tools over MCP, on stdio and HTTP. Nothing else imports ``mcp``."""

from __future__ import annotations

from importlib.util import find_spec

from harness.errors import MissingDependency


def require_mcp() -> None:
    """Say what to install where the extra is missing.

    Raises:
        MissingDependency: the package mcp is not installed.
    """
    if find_spec("mcp") is None:
        raise MissingDependency("mcp", "harness mcp", "mcp")
