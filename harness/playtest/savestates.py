"""Savestates: a movie prefix each, re-stepped and compared hash by hash on every load."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.driver.driver import DIGEST, Driver
from harness.driver.leftovers import left_behind
from harness.driver.replay import Comparison, compared
from harness.errors import Divergence, MovieError
from harness.values.movie import Movie
from harness.values.run import shown_apart


@dataclass(frozen=True, slots=True)
class Savestate:
    """A frame that one can return to, with what it takes to see whether one did."""

    name: str
    movie: Movie
    state_hash: str
    hashes: bytes = field(repr=False)
    values: Mapping[str, Any] = field(repr=False)
    changed_outside: int | None = None

    @property
    def frame(self) -> int:
        """Frames since reset."""
        return self.movie.frames


def saved(name: str, driver: Driver, changed_outside: int | None) -> Savestate:
    """Keep the driver's present frame under a name."""
    return Savestate(
        name,
        driver.movie(),
        driver.last_hash(),
        bytes(driver.hashes),
        driver.values(),
        changed_outside,
    )


def restored(state: Savestate, driver: Driver) -> str | None:
    """Bring the driver to a savestate; gives a note where another build made another state.

    Raises:
        Divergence: the same build did not come to the same state.
    """
    driver.replay(state.movie)
    found = _compared(state, driver)
    rebuilt = driver.game.build != state.movie.header.build
    if found.same:
        return f"{_rebuilt(state)} has changed, its state has not" if rebuilt else None
    where = field_difference(state.values, driver.values()) if state.values else None
    detail = ""
    if where is not None:
        name, was, now = where
        was, now = shown_apart(was, now)
        detail = f"; at frame {state.frame} {name} was {was} and is {now}"
    if rebuilt:
        return f"{_rebuilt(state)} has changed, first {found.where}{detail}"
    message = f"state diverged {found.where}: expected hash {found.expected}, got {found.actual}"
    left = left_behind(driver, state.movie)
    message = f"{message}{detail}\n{_CAUSES}" + (f"\n  {left}" if left else "")
    if state.changed_outside is not None:
        message = _changed_outside(state, detail)
    assert found.frame is not None
    raise Divergence(message, found.frame, found.expected, found.actual)


def _compared(state: Savestate, driver: Driver) -> Comparison:
    """Compare every frame's hash, then the marks, then the whole state at the end."""
    here = bytes(driver.hashes)
    frame = first_difference(here, state.hashes) if state.hashes else None
    if frame is not None:
        cut = slice(frame * DIGEST, (frame + 1) * DIGEST)
        return Comparison(frame - 1, frame, state.hashes[cut].hex(), here[cut].hex())
    found = compared(driver, state.movie)
    actual = driver.state_hash()
    if found.same and state.state_hash and actual != state.state_hash:
        return Comparison(found.checked, state.frame, state.state_hash, actual)
    return found


def from_movie(name: str, movie: Movie) -> Savestate:
    """A savestate that was kept as a movie: its marks and trails stand for the hashes.

    Raises:
        MovieError: it has no mark on its last frame.
    """
    last = movie.marks[-1] if movie.marks else None
    if last is None or last.frame != movie.frames or not last.state_hash:
        raise MovieError(f"{movie.path or name} has no mark on its last frame to check against")
    return Savestate(name, movie, last.state_hash, b"", {})


def left_changed(frame: int) -> Divergence:
    """The error of a load that leaves a state which was changed from outside after ``frame``."""
    message = f"the state was changed outside the movie after frame {frame}"
    return Divergence(f"{message}\n  {_BY_EDIT}", frame)


_BY_EDIT = "change values with play.edit, which the movie keeps"

_CAUSES = (
    "  the same input gave another state: the game reads something that neither seed nor input"
    " decides (a clock, an unseeded generator, the order of a set, what an earlier reset left in a"
    " module), or was changed from outside"
)


def _rebuilt(state: Savestate) -> str:
    return f"savestate {state.name!r} was rebuilt from its movie: the game"


def _changed_outside(state: Savestate, detail: str) -> str:
    return (
        f"savestate {state.name!r} was changed outside the movie after frame"
        f" {state.changed_outside}, so its movie does not lead there{detail}\n"
        f"  {_BY_EDIT}"
    )


def first_difference(here: bytes, there: bytes) -> int | None:
    """The first frame whose hash differs; the shorter of the two decides how far it is looked."""
    if here == there:
        return None
    frames = min(len(here), len(there)) // DIGEST
    return next(
        (
            f
            for f in range(frames)
            if here[f * DIGEST : (f + 1) * DIGEST] != there[f * DIGEST : (f + 1) * DIGEST]
        ),
        None if len(here) == len(there) else frames,
    )


def field_difference(
    there: Mapping[str, Any], here: Mapping[str, Any]
) -> tuple[str, Any, Any] | None:
    """The first value that differs: its path, what it is there and what it is here."""
    for path in dict.fromkeys([*there, *here]):
        was, now = there.get(path), here.get(path)
        if was != now and not (was != was and now != now):
            return path, was, now
    return None
