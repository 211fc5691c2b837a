"""A RunRequest, read: expressions compiled, input understood, before anything of the game runs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.driver.driver import Driver
from harness.driver.edits import parsed_assignment
from harness.errors import ArgumentError, MovieError, UnknownName
from harness.expressions import Expression, compiled
from harness.games.folder import GameFolder
from harness.playtest.bots import BOT, Bot, bot_input, load_bot
from harness.playtest.steps import last_input, whole_number
from harness.values.events import from_events
from harness.values.inputs import Controls, InputFrame, chained, input_frame
from harness.values.movie import Edit, Movie
from harness.values.movie_reader import MOST_FRAMES, read_movie
from harness.values.notation import parse
from harness.values.run import DEFAULT_FRAMES, MOST_SEED, RunRequest
from harness.values.timeline import Timeline, Vocabulary, binding

if TYPE_CHECKING:
    from harness.playtest.stage import Stage

_MOVIE = re.compile(r".*\.movie(\.part)?", re.IGNORECASE | re.DOTALL)


def names_movie(text: str) -> bool:
    """Whether a text is a movie's path rather than notation."""
    return _MOVIE.fullmatch(text) is not None


NO_INPUT = "no-input"


@dataclass(frozen=True, slots=True)
class Opponent:
    """What a run is compared with; without a movie, the same run without its input."""

    name: str
    movie: Movie | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run does, in the objects that do it."""

    frames: int
    every: int
    asserts: list[Expression]
    until: Expression | None
    prints: list[Expression]
    assignments: list[tuple[str, str]]
    source: Timeline | Movie | Bot
    opponent: Opponent | None = None

    @property
    def unplayed(self) -> int:
        """The frame after the end at which all written input begins; 0 where it does not."""
        first = self.source.first_start() if isinstance(self.source, Timeline) else 0
        return first if first > self.frames else 0

    @property
    def movie(self) -> Movie | None:
        """The movie that is the run's input, if one is."""
        return self.source if isinstance(self.source, Movie) else None

    def input(self, driver: Driver) -> Iterator[InputFrame]:
        """The run's input from the driver's present frame on."""
        if isinstance(self.source, Movie):
            return self._movie_input(self.source, driver)
        if isinstance(self.source, Timeline):
            before = last_input(driver)
            spans = self.source.spans(self.frames, driver.seed, before.pointer)
            return chained(spans, before.held, driver.dt)
        return bot_input(self.source, driver, self.frames)

    def _movie_input(self, movie: Movie, driver: Driver) -> Iterator[InputFrame]:
        before = last_input(driver)
        edits: dict[int, list[Edit]] = {}
        for edit in movie.edits:
            edits.setdefault(edit.frame, []).append(edit)
        after = Controls(pointer=movie.inputs[-1].pointer if movie.inputs else before.pointer)
        for frame in range(self.frames):
            for edit in edits.get(frame, ()):
                driver.edit(edit.target, edit.value)
            known = frame < movie.frames
            inputs = movie.inputs[frame] if known else input_frame(after, before.held, driver.dt)
            if frame == 0:
                inputs = input_frame(inputs.controls, before.held, driver.dt)
            before = inputs
            yield inputs
        for edit in edits.get(self.frames, ()):
            driver.edit(edit.target, edit.value)


def planned(stage: Stage, request: RunRequest, least: int = 1) -> Plan:
    """Read a request; ``least`` is how many frames it must play.

    Raises:
        RequestError: a part of it is wrong.
    """
    if request.seed is not None:
        whole_number("seed", request.seed, 0, MOST_SEED)
    asserts = [compiled(text) for text in request.assert_]
    until = compiled(request.until) if request.until is not None else None
    prints = [compiled(text) for text in dict.fromkeys(request.print)]
    assignments = [parsed_assignment(text) for text in request.assignments]
    source = _source(stage, request)
    length = source.frames if isinstance(source, Movie) and source.frames else DEFAULT_FRAMES
    frames = length if request.frames is None else request.frames
    every = max(1, frames) if request.every is None else request.every
    whole_number("frames", frames, least, MOST_FRAMES)
    whole_number("every", every, 1)
    opponent = _opponent(stage, request.against) if request.against is not None else None
    return Plan(frames, every, asserts, until, prints, assignments, source, opponent)


def _opponent(stage: Stage, against: str) -> Opponent:
    if against == NO_INPUT:
        return Opponent(against)
    if against in stage.runs:
        movie = stage.runs[against].movie
        if movie is None:
            raise ArgumentError("against", f"{against} failed before its first frame")
        return Opponent(against, movie)
    if not names_movie(against):
        raise UnknownName("run or movie", against, [NO_INPUT, *stage.runs], "this play")
    movie = read_movie(stage.base / against)
    check_fits(movie, stage.game.folder)
    return Opponent(against, movie)


def _source(stage: Stage, request: RunRequest) -> Timeline | Movie | Bot:
    given: Any = request.input
    vocabulary = stage.game.folder.vocabulary
    if given is None:
        return Timeline()
    if callable(given):
        bot: Bot = given
        return bot
    if not isinstance(given, str | os.PathLike):
        return from_events(given, vocabulary)
    if isinstance(given, os.PathLike) or names_movie(given):
        return _fitting_movie(stage, request, read_movie(stage.base / given))
    if BOT.fullmatch(given):
        return load_bot(given, stage.base)
    return parse(given, vocabulary)


def _fitting_movie(stage: Stage, request: RunRequest, movie: Movie) -> Movie:
    check_fits(movie, stage.game.folder)
    if request.scene is not None and request.scene != movie.header.scene:
        raise MovieError(
            f"{movie.path} was recorded in scene {movie.header.scene!r}, not {request.scene!r}"
        )
    return movie


def check_fits(movie: Movie, folder: GameFolder) -> None:
    """Refuse a movie that was recorded for something else.

    Raises:
        MovieError: it is of another game or tick rate, or of a scene that is no more.
    """
    header = movie.header
    name = movie.path or "the movie"
    if header.game != folder.id:
        raise MovieError(
            f"{name} was recorded with the game {header.game!r}, and this is {folder.id!r}"
        )
    if header.tick_rate != folder.tick_rate:
        raise MovieError(
            f"{name} was recorded at {header.tick_rate} steps a second,"
            f" and the game now runs at {folder.tick_rate}"
        )
    _check_controls(movie, folder.vocabulary)
    if header.scene not in folder.scenes:
        raise MovieError(f"{name}: {UnknownName('scene', header.scene, folder.scenes)}")


def _check_controls(movie: Movie, vocabulary: Vocabulary) -> None:
    """Refuse what nothing in the game can be: it would be played, and never be seen."""
    # One set stands for many frames: it is told apart by which object it is first.
    held = {id(frame.held): frame.held for frame in movie.inputs}
    for control in sorted(frozenset().union(*held.values())):
        if control not in vocabulary.buttons and binding(control) is None:
            unknown = UnknownName("button or key", control, vocabulary.words())
            raise MovieError(f"{movie.path or 'the movie'}: {unknown}")
