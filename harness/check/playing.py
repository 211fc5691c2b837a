"""Frame 0 of each scene, and two runs of each under other circumstances."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from harness.check.files import GameFiles
from harness.check.problems import Problem, refused
from harness.check.suspects import suspects
from harness.errors import GameError, HarnessError, RequestError
from harness.games.folder import CONFIG, GameFolder
from harness.playtest.protocol import Play
from harness.playtest.replaying import Played
from harness.playtest.savestates import field_difference
from harness.replay import second_run
from harness.values.movie import Movie
from harness.values.run import jsonable, shown_apart

FRAMES = 240
"""How many frames of each scene are played twice."""

_FIX = "mend it there; until then no frame of the scene can be played"
_KEYS = ("left", "right", "up", "down", "space", "return")


def frame_0(play: Play, folder: GameFolder) -> Iterator[tuple[str, Problem]]:
    """Reset each scene, and draw it where the game can be drawn; the scenes that fail."""
    for scene in folder.scenes:
        try:
            play.reset(scene)
            _drawn(play)
        except GameError as error:
            yield scene, _failed(error, scene, folder)
        except HarnessError as error:
            yield scene, refused(error, CONFIG, folder.path / CONFIG, _FIX)


def _drawn(play: Play) -> None:
    with suppress(RequestError):  # a game that draws nothing is no worse for it
        play.screenshot()


def _failed(error: GameError, scene: str, folder: GameFolder) -> Problem:
    info = error.run.error
    if info is None:
        first = str(error).partition("\n")[0]
        return Problem(_first_file(folder), 0, f"{first} (scene {scene})", _FIX)
    what = f"{info.type}: {info.message}" if info.message else info.type
    what = f"{what} (scene {scene}, frame 0)"
    return Problem(info.file or _first_file(folder), info.line, what, _FIX, info.traceback[-3:])


def _first_file(folder: GameFolder) -> str:
    """Where a game begins, of what names no file of its own."""
    if folder.script is not None:
        return folder.script.name
    module = folder.path.joinpath(*folder.entry.partition(":")[0].split("."))
    return (
        f"{module.relative_to(folder.path).as_posix()}.py"
        if module.with_suffix(".py").is_file()
        else CONFIG
    )


def differences(
    play: Play, folder: GameFolder, files: GameFiles, names: list[str]
) -> tuple[list[Problem], list[str]]:
    """Play each scene twice, the second time later, slower and under another hash seed."""
    found, notes = [], []
    for scene in folder.scenes:
        try:
            movie = _movie(play, folder, scene)
        except HarnessError:
            continue  # frame 0 has told it
        if movie is None:
            continue
        outcome = _twice(folder, movie)
        if isinstance(outcome, str):
            notes.append(f"scene {scene}: {outcome}")
        elif outcome is not None:
            frame, where = outcome
            what = f"two runs differ first at frame {frame} of {movie.frames}{where}"
            found.append(Problem(f"scene {scene}", 0, what, suspects(files.path, names)))
    return found, notes


def _movie(play: Play, folder: GameFolder, scene: str) -> Movie | None:
    words = ",".join(folder.vocabulary.buttons or _KEYS)
    play.reset(scene)
    with suppress(GameError):  # what was played up to there is compared
        play.step(FRAMES, input=f"random({words})@1-{FRAMES}")
    return play.played()


def _twice(folder: GameFolder, movie: Movie) -> tuple[int, str] | str | None:
    """The first frame that differs, and what in it; why it cannot be said; None where none does."""
    one, other = _both(folder, movie, None)
    if one is None or other is None:
        return "it could not be played twice"
    frame = one.first_difference(other)
    if frame is None:
        return None
    for _ in range(2):
        one, other = _both(folder, movie, frame)
        if one is None or other is None:
            return frame, ""
        earlier = one.first_difference(other)
        if earlier is None or earlier >= frame:
            break
        frame = earlier
    name, here, there = field_difference(one.values, other.values) or ("", None, None)
    if not name:
        return frame, ""
    first, second = shown_apart(jsonable(here), jsonable(there))
    return frame, f": {name} is {first} in one and {second} in the other"


def _both(
    folder: GameFolder, movie: Movie, frame: int | None
) -> tuple[Played | None, Played | None]:
    with ThreadPoolExecutor(2) as pool:
        one = pool.submit(second_run, folder.path, movie, frame, "1")
        other = pool.submit(second_run, folder.path, movie, frame, "2", late=True)
        return one.result(), other.result()
