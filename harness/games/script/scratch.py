"""A copy of a program's folder for it to run in, so that its own stays as it is."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import sys
from dataclasses import dataclass, field
from pathlib import Path

from harness.errors import ConfigError, shortened
from harness.values.files import reason

MOST_BYTES = 1 << 30
"""What a program's folder may hold. A game is rarely a tenth of that; a home is."""

MOST_FILES = 50_000

_NOT_COPIED = frozenset(
    (
        "__pycache__",
        "node_modules",
        "game-results",
        ".git",
        ".hg",
        ".svn",
        ".harness",
        ".tox",
        ".nox",
        ".idea",
        ".vscode",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        ".hypothesis",
    )
)


@dataclass(slots=True)
class _Count:
    """What was found so far, and in which of the topmost folders."""

    files: int = 0
    bytes: int = 0
    tops: dict[str, int] = field(default_factory=dict)


def copied(own: Path, copy: Path) -> Path:
    """Copy a program's folder to a new one; gives the copy.

    Left out are version control, environments, caches, and what is neither file nor folder. A
    symbolic link that leads out of the folder is followed, one within it stays a link.

    Raises:
        ConfigError: the folder is too large to be copied for a run; nothing is left then.
    """
    _measure(own)
    copy.mkdir(parents=True)
    try:
        _Copying(own, copy).folder(own, copy)
    except OSError as error:
        shutil.rmtree(copy, ignore_errors=True)
        where = error.filename or own
        raise ConfigError(f"{where}: cannot be copied for a run: {reason(error)}") from None
    return copy


def is_left_out(folder: Path) -> bool:
    """Whether a folder of a program's is not copied."""
    return folder.name in _NOT_COPIED or (folder / "pyvenv.cfg").is_file()


def _measure(own: Path) -> None:
    """Look at every file before the first is copied."""
    count = _Count()
    waiting = [(own, "")]
    seen = set()
    while waiting:
        folder, top = waiting.pop()
        with contextlib.suppress(OSError), os.scandir(folder) as entries:
            here = os.stat(folder)
            if (here.st_dev, here.st_ino) in seen:
                continue
            seen.add((here.st_dev, here.st_ino))
            for entry in entries:
                with contextlib.suppress(OSError):
                    _counted(entry, top or entry.name, count, waiting)
        if count.bytes > MOST_BYTES or count.files > MOST_FILES:
            raise ConfigError(_too_large(own, count))


def _counted(
    entry: os.DirEntry[str], top: str, count: _Count, waiting: list[tuple[Path, str]]
) -> None:
    if entry.is_dir():
        if not is_left_out(Path(entry.path)):
            waiting.append((Path(entry.path), top))
    elif entry.is_file():
        size = entry.stat().st_size
        count.files += 1
        count.bytes += size
        count.tops[top] = count.tops.get(top, 0) + size


def _too_large(own: Path, count: _Count) -> str:
    largest = sorted(count.tops, key=lambda top: -count.tops[top])
    told = [f"{name} ({count.tops[name] >> 20} MiB)" for name in largest]
    return (
        f"{own}: too large for a run, which plays in a copy: more than"
        f" {MOST_BYTES >> 20} MiB or {MOST_FILES} files; it holds {shortened(told, 4)}\n"
        "  put the game into a folder of its own"
    )


class _Copying:
    """One copy on its way; it knows what it has gone through, in case links go round."""

    def __init__(self, own: Path, copy: Path) -> None:
        self._own = own.resolve()
        self._copy = copy
        self._within: list[Path] = []

    def folder(self, folder: Path, to: Path) -> None:
        """Copy what is in a folder to one that is there."""
        self._within.append(folder.resolve())
        with os.scandir(folder) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                self._entry(entry, to / entry.name)
        self._within.pop()
        shutil.copystat(folder, to)
        if not os.access(to, os.W_OK):  # a run may write where the user's own copy is kept safe
            os.chmod(to, os.stat(to).st_mode | stat.S_IRWXU)

    def _entry(self, entry: os.DirEntry[str], to: Path) -> None:
        path = Path(entry.path)
        if path == self._copy:  # made inside of what is copied
            return
        if entry.is_symlink() and self._kept_link(path, to):
            return
        if entry.is_dir():
            if not is_left_out(path) and path.resolve() not in self._within:
                to.mkdir()
                self.folder(path, to)
        elif entry.is_file():
            copy_file(path, to)

    def _kept_link(self, link: Path, to: Path) -> bool:
        """Make the same link where it leads to something within; says whether it did."""
        try:
            target = link.resolve()
            inside = target.relative_to(self._own)
        except (OSError, ValueError, RuntimeError):
            return False
        # One that is left out would not be there.
        if any(is_left_out(self._own / part) for part in [inside, *inside.parents]):
            return False
        there = self._copy / inside
        try:
            to.symlink_to(os.path.relpath(there, to.parent), target.is_dir())
        except OSError:  # Windows lets not everybody make one
            return False
        return True


def copy_file(path: Path, to: Path) -> None:
    """Copy a file with its times, sharing its blocks where the file system can.

    Never a hard link: what a program then writes in place would be the user's own.
    """
    if not _cloned(path, to):
        shutil.copyfile(path, to)
    shutil.copystat(path, to)
    os.chmod(to, os.stat(to).st_mode | stat.S_IWUSR)


_FICLONE = 0x40049409

_refusing: set[int] = set()
"""Devices whose file system shares no blocks; asking each time costs as much as a small copy."""


def _cloned(path: Path, to: Path) -> bool:
    if sys.platform != "linux":
        return False
    import fcntl

    with open(path, "rb") as source:
        device = os.fstat(source.fileno()).st_dev
        if device in _refusing:
            return False
        with open(to, "wb") as target:
            try:
                fcntl.ioctl(target.fileno(), _FICLONE, source.fileno())
            except OSError:
                _refusing.add(device)
                return False
    return True
