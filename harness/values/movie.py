"""A movie: the start of a run and everything that was put into it, as text.

One line a span of equal input, edits and hash marks on lines of their own::

    playtest movie 1
    game=crate-and-door
    scene=ledge
    seed=3
    ...

    mark 0 fe67786bf1057180
    1-45 right
    46 right jump
    47-60 .
    mark 60 - 5d32d9e3...
    edit 60 player.hp=1
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from harness.values.files import Kind, write_atomically
from harness.values.inputs import IDLE, Controls, InputFrame

FORMAT = 1
FIRST_LINE = "playtest movie"
MOVIE_FILE = Kind("movie", ".movie", FIRST_LINE.encode())
MARK_EVERY = 60
"""Frames from one mark to the next."""

WHOLE_EVERY = 600
"""Frames from one mark with the hash of the whole state to the next; the last mark has one too."""

_PLAIN_NAME = re.compile(r"\w[\w:-]*")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Edit:
    """A value set from outside after ``frame``: ``target`` is a path, ``value`` a literal."""

    frame: int
    target: str
    value: str


@dataclass(frozen=True, slots=True)
class Mark:
    """Four hex digits for each frame since the mark before, and the whole state's hash.

    The hash is empty where only the frames were looked at.
    """

    frame: int
    state_hash: str
    trail: str = ""


def last_whole(marks: Sequence[Mark]) -> str:
    """The last hash of a whole state among marks; empty where there is none."""
    return next((mark.state_hash for mark in reversed(marks) if mark.state_hash), "")


@dataclass(frozen=True, slots=True)
class Header:
    """What a movie was recorded on. ``frames`` is None while it is still being recorded."""

    game: str
    scene: str
    seed: int
    tick_rate: int
    frames: int | None = None
    build: str = ""
    harness: str = ""
    python: str = ""
    pymunk: str = ""
    pygame: str = ""
    platform: str = ""
    cpu: str = ""


HEADER_KEYS = tuple(Header.__dataclass_fields__)


@dataclass(frozen=True, slots=True)
class Movie:
    """A whole run: header, one InputFrame a frame, edits and hash marks."""

    header: Header
    inputs: tuple[InputFrame, ...] = ()
    edits: tuple[Edit, ...] = ()
    marks: tuple[Mark, ...] = ()
    path: str = field(default="", compare=False)

    @property
    def frames(self) -> int:
        """How many frames were played."""
        return len(self.inputs)

    def text(self) -> str:
        """Write the movie as text."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"{FIRST_LINE} {FORMAT}"
        yield from header_lines(replace(self.header, frames=self.frames))
        yield ""
        yield from body_lines(self.inputs, self.edits, self.marks)

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write the movie to a file whose name ends in ``.movie``, whole or not at all.

        Raises:
            RequestError: it ends otherwise, something else is there, or it cannot be written.
        """
        return write_atomically(MOVIE_FILE.check(path), self.text())


def header_lines(header: Header) -> Iterator[str]:
    """Write a header's lines, ``key=value``."""
    for key in HEADER_KEYS:
        value = getattr(header, key)
        yield f"{key}={'' if value is None else escaped(str(value))}"


def body_lines(
    inputs: Sequence[InputFrame],
    edits: Iterable[Edit],
    marks: Iterable[Mark],
    start: int = 0,
) -> Iterator[str]:
    """Write what happened after frame ``start``, in the order of the frames."""
    events = [(mark.frame, 1, _mark_line(mark)) for mark in marks]
    events += [(edit.frame, 2, _edit_line(edit)) for edit in edits]
    spans = list(_spans(inputs, start, {frame for frame, _, _ in events}))
    events += [(last, 0, line) for last, line in spans]
    events.sort(key=lambda event: event[:2])
    return (line for _, _, line in events)


def _mark_line(mark: Mark) -> str:
    return f"mark {mark.frame} {mark.state_hash or '-'} {mark.trail}".rstrip()


def _edit_line(edit: Edit) -> str:
    target = escaped(edit.target).replace("=", "\\=")
    return f"edit {edit.frame} {target}={escaped(edit.value)}"


def _spans(inputs: Sequence[InputFrame], start: int, cuts: set[int]) -> Iterator[tuple[int, str]]:
    pointer = _pair(inputs[start - 1].pointer if start else IDLE.pointer)
    first = start
    while first < len(inputs):
        said = _said(inputs[first])
        last = first + 1
        while last < len(inputs) and last not in cuts and _says(inputs, last, said):
            last += 1
        held, now, rest = said
        moved = [f"pointer={now}"] if now != pointer else []
        when = f"{first + 1}-{last}" if last > first + 1 else f"{last}"
        yield last, " ".join([when, *([*held, *moved, *rest] or ["."])])
        pointer, first = now, last


_Said = tuple[list[str], str, list[str]]


def _says(inputs: Sequence[InputFrame], index: int, said: _Said) -> bool:
    return inputs[index] is inputs[index - 1] or _said(inputs[index]) == said


def _said(controls: Controls | InputFrame) -> _Said:
    """Write what is held, where the pointer is, and the rest. Texts tell -0.0 from 0.0."""
    held = sorted(controls.held)
    wheel = _pair(controls.wheel)
    rest = [f"wheel={wheel}"] if wheel != "0,0" else []
    rest += [f"axis={name},{_number(value)}" for name, value in controls.axes]
    if controls.quit:
        rest.append("quit=1")
    if controls.text:
        rest.append(f"text={json.dumps(controls.text)}")
    words = [name if _PLAIN_NAME.fullmatch(name) else f"held={json.dumps(name)}" for name in held]
    return words, _pair(controls.pointer), rest


def _number(value: float) -> str:
    return repr(float(value)).removesuffix(".0")


def _pair(pair: tuple[float, float]) -> str:
    return f"{_number(pair[0])},{_number(pair[1])}"


def escaped(text: str) -> str:
    """Write any text within one line of a movie."""
    text = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def unescaped(text: str) -> str:
    """Read what ``escaped`` wrote."""
    return re.sub(r"\\(u[0-9a-f]{4}|.)", _unescaped, text)


def _unescaped(match: re.Match[str]) -> str:
    said = match[1]
    if len(said) == 5:
        return chr(int(said[1:], 16))
    return {"n": "\n", "r": "\r"}.get(said, said)
