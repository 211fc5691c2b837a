"""The process that loads assets: a line with each name before it is tried, and one if it failed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from harness.check.files import FONTS, PICTURES
from harness.stdout import answers_only


def main() -> int:
    """Load what standard input lists, from the folder that is given."""
    folder, names = Path(sys.argv[1]), json.load(sys.stdin)
    sys.modules["pkg_resources"] = None  # type: ignore[assignment]
    with answers_only() as answers:
        try:
            import pygame
        except ImportError:
            return 3
        pygame.init()
        sounds = _mixer(pygame)
        for name in names:
            if not sounds and not name.lower().endswith((*PICTURES, *FONTS)):
                continue
            print(json.dumps([name, ""]), file=answers, flush=True)
            problem = _tried(pygame, folder / name)
            if problem:
                print(json.dumps([name, problem]), file=answers, flush=True)
    return 0


def _mixer(pygame: Any) -> bool:
    try:
        pygame.mixer.init()
    except (pygame.error, NotImplementedError, AttributeError):
        return False
    return True


def _tried(pygame: Any, path: Path) -> str:
    lower = path.name.lower()
    try:
        if lower.endswith(PICTURES):
            pygame.image.load(path)
        elif lower.endswith(FONTS):
            pygame.font.Font(path, 12)
        else:
            pygame.mixer.Sound(path)
    except (pygame.error, OSError, RuntimeError, ValueError, MemoryError) as error:
        kinds = {"picture": PICTURES, "font": FONTS}
        what = next((kind for kind, endings in kinds.items() if lower.endswith(endings)), "sound")
        return f"cannot be loaded as a {what}: {str(error).replace(str(path), path.name)}"
    return ""


if __name__ == "__main__":
    sys.exit(main())
