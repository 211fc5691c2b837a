"""Where a run and another one, from the same start, first differ."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from harness.driver.driver import Look
from harness.driver.replay import compared
from harness.games.loaded import GameExit, GameRaised
from harness.playtest.plan import Opponent
from harness.playtest.savestates import field_difference, first_difference
from harness.values.inputs import Controls, chained
from harness.values.movie import Movie
from harness.values.run import Difference

if TYPE_CHECKING:
    from harness.playtest.stage import Stage

_ON = "plays on"


def difference(stage: Stage, here: Movie, start: int, opponent: Opponent) -> Difference:
    """Play the opponent, find the first frame that differs, and the first value in it.

    The stage is left where ``here`` ends; frames are counted from ``start``.
    """
    there = opponent.movie or _without_input(here, start)
    hashes = bytes(stage.driver.hashes)
    seen_there: list[Any] = []
    ended = _played(stage, there, look=_watching(stage, seen_there))
    changed = _changed(stage, there) if opponent.movie and ended == _ON else ""
    frame = first_difference(hashes, bytes(stage.driver.hashes))
    if not stage.game.declared:
        frame = _first_seen(stage, here, seen_there, frame)
    if frame is None:
        stage.replayed(here)
        return Difference(opponent.name, changed=changed)
    values_there, values_here = _values(stage, there, frame), _values(stage, here, frame)
    stage.replayed(here)
    found = field_difference(values_there, values_here)
    name, was, now = found if found is not None else ("", None, None)
    return Difference(opponent.name, frame - start, name, now, was, changed)


def _changed(stage: Stage, there: Movie) -> str:
    """Where a run is no more what it was when it was recorded, in words."""
    found = compared(stage.driver, there)
    if found.same:
        return ""
    build = there.header.build
    if build != stage.game.build:
        return f"itself it was another in build {build}, first {found.where}"
    return f"itself it was another when it was recorded, first {found.where}"


def _without_input(here: Movie, start: int) -> Movie:
    before = here.inputs[start - 1] if start else None
    controls = Controls(pointer=before.pointer) if before else Controls()
    held = before.held if before else frozenset()
    idle = chained([(here.frames - start, controls)], held, 1 / here.header.tick_rate)
    return replace(here, inputs=here.inputs[:start] + tuple(idle))


def _watching(stage: Stage, seen: list[Any]) -> Look | None:
    """Of a program a frame's hash holds little: keep what can be seen of it besides."""
    if stage.game.declared:
        return None

    def look(_frame: int) -> bool:
        seen.append(stage.game.seen())
        return False

    return look


def _first_seen(stage: Stage, here: Movie, seen_there: list[Any], frame: int | None) -> int | None:
    """The first frame in which something else is seen, if that is before ``frame``."""
    seen_here: list[Any] = []
    _played(stage, here, frame, _watching(stage, seen_here))
    pairs = enumerate(zip(seen_here, seen_there, strict=False), 1)
    return next((number for number, (one, other) in pairs if one != other), frame)


def _played(stage: Stage, movie: Movie, frames: int | None = None, look: Look | None = None) -> str:
    """Play a movie; gives what the game did, where it did not play on to its end."""
    try:
        stage.replayed(movie, frames, look)
    except GameRaised as raised:
        return str(raised.info)
    except GameExit as ended:
        return str(ended)
    return _ON


def _values(stage: Stage, movie: Movie, frame: int) -> dict[str, Any]:
    values: dict[str, Any] = {"the game": _played(stage, movie, frame)}
    if values["the game"] != _ON:
        return values
    return {**values, "frames played": stage.driver.frame, **stage.driver.values()}
