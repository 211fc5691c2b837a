"""Which tools a server shows; what it does not show cannot be called."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from harness.errors import ArgumentError, UnknownName
from harness.registry import Registry, Tool

DEFAULT = ("play", "scene", "reference")
"""The toolsets that are served where none is named."""


class Shown:
    """Tools by name, in the registry's order."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools = {tool.name: tool for tool in tools}

    @property
    def tools(self) -> Mapping[str, Tool]:
        """The tools by name."""
        return self._tools

    def only(self, toolset: str) -> Shown:
        """Those of one toolset."""
        return Shown(tool for tool in self._tools.values() if tool.toolset == toolset)

    @property
    def toolsets(self) -> list[str]:
        """The toolsets that there is a tool of."""
        return list(dict.fromkeys(tool.toolset for tool in self._tools.values()))


def shown(
    registry: Registry,
    toolset: str | None = None,
    read_only: bool = False,
    allow: Iterable[str] | None = None,
) -> Shown:
    """Choose tools: a toolset, of these what changes and runs nothing, of these what is allowed.

    Raises:
        UnknownName: there is no such toolset, or no such tool.
        ArgumentError: nothing is left to serve.
    """
    everything = Shown(registry)
    if toolset is not None and toolset not in everything.toolsets:
        raise UnknownName("toolset", toolset, everything.toolsets, "this server")
    names = None if allow is None else list(allow)
    for name in names or ():
        registry.find(name)
    sets = DEFAULT if toolset is None else (toolset,)
    named = f" toolset {toolset}" if toolset is not None else ""
    found = [tool for tool in registry if tool.toolset in sets]
    if read_only:
        found = _narrowed(found, changes_nothing, "read-only", named)
        named += " and read-only" if named else " read-only"
    if names is not None:
        found = _narrowed(found, lambda tool: tool.name in names, "allow", named)
    return Shown(found)


def _narrowed(
    tools: list[Tool], fits: Callable[[Tool], bool], option: str, others: str
) -> list[Tool]:
    found = [tool for tool in tools if fits(tool)]
    if tools and not found:
        there = ", ".join(tool.name for tool in tools)
        given = f"with{others} there" if others else "there"
        raise ArgumentError(option, f"leaves no tool to serve; {given} are: {there}")
    return found


def changes_nothing(tool: Tool) -> bool:
    """Whether a tool may be called under ``--read-only``: it writes nothing, and runs no game."""
    return tool.reads_only and not tool.runs_game_code
