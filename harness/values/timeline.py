"""Input as people and agents write it, a line of notation or a list of events, put on frames.

``right@1-40, jump@30+6, click(320,180)@60, drag(10,10,200,50)@70-90, text("hi")@50, quit@300``
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from harness.errors import InputError, UnknownName
from harness.values.inputs import Controls
from harness.values.keys import MOUSE_BUTTONS, PAD_AXES, PAD_BUTTONS, key_name

FOREVER = 1_000_000_000
"""The frame to which something held and never released is held."""

_ITEM = re.compile(
    r"\s*(?P<word>[^\s()@,]+)\s*(?:\((?P<args>.*)\)\s*)?@\s*(?P<when>[^\s()@,]+)\s*", re.DOTALL
)
_WHEN = re.compile(r"(\d{1,9})(?:([-+])(\d{1,9}))?")
_TOKEN = re.compile(r"""\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^,"']+)\s*(?:,|$)""", re.DOTALL)
_RANDOM_STRETCH = (4, 20)


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
        control = self._device_control(word)
        if control is None:
            raise UnknownName("button or key", word, self.words(), "this input")
        bound = (name for name, controls in self.buttons.items() if control in controls)
        return frozenset((control, *bound))

    def words(self) -> list[str]:
        """The names to suggest: the game's buttons, else some keys."""
        return list(self.buttons) or [
            "left",
            "right",
            "up",
            "down",
            "space",
            "return",
            "a",
            "click(x,y)",
        ]

    @staticmethod
    def _device_control(word: str) -> str | None:
        device, _, name = word.rpartition(":")
        if device in ("", "key"):
            key = key_name(name)
            return f"key:{key}" if key else None
        names = {"mouse": MOUSE_BUTTONS, "pad": PAD_BUTTONS}.get(device, ())
        return word if name in names else None


def binding(word: str) -> str | None:
    """The one control that a binding in harness.yaml names, or None."""
    return Vocabulary._device_control(word)


@dataclass(frozen=True, slots=True)
class Hold:
    """Controls that are down from frame ``first`` to frame ``last``, both included."""

    word: str
    controls: frozenset[str]
    first: int
    last: int


@dataclass(slots=True)
class Timeline:
    """Written input, before it is known how long the run is."""

    holds: list[Hold] = field(default_factory=list)
    pointer: dict[int, tuple[float, float]] = field(default_factory=dict)
    wheel: dict[int, tuple[float, float]] = field(default_factory=dict)
    text: dict[int, str] = field(default_factory=dict)
    axes: list[tuple[str, float, int, int]] = field(default_factory=list)
    quits: set[int] = field(default_factory=set)
    randoms: list[tuple[tuple[frozenset[str], ...], int, int]] = field(default_factory=list)

    def hold(self, word: str, controls: frozenset[str], first: int, last: int) -> None:
        """Add a hold.

        Raises:
            InputError: the same control is already held in one of these frames.
        """
        for other in self.holds:
            if other.word == word and other.first <= last and first <= other.last:
                frame = max(first, other.first)
                raise InputError(f"{word} is held twice at frame {frame}; write it as one span")
        self.holds.append(Hold(word, controls, first, last))

    def point(self, frame: int, at: tuple[float, float]) -> None:
        """Put the pointer somewhere from a frame on.

        Raises:
            InputError: it is put somewhere else in the same frame.
        """
        if self.pointer.setdefault(frame, at) != at:
            raise InputError(f"the pointer is in two places at frame {frame}")

    def spans(
        self, frames: int, seed: int = 0, pointer: tuple[float, float] = (0.0, 0.0)
    ) -> Iterator[tuple[int, Controls]]:
        """Give the input of ``frames`` frames as (how many, controls) in order.

        ``seed`` is what the random player is seeded with, ``pointer`` where the pointer starts.
        """
        starts, stops = self._edges(frames, seed)
        happenings = {f for d in (self.wheel, self.text) for f in d} | self.quits
        bounds = {1, frames + 1, *starts, *stops, *self.pointer, *happenings}
        bounds.update(f + 1 for f in happenings)
        for _, _, first, last in self.axes:
            bounds.update((first, last + 1))
        down: Counter[str] = Counter()
        for frame, until in pairwise(sorted(b for b in bounds if b <= frames + 1)):
            down.update(starts.get(frame, ()))
            down.subtract(stops.get(frame, ()))
            pointer = self.pointer.get(frame, pointer)
            yield until - frame, self._controls(frame, down, pointer)

    def _controls(self, frame: int, down: Counter[str], pointer: tuple[float, float]) -> Controls:
        return Controls(
            frozenset(c for c, times in down.items() if times > 0),
            pointer,
            self.wheel.get(frame, (0.0, 0.0)),
            self.text.get(frame, ""),
            tuple(sorted((n, v) for n, v, first, last in self.axes if first <= frame <= last)),
            frame in self.quits,
        )

    def _edges(self, frames: int, seed: int) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
        starts: dict[int, list[str]] = {}
        stops: dict[int, list[str]] = {}
        for hold in [*self.holds, *self._random_holds(frames, seed)]:
            starts.setdefault(hold.first, []).extend(hold.controls)
            stops.setdefault(hold.last + 1, []).extend(hold.controls)
        return starts, stops

    def _random_holds(self, frames: int, seed: int) -> Iterator[Hold]:
        for number, (choices, first, last) in enumerate(self.randoms):
            rng = random.Random(f"{seed}/{number}")
            frame = first
            while frame <= min(last, frames):
                end = min(last, frame + rng.randint(*_RANDOM_STRETCH) - 1)
                for controls in choices:
                    if rng.random() < 0.4:
                        yield Hold("random", controls, frame, end)
                frame = end + 1


def parse(text: str, vocabulary: Vocabulary) -> Timeline:
    """Read a line of input notation.

    Raises:
        InputError, UnknownName: with the part that cannot be played.
    """
    timeline = Timeline()
    for item in _items(text):
        match = _ITEM.fullmatch(item)
        if match is None:
            raise InputError(
                f"cannot read {item.strip()!r}; write NAME@FRAME, NAME@FIRST-LAST or NAME@FIRST+FRAMES"
            )
        first, last = _when(match["when"], item.strip())
        args = None if match["args"] is None else _arguments(match["args"], item.strip())
        _place(timeline, vocabulary, match["word"], args, first, last)
    return timeline


def from_events(events: Sequence[Mapping[str, Any]], vocabulary: Vocabulary) -> Timeline:
    """Read a list of events: ``{"frame": 30, "press": "jump"}``, ``{"frame": 36, "release": "jump"}``.

    An event has a frame and one of press, release, hold (with ``frames``), click, move, drag,
    wheel, text, pad, axis, quit or random. What is released in the frame of its press is held
    for that frame.

    Raises:
        InputError, UnknownName: with the number of the event that cannot be played.
    """
    timeline = Timeline()
    pressed: dict[str, int] = {}
    ordered = sorted(enumerate(events, 1), key=lambda pair: _event_frame(*pair))
    for number, event in ordered:
        frame = _event_frame(number, event)
        try:
            _place_event(timeline, vocabulary, event, frame, pressed)
        except (InputError, UnknownName) as error:
            raise InputError(f"event {number}: {error}") from None
    for word, first in pressed.items():
        timeline.hold(word, vocabulary.resolve(word), first, FOREVER)
    return timeline


def _items(text: str) -> Iterator[str]:
    depth, quote, start = 0, "", 0
    escaped = False
    for index, char in enumerate(text):
        if quote:
            if not escaped and char == quote:
                quote = ""
            escaped = char == "\\" and not escaped
        elif char in "\"'":
            quote, escaped = char, False
        elif char in "()":
            depth += 1 if char == "(" else -1
        elif char in ",\n" and depth == 0:
            if text[start:index].strip():
                yield text[start:index]
            start = index + 1
    if quote or depth:
        raise InputError(f"unclosed {quote or 'bracket'} in {text[start:].strip()!r}")
    if text[start:].strip():
        yield text[start:]


def _when(text: str, item: str) -> tuple[int, int]:
    match = _WHEN.fullmatch(text)
    if match is None:
        raise InputError(f"{item}: {text!r} is no frame; write 30, 30-40 or 30+6")
    first = int(match[1])
    if match[2] == "-":
        last = int(match[3])
    else:
        last = first + (int(match[3]) if match[2] else 1) - 1
    if first < 1:
        raise InputError(f"{item}: input starts at frame 1, which the first step reads")
    if last < first:
        raise InputError(f"{item}: ends before it starts")
    return first, last


def _arguments(text: str, item: str) -> list[Any]:
    values: list[Any] = []
    position = 0
    while position < len(text) and text[position:].strip():
        match = _TOKEN.match(text, position)
        if match is None:
            raise InputError(f"{item}: cannot read {text[position:].strip()!r}")
        values.append(_argument(match[1].strip()))
        position = match.end()
    return values


def _argument(token: str) -> Any:
    if token[:1] in "\"'":
        body = token[1:-1]
        return _Quoted(
            re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], body, flags=re.DOTALL)
        )
    try:
        return _finite(float(token))
    except ValueError:
        return token


class _Quoted(str):
    """Text that stood in quotes, and so is never a name."""

    __slots__ = ()


def _finite(number: float) -> float:
    if not math.isfinite(number):
        raise InputError(f"{number} is no finite number")
    return number


def _place(
    timeline: Timeline,
    vocabulary: Vocabulary,
    word: str,
    args: list[Any] | None,
    first: int,
    last: int,
) -> None:
    if args is None:
        if word == "quit":
            timeline.quits.add(_single(word, first, last))
        else:
            timeline.hold(word, vocabulary.resolve(word), first, last)
        return
    place = _CALLS.get(word)
    if place is None:
        raise UnknownName(
            "input", f"{word}(...)", [f"{name}(...)" for name in _CALLS], "the notation"
        )
    place(timeline, vocabulary, args, first, last)


def _single(word: str, first: int, last: int) -> int:
    if last != first:
        raise InputError(f"{word} happens in one frame, not in {first}-{last}")
    return first


def _numbers(word: str, args: Sequence[Any], *counts: int) -> tuple[float, ...]:
    if len(args) not in counts or any(
        isinstance(a, bool) or not isinstance(a, int | float) for a in args
    ):
        wanted = " or ".join(str(c) for c in counts)
        raise InputError(
            f"{word} takes {wanted} numbers, not {', '.join(map(str, args)) or 'nothing'}"
        )
    return tuple(_finite(float(a)) for a in args)


def _click(t: Timeline, v: Vocabulary, args: list[Any], first: int, last: int) -> None:
    button = "left"
    if len(args) == 3 and isinstance(args[2], str):
        button = str(args.pop())
    x, y = _numbers("click", args, 2)
    t.point(first, (x, y))
    t.hold(f"mouse:{button}", v.resolve(f"mouse:{button}"), first, last)


def _move(t: Timeline, v: Vocabulary, args: list[Any], first: int, last: int) -> None:
    x, y = _numbers("move", args, 2)
    t.point(_single("move", first, last), (x, y))


def _drag(t: Timeline, v: Vocabulary, args: list[Any], first: int, last: int) -> None:
    x0, y0, x1, y1 = _numbers("drag", args, 4)
    if last == first:
        raise InputError("drag takes at least two frames, as in drag(10,10,200,50)@70-90")
    for frame in range(first, last + 1):
        share = (frame - first) / (last - first)
        t.point(frame, (x0 + (x1 - x0) * share, y0 + (y1 - y0) * share))
    t.hold("mouse:left", v.resolve("mouse:left"), first, last)


def _wheel(t: Timeline, v: Vocabulary, args: list[Any], first: int, last: int) -> None:
    numbers = _numbers("wheel", args, 1, 2)
    x, y = numbers if len(numbers) == 2 else (0.0, numbers[0])
    for frame in range(first, last + 1):
        if frame in t.wheel:
            raise InputError(f"the wheel is turned twice at frame {frame}")
        t.wheel[frame] = (x, y)


def _text(t: Timeline, v: Vocabulary, args: list[Any], first: int, last: int) -> None:
    if len(args) != 1 or not isinstance(args[0], str) or not args[0]:
        raise InputError('text takes one quoted text, as in text("hi")@50')
    frame = _single("text", first, last)
    if frame in t.text:
        raise InputError(f"text is typed twice at frame {frame}; write it as one")
    t.text[frame] = str(args[0])


def _pad(t: Timeline, v: Vocabulary, args: list[Any], first: int, last: int) -> None:
    for arg in args:
        name, equals, value = str(arg).partition("=")
        if equals:
            _axis(t, name.strip(), value, first, last)
        else:
            t.hold(f"pad:{name}", v.resolve(f"pad:{name}"), first, last)
    if not args:
        raise InputError("pad takes a button or an axis, as in pad(a)@9 or pad(left_x=-0.5)@1-30")


def _axis(t: Timeline, name: str, value: Any, first: int, last: int) -> None:
    if name not in PAD_AXES:
        raise UnknownName("axis", name, PAD_AXES, "a pad")
    try:
        position = float(value)
    except (TypeError, ValueError):
        position = math.nan
    if not -1 <= position <= 1:
        raise InputError(f"axis {name} takes -1 to 1, not {value}")
    for other, _, begin, end in t.axes:
        if other == name and begin <= last and first <= end:
            raise InputError(f"axis {name} is in two places at frame {max(first, begin)}")
    t.axes.append((name, position, first, last))


def _random(t: Timeline, v: Vocabulary, args: list[Any], first: int, last: int) -> None:
    words = [str(a) for a in args] or list(v.buttons)
    if not words:
        raise InputError("random takes the controls to play with, as in random(left,space)@1-600")
    t.randoms.append((tuple(v.resolve(w) for w in words), first, last))


_CALLS = {
    "click": _click,
    "move": _move,
    "drag": _drag,
    "wheel": _wheel,
    "text": _text,
    "pad": _pad,
    "random": _random,
}

_EVENT_KINDS = ("press", "release", "hold", "axis", "quit", *_CALLS)


def _event_frame(number: int, event: Mapping[str, Any]) -> int:
    frame = event.get("frame") if isinstance(event, Mapping) else None
    if isinstance(frame, bool) or not isinstance(frame, int) or not 1 <= frame < FOREVER:
        raise InputError(
            f"event {number}: needs a frame of at least 1, as in {{'frame': 30, 'press': 'jump'}}"
        )
    return frame


def _place_event(
    timeline: Timeline,
    vocabulary: Vocabulary,
    event: Mapping[str, Any],
    frame: int,
    pressed: dict[str, int],
) -> None:
    kinds = [key for key in event if key not in ("frame", "frames")]
    if len(kinds) != 1 or kinds[0] not in _EVENT_KINDS:
        raise InputError(
            f"has {', '.join(map(str, kinds)) or 'nothing'}; an event has one of {', '.join(_EVENT_KINDS)}"
        )
    kind, value = kinds[0], event[kinds[0]]
    last = frame + _event_frames(event) - 1
    if kind == "press":
        word = str(value)
        vocabulary.resolve(word)
        if word in pressed:
            raise InputError(
                f"{word} is pressed at frame {frame} and has been down since frame {pressed[word]}"
            )
        pressed[word] = frame
    elif kind == "release":
        word = str(value)
        if word not in pressed:
            raise InputError(f"{word} is released at frame {frame}, but nothing pressed it")
        first = pressed.pop(word)
        timeline.hold(word, vocabulary.resolve(word), first, max(first, frame - 1))
    elif kind == "hold":
        timeline.hold(str(value), vocabulary.resolve(str(value)), frame, last)
    elif kind == "axis":
        for name, position in (
            dict(value).items() if isinstance(value, Mapping) else ((str(value), None),)
        ):
            _axis(timeline, str(name), position, frame, last)
    elif kind == "quit":
        timeline.quits.add(frame)
    else:
        _CALLS[kind](timeline, vocabulary, _event_arguments(kind, value), frame, last)


def _event_frames(event: Mapping[str, Any]) -> int:
    frames = event.get("frames", 1)
    if isinstance(frames, bool) or not isinstance(frames, int) or not 1 <= frames < FOREVER:
        raise InputError(f"frames: must be a whole number of at least 1, not {frames!r}")
    return frames


def _event_arguments(kind: str, value: Any) -> list[Any]:
    values = list(value) if isinstance(value, list | tuple) else [value]
    if kind == "text":
        return [_Quoted(v) if isinstance(v, str) else v for v in values]
    return [
        float(v) if isinstance(v, int | float) and not isinstance(v, bool) else v for v in values
    ]
