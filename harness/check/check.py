"""Everything that is wrong with a game, in one list."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from harness.check import assets, scenarios, scenes, scripts
from harness.check.files import ASSETS, GameFiles
from harness.check.playing import differences, frame_0
from harness.check.problems import Checked, Problem, refused
from harness.check.reach import reached
from harness.errors import ConfigError
from harness.games.files import OwnFiles
from harness.games.folder import CONFIG, GameFolder, fitting_folder
from harness.playtest.protocol import Play

_LATER = "scene files, what scenarios name, and frame 0 are looked at when {} can be read"
_NOT_PLAYED = "frame 0 is looked at when what is told of {} is mended"
_DRIVEN = "give a program that is made with pygame; none of this one was run"
_IN_CONFIG = "mend it; until then no frame can be played"
_LONGEST_NOTE = 160
_PLACE = re.compile(r"(?P<file>[^:]+):(?P<line>\d+): ")
Opened = Callable[[], AbstractContextManager[Play]]


def check(path: Path, playing: Opened | None, determinism: bool = False) -> Checked:
    """Check a game; without ``playing``, which gives a play of it, none of its code is run."""
    folder, problems, unsure = _folder(path)
    files = GameFiles(*_homes(path, folder))
    counts: dict[str, int] = {}
    names = files.ending(".py", ".pyw")
    if folder is not None and folder.script is not None:
        names = reached(folder.script, files)
    found = list(_scripts(files, names))
    counts["scripts"] = len(names)
    known = {problem.file for problem in found}
    found += [one for one in problems if one.file == CONFIG or one.file not in known]
    found_assets, notes = assets.problems_of(files)
    counts["assets"] = len(files.ending(*ASSETS))
    found += found_assets
    if folder is not None:
        counts["scenes"] = len(folder.scenes)
        found += scenes.problems_of(folder, files)
    found += scenarios.problems_of(folder, files, counts, unsure)
    if folder is None:
        notes.append(_LATER.format(", ".join(dict.fromkeys(p.file for p in problems))))
    elif problems and folder.script != path:
        notes.append(_NOT_PLAYED.format(", ".join(dict.fromkeys(p.file for p in problems))))
    elif not problems and playing is not None:
        with playing() as play:
            told, why = _not_told(list(frame_0(play, folder)), folder, found)
            found, notes = [*found, *told], [*notes, *why]
            if determinism:
                more, why = differences(play, folder, files, names)
                found, notes = [*found, *more], [*notes, *why]
    unique = sorted(dict.fromkeys(found), key=lambda p: (p.file.startswith(".."), p))
    return Checked(tuple(_merged(unique)), counts, OwnFiles(files.path).build(), tuple(notes))


def _not_told(
    failed: list[tuple[str, Problem]], folder: GameFolder, found: list[Problem]
) -> tuple[list[Problem], list[str]]:
    """What frame 0 tells besides, and notes on scenes that fail for what their files hold."""
    wrong = {problem.file for problem in found}
    doubtful = {name for name, file in scenes.scene_files(folder).items() if file in wrong}
    sure = {_alike(problem) for scene, problem in failed if scene not in doubtful}
    problems, notes = [], []
    for scene, problem in failed:
        if _is_told(problem, found):
            continue
        if scene not in doubtful or _alike(problem) in sure:
            problems.append(problem)
        else:
            file = scenes.scene_files(folder)[scene]
            what = " ".join(_alike(problem)[2].split())[:_LONGEST_NOTE]
            notes.append(f"scene {scene} does not start, as {file} is: {what}")
    return problems, notes


def _is_told(problem: Problem, found: list[Problem]) -> bool:
    """Whether frame 0 failed at a place, or for a file, of which it is known what is wrong."""
    places = {(problem.file, problem.line)}
    for line in problem.source:
        place = _PLACE.match(line)
        if place is not None:
            places.add((place["file"], int(place["line"])))
    code = " ".join(problem.source)
    return any(
        (one.file, one.line) in places or (one.file.endswith(ASSETS) and _base(one.file) in code)
        for one in found
    )


def _base(file: str) -> str:
    return file.rpartition("/")[2]


def _alike(problem: Problem) -> tuple[str, int, str]:
    """What is the same in what two scenes meet."""
    return problem.file, problem.line, problem.what.partition(" (scene ")[0]


def _homes(path: Path, folder: GameFolder | None) -> tuple[Path, Path]:
    """The folder of the game's own files, and the one that its imports are looked for in."""
    home = path if path.is_dir() else path.parent
    if folder is None:
        return home, home
    return folder.own, home if folder.script is None else folder.script.parent


def _scripts(files: GameFiles, names: list[str]) -> Iterator[Problem]:
    for name in names:
        tree, problem = scripts.syntax(files.path / name, name)
        if problem is not None:
            yield problem
        if tree is not None:
            yield from scripts.problems_of(tree, name, files)


def _folder(path: Path) -> tuple[GameFolder | None, list[Problem], tuple[str, ...]]:
    """What fits of the game's description, what is wrong with it, and the keys that are."""
    name, file = (path.name, path) if path.is_file() else (CONFIG, path / CONFIG)
    try:
        folder, refusals = fitting_folder(path)
    except ConfigError as error:
        return None, [refused(error, name, file, _IN_CONFIG)], ()
    fix = _IN_CONFIG if name == CONFIG else _DRIVEN
    problems = [refused(error, name, file, fix) for _, error in refusals]
    return folder, problems, tuple(key for key, _ in refusals)


def _merged(problems: list[Problem]) -> Iterator[Problem]:
    """Tell once what every scene meets, and what every file imports."""
    seen: set[tuple[Any, ...]] = set()
    for problem in problems:
        key: tuple[Any, ...] = _alike(problem)
        if problem.what.endswith(scripts.MISSING):
            key = (problem.what,)
        if key not in seen:
            seen.add(key)
            yield problem
