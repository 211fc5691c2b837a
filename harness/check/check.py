"""Everything that is wrong with a game, in one list."""

from __future__ import annotations

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
from harness.games.folder import CONFIG, GameFolder, config_problems, read_folder
from harness.playtest.protocol import Play

_LATER = "scene files, scenarios and frame 0 are looked at when what is told of {} is mended"
Opened = Callable[[], AbstractContextManager[Play]]


def check(path: Path, playing: Opened | None, determinism: bool = False) -> Checked:
    """Check a game; without ``playing``, which gives a play of it, none of its code is run."""
    folder, problems = _folder(path)
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
    if folder is None:
        notes.append(_LATER.format(", ".join(dict.fromkeys(p.file for p in problems))))
    else:
        counts["scenes"] = len(folder.scenes)
        found += scenes.problems_of(folder, files)
        found += scenarios.problems_of(folder, files, counts)
        if playing is not None:
            with playing() as play:
                found += [one for one in frame_0(play, folder) if not _is_told(one, found)]
                if determinism:
                    more, told = differences(play, folder, files, names)
                    found += more
                    notes += told
    unique = sorted(dict.fromkeys(found), key=lambda p: (p.file.startswith(".."), p))
    return Checked(tuple(_merged(unique)), counts, OwnFiles(files.path).build(), tuple(notes))


def _is_told(problem: Problem, found: list[Problem]) -> bool:
    """Whether an import that failed at frame 0 is one whose module is known not to be there."""
    return problem.what.startswith("ModuleNotFoundError") and any(
        one.what.endswith(scripts.MISSING) and (one.file, one.line) == (problem.file, problem.line)
        for one in found
    )


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


def _folder(path: Path) -> tuple[GameFolder | None, list[Problem]]:
    file = path / CONFIG
    try:
        return read_folder(path), []
    except ConfigError as error:
        if path.is_file():
            return None, [refused(error, path.name, path)]
        every = config_problems(path) if file.is_file() else []
        return None, [refused(one, CONFIG, file) for one in every or [error]]


def _merged(problems: list[Problem]) -> Iterator[Problem]:
    """Tell once what every scene meets, and what every file imports."""
    seen: set[tuple[Any, ...]] = set()
    for problem in problems:
        key: tuple[Any, ...] = (problem.file, problem.line, problem.what.partition(" (scene ")[0])
        if problem.what.endswith(scripts.MISSING):
            key = (problem.what,)
        if key not in seen:
            seen.add(key)
            yield problem
