"""SDL without a display and without a sound card, and a home of the game's own, in a process."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HEADLESS = {
    "SDL_VIDEODRIVER": "dummy",
    "SDL_AUDIODRIVER": "dummy",
    "PYGAME_HIDE_SUPPORT_PROMPT": "1",
}


HOMES = (
    "HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_CACHE_HOME",
    "XDG_STATE_HOME",
    "TMPDIR",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "TEMP",
    "TMP",
)
"""What games, and libraries for them, ask for a place to write to, on every system."""


@contextmanager
def headless() -> Iterator[None]:
    """Have SDL draw and play nowhere, and pygame be imported without what only costs time."""
    os.environ.update(HEADLESS)
    # Where it is installed, pygame imports it: 90 ms, and a warning under newer setuptools.
    blocked = "pkg_resources" not in sys.modules and "pygame" not in sys.modules
    if blocked:
        sys.modules["pkg_resources"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        if blocked and sys.modules.get("pkg_resources", False) is None:
            del sys.modules["pkg_resources"]


@contextmanager
def at_home(home: Path) -> Iterator[None]:
    """Have programs, and what they start, take a folder for the place that they may write to."""
    before = {name: os.environ.get(name) for name in HOMES}
    os.environ.update(dict.fromkeys(HOMES, str(home)))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
