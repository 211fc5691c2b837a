"""Files are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from harness.errors import RequestError


def write_atomically(path: str | os.PathLike[str], content: str | bytes) -> Path:
    """Write a file so that a reader, or a crash, meets the old content or the new.

    Raises:
        RequestError: the folder is missing or may not be written to.
    """
    target = Path(path)
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise RequestError(f"cannot write {target}: {error.strerror}") from None
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        temporary.chmod(0o666 & ~_umask())
        os.replace(temporary, target)
    except OSError as error:
        raise RequestError(f"cannot write {target}: {error.strerror}") from None
    finally:
        temporary.unlink(missing_ok=True)
    return target


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
