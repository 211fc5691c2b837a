"""Which files of a folder are the game's own, and the hash of them that is the build."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from harness.errors import ConfigError
from harness.values.files import reason

_NO_GAME_FOLDERS = frozenset(
    (
        "__pycache__",
        "scenarios",
        "tests",
        "goldens",
        "movies",
        "repros",
        "game-results",
        "node_modules",
        "site-packages",
        "dist-packages",
    )
)
_NO_GAME_FILES = re.compile(
    r"test_.*\.py|.*_test\.py|conftest\.py|.*\.(scenario\.yaml|movie|part|pyc)"
)
_HARNESS = Path(__file__).resolve().parent.parent


class OwnFiles:
    """The files below a folder that make up the game: no tests, no records, no environments."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._strange: dict[Path, bool] = {}
        self._relative: dict[str, str | None] = {}
        self._known: dict[str, tuple[tuple[int, ...], bytes]] = {}

    def relative(self, place: str) -> str | None:
        """A file or folder as seen from the game's folder; None when it is not the game's own.

        ``place`` is a path as a traceback or a module gives it.
        """
        if place not in self._relative:
            self._relative[place] = self._found(place)
        return self._relative[place]

    def _found(self, place: str) -> str | None:
        if not place or place.startswith("<"):
            return None
        try:
            path = Path(place).resolve()
            names = path.relative_to(self.folder).parts
        except (OSError, ValueError):
            return None
        folders = names[:-1] if path.suffix else names
        inside = self.folder
        for name in folders:
            inside = inside / name
            if self._is_strange(inside):
                return None
        if path.suffix and _is_record(names[-1]):
            return None
        return "/".join(names)

    def tops(self) -> list[str]:
        """The names that could be imported from the folder itself."""
        try:
            entries = list(os.scandir(self.folder))
        except OSError as error:
            raise ConfigError(f"cannot list {self.folder}: {reason(error)}") from None
        names = [
            e.name.removesuffix(".py")
            for e in entries
            if (_is(e.is_dir) and not self._is_strange(Path(e.path)))
            or (e.name.endswith(".py") and not _is_record(e.name))
        ]
        return sorted({name for name in names if name.isidentifier()})

    def names(self) -> list[str]:
        """The files by name, as seen from the folder."""
        return sorted(name for name, _ in self._files(self.folder, ""))

    def build(self) -> str:
        """Hash the files as they are on disk now; only those that changed are read again."""
        whole = hashlib.blake2b(digest_size=6)
        for name, entry in sorted(self._files(self.folder, "")):
            digest = self._digest(name, entry)
            whole.update(name.encode("utf-8", "surrogateescape") + b"\0" + digest)
        return whole.hexdigest()

    def _digest(self, name: str, entry: os.DirEntry[str]) -> bytes:
        try:
            stat = entry.stat()
            key = (stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino)
            known = self._known.get(name)
            # The change time cannot be set back, but on Windows it is the time of creation.
            if known is not None and known[0] == key and sys.platform != "win32":
                return known[1]
            digest = hashlib.blake2b(Path(entry.path).read_bytes(), digest_size=16).digest()
        except OSError:
            return b""
        self._known[name] = (key, digest)
        return digest

    def _files(self, folder: Path, prefix: str) -> Iterator[tuple[str, os.DirEntry[str]]]:
        try:
            entries = list(os.scandir(folder))
        except OSError:
            return
        for entry in entries:
            if _is(entry.is_dir):
                if not entry.is_symlink() and not self._is_strange(Path(entry.path)):
                    yield from self._files(Path(entry.path), f"{prefix}{entry.name}/")
            elif _is(entry.is_file) and not _is_record(entry.name):
                yield f"{prefix}{entry.name}", entry

    def _is_strange(self, folder: Path) -> bool:
        if folder not in self._strange:
            self._strange[folder] = (
                folder.name.startswith(".")
                or folder.name in _NO_GAME_FOLDERS
                or folder == _HARNESS
                or os.path.isfile(folder / "pyvenv.cfg")
            )
        return self._strange[folder]


def _is(kind: Callable[[], bool]) -> bool:
    """Whether an entry of a folder is of a kind; a link to itself is of none."""
    try:
        return kind()
    except OSError:
        return False


def _is_record(name: str) -> bool:
    return name.startswith(".") or _NO_GAME_FILES.fullmatch(name) is not None
