"""What the command line does for somebody's program alone: ``-m``, and what to try next."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse

    from harness.playtest.protocol import Play
    from harness.values.run import RunResult

_MOST_TOLD = 5
_LONGEST = 40
_A_LITTLE = 20
"""Frames."""


def modules_named(argv: list[str]) -> list[str]:
    """Take ``-m package`` together as one word, which is what a game's name is."""
    words: list[str] = []
    for word in argv:
        if words and words[-1] == "-m":
            words[-1] = f"-m {word}"
        else:
            words.append(word)
    return words


def closing_lines(play: Play, result: RunResult, options: argparse.Namespace) -> list[str]:
    """What a bare run of a program ends with: names that expressions can use, and what to try."""
    bare = not (options.print or options.until or options.assert_ or options.json)
    if not bare or not result.passed or result.stopped == "exit" or not _is_program(play):
        return []
    told = list(_worth_telling(*_then_and_later(play)))[:_MOST_TOLD]
    if not told:
        return []
    game = options.game.split(" ", 1) if options.game else []
    if len(game) > 1 and game[0] != "-m":
        game = [options.game]
    name, value = told[0]
    look = ["run", *game, "--print", name, "--every", "60"]
    if name == value:
        look = ["query", *game, "inspect", name]
    return [
        f"names: {', '.join(n if n == v else f'{n} = {v}' for n, v in told)}",
        f"try: {shlex.join(['harness', *look])}",
    ]


def _is_program(play: Play) -> bool:
    from harness.games.folder import read_folder

    return read_folder(play.path).script is not None


def _then_and_later(play: Play) -> tuple[dict[str, Any], dict[str, Any]]:
    """The names at the end of a run, and a little later: what changes is worth more."""
    from harness.errors import HarnessError

    names = play.names()
    try:
        play.step(_A_LITTLE)
        return names, play.names()
    except HarnessError:
        return names, names


def _worth_telling(names: Mapping[str, Any], later: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What changes by itself first, then numbers and entities, constants last."""
    from harness.values.run import shown

    def rank(name: str) -> tuple[bool, bool, int]:
        value = names[name]
        number = isinstance(value, int | float) and not isinstance(value, bool)
        kind = 0 if number else 1 if value == name else 2
        return name.isupper(), not number or value == later.get(name, value), kind

    for name in sorted(names, key=rank):
        value = names[name]
        text = name if value == name else shown(value)
        if isinstance(value, bool | int | float | str | tuple | list) and len(text) <= _LONGEST:
            yield name, text
