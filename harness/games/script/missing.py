"""What is there in place of a file that a program does not find.

A game that was made on Windows or macOS may ask for ``Hero.png`` where ``hero.png`` lies. Linux
finds nothing then, and no error of Python's or pygame's says why.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

_NAMED = re.compile(r"[Nn]o (?:such )?file(?: or directory)?:? ['\"](.+?)['\"]")


def in_another_case(error: BaseException) -> str | None:
    """The file that an error did not find, as it is written where it lies."""
    path = error.filename if isinstance(error, FileNotFoundError) else None
    if not isinstance(path, str):
        named = _NAMED.search(str(error))
        path = named[1] if named is not None else None
    if path is None or os.path.exists(path):
        return None
    found = Path(path).anchor
    for part in Path(path).parts[bool(found) :]:
        step = os.path.join(found, part)
        if not os.path.exists(step):
            alike = _alike(found or os.curdir, part)
            if alike is None:
                return None
            step = os.path.join(found, alike)
        found = step
    return Path(found).as_posix()


def _alike(folder: str, name: str) -> str | None:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return None
    return next((there for there in names if there.casefold() == name.casefold()), None)
