"""Why a program does not find what it wants, where no error of Python's or pygame's says it.

A game that was made on Windows or macOS may ask for ``Hero.png`` where ``hero.png`` lies, or for
what Windows alone has.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

_NAMED = re.compile(r"[Nn]o (?:such )?file(?: or directory)?:? ['\"](.+?)['\"]")

_MODULES_OF_WINDOWS = frozenset(
    (
        *("winsound", "msvcrt", "winreg", "_winapi", "_winreg", "pywintypes", "pythoncom"),
        *("win32api", "win32gui", "win32con", "win32com", "win32process", "win32clipboard"),
    )
)
_NAMES_OF_WINDOWS = ("windll", "WinDLL", "oledll", "startfile", "getwindowsversion")


def why(error: BaseException) -> str | None:
    """What to add to an error's message."""
    there = _in_another_case(error)
    if there is not None:
        return f"there is '{there}', and here case matters"
    if sys.platform != "win32" and _is_of_windows(error):
        return "that is of Windows alone"
    return None


def _is_of_windows(error: BaseException) -> bool:
    name = getattr(error, "name", None)
    if isinstance(error, ModuleNotFoundError):
        return name in _MODULES_OF_WINDOWS
    if not isinstance(error, AttributeError | ImportError):
        return False
    return name in _NAMES_OF_WINDOWS or any(f"'{n}'" in str(error) for n in _NAMES_OF_WINDOWS)


def _in_another_case(error: BaseException) -> str | None:
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
