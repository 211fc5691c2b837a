"""The one door to files that a user names: read with a limit, written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from harness.errors import RequestError
from harness.values import kinds

MOST_BYTES = 1 << 26
"""A larger file is taken for another kind than the one that was asked for."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file that the harness writes: what its name ends in, and its first bytes."""

    name: str
    suffix: str
    begins: bytes

    def check(self, path: str | os.PathLike[str], asked: str = "") -> Path:
        """Refuse a place where such a file may not be written; ``asked`` is what asked for it.

        Raises:
            RequestError: the name ends otherwise, or something else than such a file is there.
        """
        target, before = kinds.path(asked or "path", path), f"{asked}: " if asked else ""
        if target.suffix.lower() != self.suffix:
            problem = f"a {self.name}'s name ends in {self.suffix}, and {target.name!r} does not"
            raise RequestError(f"{before}{problem}")
        there = status_of(target)
        if there is not None and stat.S_ISREG(there.st_mode) and there.st_size:
            try:
                with target.open("rb") as file:
                    same = file.read(len(self.begins)) == self.begins
            except OSError as error:
                raise _refusal(target, error) from None
            if not same:
                raise RequestError(
                    f"{before}cannot write {target}: what is there is no {self.name}"
                )
        return target

    def place(self, path: str | os.PathLike[str], asked: str) -> Path:
        """Refuse, before there is anything to write, a place where it could not be written.

        Raises:
            RequestError: as ``check``; or a folder is there, or none to write it in.
        """
        target = self.check(path, asked)
        if is_folder(target):
            raise RequestError(f"{asked}: {target} is a folder")
        if not is_folder(target.parent):
            raise RequestError(f"{asked}: no folder {target.parent} to write {target.name} in")
        if not os.access(target if target.exists() else target.parent, os.W_OK):
            raise RequestError(f"{asked}: cannot write {target}: it is read-only")
        return target


def status_of(path: str | os.PathLike[str]) -> os.stat_result | None:
    """What is at a place; None where nothing is.

    Raises:
        RequestError: that cannot be known.
    """
    try:
        return os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise RequestError(f"cannot look at {_cut(path)}: {reason(error)}") from None


def is_folder(path: str | os.PathLike[str]) -> bool:
    """Whether a folder is there.

    Raises:
        RequestError: that cannot be known.
    """
    there = status_of(path)
    return there is not None and stat.S_ISDIR(there.st_mode)


def made_folder(path: str | os.PathLike[str]) -> Path:
    """Make a folder, and those above it, where they are not there yet.

    Raises:
        RequestError: it cannot be made.
    """
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise RequestError(f"cannot make {_cut(folder)}: {reason(error)}") from None
    return folder


def working_folder() -> Path:
    """The folder that relative paths start from.

    Raises:
        RequestError: it was deleted, or is out of reach.
    """
    try:
        return Path.cwd()
    except OSError as error:
        problem = f"the working folder is out of reach: {reason(error)}"
        raise RequestError(f"{problem}\n  change to one that is there") from None


def read_file(path: str | os.PathLike[str], most: int = MOST_BYTES) -> bytes:
    """Read a regular file of at most ``most`` bytes; a device or a pipe may have no end.

    Raises:
        OSError: it is not there, is none, is larger, or cannot be read; ``strerror`` says which.
        ValueError: the path is none.
    """
    there = os.stat(path)
    if stat.S_ISDIR(there.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder", os.fspath(path))
    if not stat.S_ISREG(there.st_mode):
        raise OSError(errno.EINVAL, "it is no regular file", os.fspath(path))
    size = there.st_size
    with open(path, "rb") as file:
        # Room for the most that there may be costs more than the reading.
        data = file.read(size + 1) if size <= most else b""
        if len(data) > size:  # it grew, or is a file of /proc, which tells no size
            data += file.read(most + 1 - len(data))
    if len(data) > most or size > most:
        problem = f"it has more than {most >> 20} MiB"
        raise OSError(errno.EFBIG, problem, os.fspath(path))
    return data


def write_atomically(path: str | os.PathLike[str], content: str | bytes) -> Path:
    """Write a file so that a reader, or a crash, meets the old content or the new.

    Raises:
        RequestError: the folder is missing or may not be written to, or something that is no
            file (a device, a pipe), or a file that is read-only, is there.
    """
    target = Path(path)
    try:
        # Replacing is by name: it would put a file where the device was, or the locked file.
        if target.exists() and not target.is_file() and not target.is_dir():
            raise RequestError(f"cannot write {target}: it is no regular file")
        if target.is_file() and not target.stat().st_mode & 0o222:
            raise RequestError(f"cannot write {target}: it is read-only")
        data = content.encode("utf-8") if isinstance(content, str) else content
        handle, name = tempfile.mkstemp(prefix=".", suffix=".tmp", dir=target.parent)
    except (OSError, ValueError) as error:
        raise _refusal(target, error) from None
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        temporary.chmod(_mode(target))
        os.replace(temporary, target)
    except (OSError, ValueError) as error:
        raise _refusal(target, error) from None
    finally:
        temporary.unlink(missing_ok=True)
    return target


def _mode(target: Path) -> int:
    """What the file may be used for so far; of a new one, what the process's umask allows."""
    try:
        return stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _refusal(target: Path, error: OSError | ValueError) -> RequestError:
    return RequestError(f"cannot write {_cut(target)}: {reason(error)}")


def shown_path(path: str | os.PathLike[str], here: str | os.PathLike[str] = os.curdir) -> str:
    """A path as one would type it from ``here``: relative where that is shorter."""
    whole = os.fspath(path)
    try:
        relative = os.path.relpath(whole, here)
    except (OSError, ValueError):  # another drive; or the working folder is gone
        return whole
    if relative.startswith("-"):
        relative = os.path.join(os.curdir, relative)
    return relative if len(relative) <= len(whole) else whole


def reason(error: OSError | ValueError) -> str:
    """Why a file could not be used, without its path."""
    return str(getattr(error, "strerror", None) or error)


def _cut(path: str | os.PathLike[str]) -> str:
    text = os.fspath(path)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


_LONGEST = 200
