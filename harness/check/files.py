"""The files that make up a game, by what they are."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from harness.games.files import OwnFiles

PICTURES = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".tga", ".webp")
SOUNDS = (".wav", ".ogg", ".mp3", ".flac")
FONTS = (".ttf", ".otf")
OTHERS = (".tmx", ".tsx")
ASSETS = (*PICTURES, *SOUNDS, *FONTS)
_TESTS = ("scenarios", "tests")


class GameFiles:
    """A game's own files, named as seen from its folder, and the scenarios that belong to it."""

    def __init__(self, path: Path, imports: Path | None = None) -> None:
        self.path = path
        self.imports = imports or path
        """The folder that imports are looked for in."""
        self.names = OwnFiles(path).names()
        self._lower = {name.lower(): name for name in self.names}

    def ending(self, *endings: str) -> list[str]:
        """The names that end so."""
        return [name for name in self.names if name.lower().endswith(endings)]

    def ends_in(self, text: str) -> bool:
        """Whether a file's name ends in a text, be it in the middle of a word."""
        return any(name.endswith(text.replace("\\", "/")) for name in self.names)

    def asset(self, told: str, beside: Path) -> str | None:
        """What is wrong with a path that code or data names; None when such a file is there.

        Whatever folder it is loaded from, a file of the game must end in that path.
        """
        wanted = told.replace("\\", "/").lstrip("./")
        if "\\" in told and self.asset(told.replace("\\", "/"), beside) is None:
            return "only Windows takes \\ between the names of a path, and all take /"
        bases = (self.path, beside, self.path.parent)
        if any(os.path.exists(base / told) for base in bases):
            exact = _spelt(self.path / told) if os.path.exists(self.path / told) else ""
            return None if not exact or exact == wanted else _other_case(exact)
        for name in self.names:
            if name == wanted or name.endswith(f"/{wanted}"):
                return None
        for lower, name in self._lower.items():
            if lower == wanted.lower() or lower.endswith(f"/{wanted.lower()}"):
                return _other_case(name)
        return f"no file of the game ends in {told!r}"

    def scenarios(self) -> list[Path]:
        """The folders where the game's scenarios and tests are."""
        folders = [self.path / name for name in _TESTS]
        if self.path.name == "game":  # found as ./game by tests that lie beside it
            folders.append(self.path.parent / "scenarios")
        return [folder for folder in folders if folder.is_dir()]

    def tests(self) -> Iterator[Path]:
        """Every file of the scenarios and tests."""
        for folder in self.scenarios():
            for root, folders, files in os.walk(folder):
                folders[:] = sorted(f for f in folders if not f.startswith((".", "__")))
                yield from (Path(root) / name for name in sorted(files))

    def shown(self, path: Path) -> str:
        """A path as seen from the game's folder."""
        return os.path.relpath(path, self.path).replace(os.sep, "/")


def _other_case(name: str) -> str:
    return f"the file is {name}: Linux tells upper and lower case apart"


def _spelt(path: Path) -> str:
    """How the last part of a path is spelt on disk, where that may differ."""
    try:
        names = os.listdir(path.parent)
    except OSError:
        return ""
    alike = [name for name in names if name.lower() == path.name.lower()]
    return alike[0] if alike and path.name not in names else ""
