"""Which kind of game a path is, loaded."""

from __future__ import annotations

from pathlib import Path

from harness.games.folder import read_folder
from harness.games.loaded import LoadedGame


def opened_game(path: Path) -> LoadedGame:
    """Make the game of a path as ``find_game`` gives it.

    Raises:
        ConfigError: its harness.yaml does not fit, or it is no program for pygame.
    """
    folder = read_folder(path)
    if folder.script is None:
        from harness.games.native import NativeGame

        return NativeGame(path)
    from harness.games.script.game import ScriptGame

    return ScriptGame(path, folder, folder.script)
