"""Keeps the paths that are given to tools below one folder. It guards paths; it is no sandbox."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from harness.errors import ArgumentError
from harness.playtest.bots import BOT
from harness.playtest.plan import names_movie
from harness.registry import Tool


def confine(tool: Tool, keywords: Mapping[str, Any], base: Path, root: Path) -> None:
    """Refuse arguments that name a file which is not an ordinary one below ``root``.

    Raises:
        ArgumentError: one does, with the reason.
    """
    for argument in tool.arguments:
        use = argument.about.file
        if not use:
            continue
        for text in _paths(keywords.get(argument.python), use):
            problem = _problem(text, base, root, new=use == "written")
            if problem:
                raise ArgumentError(argument.name, f"{problem}: {_short(text)}")


def _paths(value: Any, use: str) -> Iterator[str]:
    for text in value if isinstance(value, list | tuple) else [value]:
        if not isinstance(text, str):
            continue
        if use != "source" or names_movie(text):
            yield text
        elif bot := BOT.fullmatch(text):
            yield bot["file"]


def _problem(text: str, base: Path, root: Path, new: bool) -> str:
    if not text or not text.isprintable():
        return "must be the name of a file"
    path = Path(text)
    if ".." in path.parts:
        return "must stay in the game's folder, without .."
    below = _below(base / path, root)
    if below is None:
        return "must be below the game's folder"
    return _walked(root, below.parts, new)


def _below(path: Path, root: Path) -> Path | None:
    """What leads from the root to a path, without following any link below the root."""
    for start in (root, root.resolve()):
        if path.is_relative_to(start):
            return path.relative_to(start)
    return None


def _walked(root: Path, parts: tuple[str, ...], new: bool) -> str:
    place = root
    for part in parts:
        place = place / part
        try:
            mode = place.lstat().st_mode
        except FileNotFoundError:
            missing_folder = place != root.joinpath(*parts)
            return "needs its folder to be there" if new and missing_folder else ""
        except (OSError, ValueError):
            return "must be the name of a file"
        if stat.S_ISLNK(mode) or _is_junction(place):
            return "must not lead through a symbolic link"
        if place != root.joinpath(*parts) and not stat.S_ISDIR(mode):
            return "must be below a folder"
    return "" if parts and stat.S_ISREG(mode) else "must be a regular file"


def _is_junction(place: Path) -> bool:
    isjunction = getattr(os.path, "isjunction", None)  # Windows, since 3.12
    return isjunction is not None and bool(isjunction(place))


def _short(text: str) -> str:
    shown = repr(text)
    return shown if len(shown) <= 80 else f"{shown[:77]}..."
