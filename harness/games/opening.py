"""Which kind of game a path is, loaded."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from harness.games.folder import read_folder
from harness.games.loaded import LoadedGame
from harness.games.native import NativeGame

if TYPE_CHECKING:
    from harness.games.script.game import ScriptGame


_LOADED: dict[Path, LoadedGame] = {}


def loaded_game(path: Path) -> LoadedGame:
    """The one loaded copy of a game in this process: its modules exist once, so it does too."""
    if path not in _LOADED:
        _LOADED[path] = opened_game(path)
    return _LOADED[path]


def opened_game(path: Path) -> LoadedGame:
    """Make the game of a path as ``find_game`` gives it.

    Raises:
        ConfigError: its harness.yaml does not fit, or it is no program for pygame.
    """
    folder = read_folder(path)
    if folder.script is None:
        return NativeGame(path)
    # Loaded only where a program is played: never beside somebody's tests.
    kind: type[ScriptGame] = import_module("harness.games.script.game").ScriptGame
    return kind(path, folder, folder.script)
