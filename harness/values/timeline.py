"""Written input put on frames, before it is known how long the run is."""

from __future__ import annotations

import random
from bisect import bisect_right, insort
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import Any, Generic, NamedTuple, TypeVar

from harness.errors import InputError, UnknownName
from harness.values.inputs import Controls
from harness.values.keys import MOUSE_BUTTONS, PAD_BUTTONS, key_name

FOREVER = 1_000_000_000
"""The frame to which something held and never released is held."""

_RANDOM_STRETCH = (4, 20)
_RANDOM_SHARE = 0.4
_SOME_WORDS = ("left", "right", "up", "down", "space", "return", "a", "click(x,y)")

T = TypeVar("T")
XY = tuple[float, float]


def binding(word: str) -> str | None:
    """Give the one control that a word names apart from a game's buttons, or None."""
    device, colon, name = word.rpartition(":")
    if not colon or device == "key":
        key = key_name(name)
        return f"key:{key}" if key else None
    names = {"mouse": MOUSE_BUTTONS, "pad": PAD_BUTTONS}.get(device, ())
    return word if name in names else None


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The controls that one game knows: its buttons, each with what they are bound to."""

    buttons: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def resolve(self, word: str) -> frozenset[str]:
        """Give every control that a written word holds: a button, or a key and its buttons.

        Raises:
            UnknownName: no button, key, mouse button or pad button has that name.
        """
        if word in self.buttons:
            return frozenset((word,))
        control = binding(word)
        if control is None:
            raise UnknownName("button or key", word, self.words())
        bound = (name for name, controls in self.buttons.items() if control in controls)
        return frozenset((control, *bound))

    def words(self) -> list[str]:
        """Give the names to suggest: the game's buttons, else some keys."""
        return list(self.buttons or _SOME_WORDS)


class Span(NamedTuple, Generic[T]):
    """A value from frame ``first`` to frame ``last``, both included."""

    first: int
    last: int
    value: T


@dataclass(slots=True)
class Lane(Generic[T]):
    """Spans that never overlap, in order: all that one control, axis or wheel does."""

    spans: list[Span[T]] = field(default_factory=list)

    def add(self, first: int, last: int, value: T) -> int | None:
        """Add a span, or give the first of its frames that is already taken."""
        before = self.latest(first)
        if before is not None and before.last >= first:
            return first
        after = bisect_right(self.spans, first, key=_first)
        if after < len(self.spans) and self.spans[after].first <= last:
            return self.spans[after].first
        insort(self.spans, Span(first, last, value), key=_first)
        return None

    def latest(self, frame: int) -> Span[T] | None:
        """Give the span that began last, at or before a frame."""
        index = bisect_right(self.spans, frame, key=_first)
        return self.spans[index - 1] if index else None

    def at(self, frame: int) -> T | None:
        """Give the value at a frame; None between spans."""
        span = self.latest(frame)
        return span.value if span is not None and frame <= span.last else None


def _first(span: Span[T]) -> int:
    return span.first


@dataclass(slots=True)
class Timeline:
    """Holds, moves of the pointer, and what happens in single frames. The first frame is 1."""

    holds: dict[frozenset[str], Lane[str]] = field(default_factory=dict)
    pointer: Lane[tuple[XY, XY]] = field(default_factory=Lane)
    wheel: Lane[XY] = field(default_factory=Lane)
    text: Lane[str] = field(default_factory=Lane)
    axes: dict[str, Lane[float]] = field(default_factory=dict)
    quits: set[int] = field(default_factory=set)
    randoms: list[Span[tuple[frozenset[str], ...]]] = field(default_factory=list)

    def hold(self, word: str, controls: frozenset[str], first: int, last: int) -> None:
        """Hold controls; ``word`` is what the user calls them.

        Raises:
            InputError: they are already held in one of these frames.
        """
        frame = self.holds.setdefault(controls, Lane()).add(first, last, word)
        if frame is not None:
            raise InputError(f"{word} is held twice at frame {frame}; write it as one span")

    def point(self, frame: int, at: XY) -> None:
        """Put the pointer somewhere from a frame on.

        Raises:
            InputError: it is moved somewhere else in the same frame.
        """
        if self.pointer.latest(frame) != Span(frame, frame, (at, at)):
            self.glide(frame, frame, at, at)

    def glide(self, first: int, last: int, start: XY, end: XY) -> None:
        """Move the pointer evenly: at ``start`` in the first frame, at ``end`` in the last.

        Raises:
            InputError: it is already moved in one of these frames.
        """
        frame = self.pointer.add(first, last, (start, end))
        if frame is not None:
            raise InputError(f"the pointer is moved twice at frame {frame}")

    def first_start(self) -> int:
        """The first frame in which something begins; 0 where nothing does."""
        lanes: list[Lane[Any]] = [self.pointer, self.wheel, self.text]
        lanes += [*self.holds.values(), *self.axes.values()]
        spans: list[Span[Any]] = [*self.randoms, *(s for lane in lanes for s in lane.spans[:1])]
        return min([*self.quits, *(span.first for span in spans)], default=0)

    def spans(
        self, frames: int, seed: int = 0, pointer: XY = (0.0, 0.0)
    ) -> Iterator[tuple[int, Controls]]:
        """Give the input of ``frames`` frames as (how many, controls) in order.

        ``seed`` is what the random player is seeded with, ``pointer`` where the pointer starts.
        """
        starts, stops = self._edges(frames, seed)
        bounds = self._bounds(frames) | starts.keys() | stops.keys()
        down: Counter[str] = Counter()
        for frame, until in pairwise(sorted(b for b in bounds if b <= frames + 1)):
            down.update(starts.get(frame, ()))
            down.subtract(stops.get(frame, ()))
            held = frozenset(control for control, times in down.items() if times > 0)
            yield until - frame, self._controls(frame, held, pointer)

    def _controls(self, frame: int, held: frozenset[str], pointer: XY) -> Controls:
        moves = self.pointer.latest(frame)
        axes = ((name, lane.at(frame)) for name, lane in sorted(self.axes.items()))
        return Controls(
            held,
            pointer if moves is None else _position(moves, frame),
            self.wheel.at(frame) or (0.0, 0.0),
            self.text.at(frame) or "",
            tuple((name, value) for name, value in axes if value is not None),
            frame in self.quits,
        )

    def _bounds(self, frames: int) -> set[int]:
        """Find the frames in which something other than a hold begins, changes or is over."""
        bounds = {1, frames + 1}
        axes = (lane.spans for lane in self.axes.values())
        for first, last, _ in chain(self.wheel.spans, self.text.spans, *axes):
            bounds.update((first, last + 1))
        for frame in self.quits:
            bounds.update((frame, frame + 1))
        for first, last, _ in self.pointer.spans:
            bounds.update(range(first, min(last, frames) + 1))
        return bounds

    def _edges(self, frames: int, seed: int) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
        starts: dict[int, list[str]] = {}
        stops: dict[int, list[str]] = {}
        for first, last, controls in self._all_holds(frames, seed):
            starts.setdefault(first, []).extend(controls)
            stops.setdefault(last + 1, []).extend(controls)
        return starts, stops

    def _all_holds(self, frames: int, seed: int) -> Iterator[tuple[int, int, Iterable[str]]]:
        for controls, lane in self.holds.items():
            for first, last, _ in lane.spans:
                yield first, last, controls
        for number, span in enumerate(self.randoms):
            yield from _random_holds(span, frames, random.Random(f"{seed}/{number}"))


def _random_holds(
    span: Span[tuple[frozenset[str], ...]], frames: int, rng: random.Random
) -> Iterator[tuple[int, int, Iterable[str]]]:
    first, last, choices = span
    while first <= min(last, frames):
        end = min(last, first + rng.randint(*_RANDOM_STRETCH) - 1)
        for controls in choices:
            if rng.random() < _RANDOM_SHARE:
                yield first, end, controls
        first = end + 1


def _position(moves: Span[tuple[XY, XY]], frame: int) -> XY:
    (x0, y0), (x1, y1) = moves.value
    if frame >= moves.last:
        return x1, y1
    share = (frame - moves.first) / (moves.last - moves.first)
    return x0 + (x1 - x0) * share, y0 + (y1 - y0) * share
