"""What the commands that play share: their options, how the game is opened, how it answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from harness.errors import RequestError, printable

if TYPE_CHECKING:
    import argparse

    from harness.playtest.protocol import Play
    from harness.registry import Tool
    from harness.tools.desk import Desk

SAVES = Path(".harness")
"""Where ``--save`` keeps a savestate, as a movie, and ``--start`` finds it."""


def add_checks(command: Any) -> None:
    """Add what is asked after each frame."""
    command.add_argument(
        "--assert",
        dest="assert_",
        action="append",
        metavar="EXPR",
        help="must hold after every frame; may be repeated",
    )
    command.add_argument(
        "--until", metavar="EXPR", help="stop where this holds; fail if it never does"
    )
    command.add_argument(
        "--print", action="append", metavar="EXPR", help="print this value; may be repeated"
    )
    command.add_argument(
        "--assign",
        dest="assignments",
        action="append",
        metavar="NAME=VALUE",
        help="set this at the start; may be repeated",
    )


def add_place(command: Any) -> None:
    """Add where the game is played, and how it answers."""
    command.add_argument(
        "--isolation",
        default="auto",
        metavar="HOW",
        help="auto, in-process, fork or spawn (auto: a process of its own)",
    )
    add_bounds(command)


def add_bounds(command: Any) -> None:
    """Add what a game may take, and how it answers."""
    command.add_argument(
        "--budget", metavar="SECONDS", default="30", help="how long one frame may take (30)"
    )
    command.add_argument(
        "--memory", metavar="MIB", default="4096", help="how much a game may take (4096)"
    )
    command.add_argument("--json", action="store_true", help="the structured answer")


def asked(name: str, options: argparse.Namespace) -> tuple[Tool, dict[str, Any]]:
    """A tool, and what of its arguments was given; events as an input are JSON."""
    from harness import tools as _registers_the_tools  # noqa: F401
    from harness.registry import REGISTRY

    tool = REGISTRY.find(name)
    found = {a.python: getattr(options, a.python, None) for a in tool.arguments}
    shots = found.get("shots")
    if shots is not None:
        found["shots"] = numbers_of(shots)
    events = str(found.get("input") or "").lstrip()
    if events.startswith("["):
        try:
            found["input"] = json.loads(events)
        except ValueError as error:
            raise RequestError(f"input: a list of events is JSON: {error}") from None
    return tool, {name: value for name, value in found.items() if value is not None}


def numbers_of(text: str) -> list[str]:
    """A list of numbers as it is written on the command line: ``1,30,60``."""
    return [part.strip() for part in text.split(",")]


@contextmanager
def opened(options: argparse.Namespace) -> Iterator[Play]:
    """Open the game of a command for one play, with the savestate that it starts at."""
    from harness.playtest.kept import read_save

    play = _opened(options)
    try:
        if options.start is not None:
            read_save(play, SAVES, options.start)
        yield play
    finally:
        play.close()


@contextmanager
def at_desk(options: argparse.Namespace) -> Iterator[Desk]:
    """The desk of a command: the game's files, and a play where it is asked for."""
    from harness.games.folder import find_game
    from harness.tools.desk import Desk

    desk = Desk(find_game(options.game), Path.cwd(), lambda: _opened(options))
    try:
        yield desk
    finally:
        desk.close()


def _opened(options: argparse.Namespace) -> Play:
    from harness.worker.isolation import is_program, play_in, settled

    budget, memory = seconds(options), mebibytes(options)
    where = settled(options.isolation, program=is_program(options.game))
    return play_in(where, options.game, budget=budget, memory=memory)


def seconds(options: argparse.Namespace) -> float:
    """How long one frame of a command may take.

    Raises:
        RequestError: it is no number of seconds.
    """
    from harness.values.numbers import number

    budget = number(options.budget)
    if budget is None or budget <= 0:
        raise RequestError(f"budget: must be a number of seconds, not {options.budget!r}")
    return budget


def mebibytes(options: argparse.Namespace) -> int:
    """How much memory a game may take.

    Raises:
        RequestError: it is no whole number.
    """
    from harness.values.numbers import whole

    memory = whole(options.memory)
    if memory is None or memory <= 0:
        raise RequestError(f"memory: must be a whole number of MiB, not {options.memory!r}")
    return memory


def print_answer(answer: Any, options: argparse.Namespace, answers: TextIO) -> None:
    """Print what a tool answered, in words or as JSON."""
    if options.json:
        told = json.dumps(answer.to_json(), indent=2, allow_nan=False, default=str)
        print(told, file=answers)
    else:
        print(printable(answer.text()), file=answers)
