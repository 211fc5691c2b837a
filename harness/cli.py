"""The command line: what a person asks of the same tools, answered in short tables."""

from __future__ import annotations

import argparse
import atexit
import json
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from harness import cli_look, cli_scene, cli_serve
from harness.cli_play import (
    SAVES,
    add_bounds,
    add_checks,
    add_place,
    asked,
    mebibytes,
    opened,
    print_answer,
    seconds,
)
from harness.cli_program import closing_lines, modules_named
from harness.errors import (
    ArgumentError,
    Divergence,
    HarnessError,
    RequestError,
    RunError,
    UnknownName,
    printable,
)
from harness.stdout import answers_only
from harness.values.files import reason

if TYPE_CHECKING:
    from harness.values.branches import Branches
    from harness.values.run import RunResult

HELD, FAILED, WRONG, INTERRUPTED, READER_GONE = 0, 1, 2, 130, 141


def main(argv: list[str] | None = None) -> int:
    """Run one command; gives the exit status: 0 held, 1 failed, 2 the request was wrong."""
    status = _status(argv)
    if argv is None:
        _leave_threads(status)
    return status


def _leave_threads(status: int) -> None:
    """End the process where a game in it left threads that Python would wait for."""
    left = [t for t in threading.enumerate() if t is not threading.main_thread() and not t.daemon]
    if left:
        names = ", ".join(printable(thread.name) for thread in left)
        print(f"harness: the game left threads running, which end now: {names}", file=sys.stderr)
        atexit._run_exitfuncs()
        with suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)


def _status(argv: list[str] | None) -> int:
    try:
        options = _parser().parse_args(modules_named(sys.argv[1:] if argv is None else argv))
        with answers_only() as answers:
            return _answered(options, answers)
    except _Usage as usage:
        return _misused(usage, sys.argv[1:] if argv is None else argv)
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else WRONG
    except KeyboardInterrupt:
        print("harness: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the answer has read enough, as `| head -1` does.
        with suppress(OSError):
            sys.stdout.close()
        return READER_GONE


def _answered(options: argparse.Namespace, answers: TextIO) -> int:
    command: Callable[[argparse.Namespace, TextIO], int] = options.command
    try:
        return command(options, answers)
    except RequestError as error:
        return _refused(error, options, answers, WRONG)
    except HarnessError as error:
        return _refused(error, options, answers, FAILED)
    except BrokenPipeError:
        raise
    except OSError as error:
        told = f"{error.filename}: {reason(error)}" if error.filename else reason(error)
        return _refused(RequestError(told), options, answers, WRONG)


class _Usage(Exception):
    """Words that no command takes."""

    def __init__(self, usage: str, message: str) -> None:
        self.usage = usage
        super().__init__(message)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise _Usage(self.format_usage(), f"{self.prog}: error: {message}")

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Read words; of an option that there is not, say which there are."""
        options, left = self.parse_known_args(args, namespace)
        if left:
            options.parser.refuse(left)
        return options

    def refuse(self, left: list[str]) -> NoReturn:
        """Refuse words that this command does not take."""
        wrong = next((word for word in left if word.startswith("-")), "").partition("=")[0]
        known = [name for name in self._option_string_actions if name.startswith("--")]
        if wrong:
            self.error(str(UnknownName("option", wrong, known, self.prog)))
        self.error(f"unrecognized arguments: {' '.join(left)}")


def _misused(usage: _Usage, argv: list[str]) -> int:
    print(f"{usage.usage}{usage}", file=sys.stderr)
    if "--json" in argv:
        _print_json(_as_json(RequestError(str(usage))), sys.stdout)
    return WRONG


def _refused(error: HarnessError, options: argparse.Namespace, answers: TextIO, status: int) -> int:
    print(f"harness: {printable(str(error))}", file=sys.stderr)
    if getattr(options, "json", False):
        _print_json(_as_json(error), answers)
    return status


def _as_json(error: HarnessError) -> dict[str, Any]:
    """An error in the shape of an answer: ``error`` says what and why, as it does of a game's."""
    if isinstance(error, RunError):
        answer: dict[str, Any] = error.run.to_json()
        return answer
    told: dict[str, Any] = {"type": type(error).__name__, "message": str(error)}
    if isinstance(error, Divergence):
        told["frame"] = error.frame
    elif isinstance(error, UnknownName):
        told["known"] = error.known
    answer = {"status": "error", "error": told}
    if isinstance(error, RequestError):
        answer["code"] = "invalid_arguments"
    return answer


def _print_json(answer: Any, answers: TextIO) -> None:
    print(json.dumps(answer, indent=2, allow_nan=False, default=str), file=answers)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="harness",
        description="Play a game headless, at a fixed step, from a seed: the same bits every time.",
        epilog="GAME is a folder with a harness.yaml, a pygame program (a file, or a folder with a"
        " main.py), or -m MODULE; where none is given, the nearest harness.yaml upward, else"
        " ./game. Expressions and bots run with the rights of this process: this is no sandbox.",
        allow_abbrev=False,
    )
    from harness import __version__

    parser.add_argument("--version", action="version", version=f"playtest-harness {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_run(commands)
    _add_branch(commands)
    cli_look.add(commands, _command)
    cli_scene.add(commands, _command)
    _add_replay(commands)
    cli_serve.add(commands, _command)
    _add_new(commands)
    return parser


def _command(
    commands: Any, name: str, command: Callable[..., int], text: str, epilog: str = ""
) -> Any:
    parser = commands.add_parser(
        name,
        help=text,
        description=f"{text[0].upper()}{text[1:]}.",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(command=command, parser=parser)
    return parser


def _add_run(commands: Any) -> None:
    run = _command(
        commands, "run", _run, "play the game under an input and tell what happened",
        'example:\n  harness run game --frames 240 --seed 3 --input "right@1-180" --until door.open'
        " \\\n      --print player.position.x --every 30",
    )  # fmt: skip
    run.add_argument(
        "game", nargs="?", metavar="GAME", help="the game: a folder, a program or -m MODULE"
    )
    run.add_argument("--frames", metavar="N", help="frames to play (60, or a movie's length)")
    run.add_argument("--seed", metavar="N", help="0 to 2^32-1 (0)")
    run.add_argument("--scene", metavar="NAME", help="the scene (the game's first)")
    run.add_argument(
        "--input",
        metavar="INPUT",
        help="notation, a .movie, or bot.py:function; events as a JSON list",
    )
    add_checks(run)
    run.add_argument(
        "--every", metavar="N", help="print every N frames; the last is always printed"
    )
    run.add_argument("--start", metavar="NAME", help="start at a savestate that --save kept")
    run.add_argument("--save", metavar="NAME", help="keep the end as a savestate under .harness/")
    run.add_argument("--against", metavar="RUN", help="no-input or a movie: where this run differs")
    run.add_argument("--shots", metavar="N,N", help="draw these frames, as one film strip")
    run.add_argument(
        "-o", "--output", metavar="FILE", type=Path,
        help="where the shots go: a .png for one strip (game-results/shots.png), or a folder",
    )  # fmt: skip
    run.add_argument("--record", metavar="FILE", help="write the run as a movie")
    add_place(run)


def _add_branch(commands: Any) -> None:
    branch = _command(
        commands, "branch", _branch, "play several inputs from one state, and compare how they end",
        'example:\n  harness branch game --start gap --input "right@1-40" --input'
        ' "right@1-40, jump@20+8" \\\n      --until door.open --print player.position.x',
    )  # fmt: skip
    branch.add_argument(
        "game", nargs="?", metavar="GAME", help="the game: a folder, a program or -m MODULE"
    )
    branch.add_argument(
        "--input",
        dest="inputs",
        action="append",
        metavar="INPUT",
        required=True,
        help="one variant; repeated, up to 64",
    )
    branch.add_argument("--start", metavar="NAME", help="each begins at this savestate")
    branch.add_argument("--frames", metavar="N", help="frames to play each (60)")
    branch.add_argument("--seed", metavar="N", help="0 to 2^32-1 (0), without --start")
    branch.add_argument("--scene", metavar="NAME", help="the scene, without --start")
    add_checks(branch)
    add_place(branch)


def _add_replay(commands: Any) -> None:
    replay = _command(
        commands, "replay", _replay, "play a movie and compare every state hash that it holds"
    )
    replay.add_argument(
        "game", nargs="?", metavar="GAME", help="the game: a folder, a program or -m MODULE"
    )
    replay.add_argument(
        "movie", metavar="MOVIE", help="the movie, as record or a failed test left it"
    )
    add_bounds(replay)


def _add_new(commands: Any) -> None:
    new = _command(commands, "new", _new, "write a small game with one scenario, to start from")
    new.add_argument("folder", metavar="DIR", type=Path, help="a new or empty folder")


def _run(options: argparse.Namespace, answers: TextIO) -> int:
    from harness.playtest.kept import write_save

    if options.output is not None and options.shots is None:
        raise ArgumentError("output", "is where --shots go; give both")
    tool, given = asked("game_run", options)
    keywords = tool.checked(given)
    place = cli_look.shots_place(options.output)
    with opened(options) as play:
        result: RunResult = tool.function(play, **keywords)
        if options.save is not None:
            write_save(play, SAVES, options.save)
        closing = closing_lines(play, result, options)
    result = cli_look.shots_written(result, place)
    print_answer(result, options, answers)
    for line in closing:
        print(line, file=answers)
    return HELD if result.passed else FAILED


def _branch(options: argparse.Namespace, answers: TextIO) -> int:
    tool, given = asked("game_branch", options)
    keywords = tool.checked(given)
    with opened(options) as play:
        result: Branches = tool.function(play, **keywords)
    print_answer(result, options, answers)
    return HELD if result.passed else FAILED


def _replay(options: argparse.Namespace, answers: TextIO) -> int:
    from harness.replay import fresh_play, replay

    budget, memory = seconds(options), mebibytes(options)
    play = fresh_play(options.game, budget=budget, memory=memory)
    try:
        verdict = replay(play, Path(options.movie), budget)
    finally:
        play.close()
    if options.json:
        _print_json({**verdict.to_json(), "text": verdict.text()}, answers)
    else:
        print(printable(verdict.text()), file=answers)
    return HELD if verdict.same else FAILED


def _new(options: argparse.Namespace, answers: TextIO) -> int:
    from harness.starter import write_starter

    for line in write_starter(options.folder):
        print(line, file=answers)
    return HELD
