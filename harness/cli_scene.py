"""The commands that read and write files, and tell what there is: check, scene, api, describe."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import harness
from harness.cli_play import add_place, asked, at_desk, print_answer
from harness.errors import RequestError, UnknownName

if TYPE_CHECKING:
    import argparse

_WORDS: dict[str, tuple[str, str]] = {
    "list": ("scene_list", ""),
    "get": ("scene_get", "object"),
    "set": ("scene_edit", "object"),
    "add": ("scene_edit", "object"),
    "remove": ("scene_edit", "object"),
    "diff": ("scene_diff", "against"),
}
ACTIONS = tuple(_WORDS)


def add(commands: Any, command: Callable[..., Any]) -> None:
    """Add the commands."""
    _add_check(commands, command)
    _add_scene(commands, command)
    _add_api(commands, command)
    _add_describe(commands, command)


def _add_check(commands: Any, command: Callable[..., Any]) -> None:
    check = command(
        commands, "check", _check, "find what is wrong in scripts, scenes, assets and scenarios",
        "examples:\n  harness check game\n  harness check game --determinism",
    )  # fmt: skip
    check.add_argument(
        "game", nargs="?", metavar="GAME", help="the game: a folder, a program or -m MODULE"
    )
    check.add_argument(
        "--determinism",
        action="store_true",
        default=None,
        help="also play each scene twice, later and slower the second time, and compare",
    )
    add_place(check)


def _add_scene(commands: Any, command: Callable[..., Any]) -> None:
    scene = command(
        commands, "scene", _scene, "list, read, edit and compare what a scene's file holds",
        "examples:\n  harness scene game list --depth 2"
        "\n  harness scene game get Level/Gate/Door"
        "\n  harness scene game set Door position.y=250"
        "\n  harness scene game add Coin2 'position=[200, 180]' --from Coin"
        "\n  harness scene game remove Coin2 --confirm"
        "\n  harness scene game remove Door text= --confirm"
        "\n  harness scene game diff levels/ledge.before.yaml",
    )  # fmt: skip
    scene.usage = "harness scene [GAME] ACTION [OBJECT] [KEY=VALUE ...] [options]"
    scene.add_argument(
        "words", nargs="+", metavar="[GAME] ACTION [OBJECT] [KEY=VALUE ...]",
        help=f"{', '.join(ACTIONS)}, and what it is about: an object, assignments; diff: a file",
    )  # fmt: skip
    scene.add_argument("--scene", metavar="NAME", help="the scene (the game's first)")
    scene.add_argument("--limit", metavar="N", help="list: objects to list; 0 lists all (50)")
    scene.add_argument("--depth", metavar="N", help="list: levels of the tree")
    scene.add_argument(
        "--from", dest="from_", metavar="OBJECT", help="add: copy this object and all below it"
    )
    scene.add_argument("--parent", metavar="OBJECT", help="add, set: the object to belong to")
    scene.add_argument(
        "--confirm",
        action="store_true",
        default=None,
        help="remove: needed; without KEY= the object goes, and all below it",
    )
    scene.add_argument("--json", action="store_true", help="the structured answer")


def _add_api(commands: Any, command: Callable[..., Any]) -> None:
    api = command(
        commands, "api", _api, "look up names for expressions, scenarios and bots",
        "examples:\n  harness api game\n  harness api game --name Player"
        "\n  harness api game --search raycast",
    )  # fmt: skip
    api.add_argument(
        "game", nargs="?", metavar="GAME", help="the game: a folder, a program or -m MODULE"
    )
    api.add_argument("--name", metavar="NAME", help="one class or function")
    api.add_argument("--search", metavar="WORD", help="a word in names or in what they do")
    add_place(api)


def _add_describe(commands: Any, command: Callable[..., Any]) -> None:
    describe = command(
        commands, "describe", _describe, "tell all of one tool, as agents and fixtures have it"
    )
    describe.add_argument("tool", metavar="TOOL", help="its name, as in game_run")
    describe.add_argument("--json", action="store_true", help="the structured answer")
    told = command(
        commands, "capabilities", _capabilities, "tell the versions, the game and the tools"
    )
    told.add_argument(
        "game", nargs="?", metavar="GAME", help="the game: a folder, a program or -m MODULE"
    )
    told.add_argument("--json", action="store_true", help="the structured answer")


def _answer(name: str, options: argparse.Namespace, answers: TextIO) -> Any:
    from harness.tools.desk import called

    tool, given = asked(name, options)
    keywords = tool.checked(given)
    with at_desk(options) as desk:
        answer = called(tool, desk, keywords)
    print_answer(answer, options, answers)
    return answer


def _check(options: argparse.Namespace, answers: TextIO) -> int:
    return 0 if _answer("game_check", options, answers).passed else 1


def _api(options: argparse.Namespace, answers: TextIO) -> int:
    _answer("api", options, answers)
    return 0


def _capabilities(options: argparse.Namespace, answers: TextIO) -> int:
    _answer("capabilities", options, answers)
    return 0


def _describe(options: argparse.Namespace, answers: TextIO) -> int:
    from harness.tools.desk import Desk

    tool, given = asked("describe", options)
    keywords = tool.checked(given)
    here = Path.cwd()  # a tool is told without any game
    desk = Desk(here, here, lambda: harness.open(here), may_play=False)
    print_answer(tool.function(desk, **keywords), options, answers)
    return 0


def _scene(options: argparse.Namespace, answers: TextIO) -> int:
    options.game, options.action, words = _split(options.words)
    options.assignments = [word for word in words if "=" in word] or None
    named = [word for word in words if "=" not in word]
    tool, wanted = _WORDS[options.action]
    _check_words(options, named)
    if wanted and named:
        setattr(options, wanted, named[-1])
    if len(named) == 1 + bool(wanted):
        options.game = named[0]
    _answer(tool, options, answers)
    return 0


def _check_words(options: argparse.Namespace, named: list[str]) -> None:
    """Refuse words and options that the action does not take."""
    action = options.action
    tool, wanted = _WORDS[action]
    most = bool(wanted) + (options.game is None)
    if len(named) > most:
        takes = f"one {wanted}" if wanted else "no object"
        raise RequestError(f"{action} takes {takes}, not {' '.join(named)}")
    if options.assignments and tool != "scene_edit":
        raise RequestError(f"{action} takes no assignments, and {options.assignments[0]} is one")
    for option, tools in (
        ("limit", ("scene_list",)), ("depth", ("scene_list",)), ("from_", ("scene_edit",)),
        ("parent", ("scene_edit",)), ("confirm", ("scene_edit",)),
    ):  # fmt: skip
        if getattr(options, option) is not None and tool not in tools:
            raise RequestError(f"{action} takes no --{option.rstrip('_')}")


def _split(words: list[str]) -> tuple[str | None, str, list[str]]:
    """Split ``[GAME] ACTION [WORD ...]``; the game may also stand behind the action."""
    if words[0] in ACTIONS:
        return None, words[0], words[1:]
    if len(words) > 1 and words[1] in ACTIONS:
        return words[0], words[1], words[2:]
    raise UnknownName("action", words[min(1, len(words) - 1)], ACTIONS, "scene")
