"""The commands that look: query, shot, golden."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from harness.cli_play import add_place, asked, numbers_of, opened, print_answer
from harness.errors import ArgumentError, GoldenError, RequestError
from harness.values.files import is_folder, made_folder, status_of, working_folder

if TYPE_CHECKING:
    import argparse

    from harness.values.run import RunResult


_SHOT = Path("game-results", "shot.png")
_STRIP = _SHOT.with_name("shots.png")
"""Where no game has files of its own, so that a picture does not change what is played."""

ACTIONS = ("inspect", "raycast", "overlap", "contacts", "at")
_PLACES: dict[str, tuple[str, ...]] = {
    "inspect": ("object",),
    "raycast": ("from_", "to"),
    "overlap": ("at",),
    "contacts": ("object",),
    "at": ("at",),
}


def add(commands: Any, command: Callable[..., Any]) -> None:
    """Add the three commands."""
    _add_query(commands, command)
    _add_shot(commands, command)
    _add_golden(commands, command)


def _add_query(commands: Any, command: Callable[..., Any]) -> None:
    query = command(
        commands, "query", _query, "play some frames and ask what is where",
        "examples:\n  harness query game inspect player --frames 60"
        "\n  harness query game raycast player door"
        "\n  harness query game raycast 0,50 400,50"
        "\n  harness query game overlap 120,300 --radius 40"
        "\n  harness query game contacts player"
        "\n  harness query game at 120,300",
    )  # fmt: skip
    query.usage = "harness query [GAME] ACTION [PLACE ...] [options]"
    query.add_argument(
        "words",
        nargs="+",
        metavar="[GAME] ACTION [PLACE ...]",
        help=f"{', '.join(ACTIONS)}, and what it asks about: points x,y or entities",
    )
    query.add_argument("--radius", metavar="R", help="overlap: of the circle (0)")
    query.add_argument("--box", metavar="X,Y,W,H", help="overlap: a box in place of a point")
    query.add_argument(
        "--ignore", action="append", metavar="NAME", help="leave this out; may be repeated"
    )
    query.add_argument(
        "--all",
        action="store_true",
        default=None,
        help="inspect: every property, not only those that changed since the scene loaded",
    )
    query.add_argument("--frames", metavar="N", help="frames to play first (60)")
    _add_play(query)


def _add_shot(commands: Any, command: Callable[..., Any]) -> None:
    shot = command(
        commands, "shot", _shot, "play for some time and draw the game into a PNG file",
        "examples:\n  harness shot game --at 2 -o a.png"
        "\n  harness shot game --frames 1,30,60,90 --strip -o strip.png",
    )  # fmt: skip
    shot.add_argument(
        "game", nargs="?", metavar="GAME", help="the game: a folder, a program or -m MODULE"
    )
    shot.add_argument("--at", metavar="SECONDS", help="seconds of the game to play first (1)")
    shot.add_argument("--frame", metavar="N", help="frames to play first, in place of --at")
    shot.add_argument("--frames", metavar="N,N", help="with --strip: the frames to show")
    shot.add_argument(
        "--strip", action="store_true", default=None, help="several frames as one picture"
    )
    shot.add_argument("--width", metavar="PIXELS", help="width (512; a strip 640)")
    shot.add_argument("--camera", metavar="NAME", help="one of the game's own cameras")
    shot.add_argument("--golden", metavar="NAME", help="also compare with this golden")
    shot.add_argument("--tolerance", metavar="SHARE", help="share of pixels that may differ (0)")
    shot.add_argument(
        "--golden-update", action="store_true", help="approve the picture as that golden"
    )
    shot.add_argument(
        "--mask",
        action="append",
        metavar="WHAT",
        help="an entity or x,y,w,h that is not compared; may be repeated",
    )
    shot.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help=f"the file ({_SHOT.as_posix()})",
    )  # fmt: skip
    _add_play(shot)


def _add_play(parser: Any) -> None:
    """Add what decides how the game comes to the frame that is looked at."""
    parser.add_argument("--seed", metavar="N", help="0 to 2^32-1 (0)")
    parser.add_argument("--scene", metavar="NAME", help="the scene (the game's first)")
    parser.add_argument("--input", metavar="INPUT", help="as harness run takes it")
    parser.add_argument("--start", metavar="NAME", help="start at a savestate that --save kept")
    add_place(parser)


def _add_golden(commands: Any, command: Callable[..., Any]) -> None:
    golden = command(
        commands, "golden", _golden, "list goldens, find unused ones, approve those of a CI run"
    )
    golden.add_argument("what", choices=("list", "approve", "unused"), help="what to do")
    golden.add_argument(
        "folder",
        nargs="?",
        metavar="DIR",
        type=Path,
        help="where to look (here); of approve, a results folder, as a CI artefact holds it",
    )
    golden.add_argument("--json", action="store_true", help="the structured answer")


def _query(options: argparse.Namespace, answers: TextIO) -> int:
    options.game, options.action, places = _words(options.words)
    tool, given = asked("game_query", options)
    tool.checked({"action": options.action})
    names = _PLACES[options.action]
    if len(places) > len(names):
        told = " ".join(name.rstrip("_").upper() for name in names)
        raise RequestError(f"{options.action} takes {told}, not {' '.join(places)}")
    keywords = tool.checked({**given, **dict(zip(names, places, strict=False))})
    with opened(options) as play:
        print_answer(tool.function(play, **keywords), options, answers)
    return 0


def _words(words: list[str]) -> tuple[str | None, str, list[str]]:
    """Split ``[GAME] ACTION [PLACE ...]``."""
    if words[0] in ACTIONS:
        return None, words[0], words[1:]
    if len(words) > 1 and words[1] in ACTIONS:
        return words[0], words[1], words[2:]
    return None, words[min(1, len(words) - 1)], []  # it is none, as the tool will say


def _shot(options: argparse.Namespace, answers: TextIO) -> int:
    from harness.games.files import OwnFiles
    from harness.games.folder import own_files

    tool, given = asked("game_shot", options)
    if "frames" in given:
        given["frames"] = numbers_of(given["frames"])
    keywords = tool.checked(given)
    if options.golden_update and options.golden is None:
        raise ArgumentError("golden", "is what --golden-update approves; name one")
    output = _output(options)
    with opened(options) as play:
        if options.golden_update:
            from harness.tools.look import own_golden

            play.golden_of = partial(own_golden, play, update=True)
        shot = tool.function(play, **keywords)
        if OwnFiles(own_files(play.path)).relative(str(output)) is not None:
            shot = replace(shot, notes=(*shot.notes, _changes_build(output)))
    if options.output is None:
        made_folder(output.parent)
    shot.write(output)
    print_answer(shot, options, answers)
    if not options.json:
        print(f"wrote {output}", file=answers)
    return 1 if shot.matches is False else 0


def shots_place(given: Path | None) -> Path:
    """Where the shots of a run go, known before it is played: a .png for one strip, or a folder.

    Raises:
        RequestError: they cannot be written there.
    """
    from harness.values.picture import PICTURE_FILE

    if given is None:
        return PICTURE_FILE.check(_STRIP, "output")
    if is_folder(given):
        return given
    if given.suffix:
        return PICTURE_FILE.place(given, "output")
    if status_of(given) is not None:
        raise RequestError(f"output: {given} is no folder, and no .png")
    if not is_folder(given.parent):
        raise RequestError(f"output: no folder {given.parent} to make {given.name} in")
    return given


def shots_written(run: RunResult, place: Path) -> RunResult:
    """Write the shots of a run: as one strip, or into a folder, a file each.

    Raises:
        RequestError: it cannot be written.
    """
    if run.strip is None:
        return run
    if place.suffix and not is_folder(place):
        made_folder(place.parent)
        files = [run.strip.write(place)]
    else:
        made_folder(place)
        files = [
            shot.write(place / f"frame-{frame:0{len(str(max(run.shots)))}}.png")
            for frame, shot in run.shots.items()
        ]
    return replace(run, written=(*run.written, *map(str, files)))


def _output(options: argparse.Namespace) -> Path:
    """The file of a shot, refused before anything is played where it cannot be written."""
    from harness.values.picture import PICTURE_FILE

    if options.output is None:
        return PICTURE_FILE.check(_SHOT, "output")
    return PICTURE_FILE.place(options.output, "output")


def _changes_build(output: Path) -> str:
    return f"{output} is among the game's files now, and so in its build; {_SHOT.parent}/ is not"


def _golden(options: argparse.Namespace, answers: TextIO) -> int:
    from harness.golden import unused

    here = working_folder()
    if options.what == "approve":
        return _approve(options, here, answers)
    folder = Path() if options.folder is None else options.folder
    if not is_folder(folder):
        raise RequestError(f"no folder at {folder}")
    listed = options.what == "list"
    found = unused.goldens_in(folder) if listed else unused.unused(folder)
    if options.json:
        print(json.dumps([path.as_posix() for path in found], indent=2), file=answers)
        return 0
    if not found:
        print("no goldens" if listed else "no unused goldens", file=answers)
    if listed:
        return _listed(found, answers)
    for path in found:
        print(f"{path} is named by no test beside it", file=answers)
    return 0


def _listed(found: Sequence[Path], answers: TextIO) -> int:
    from harness.golden.store import described, golden_file

    status = 0
    for path in found:
        try:
            print(f"{path}  {described(golden_file(path).drawn_with)}", file=answers)
        except GoldenError as error:
            status = 1
            print(error, file=answers)
    return status


def _approve(options: argparse.Namespace, here: Path, answers: TextIO) -> int:
    from harness.golden.evidence import approve

    if options.folder is None:
        raise ArgumentError("DIR", "is required: the results folder to approve")
    found = [path.relative_to(here.resolve()).as_posix() for path in approve(options.folder, here)]
    if options.json:
        print(json.dumps(found, indent=2), file=answers)
    else:
        print("\n".join(f"approved {path}" for path in dict.fromkeys(found)), file=answers)
    return 0
