"""Savestates: a movie prefix each, re-stepped and compared hash by hash on every load."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.driver.driver import DIGEST, Driver
from harness.errors import Divergence
from harness.values.movie import Movie
from harness.values.run import shown


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
        driver.state_hash(),
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
    frame = first_difference(bytes(driver.hashes), state.hashes)
    actual = driver.state_hash()
    rebuilt = driver.game.build != state.movie.header.build
    if frame is None and actual == state.state_hash:
        same = f"savestate {state.name!r} was rebuilt from its movie: the game has changed, its state has not"
        return same if rebuilt else None
    at = state.frame if frame is None else frame
    where = field_difference(state.values, driver.values()) if state.values else None
    detail = (
        f"; at frame {state.frame} {where[0]} was {shown(where[1])} and is {shown(where[2])}"
        if where
        else ""
    )
    if rebuilt:
        return f"savestate {state.name!r} was rebuilt from its movie: the game has changed, first at frame {at}{detail}"
    expected, got = hashes_at(state, driver, frame, actual)
    if state.changed_outside is not None:
        raise Divergence(
            f"savestate {state.name!r} was changed outside the movie after frame {state.changed_outside},"
            f" so its movie does not lead there{detail}\n  change values with play.edit, which the movie keeps",
            at, expected, got,
        )  # fmt: skip
    raise Divergence(
        f"state diverged at frame {at}: expected hash {expected}, got {got}{detail}\n"
        "  the same input gave another state: the game reads something that neither seed nor input decides"
        " (a clock, an unseeded generator, the order of a set), or was changed outside the movie",
        at, expected, got,
    )  # fmt: skip


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


def hashes_at(state: Savestate, driver: Driver, frame: int | None, actual: str) -> tuple[str, str]:
    """The two hashes to show: of the frame that differs, else of the whole state."""
    if frame is None:
        return state.state_hash, actual
    return state.hashes[frame * DIGEST : (frame + 1) * DIGEST].hex(), driver.digest(frame).hex()
