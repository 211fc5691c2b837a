"""A game's folder, as its harness.yaml describes it."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
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
_TESTS = re.compile(r"(test_.*|.*_test|conftest|setup)\.py")
"""What is beside a game and is none."""


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
    raise ConfigError(f"no game here: no {CONFIG} in {here} or above it{_others(here)}")


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
    try:
        files = [file for file in folder.iterdir() if not _TESTS.fullmatch(file.name)]
    except OSError:
        files = []
    programs = sorted(file.name for file in files if is_script(file))
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
    folder, refusals = fitting_folder(path)
    if refusals:
        raise refusals[0][1]
    return folder


def fitting_folder(path: Path) -> tuple[GameFolder, list[tuple[str, ConfigError]]]:
    """What fits of a game's harness.yaml, and a refusal for each key that does not.

    Raises:
        ConfigError: nothing of it can be read.
    """
    if is_script(path):
        return _program(path)
    file = path / CONFIG
    config = read_document(file)
    if not isinstance(config, dict):
        raise ConfigError(f"{file}: needs keys such as entry, size and scenes")
    read = _Fitting(Config(file, config))
    script = read.one("script", None)
    programs = "script" in config
    folder = GameFolder(
        path=path,
        id=read.one("id", path.name, path.name),
        title=read.one("title", path.name, path.name),
        root=read.one("root", path),
        entry="" if programs else read.one("entry", ""),
        size=read.one("size", (640, 360)),
        tick_rate=read.one("tick_rate", 60),
        vocabulary=Vocabulary(read.one("buttons", {})),
        scenes=(PROGRAM_SCENE,) if programs else read.scenes(),
        own=path if script is None else _above(path, own_folder(script)),
        script=script,
        pads=read.one("pads", 0),
        arguments=read.one("arguments", ()),
        stdin=read.one("stdin", ()),
        config=config,
    )
    return folder, read.refusals


class _Fitting:
    """Reads key after key, and gives something else in place of what does not fit."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.refusals: list[tuple[str, ConfigError]] = []
        for key in map(str, config.config):
            if key not in KEYS:
                unknown = str(UnknownName("key", key, KEYS, CONFIG))
                self.refusals.append((key, config.misplaced(key, unknown)))

    def one(self, key: str, instead: Any, *default: str) -> Any:
        """What a key says."""
        try:
            if key in ("id", "title"):
                return self.config.text(key, *default)
            return getattr(self.config, key)()
        except ConfigError as refusal:
            self.refusals.append((key, refusal))
            return instead

    def scenes(self) -> tuple[str, ...]:
        """The names of the scenes, those whose files are not there among them."""
        names: tuple[str, ...] = self.one("scenes", ())
        if names:
            self.refusals += [("scenes", refusal) for refusal in self.config.missing_scenes()]
        return names


def _above(one: Path, other: Path) -> Path:
    return one if other.is_relative_to(one) else other


def _program(script: Path) -> tuple[GameFolder, list[tuple[str, ConfigError]]]:
    refusals = []
    try:
        refuse_foreign(read_sources(script))
    except ConfigError as refusal:
        refusals.append(("script", refusal))
    own = own_folder(script)
    plain = script.stem in ("main", "__main__", "game", "index", "run")
    name = script.parent.name if plain and script.parent.name else script.stem
    folder = GameFolder(
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
    return folder, refusals


PROGRAM_SCENE = "main"
"""The one scene of a program: all of it, from its start."""
