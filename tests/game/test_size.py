"""The game is small enough to be read."""

from pathlib import Path

GAME = Path(__file__).resolve().parents[2] / "game"
PICTURES_AND_SOUNDS = {
    "drawings.py",
    "font.py",
    "overlays.py",
    "particles.py",
    "pictures.py",
    "props.py",
    "scenery.py",
    "sounds.py",
    "sprites.py",
}


def lines(file):
    return len(file.read_text(encoding="utf-8").splitlines())


def test_the_games_own_code_is_under_1500_lines():
    sizes = {file.name: lines(file) for file in GAME.glob("*.py")}

    assert sizes.keys() > PICTURES_AND_SOUNDS
    assert sum(size for name, size in sizes.items() if name not in PICTURES_AND_SOUNDS) < 1500
    assert max(sizes.values()) < 320


def test_only_what_draws_or_sounds_imports_pygame():
    importers = {
        file.name for file in GAME.glob("*.py") if "import pygame" in file.read_text("utf-8")
    }

    assert importers - PICTURES_AND_SOUNDS == {"__main__.py"}
