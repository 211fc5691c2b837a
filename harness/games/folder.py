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
from harness.games.script.sources import (
    DRIVEN,
    module_file,
    own_folder,
    read_sources,
    refuse_foreign,
    script_in,
)
from harness.values import kinds
from harness.values.files import status_of, working_folder
from harness.values.timeline import Vocabulary, binding

CONFIG = "harness.yaml"

_BUTTON = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_MODULE = re.compile(r"-m\s*([\w.]+)")
_ENTRY = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
_KEYS = (
    "id",
    "title",
    "root",
    "entry",
    "script",
    "size",
    "tick_rate",
    "buttons",
    "scenes",
    "kinds",
    "goldens",
    "pads",
)


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
        if stat.S_ISREG(there.st_mode) and path.suffix in (".py", ".pyw"):
            return path.resolve()
        raise ConfigError(f"{path} is no game; the harness drives {DRIVEN}")
    if status_of(path / CONFIG) is not None:
        return path.resolve()
    script = script_in(path)
    if script is not None:
        return script.resolve()
    raise ConfigError(f"{path} is no game: it has no {CONFIG} and no main.py{_others(path)}")


def _others(folder: Path) -> str:
    programs = sorted(file.name for file in folder.glob("*.py"))
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
    if path.suffix in (".py", ".pyw") and path.is_file():
        return _program(path)
    file = path / CONFIG
    config = read_document(file)
    if not isinstance(config, dict):
        raise ConfigError(f"{file}: needs keys such as entry, size and scenes")
    unknown = [key for key in config if key not in _KEYS]
    if unknown:
        raise ConfigError(f"{file}: {UnknownName('key', str(unknown[0]), _KEYS, CONFIG)}")
    read = _Config(file, config)
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
        config=config,
    )


def config_problems(path: Path) -> list[ConfigError]:
    """Every key of a game's harness.yaml that does not fit, not only the first."""
    try:
        config = read_document(path / CONFIG)
    except ConfigError as error:
        return [error]
    read, found = _Config(path / CONFIG, config if isinstance(config, dict) else {}), []
    checks: list[Callable[[], Any]] = [
        functools.partial(read.text, "id", path.name),
        functools.partial(read.text, "title", path.name),
        read.root, read.script, read.size, read.tick_rate, read.buttons, read.pads,
    ]  # fmt: skip
    if "script" not in read.config:
        checks += [read.entry, read.scenes]
    for reader in checks:
        found += _problem(reader)
    for key in read.config:
        if key not in _KEYS:
            found.append(read.refusal(str(key), f"no such key; there are: {', '.join(_KEYS)}"))
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


@dataclass(frozen=True, slots=True)
class _Config:
    file: Path
    config: Mapping[str, Any]

    def refusal(self, key: str, problem: str) -> ConfigError:
        lines = getattr(self.config, "lines", {})
        place = f"{self.file}, line {lines[key]}" if key in lines else str(self.file)
        return ConfigError(f"{place}: {key}: {problem}")

    def text(self, key: str, default: str) -> str:
        value = self.config.get(key, default)
        if not isinstance(value, str) or not value.strip() or "\n" in value:
            raise self.refusal(key, f"must be a line of text, not {value!r}")
        return value

    def root(self) -> Path:
        root = (self.file.parent / self.text("root", ".")).resolve()
        if not root.is_dir() or not self.file.parent.is_relative_to(root):
            raise self.refusal("root", f"must be the game's folder or one above it, not {root}")
        return root

    def script(self) -> Path | None:
        name = self.config.get("script")
        if name is None:
            return None
        if "entry" in self.config:
            raise self.refusal("script", "stands in place of entry; leave one of them out")
        file = self.file.parent / name if isinstance(name, str) else None
        if file is None or not file.is_file() or file.suffix not in (".py", ".pyw"):
            raise self.refusal("script", f"must be a Python file of the game's, not {name!r}")
        refuse_foreign(read_sources(file.resolve()))
        return file.resolve()

    def pads(self) -> int:
        pads = self.config.get("pads", 0)
        if not _whole(pads, 0, 4):
            raise self.refusal("pads", f"must be 0 to 4 gamepads that are plugged in, not {pads!r}")
        return int(pads)

    def entry(self) -> str:
        entry = self.config.get("entry")
        if not isinstance(entry, str) or not _ENTRY.fullmatch(entry):
            raise self.refusal(
                "entry", f"must be module:Class, as in adapter:MyGame, not {entry!r}"
            )
        return entry

    def size(self) -> tuple[int, int]:
        size = self.config.get("size", [640, 360])
        if (
            not isinstance(size, list)
            or len(size) != 2
            or not all(_whole(s, 1, 16384) for s in size)
        ):
            raise self.refusal("size", f"must be [width, height] in pixels, not {size!r}")
        return size[0], size[1]

    def tick_rate(self) -> int:
        rate = self.config.get("tick_rate", 60)
        if not _whole(rate, 1, 10_000):
            raise self.refusal(
                "tick_rate", f"must be a whole number of steps a second, not {rate!r}"
            )
        return int(rate)

    def buttons(self) -> dict[str, tuple[str, ...]]:
        buttons = self.config.get("buttons") or {}
        if not isinstance(buttons, dict):
            raise self.refusal(
                "buttons", "must map a button's name to its keys, as in jump: [space, pad:a]"
            )
        return {self._button(name): self._bindings(name, keys) for name, keys in buttons.items()}

    def _button(self, name: Any) -> str:
        if not isinstance(name, str) or not _BUTTON.fullmatch(name) or name == "quit":
            raise self.refusal(
                "buttons", f"a button's name is a word of letters and digits, not {name!r}"
            )
        return name

    def _bindings(self, name: str, keys: Any) -> tuple[str, ...]:
        words = keys if isinstance(keys, list) else [keys]
        found = [binding(str(word)) for word in words if word is not None]
        for word, control in zip(words, found, strict=False):
            if control is None:
                raise self.refusal(
                    "buttons", f"{name}: no key, mouse button or pad button named {word!r}"
                )
        return tuple(control for control in found if control)

    def scenes(self) -> tuple[str, ...]:
        scenes = self.config.get("scenes", ["main"])
        names = list(scenes) if isinstance(scenes, dict | list) else []
        if not names or not all(isinstance(n, str) and n and "\n" not in n for n in names):
            raise self.refusal(
                "scenes", f"must be a list of names, or a mapping of names to files, not {scenes!r}"
            )
        if isinstance(scenes, dict):
            for name, scene_file in scenes.items():
                if not isinstance(scene_file, str) or not (self.file.parent / scene_file).is_file():
                    raise self.refusal("scenes", f"{name}: no file at {scene_file}")
        return tuple(names)


def _whole(value: Any, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
