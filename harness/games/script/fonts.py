"""System fonts: whatever a program asks for is pygame's own font, the same on every machine.

What is installed differs, and pygame asks a program of the system for it with a second to answer:
on a busy machine there are no fonts at all.
"""

from __future__ import annotations

import os
from typing import Any

from harness.games.script.runtime import Patches

NAME = "freesansbold"
"""The one font that there is, as pygame names it."""


class Fonts:
    """``pygame.sysfont``, which ``pygame.font`` and ``pygame.freetype`` ask."""

    def install(self, patches: Patches) -> None:
        """Have nobody look for fonts, and every name found."""
        import pygame.font
        import pygame.sysfont

        def initsysfonts() -> None:
            """Nothing is left to look for."""

        folder = os.path.dirname(os.path.abspath(pygame.__file__))
        file = os.path.join(folder, pygame.font.get_default_font())
        patches.put(pygame.sysfont, "Sysfonts", _AnyName({NAME: {(False, False): file}}))
        patches.put(pygame.sysfont, "initsysfonts", initsysfonts)
        patches.put(pygame.sysfont, "is_init", True)

    def begin(self) -> None:
        """Nothing is kept."""


class _AnyName(dict[str, Any]):
    """One font, whatever it is called."""

    def get(self, name: str, default: Any = None) -> Any:
        return self[NAME]
