"""The games that are loaded in this process."""

from __future__ import annotations

from pathlib import Path

from harness.games.native import NativeGame

_LOADED: dict[Path, NativeGame] = {}


def loaded_game(path: Path) -> NativeGame:
    """The one loaded copy of a game in this process: its modules exist once, so it does too."""
    if path not in _LOADED:
        _LOADED[path] = NativeGame(path)
    return _LOADED[path]
