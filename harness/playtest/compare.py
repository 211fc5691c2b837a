"""Where a run and another one, from the same start, first differ."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from harness.errors import UnknownName
from harness.playtest.plan import check_fits, names_movie
from harness.playtest.savestates import field_difference, first_difference
from harness.values.inputs import Controls, chained
from harness.values.movie import Movie
from harness.values.movie_reader import read_movie
from harness.values.run import Difference

if TYPE_CHECKING:
    from harness.playtest.stage import Stage

NO_INPUT = "no-input"


def difference(stage: Stage, here: Movie, start: int, against: str) -> Difference:
    """Play ``against``, find the first frame that differs, and the first value in it.

    The stage is left where ``here`` ends; frames are counted from ``start``.

    Raises:
        UnknownName: ``against`` is no run of this play, no movie and not ``no-input``.
    """
    there = _other(stage, here, start, against)
    hashes = bytes(stage.driver.hashes)
    frame = first_difference(hashes, bytes(stage.replayed(there).hashes))
    if frame is None:
        stage.replayed(here)
        return Difference(against)
    values_there = _values(stage, there, frame)
    values_here = _values(stage, here, frame)
    stage.replayed(here)
    found = field_difference(values_there, values_here)
    name, was, now = found if found is not None else ("", None, None)
    return Difference(against, frame - start, name, now, was)


def _other(stage: Stage, here: Movie, start: int, against: str) -> Movie:
    if against == NO_INPUT:
        before = here.inputs[start - 1] if start else None
        controls = Controls(pointer=before.pointer) if before else Controls()
        held = before.held if before else frozenset()
        idle = chained([(here.frames - start, controls)], held, 1 / here.header.tick_rate)
        return replace(here, inputs=here.inputs[:start] + tuple(idle))
    if against in stage.runs:
        other = stage.runs[against].movie
        assert other is not None
        return other
    if not names_movie(against):
        raise UnknownName("run or movie", against, [NO_INPUT, *stage.runs], "this play")
    movie = read_movie(stage.base / against)
    check_fits(movie, stage)
    return movie


def _values(stage: Stage, movie: Movie, frame: int) -> dict[str, Any]:
    driver = stage.replayed(movie, frame)
    values = driver.values()
    if driver.frame < frame:
        values["frames played"] = driver.frame
    return values
