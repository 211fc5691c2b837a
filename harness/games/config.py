"""The keys of a harness.yaml, each read and refused in words."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.errors import ConfigError
from harness.games.script.sources import is_script, read_sources, refuse_foreign
from harness.values.timeline import binding

CONFIG = "harness.yaml"

_BUTTON = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_ENTRY = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
KEYS = (
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
    "arguments",
    "stdin",
)


@dataclass(frozen=True, slots=True)
class Config:
    """Reads one key of a harness.yaml after the other."""

    file: Path
    config: Mapping[str, Any]

    def refusal(self, key: str, problem: str) -> ConfigError:
        """What is wrong with a key, and on which line."""
        return self.misplaced(key, f"{key}: {problem}")

    def misplaced(self, key: str, problem: str) -> ConfigError:
        """What is wrong on the line of a key."""
        lines = getattr(self.config, "lines", {})
        place = f"{self.file}, line {lines[key]}" if key in lines else str(self.file)
        return ConfigError(f"{place}: {problem}")

    def text(self, key: str, default: str) -> str:
        """A line of text."""
        value = self.config.get(key, default)
        if not isinstance(value, str) or not value.strip() or "\n" in value:
            raise self.refusal(key, f"must be a line of text, not {value!r}")
        return value

    def root(self) -> Path:
        """The folder that paths given by agents must stay in."""
        root = (self.file.parent / self.text("root", ".")).resolve()
        if not root.is_dir() or not self.file.parent.is_relative_to(root):
            raise self.refusal("root", f"must be the game's folder or one above it, not {root}")
        return root

    def script(self) -> Path | None:
        """The program that the game is, if it is one."""
        name = self.config.get("script")
        if name is None:
            return None
        if "entry" in self.config:
            raise self.refusal("script", "stands in place of entry; leave one of them out")
        file = self.file.parent / name if isinstance(name, str) else None
        if file is None or not is_script(file):
            raise self.refusal("script", f"must be a Python file of the game's, not {name!r}")
        refuse_foreign(read_sources(file.resolve()))
        return file.resolve()

    def pads(self) -> int:
        """How many gamepads are plugged in from the start."""
        pads = self.config.get("pads", 0)
        if not _whole(pads, 0, 4):
            raise self.refusal("pads", f"must be 0 to 4 gamepads that are plugged in, not {pads!r}")
        return int(pads)

    def entry(self) -> str:
        """``module:Class``."""
        entry = self.config.get("entry")
        if not isinstance(entry, str) or not _ENTRY.fullmatch(entry):
            raise self.refusal(
                "entry", f"must be module:Class, as in adapter:MyGame, not {entry!r}"
            )
        return entry

    def size(self) -> tuple[int, int]:
        """The window, in pixels."""
        size = self.config.get("size", [640, 360])
        if (
            not isinstance(size, list)
            or len(size) != 2
            or not all(_whole(s, 1, 16384) for s in size)
        ):
            raise self.refusal("size", f"must be [width, height] in pixels, not {size!r}")
        return size[0], size[1]

    def tick_rate(self) -> int:
        """Steps a second."""
        rate = self.config.get("tick_rate", 60)
        if not _whole(rate, 1, 10_000):
            raise self.refusal(
                "tick_rate", f"must be a whole number of steps a second, not {rate!r}"
            )
        return int(rate)

    def arguments(self) -> tuple[str, ...]:
        """What a program is given on its command line."""
        given = self.config.get("arguments", [])
        if isinstance(given, str):
            try:
                return tuple(shlex.split(given))
            except ValueError as error:
                problem = str(error).lower()
                raise self.refusal("arguments", f"{problem} in {given!r}") from None
        return self._texts("arguments", given, "as in [--level, 3]")

    def stdin(self) -> tuple[str, ...]:
        """The lines that a program reads from its standard input."""
        given = self.config.get("stdin", [])
        if isinstance(given, str):
            return tuple(given.splitlines())
        return self._texts("stdin", given, "one for each input()")

    def _texts(self, key: str, given: Any, example: str) -> tuple[str, ...]:
        plain = isinstance(given, list) and all(
            isinstance(text, str | int | float) and not isinstance(text, bool) for text in given
        )
        if not plain:
            raise self.refusal(key, f"must be a text or a list of texts, {example}, not {given!r}")
        return tuple(map(str, given))

    def buttons(self) -> dict[str, tuple[str, ...]]:
        """Each button with what it is bound to."""
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
        """The names of the scenes."""
        scenes = self.config.get("scenes", ["main"])
        names = list(scenes) if isinstance(scenes, dict | list) else []
        if not names or not all(isinstance(n, str) and n and "\n" not in n for n in names):
            raise self.refusal(
                "scenes", f"must be a list of names, or a mapping of names to files, not {scenes!r}"
            )
        return tuple(names)

    def missing_scenes(self) -> Iterator[ConfigError]:
        """A refusal for each scene whose file is not there."""
        scenes = self.config.get("scenes")
        for name, file in scenes.items() if isinstance(scenes, dict) else ():
            if not isinstance(file, str) or not (self.file.parent / file).is_file():
                yield self.refusal("scenes", f"{name}: no file at {file}")


def _whole(value: Any, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
