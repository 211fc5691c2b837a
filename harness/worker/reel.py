"""Movies in pieces: each answer brings what was played since the last, and no frame twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from harness.driver.driver import DIGEST, Driver
from harness.playtest.savestates import Savestate
from harness.playtest.stage import Stage
from harness.values.inputs import InputFrame
from harness.values.movie import Edit, Header, Mark, Movie

NOTHING = -1
"""The frame up to which a play is known that is not known at all."""


@dataclass(frozen=True, slots=True)
class Tail:
    """What a play added since frame ``since``; ``closing`` is the mark on its last frame."""

    since: int
    header: Header
    inputs: tuple[InputFrame, ...]
    edits: tuple[Edit, ...]
    marks: tuple[Mark, ...]
    hashes: bytes
    closing: Mark | None = None
    changed_outside: int | None = None

    @property
    def frames(self) -> int:
        """Frames since reset."""
        return max(0, self.since) + len(self.inputs)


def tail_of(stage: Stage, since: int, closing: Mark | None = None) -> Tail:
    """What the play on a stage added since a frame."""
    driver = stage.driver
    inputs = tuple(driver.inputs[max(0, since) :])
    marks = tuple(mark for mark in driver.marks if mark.frame > since)
    hashes = bytes(driver.hashes[(since + 1) * DIGEST :])
    changed = stage.changed_outside
    return Tail(since, stage.header(), inputs, tuple(driver.edits), marks, hashes, closing, changed)


def closing_of(driver: Driver) -> Mark:
    """The mark on the present frame, whose game must be active."""
    return driver.movie_marks()[-1]


@dataclass(frozen=True, slots=True)
class Reel:
    """A movie as the pieces that it came in, the last one first."""

    tail: Tail
    before: Reel | None = None

    @property
    def frames(self) -> int:
        """Frames since reset."""
        return self.tail.frames

    def shortened(self) -> Reel:
        """The same in fewer pieces, where the last one adds no frame to the one before."""
        last, before = self.tail, self.before
        if before is None or last.inputs or last.since != before.frames:
            return self
        tail = replace(
            before.tail,
            header=last.header,
            edits=last.edits,
            closing=last.closing,
            changed_outside=last.changed_outside,
        )
        return Reel(tail, before.before)

    def _pieces(self) -> list[Tail]:
        pieces, reel = [], self
        while True:
            pieces.append(reel.tail)
            if reel.before is None or reel.tail.since == NOTHING:
                return pieces[::-1]
            reel = reel.before

    def movie(self) -> Movie:
        """The whole movie."""
        pieces, last = self._pieces(), self.tail
        inputs = tuple(frame for piece in pieces for frame in piece.inputs)
        marks = [mark for piece in pieces for mark in piece.marks]
        if last.closing is not None:
            if marks and marks[-1].frame == last.closing.frame:
                marks.pop()
            marks.append(last.closing)
        return Movie(last.header, inputs, last.edits, tuple(marks))

    def closed(self, closing: Mark | None) -> Reel:
        """The same, with a mark on its last frame."""
        return Reel(replace(self.tail, closing=closing), self.before)

    def savestate(self, name: str, values: Mapping[str, Any]) -> Savestate:
        """The frame that the reel ends at, as a savestate that any process can restore."""
        hashes = b"".join(piece.hashes for piece in self._pieces())
        last = self.tail
        state_hash = last.closing.state_hash if last.closing is not None else ""
        return Savestate(name, self.movie(), state_hash, hashes, values, last.changed_outside)


class LateMovie(Movie):
    """A movie that is put together when it is first looked at."""

    __slots__ = ("_load",)

    def __new__(cls, *args: Any, **kwargs: Any) -> LateMovie:
        """Make one that holds nothing yet; ``late`` says where it comes from."""
        return object.__new__(cls)

    def __getattr__(self, name: str) -> Any:
        # Only a slot that is still empty leads here.
        if name not in _FIELDS:
            raise AttributeError(f"a movie has no {name!r}")
        movie = object.__getattribute__(self, "_load")()
        for field in _FIELDS:
            object.__setattr__(self, field, getattr(movie, field))
        return getattr(movie, name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Movie) and _parts(self) == _parts(other)

    __hash__ = Movie.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        return Movie, tuple(getattr(self, field) for field in _FIELDS)


_FIELDS = tuple(field.name for field in fields(Movie))


def _parts(movie: Movie) -> tuple[Any, ...]:
    return movie.header, movie.inputs, movie.edits, movie.marks


def late(load: Callable[[], Movie]) -> Movie:
    """Give the movie that ``load`` makes, once somebody looks at it."""
    movie = LateMovie.__new__(LateMovie)
    object.__setattr__(movie, "_load", load)
    return movie
