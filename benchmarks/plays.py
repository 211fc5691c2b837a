"""One play of a game by the seeded player, and how its savestates hold.

``games.py`` starts the processes and compares what they found.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field
from typing import Any

SEED = 1
KEYS = "left,right,up,down,space,return,w,a,s,d,z,x"
CLICK_EVERY = 23
SLEEP = 0.003
MOST_NOTE = 200

SAVED_AT = 300
"""The frame that is saved, in a play that comes so far; else it is at half of the play."""

PLAYED_ON = 200
"""Frames that are played from a savestate, twice."""


@dataclass
class Played:
    """One play: how it ended, its marks, and four hex digits of every frame's hash.

    ``seconds`` are of the process's CPU, from frame 0 on.
    """

    ended: str = ""
    frame: int = 0
    seconds: float = 0.0
    trail: str = ""
    marks: list[str] = field(default_factory=list)
    note: str = ""


@dataclass
class Kept:
    """A savestate: ``fork`` or ``movie`` is how it was kept, ``no`` says that it did not hold."""

    by: str = ""
    note: str = ""


def player(size: tuple[int, int], frames: int) -> str:
    """Input of a seeded player: keys at random all the time, and clicks here and there."""
    chance = random.Random(SEED)
    clicks = [
        f"click({chance.randrange(size[0])},{chance.randrange(size[1])})@{frame}"
        for frame in range(CLICK_EVERY, frames, CLICK_EVERY)
    ]
    return ", ".join([f"random({KEYS})@1-{frames}", *clicks])


def play(entry: str, frames: int, sleeps: bool) -> Played:
    """Play a game here and now: the process is its own."""
    from harness.errors import GameError, HarnessError
    from harness.games.script.runtime import Runtime
    from harness.playtest.play import Playtest

    if sleeps:
        Runtime.shown = _sleeping(Runtime.shown)  # type: ignore[method-assign]
    playtest, found, clock = Playtest(entry), Played(), time.process_time
    began = clock()
    try:
        playtest.reset(seed=SEED)
        began = clock()
        last = playtest.step(frames, input=player(playtest.stage.game.folder.size, frames))
        found.ended = "frames" if last == frames else "exit"
    except HarnessError as error:
        run = error.run if isinstance(error, GameError) else None
        found.ended = run.stopped if run is not None else "error"
        if found.ended != "exit" or run.status == "failed":
            found.note = _one_line(error)
    found.seconds = clock() - began
    movie = playtest.played()
    if movie is not None:
        found.frame = movie.marks[-1].frame
        found.trail = "".join(mark.trail for mark in movie.marks)
        found.marks = [f"{mark.frame} {mark.state_hash}" for mark in movie.marks]
    return found


def _sleeping(shown: Any) -> Any:
    sleep, chance = time.sleep, random.Random(time.time_ns())

    def shown_late(runtime: Any) -> None:
        sleep(chance.random() * SLEEP)
        shown(runtime)

    return shown_late


def keep(entry: str, frames: int) -> Kept:
    """Save a game of so many frames on its way, and play on from there: twice the same bits."""
    from harness.errors import HarnessError
    from harness.worker.play import WorkerPlay

    saved = min(SAVED_AT, frames // 2)
    found, playtest = Kept("no"), WorkerPlay(entry)
    try:
        playtest.reset(seed=SEED)
        size = playtest.screenshot().size
        if saved:
            playtest.step(saved, input=player(size, saved))
        playtest.save("here")
        plays = [_from_here(playtest, player(size, PLAYED_ON)) for _ in range(3)]
        if not plays[0] == plays[1] == plays[2]:
            found.note = f"the savestate of frame {saved} does not play on as the game did"
        else:
            parked = "here" in playtest._shelf.parked()
            found.by = "fork" if parked else "movie"
            found.note = "; ".join(note for note in playtest.notes if "kept as a movie" in note)
    except HarnessError as error:
        found.note = _one_line(error)
    finally:
        playtest.close()
    return found


def _from_here(playtest: Any, input: str) -> tuple[Any, str]:
    """Play on, and go back to where the savestate is; gives what was played, and its error."""
    from harness.errors import GameError

    ended = ""
    try:
        playtest.step(PLAYED_ON, input=input)
    except GameError as error:
        ended = _one_line(error)
    played = playtest.movie()
    playtest.load("here")
    return (played.inputs, played.marks), ended


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:MOST_NOTE]
