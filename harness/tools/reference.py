"""Tools that tell what there is: names to write with, what was logged, and the tools themselves."""

from __future__ import annotations

import builtins
import platform
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Annotated, Any

import harness
from harness.errors import ArgumentError, HarnessError, UnknownName
from harness.games.folder import read_folder
from harness.registry import REGISTRY, Describe, Tool
from harness.tools.desk import Desk
from harness.tools.events import MOST, Events, events_since
from harness.tools.names import Name, game_names, harness_names
from harness.tools.told import Found, Told
from harness.values.log import Level
from harness.values.run import jsonable, shown

_READS = {
    "toolset": "reference",
    "reads_only": True,
    "answers_when_crashed": True,
}
_ALWAYS = {**_READS, "idempotent": True, "answers_when_parked": True}


@REGISTRY.tool(**_READS, idempotent=True, narrow="give a class, or a search for one word")
def api(
    desk: Desk,
    *,
    name: Annotated[str | None, Describe("one class or function")] = None,
    search: Annotated[str | None, Describe("a word in names or in what they do")] = None,
) -> Found:
    """Look up names to write expressions, scenarios and bots with: the game's and the harness's.

    Without arguments: the index. Example: search="raycast".
    """
    if name is not None and search is not None:
        raise ArgumentError("search", "takes the place of name")
    own, ours = game_names(desk.path), harness_names()
    if name is not None:
        known = [one for one in (*own, *ours) if one.name == name]
        now = [] if known else _now(desk)
        known = known or [_with_members(desk, one) for one in now if one.name == name]
        if not known:
            raise UnknownName("name", name, [one.name for one in (*own, *ours, *now)], "the api")
        return Found("name", {"": known})
    if search is not None:
        return Found("search", {"": list(_matching(search, [*own, *ours, *_now(desk)]))}, search)
    return Found("index", {"game": own, "now": _now(desk), "harness": ours})


def _now(desk: Desk) -> list[Name]:
    """What expressions can use, with its values, of a game that may be run."""
    if not desk.may_play:
        return []
    with desk.playing() as play:
        return [
            Name(name, "expressions", "" if value == name else shown(jsonable(value)))
            for name, value in play.names().items()
        ]


def _with_members(desk: Desk, one: Name) -> Name:
    """What can be written behind the name of an object of the game's."""
    with desk.playing() as play, suppress(HarnessError):
        kind = play.value(f"type({one.name}).__name__")
        if hasattr(builtins, kind) or kind == "NoneType":
            return one
        members = play.value(f"[m for m in dir({one.name}) if m[0] != '_']")
        return replace(one, about=f"an object, {kind}", members=tuple(map(_member, members)))
    return one


def _member(name: str) -> Name:
    return Name(name, "", "")


def _matching(word: str, names: list[Name]) -> list[Name]:
    wanted, found = word.lower(), []
    for one in names:
        if wanted in f"{one.name} {one.about}".lower():
            found.append(Name(one.name, one.where, one.about, one.signature))
        found += [
            Name(f"{one.name}.{member.name}", member.where, member.about, member.signature)
            for member in one.members
            if wanted in f"{member.name} {member.about}".lower()
        ]
    return found


@REGISTRY.tool(**_READS, at_once=True, narrow="give a smaller limit, or a level")
def events(
    desk: Desk,
    *,
    since: Annotated[int | None, Describe("an earlier cursor; else the newest", 0)] = None,
    limit: Annotated[int, Describe("how many at most", 1, MOST)] = 20,
    level: Annotated[Level | None, Describe("this level and above")] = None,
) -> Events:
    """Read what the game logged and what went wrong while this server played it.

    The first line has the cursor to go on from.
    """
    return events_since(desk.log, since, limit, level)


@REGISTRY.tool(**_ALWAYS)
def help(desk: Desk) -> Told:
    """List the tools that can be called here, a line each, and where to begin."""
    tools = list(desk.shown())
    lines = [f"{tool.name}: {_first_line(tool)}" for tool in tools]
    names = {tool.name for tool in tools}
    begin = [step for step, name in _begin(desk) if name in names]
    return Told(
        {"tools": {tool.name: _first_line(tool) for tool in tools}, "begin": begin},
        [*lines, *(["begin with: " + ", then ".join(begin)] if begin else [])],
    )


def _begin(desk: Desk) -> list[tuple[str, str]]:
    """What to do first, and with which tool."""
    first = "api"  # what can be named; of scenes that are files all objects
    with suppress(HarnessError):
        scenes = read_folder(desk.path).config.get("scenes")
        first = "scene_list" if isinstance(scenes, Mapping) else first
    return [
        (f"{first} to see what there is", first),
        ("game_run with an input and until or print", "game_run"),
        ("game_query to ask where things are", "game_query"),
    ]


def _first_line(tool: Tool) -> str:
    return tool.description.partition("\n")[0]


@REGISTRY.tool(**_ALWAYS, at_once=True)
def describe(desk: Desk, *, tool: Annotated[str, Describe("the tool's name")]) -> Told:
    """Tell all of one tool: its arguments, their defaults, what it does."""
    shown_tools = {one.name: one for one in desk.shown()}
    if tool not in shown_tools:
        raise UnknownName("tool", tool, shown_tools, "this server")
    found = shown_tools[tool]
    flags = [flag.replace("_", " ") for flag in _FLAGS if getattr(found, flag)]
    lines = [f"{found.name} ({found.toolset}{''.join(f', {flag}' for flag in flags)})"]
    lines += found.description.splitlines()
    lines += [_argument_line(one) for one in found.arguments]
    answer = {
        "name": found.name, "description": found.description, "toolset": found.toolset,
        "input_schema": found.input_schema(), **{flag: getattr(found, flag) for flag in _FLAGS},
    }  # fmt: skip
    return Told(answer, lines)


_FLAGS = (
    "reads_only", "destructive", "idempotent", "runs_game_code", "answers_when_crashed",
    "answers_when_parked",
)  # fmt: skip


def _argument_line(argument: Any) -> str:
    unsaid = argument.required or argument.default in (None, (), False)
    default = "" if unsaid else argument.default
    needed = (
        ", required" if argument.required else f", default {default!r}" if default != "" else ""
    )
    return f"  {argument.name} ({argument.accepted()}): {argument.about.text}{needed}"


@REGISTRY.tool(**_ALWAYS)
def capabilities(desk: Desk) -> Told:
    """Tell the versions, the game, its scenes and buttons, and what may be done here."""
    folder = read_folder(desk.path)
    tools = list(desk.shown())
    sized = folder.script is None  # else it opens a window as it likes
    pixels = f"{folder.size[0]}x{folder.size[1]} pixels, " if sized else ""
    answer = {
        "harness": harness.__version__,
        "python": platform.python_version(),
        "platform": sys.platform,
        "game": {
            "id": folder.id,
            "title": folder.title,
            "size": list(folder.size) if sized else None,
            "tick_rate": folder.tick_rate,
            "scenes": list(folder.scenes),
            "buttons": list(folder.vocabulary.buttons),
        },
        "may_run_the_game": desk.may_play,
        "may_write": any(not tool.reads_only for tool in tools),
        "toolsets": list(dict.fromkeys(tool.toolset for tool in tools)),
        "tools": [tool.name for tool in tools],
        "absent": list(_ABSENT),
    }
    lines = [
        f"playtest-harness {harness.__version__}, Python {answer['python']} on {sys.platform}",
        f"game {folder.id}: {folder.title}, {pixels}{folder.tick_rate} steps a second",
        f"scenes: {', '.join(folder.scenes)}",
        f"buttons: {', '.join(folder.vocabulary.buttons) or 'none; keys by their names'}",
        f"tools: {', '.join(tool.name for tool in tools)}",
        "the game's code may be run" if desk.may_play else "read only: no code of the game is run",
        f"absent: {'; '.join(_ABSENT)}",
    ]
    return Told(answer, lines)


_ABSENT = ("a sandbox: expressions and bots run with the rights of this process", "sound")
