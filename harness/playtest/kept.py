"""Savestates as files, so that one command can begin where another ended: movies in a folder."""

from __future__ import annotations

from pathlib import Path

from harness.errors import UnknownName
from harness.games.folder import read_folder
from harness.playtest.plan import check_fits
from harness.playtest.protocol import Play
from harness.playtest.savestates import from_movie
from harness.values.files import made_folder
from harness.values.kinds import saved_name
from harness.values.movie_reader import read_movie


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
    saved_name(name)
    file = folder / f"{name}.movie"
    if not file.is_file():
        known = [path.stem for path in folder.glob("*.movie")]
        raise UnknownName("savestate", name, known, str(folder))
    movie = read_movie(file)
    check_fits(movie, read_folder(play.path))
    play.keep(from_movie(name, movie))
