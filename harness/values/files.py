"""Files are written whole or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from harness.errors import RequestError


def write_atomically(path: str | os.PathLike[str], content: str | bytes) -> Path:
    """Write a file so that a reader, or a crash, meets the old content or the new.

    Raises:
        RequestError: the folder is missing or may not be written to, or something that is no
            file (a device, a pipe) is there.
    """
    target = Path(path)
    try:
        # Replacing is by name: it would put a file where the device was.
        if target.exists() and not target.is_file() and not target.is_dir():
            raise RequestError(f"cannot write {target}: it is no regular file")
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


def make_folder(path: Path) -> None:
    """Make a folder, if it is not there; the one that it lies in must be.

    Raises:
        RequestError: it cannot be made.
    """
    try:
        path.mkdir(exist_ok=True)
    except OSError as error:
        raise RequestError(f"cannot make the folder {path}: {error.strerror}") from None


def _mode(target: Path) -> int:
    """What the file may be used for so far; of a new one, what the process's umask allows."""
    try:
        return stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _refusal(target: Path, error: OSError | ValueError) -> RequestError:
    return RequestError(f"cannot write {target}: {getattr(error, 'strerror', None) or error}")
