"""What the command line does for somebody's program alone: ``-m``, and what to try next."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse

    from harness.playtest.protocol import Play
    from harness.values.run import RunResult

_MOST_TOLD = 5
_LONGEST = 40


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
    told = list(_worth_telling(play.names()))[:_MOST_TOLD]
    if not told:
        return []
    game = [options.game] if options.game else []
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


def _worth_telling(names: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Numbers and entities first, in lower case: they are what changes while one plays."""
    from harness.values.run import shown

    def rank(name: str) -> tuple[bool, int]:
        value = names[name]
        number = isinstance(value, int | float) and not isinstance(value, bool)
        return name.isupper(), 0 if number else 1 if value == name else 2

    for name in sorted(names, key=rank):
        value = names[name]
        text = name if value == name else shown(value)
        if isinstance(value, bool | int | float | str | tuple | list) and len(text) <= _LONGEST:
            yield name, text
