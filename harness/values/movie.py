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
    mark 60 25a4ab18d0b56643 ...
    edit 60 player.hp=1
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NoReturn

from harness.errors import MovieError
from harness.values.files import write_atomically
from harness.values.inputs import IDLE, Controls, InputFrame, chained

FORMAT = 1
MARK_EVERY = 60
"""Frames from one hash mark to the next."""

_FIRST_LINE = "playtest movie"
_SPAN = re.compile(r"(\d+)(?:-(\d+))? (.+)")


@dataclass(frozen=True, slots=True)
class Edit:
    """A value set from outside after ``frame``: ``target`` is a path, ``value`` a literal."""

    frame: int
    target: str
    value: str


@dataclass(frozen=True, slots=True)
class Mark:
    """The state hash of ``frame``, and four hex digits for each frame since the mark before."""

    frame: int
    state_hash: str
    trail: str = ""


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


_NUMBERS = ("seed", "tick_rate", "frames")
_KEYS = tuple(Header.__dataclass_fields__)


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
        yield f"{_FIRST_LINE} {FORMAT}"
        yield from header_lines(replace(self.header, frames=self.frames))
        yield ""
        yield from body_lines(self.inputs, self.edits, self.marks)

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write the movie to a file, whole or not at all."""
        return write_atomically(path, self.text())


def header_lines(header: Header) -> Iterator[str]:
    """Write a header's lines, ``key=value``."""
    for key in _KEYS:
        value = getattr(header, key)
        yield f"{key}={'' if value is None else _escaped(str(value))}"


def body_lines(
    inputs: Sequence[InputFrame],
    edits: Iterable[Edit],
    marks: Iterable[Mark],
    start: int = 0,
) -> Iterator[str]:
    """Write what happened after frame ``start``, in the order of the frames."""
    events: list[tuple[int, int, str]] = [
        (
            mark.frame,
            0,
            " ".join(filter(None, ("mark", str(mark.frame), mark.state_hash, mark.trail))),
        )
        for mark in marks
    ]
    events += [
        (e.frame, 1, f"edit {e.frame} {_escaped(e.target)}={_escaped(e.value)}") for e in edits
    ]
    spans = list(_spans(inputs, start, {frame for frame, _, _ in events}))
    events += [(last, -1, line) for last, line in spans]
    events.sort(key=lambda event: event[:2])
    return (line for _, _, line in events)


def _spans(inputs: Sequence[InputFrame], start: int, cuts: set[int]) -> Iterator[tuple[int, str]]:
    pointer = inputs[start - 1].pointer if start else IDLE.pointer
    first = start
    while first < len(inputs):
        controls = inputs[first].controls
        last = first
        while last + 1 < len(inputs) and last + 1 not in cuts and _same(inputs[last + 1], controls):
            last += 1
        when = f"{first + 1}-{last + 1}" if last > first else f"{first + 1}"
        yield last + 1, f"{when} {_controls_text(controls, pointer)}"
        pointer = controls.pointer
        first = last + 1


def _same(inputs: InputFrame, controls: Controls) -> bool:
    return inputs.held is controls.held or (
        inputs.held == controls.held and inputs.controls == controls
    )


def _controls_text(controls: Controls, pointer: tuple[float, float]) -> str:
    words = sorted(controls.held)
    if controls.pointer != pointer:
        words.append(f"pointer={_pair(controls.pointer)}")
    if controls.wheel != (0.0, 0.0):
        words.append(f"wheel={_pair(controls.wheel)}")
    words += [f"axis={name},{_number(value)}" for name, value in controls.axes]
    if controls.quit:
        words.append("quit=1")
    if controls.text:
        words.append(f"text={json.dumps(controls.text)}")
    return " ".join(words) or "."


def _number(value: float) -> str:
    return (
        str(int(value)) if value == int(value) and not _is_minus_zero(value) else repr(float(value))
    )


def _is_minus_zero(value: float) -> bool:
    return value == 0 and math.copysign(1, value) < 0


def _pair(pair: tuple[float, float]) -> str:
    return f"{_number(pair[0])},{_number(pair[1])}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "r": "\r"}.get(m[1], m[1]), text)


MOST_FRAMES = 10_000_000
"""A longer movie is taken for damage: it would be 46 hours at 60 frames a second."""


def read_movie(path: str | os.PathLike[str]) -> Movie:
    """Read a movie file, or one that is still being recorded, up to its last mark.

    Raises:
        MovieError: it is not there, is no movie, or another format version.
    """
    file = Path(path)
    try:
        text = file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise MovieError(f"no movie at {file}") from None
    except IsADirectoryError:
        raise MovieError(f"{file} is a folder, not a movie") from None
    except UnicodeDecodeError:
        raise MovieError(f"{file} is no movie: it is not text") from None
    except OSError as error:
        raise MovieError(f"cannot read {file}: {error.strerror}") from None
    return parse_movie(text, str(file))


def parse_movie(text: str, path: str = "") -> Movie:
    """Read a movie from its text; ``path`` is what messages call it.

    Raises:
        MovieError: with the line that does not fit.
    """
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    reader = _Reader(path or "movie")
    header, body_start = reader.header(lines)
    recording = header.frames is None
    body = _Body()
    for number, line in enumerate(lines[body_start:], body_start + 1):
        if recording and number == len(lines):
            break  # the last line of a movie in the making may be half a line
        if line:
            reader.body_line(body, number, line)
    if recording:
        body.cut_to_last_mark()
    elif body.frames != header.frames:
        raise MovieError(
            f"{path or 'movie'} is cut short: it says {header.frames} frames and holds {body.frames}"
        )
    inputs = tuple(chained(body.spans, frozenset(), 1 / header.tick_rate))
    header = replace(header, frames=len(inputs))
    return Movie(header, inputs, tuple(body.edits), tuple(body.marks), path)


@dataclass(slots=True)
class _Body:
    spans: list[tuple[int, Controls]] = field(default_factory=list)
    edits: list[Edit] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    frames: int = 0
    pointer: tuple[float, float] = IDLE.pointer

    def cut_to_last_mark(self) -> None:
        end = self.marks[-1].frame if self.marks else 0
        surplus = self.frames - end
        while surplus > 0:
            frames, controls = self.spans.pop()
            if frames > surplus:
                self.spans.append((frames - surplus, controls))
            surplus -= frames
        self.edits = [edit for edit in self.edits if edit.frame <= end]
        self.frames = end


@dataclass(frozen=True, slots=True)
class _Reader:
    path: str

    def header(self, lines: Sequence[str]) -> tuple[Header, int]:
        words = lines[0].split()
        if words[:2] != _FIRST_LINE.split() or len(words) != 3:
            raise MovieError(
                f"{self.path} is no movie: it does not begin with '{_FIRST_LINE} {FORMAT}'"
            )
        if words[2] != str(FORMAT):
            raise MovieError(
                f"{self.path} is in movie format {words[2]}; this harness reads format {FORMAT}"
                " (record it again, or use the harness version that the file names)"
            )
        found: dict[str, str] = {}
        end = len(lines)
        for number, line in enumerate(lines[1:], 2):
            if not line:
                end = number
                break
            key, equals, value = line.partition("=")
            if not equals:
                self._refuse(number, f"a header line is key=value, not {line!r}")
            if key in found:
                self._refuse(number, f"{key} is given twice")
            found[key] = _unescaped(value)
        return self._made(found), end

    def _made(self, found: dict[str, str]) -> Header:
        values: dict[str, str | int | None] = {k: v for k, v in found.items() if k in _KEYS}
        for key in _NUMBERS:
            text = found.get(key, "")
            if key == "frames" and not text:
                values[key] = None
            elif not text.isascii() or not text.isdigit() or len(text) > 10:
                raise MovieError(f"{self.path}: the header's {key} is no number: {text!r}")
            else:
                values[key] = int(text)
        for key in ("game", "scene"):
            if key not in values:
                raise MovieError(f"{self.path}: the header has no {key}")
        if not values["tick_rate"]:
            raise MovieError(f"{self.path}: the header's tick_rate is 0")
        return Header(**values)  # type: ignore[arg-type]

    def body_line(self, body: _Body, number: int, line: str) -> None:
        kind, _, rest = line.partition(" ")
        if kind == "mark":
            body.marks.append(self._mark(body, number, rest))
        elif kind == "edit":
            body.edits.append(self._edit(body, number, rest))
        else:
            self._span(body, number, line)

    def _mark(self, body: _Body, number: int, rest: str) -> Mark:
        words = rest.split(" ")
        if len(words) not in (2, 3) or not re.fullmatch(r"[0-9a-f]{16}", words[1]):
            self._refuse(number, "a mark is: mark FRAME HASH")
        trail = words[2] if len(words) == 3 else ""
        if len(trail) % 4 or not re.fullmatch(r"[0-9a-f]*", trail):
            self._refuse(number, "a mark's trail is four hex digits a frame")
        return Mark(self._frame(body, number, words[0]), words[1], trail)

    def _edit(self, body: _Body, number: int, rest: str) -> Edit:
        frame, _, assignment = rest.partition(" ")
        target, equals, value = assignment.partition("=")
        if not equals:
            self._refuse(number, "an edit is: edit FRAME NAME=VALUE")
        return Edit(self._frame(body, number, frame), _unescaped(target), _unescaped(value))

    def _frame(self, body: _Body, number: int, text: str) -> int:
        if not text.isascii() or not text.isdigit() or text != str(body.frames):
            self._refuse(number, f"stands after frame {body.frames} but says {text!r}")
        return body.frames

    def _span(self, body: _Body, number: int, line: str) -> None:
        match = _SPAN.fullmatch(line)
        if match is None:
            self._refuse(number, f"cannot read {line!r}")
        first, last = int(match[1]), int(match[2] or match[1])
        if first != body.frames + 1 or last < first:
            self._refuse(number, f"expected frame {body.frames + 1}, not {match[0].split(' ')[0]}")
        if last > MOST_FRAMES:
            self._refuse(number, f"a movie has at most {MOST_FRAMES} frames")
        controls = self._controls(body, number, match[3])
        body.pointer = controls.pointer
        body.spans.append((last - first + 1, controls))
        body.frames = last

    def _controls(self, body: _Body, number: int, text: str) -> Controls:
        text, quoted, typed = text.partition("text=")
        held: set[str] = set()
        values: dict[str, tuple[float, float]] = {"pointer": body.pointer, "wheel": (0.0, 0.0)}
        axes: list[tuple[str, float]] = []
        ends = False
        for word in text.split():
            key, equals, value = word.partition("=")
            if not equals:
                held.update({word} - {"."})
            elif key in values:
                values[key] = self._pair(number, value)
            elif key == "axis":
                name, _, position = value.partition(",")
                axes.append((name, self._float(number, position)))
            elif word == "quit=1":
                ends = True
            else:
                self._refuse(number, f"cannot read {word!r}")
        return Controls(
            frozenset(held),
            values["pointer"],
            values["wheel"],
            self._json(number, typed) if quoted else "",
            tuple(axes),
            ends,
        )

    def _json(self, number: int, text: str) -> str:
        try:
            value = json.loads(text)
        except ValueError:
            value = None
        if not isinstance(value, str):
            self._refuse(number, f"text={text} is no quoted text")
        return value

    def _pair(self, number: int, text: str) -> tuple[float, float]:
        x, _, y = text.partition(",")
        return self._float(number, x), self._float(number, y)

    def _float(self, number: int, text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            self._refuse(number, f"{text!r} is no number")
        return value

    def _refuse(self, number: int, problem: str) -> NoReturn:
        raise MovieError(f"{self.path}, line {number}: {problem}")
