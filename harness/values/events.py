"""Input as a list of events, the way programs write it.

``[{"frame": 30, "press": "jump"}, {"frame": 36, "release": "jump"}, {"frame": 300, "quit": True}]``
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.errors import InputError, UnknownName
from harness.values.gestures import GESTURES, put_axis, single
from harness.values.numbers import whole
from harness.values.timeline import FOREVER, Timeline, Vocabulary

KINDS = ("press", "release", "hold", "axis", "quit", *GESTURES)


def from_events(events: Iterable[Mapping[str, Any]], vocabulary: Vocabulary) -> Timeline:
    """Read a list of events, in any order.

    An event has a frame and one of press, release, hold (with ``frames``), click, move, drag,
    wheel, text, pad, axis, quit or random. What is released in the frame of its press is held
    for that frame.

    Raises:
        InputError: with the number of the event that cannot be played.
    """
    if isinstance(events, str | Mapping) or not isinstance(events, Iterable):
        raise InputError("events are a list, as in [{'frame': 30, 'press': 'jump'}]")
    framed = [(_frame(number, event), number, event) for number, event in enumerate(events, 1)]
    reader = _Reader(vocabulary)
    for frame, number, event in sorted(framed, key=lambda item: item[:2]):
        try:
            reader.read(event, frame)
        except (InputError, UnknownName) as error:
            raise InputError(f"event {number}: {error}") from None
    return reader.finished()


def _frame(number: int, event: Any) -> int:
    frame = whole(event.get("frame")) if isinstance(event, Mapping) else None
    if frame is None or not 1 <= frame < FOREVER:
        raise InputError(
            f"event {number}: needs a frame from 1 to {FOREVER - 1},"
            " as in {'frame': 30, 'press': 'jump'}"
        )
    return frame


@dataclass(slots=True)
class _Reader:
    vocabulary: Vocabulary
    timeline: Timeline = field(default_factory=Timeline)
    down: dict[frozenset[str], tuple[str, int]] = field(default_factory=dict)

    def read(self, event: Mapping[str, Any], frame: int) -> None:
        kinds = [key for key in event if key not in ("frame", "frames")]
        if len(kinds) != 1 or kinds[0] not in KINDS:
            has = ", ".join(map(str, kinds)) or "nothing"
            raise InputError(f"has {has}; an event has one of {', '.join(KINDS)}")
        kind, value = kinds[0], event[kinds[0]]
        if kind in ("press", "release"):
            if "frames" in event:
                raise InputError(f"{kind} takes no frames; hold does")
            self._change(kind, _word(kind, value), frame)
        else:
            self._place(kind, value, frame, frame + _length(event) - 1)

    def finished(self) -> Timeline:
        for controls, (word, first) in self.down.items():
            self.timeline.hold(word, controls, first, FOREVER)
        return self.timeline

    def _change(self, kind: str, word: str, frame: int) -> None:
        controls = self.vocabulary.resolve(word)
        if kind == "press":
            if controls in self.down:
                since = self.down[controls][1]
                raise InputError(
                    f"{word} is pressed at frame {frame} and has been down since frame {since}"
                )
            self.down[controls] = word, frame
            return
        if controls not in self.down:
            raise InputError(f"{word} is released at frame {frame}, but nothing pressed it")
        first = self.down.pop(controls)[1]
        self.timeline.hold(word, controls, first, max(first, frame - 1))

    def _place(self, kind: str, value: Any, first: int, last: int) -> None:
        timeline = self.timeline
        if kind == "hold":
            word = _word(kind, value)
            timeline.hold(word, self.vocabulary.resolve(word), first, last)
        elif kind == "axis":
            if not isinstance(value, Mapping):
                raise InputError(
                    f"axis takes a position by name, as in {{'left_x': -0.5}}: {value!r}"
                )
            for name, position in value.items():
                put_axis(timeline, str(name), position, first, last)
        elif kind == "quit":
            if value is not True:
                raise InputError(f"quit takes true, not {value!r}")
            timeline.quits.add(single(kind, first, last))
        else:
            arguments = list(value) if isinstance(value, list | tuple) else [value]
            GESTURES[kind](timeline, self.vocabulary, arguments, first, last)


def _word(kind: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InputError(f"{kind} takes the name of a button or key, not {value!r}")
    return value


def _length(event: Mapping[str, Any]) -> int:
    frames = whole(event.get("frames", 1))
    if frames is None or not 1 <= frames < FOREVER:
        raise InputError(f"frames: must be a whole number of at least 1, not {event['frames']!r}")
    return frames
