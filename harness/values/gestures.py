"""The gestures that input can be written with: click, move, drag, wheel, text, pad, random."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from harness.errors import InputError, UnknownName
from harness.values.keys import PAD_AXES
from harness.values.numbers import number
from harness.values.timeline import Lane, Span, Timeline, Vocabulary

Gesture = Callable[[Timeline, Vocabulary, Sequence[Any], int, int], None]
"""Puts one gesture with its arguments on a timeline, from a first to a last frame."""


def single(word: str, first: int, last: int) -> int:
    """Give the one frame in which something happens.

    Raises:
        InputError: it was written for more frames.
    """
    if last != first:
        raise InputError(f"{word} happens in one frame, not in {first}-{last}")
    return first


def put_axis(timeline: Timeline, name: str, value: Any, first: int, last: int) -> None:
    """Hold one pad axis at a position.

    Raises:
        UnknownName: a pad has no such axis.
        InputError: the position is out of range, or the axis is already held.
    """
    if name not in PAD_AXES:
        raise UnknownName("axis", name, PAD_AXES, "a pad")
    position = number(value)
    if position is None or not -1 <= position <= 1:
        raise InputError(f"axis {name} takes -1 to 1, not {value}")
    frame = timeline.axes.setdefault(name, Lane()).add(first, last, position)
    if frame is not None:
        raise InputError(f"axis {name} is in two places at frame {frame}")


def _numbers(word: str, args: Sequence[Any], *counts: int) -> tuple[float, ...]:
    found = tuple(value for value in map(number, args) if value is not None)
    if len(found) != len(args) or len(args) not in counts:
        wanted = " or ".join(map(str, counts))
        given = ", ".join(map(str, args)) or "nothing"
        raise InputError(f"{word} takes {wanted} finite numbers, not {given}")
    return found


def _click(t: Timeline, v: Vocabulary, args: Sequence[Any], first: int, last: int) -> None:
    button = "mouse:left"
    if len(args) == 3:
        *args, name = args
        button = f"mouse:{name}"
    x, y = _numbers("click", args, 2)
    controls = v.resolve(button)
    t.point(first, (x, y))
    t.hold(button, controls, first, last)


def _move(t: Timeline, v: Vocabulary, args: Sequence[Any], first: int, last: int) -> None:
    x, y = _numbers("move", args, 2)
    t.point(single("move", first, last), (x, y))


def _drag(t: Timeline, v: Vocabulary, args: Sequence[Any], first: int, last: int) -> None:
    x0, y0, x1, y1 = _numbers("drag", args, 4)
    if last == first:
        raise InputError("drag takes at least two frames, as in drag(10,10,200,50)@70-90")
    t.glide(first, last, (x0, y0), (x1, y1))
    t.hold("mouse:left", v.resolve("mouse:left"), first, last)


def _wheel(t: Timeline, v: Vocabulary, args: Sequence[Any], first: int, last: int) -> None:
    x, y = (0.0, *_numbers("wheel", args, 1, 2))[-2:]
    frame = t.wheel.add(first, last, (x, y))
    if frame is not None:
        raise InputError(f"the wheel is turned twice at frame {frame}")


def _text(t: Timeline, v: Vocabulary, args: Sequence[Any], first: int, last: int) -> None:
    if len(args) != 1 or not isinstance(args[0], str) or not args[0]:
        raise InputError('text takes one quoted text, as in text("hi")@50')
    try:
        args[0].encode()
    except UnicodeEncodeError:
        raise InputError(f"text cannot type {args[0]!r}: half a character") from None
    frame = t.text.add(single("text", first, last), last, args[0])
    if frame is not None:
        raise InputError(f"text is typed twice at frame {frame}; write it as one")


def _pad(t: Timeline, v: Vocabulary, args: Sequence[Any], first: int, last: int) -> None:
    if not args:
        raise InputError("pad takes a button or an axis, as in pad(a)@9 or pad(left_x=-0.5)@1-30")
    for arg in args:
        name, equals, value = str(arg).partition("=")
        if equals:
            put_axis(t, name.strip(), value.strip(), first, last)
        else:
            t.hold(f"pad:{name}", v.resolve(f"pad:{name}"), first, last)


def _random(t: Timeline, v: Vocabulary, args: Sequence[Any], first: int, last: int) -> None:
    words = [str(arg) for arg in args] or list(v.buttons)
    if not words:
        raise InputError("random takes the controls to play with, as in random(left,space)@1-600")
    t.randoms.append(Span(first, last, tuple(v.resolve(word) for word in words)))


GESTURES: Mapping[str, Gesture] = {
    "click": _click,
    "move": _move,
    "drag": _drag,
    "wheel": _wheel,
    "text": _text,
    "pad": _pad,
    "random": _random,
}
