"""Savestates as files, so that one command can begin where another ended: movies in a folder."""

from __future__ import annotations

import os
from pathlib import Path

from harness.errors import RequestError, UnknownName
from harness.games.folder import read_folder
from harness.playtest.plan import check_fits
from harness.playtest.protocol import Play
from harness.playtest.savestates import from_movie
from harness.values.files import made_folder
from harness.values.movie_reader import read_movie

_LONGEST_NAME = 240
"""Bytes; file systems take 255, with what a movie's name ends in."""

_SHOWN = 60


def check_name(name: str) -> None:
    """Refuse a savestate's name that is no file's.

    Raises:
        RequestError: it is none.
    """
    plain = name.isprintable() and name.strip() == name and not name.startswith(".")
    if not name or not plain or Path(name).name != name or len(os.fsencode(name)) > _LONGEST_NAME:
        shown = name if len(name) <= _SHOWN else f"{name[:_SHOWN]}..."
        raise RequestError(f"a savestate's name is a file's name, not {shown!r}")


def write_save(play: Play, folder: Path, name: str) -> None:
    """Write a play's savestate, if the run came to it."""
    state = play.kept(name)
    if state is None:
        return
    state.movie.write(made_folder(folder) / f"{name}.movie")


def read_save(play: Play, folder: Path, name: str) -> None:
    """Give a play the savestate that ``write_save`` wrote.

    Raises:
        UnknownName: there is none.
        MovieError: it cannot be read, or is of another game.
    """
    check_name(name)
    file = folder / f"{name}.movie"
    if not file.is_file():
        known = [path.stem for path in folder.glob("*.movie")]
        raise UnknownName("savestate", name, known, str(folder))
    movie = read_movie(file)
    check_fits(movie, read_folder(play.path))
    play.keep(from_movie(name, movie))
