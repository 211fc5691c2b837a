"""A game's folder, as its harness.yaml describes it."""

from __future__ import annotations

import functools
import os
import re
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.documents import read_document
from harness.errors import ConfigError, UnknownName, shortened
from harness.games.config import CONFIG as CONFIG
from harness.games.config import KEYS, Config
from harness.games.script.reach import own_folder
from harness.games.script.sources import (
    DRIVEN,
    is_script,
    module_file,
    read_sources,
    refuse_foreign,
    script_in,
)
from harness.values import kinds
from harness.values.files import status_of, working_folder
from harness.values.timeline import Vocabulary

_MODULE = re.compile(r"-m\s*([\w.]+)")


@dataclass(frozen=True, slots=True)
class GameFolder:
    """A game as its harness.yaml describes it, or as a program is without one.

    ``size`` is in pixels, ``own`` the folder below which the game's own files lie. A program is
    its ``script``; it has no ``entry``, and its one scene is the whole of it.
    """

    path: Path
    id: str
    title: str
    root: Path
    entry: str
    size: tuple[int, int]
    tick_rate: int
    vocabulary: Vocabulary
    scenes: tuple[str, ...]
    own: Path
    script: Path | None = None
    pads: int = 0
    arguments: tuple[str, ...] = ()
    stdin: tuple[str, ...] = ()
    config: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def scene(self, name: str | None) -> str:
        """The scene of that name, or the first.

        Raises:
            UnknownName: the game has no such scene.
        """
        if name is None:
            return self.scenes[0]
        if kinds.text("scene", name) not in self.scenes:
            raise UnknownName("scene", name, self.scenes)
        return name


def find_game(
    given: str | os.PathLike[str] | None, start: Path | None = None, or_in: Path | None = None
) -> Path:
    """Find the game: the one given, else the nearest harness.yaml upward, else ./game.

    A folder with a harness.yaml is its path, and of a program it is the file that is run; given
    as ``-m module``, that is the module's.

    ``start`` is where to look from (the working directory), ``or_in`` where ./game may lie too.

    Raises:
        ConfigError: there is none, with what to do.
    """
    here = (start or working_folder()).resolve()
    if given is not None and str(kinds.path("game", given)) and given != "":
        module = _MODULE.fullmatch(str(given))
        if module is not None:
            return module_file(module[1])
        return _given_game(Path(os.path.join(here, os.path.expanduser(given))))
    for folder in (here, *here.parents):
        if os.path.isfile(folder / CONFIG) and (folder == here or not _is_everybodys(folder)):
            return folder
    for folder in (here, *([or_in.resolve()] if or_in else [])):
        if os.path.isfile(folder / "game" / CONFIG):
            return folder / "game"
    raise ConfigError(
        f"no game here: no {CONFIG} in {here} or above it\n"
        "  harness new DIR writes a game to start from"
    )


def _is_everybodys(folder: Path) -> bool:
    """Whether anybody may put files there, as in /tmp: a game that lies there is never a guess."""
    return folder.stat().st_mode & _EVERYBODYS == _EVERYBODYS


_EVERYBODYS = stat.S_ISVTX | stat.S_IWOTH


def _given_game(path: Path) -> Path:
    there = status_of(path)
    if there is None:
        raise ConfigError(f"no game at {path}")
    if not stat.S_ISDIR(there.st_mode):
        if path.name == CONFIG:
            return path.parent.resolve()
        if is_script(path):
            return path.resolve()
        raise ConfigError(f"{path} is no game; the harness drives {DRIVEN}")
    if status_of(path / CONFIG) is not None:
        return path.resolve()
    script = script_in(path)
    if script is not None:
        return script.resolve()
    raise ConfigError(f"{path} is no game: it has no {CONFIG} and no main.py{_others(path)}")


def _others(folder: Path) -> str:
    programs = sorted(file.name for file in folder.iterdir() if is_script(file))
    if not programs:
        return "\n  harness new DIR writes a game to start from"
    return f"\n  name the program to run; it has: {shortened(programs)}"


def own_files(path: Path) -> Path:
    """The folder of a game's own files."""
    return read_folder(path).own


def read_folder(path: Path) -> GameFolder:
    """Read a game's harness.yaml, or what there is to know of a program without one.

    Raises:
        ConfigError: it does not fit, with the key and what it takes; or it is written for another
            library.
    """
    if is_script(path):
        return _program(path)
    file = path / CONFIG
    config = read_document(file)
    if not isinstance(config, dict):
        raise ConfigError(f"{file}: needs keys such as entry, size and scenes")
    unknown = [key for key in config if key not in KEYS]
    if unknown:
        raise ConfigError(f"{file}: {UnknownName('key', str(unknown[0]), KEYS, CONFIG)}")
    read = Config(file, config)
    script = read.script()
    return GameFolder(
        path=path,
        id=read.text("id", path.name),
        title=read.text("title", path.name),
        root=read.root(),
        entry="" if script is not None else read.entry(),
        size=read.size(),
        tick_rate=read.tick_rate(),
        vocabulary=Vocabulary(read.buttons()),
        scenes=read.scenes() if script is None else (PROGRAM_SCENE,),
        own=path if script is None else _above(path, own_folder(script)),
        script=script,
        pads=read.pads(),
        arguments=read.arguments(),
        stdin=read.stdin(),
        config=config,
    )


def config_problems(path: Path) -> list[ConfigError]:
    """Every key of a game's harness.yaml that does not fit, not only the first."""
    try:
        config = read_document(path / CONFIG)
    except ConfigError as error:
        return [error]
    read, found = Config(path / CONFIG, config if isinstance(config, dict) else {}), []
    checks: list[Callable[[], Any]] = [
        functools.partial(read.text, "id", path.name),
        functools.partial(read.text, "title", path.name),
        read.root, read.script, read.size, read.tick_rate, read.buttons, read.pads,
        read.arguments, read.stdin,
    ]  # fmt: skip
    if "script" not in read.config:
        checks += [read.entry, read.scenes]
    for reader in checks:
        found += _problem(reader)
    for key in read.config:
        if key not in KEYS:
            found.append(read.refusal(str(key), f"no such key; there are: {', '.join(KEYS)}"))
    return found


def _problem(reader: Callable[[], Any]) -> list[ConfigError]:
    try:
        reader()
    except ConfigError as error:
        return [error]
    return []


def _above(one: Path, other: Path) -> Path:
    return one if other.is_relative_to(one) else other


def _program(script: Path) -> GameFolder:
    refuse_foreign(read_sources(script))
    own = own_folder(script)
    plain = script.stem in ("main", "__main__", "game", "index", "run")
    name = script.parent.name if plain and script.parent.name else script.stem
    return GameFolder(
        path=script,
        id=name,
        title=name,
        root=script.parent,
        entry="",
        size=(640, 480),
        tick_rate=60,
        vocabulary=Vocabulary(),
        scenes=(PROGRAM_SCENE,),
        own=own,
        script=script,
    )


PROGRAM_SCENE = "main"
"""The one scene of a program: all of it, from its start."""
