"""SDL without a display and without a sound card, in this process."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

HEADLESS = {
    "SDL_VIDEODRIVER": "dummy",
    "SDL_AUDIODRIVER": "dummy",
    "PYGAME_HIDE_SUPPORT_PROMPT": "1",
}


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
