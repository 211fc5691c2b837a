"""Reads movies, strictly: a damaged one is refused with the line, never played by halves."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from harness.errors import MovieError
from harness.values import kinds
from harness.values.files import read_file, reason
from harness.values.inputs import IDLE, Controls, chained
from harness.values.movie import (
    FIRST_LINE,
    FORMAT,
    HEADER_KEYS,
    Edit,
    Header,
    Mark,
    Movie,
    unescaped,
)
from harness.values.numbers import number

MOST_FRAMES = 10_000_000
"""A longer movie is taken for damage: it would be 46 hours at 60 frames a second."""

_MOST_BYTES = 1 << 29

_HEADER_LINE = re.compile(r"([a-z][a-z0-9_]*)=(.*)", re.DOTALL)
_SPAN = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))? (.*\S.*)", re.DOTALL)
_WORD = re.compile(r'\s*+([^\s"=]++)(?:=("(?:[^"\\]|\\.)*+"|[^\s"]++))?+(?!\S)')
_EDIT = re.compile(r"([0-9]+) ((?:[^\\=]|\\.)*+)=(.*)", re.DOTALL)
_MARK = re.compile(r"([0-9]+) (-|[0-9a-f]{16})(?: ((?:[0-9a-f]{4})*))?")
_BAD_BYTE = re.compile("[\ud800-\udfff]")


class _Problem(Exception):
    """What is wrong with a line; becomes a MovieError that says which line."""


def read_movie(path: str | os.PathLike[str]) -> Movie:
    """Read a movie file, or one that is still being recorded, up to its last mark.

    Raises:
        MovieError: it is not there, is no movie, or another format version.
    """
    file = kinds.path("path", path)
    try:
        # What is no text may stand in the unfinished end of a recording, which is not read.
        text = read_file(file, _MOST_BYTES).decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        raise MovieError(f"no movie at {file}") from None
    except IsADirectoryError:
        raise MovieError(f"{file} is a folder, not a movie") from None
    except (OSError, ValueError) as error:
        raise MovieError(f"cannot read {file}: {reason(error)}") from None
    return parse_movie(text, str(file))


def parse_movie(text: str, path: str = "") -> Movie:
    """Read a movie from its text; ``path`` is what messages call it.

    Raises:
        MovieError: with the line that does not fit.
    """
    name = path or "movie"
    *lines, rest = text.removeprefix("\ufeff").split("\n")
    lines = [line.removesuffix("\r") for line in lines]
    _check_first_line(lines[0] if lines else rest, name)
    if "" not in lines:
        raise MovieError(f"{name} is cut short in its header")
    start = lines.index("") + 1
    header = _header(lines[1 : start - 1], name)
    if header.frames is None:
        marks = (n for n in range(len(lines), start, -1) if lines[n - 1].startswith("mark "))
        del lines[next(marks, start) :]
    elif rest:
        raise MovieError(f"{name} is cut short: its last line has no end")
    body = _read_body(lines, start, name)
    if header.frames not in (None, body.frames):
        raise MovieError(
            f"{name} is cut short: it says {header.frames} frames and holds {body.frames}"
        )
    inputs = tuple(chained(body.spans, frozenset(), 1 / header.tick_rate))
    header = replace(header, frames=len(inputs))
    return Movie(header, inputs, tuple(body.edits), tuple(body.marks), path)


def _check_first_line(line: str, name: str) -> None:
    words = line.split()
    if words[:2] != FIRST_LINE.split() or len(words) != 3:
        raise MovieError(f"{name} is no movie: it does not begin with '{FIRST_LINE} {FORMAT}'")
    if words[2] != str(FORMAT):
        raise MovieError(
            f"{name} is in movie format {words[2]}; this harness reads format {FORMAT}"
            " (record it again, or use the harness version that the file names)"
        )


def _header(lines: Sequence[str], name: str) -> Header:
    found: dict[str, str] = {}
    for count, line in enumerate(lines, 2):
        match = _HEADER_LINE.fullmatch(line)
        if match is None or _BAD_BYTE.search(line):
            raise MovieError(f"{name}, line {count}: a header line is key=value, not {line!r}")
        if match[1] in found:
            raise MovieError(f"{name}, line {count}: {match[1]} is given twice")
        found[match[1]] = unescaped(match[2])
    for key in ("game", "scene", "seed", "tick_rate", "frames"):
        if key not in found:
            raise MovieError(f"{name}: the header has no {key}")
    try:
        # Keys of a later version are passed over: the format's number says whether they matter.
        return _made({key: found[key] for key in HEADER_KEYS if key in found})
    except _Problem as problem:
        raise MovieError(f"{name}: the header's {problem}") from None


def _made(found: dict[str, str]) -> Header:
    tick_rate = _whole("tick_rate", found.pop("tick_rate"))
    if not tick_rate:
        raise _Problem("tick_rate is 0")
    frames = found.pop("frames")
    return Header(
        seed=_whole("seed", found.pop("seed")),
        tick_rate=tick_rate,
        frames=_whole("frames", frames) if frames else None,
        **found,
    )


def _whole(key: str, text: str) -> int:
    if not re.fullmatch("[0-9]{1,10}", text):
        raise _Problem(f"{key} is no number: {text!r}")
    return int(text)


def _read_body(lines: Sequence[str], start: int, name: str) -> _Body:
    body = _Body()
    for index in range(start, len(lines)):
        try:
            body.read(lines[index])
        except _Problem as problem:
            raise MovieError(f"{name}, line {index + 1}: {problem}") from None
    return body


@dataclass(slots=True)
class _Body:
    """What has been read so far of the part after the header."""

    spans: list[tuple[int, Controls]] = field(default_factory=list)
    edits: list[Edit] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    frames: int = 0
    pointer: tuple[float, float] = IDLE.pointer

    def read(self, line: str) -> None:
        if _BAD_BYTE.search(line):
            raise _Problem("is not text")
        kind, _, rest = line.partition(" ")
        if kind == "mark":
            self._mark(rest)
        elif kind == "edit":
            self._edit(rest)
        elif line:
            self._span(line)

    def _mark(self, text: str) -> None:
        match = _MARK.fullmatch(text)
        if match is None:
            raise _Problem("a mark is: mark FRAME HASH, and four hex digits a frame")
        frame, before = self._here(match[1]), self.marks[-1].frame if self.marks else 0
        trail = match[3] or ""
        if self.marks and frame == before:
            raise _Problem(f"frame {frame} is marked twice")
        if trail and len(trail) != 4 * (frame - before):
            raise _Problem(f"a mark's trail is four hex digits a frame since frame {before}")
        self.marks.append(Mark(frame, match[2].replace("-", ""), trail))

    def _edit(self, text: str) -> None:
        match = _EDIT.fullmatch(text)
        if match is None:
            raise _Problem("an edit is: edit FRAME NAME=VALUE")
        frame = self._here(match[1])
        self.edits.append(Edit(frame, unescaped(match[2]), unescaped(match[3])))

    def _here(self, text: str) -> int:
        if text != str(self.frames):
            raise _Problem(f"stands after frame {self.frames} but says {text!r}")
        return self.frames

    def _span(self, line: str) -> None:
        match = _SPAN.fullmatch(line)
        if match is None:
            raise _Problem(f"cannot read {line!r}")
        first, last = int(match[1]), int(match[2] or match[1])
        if first != self.frames + 1 or last < first:
            raise _Problem(f"expected frame {self.frames + 1}, not {line.partition(' ')[0]}")
        if last > MOST_FRAMES:
            raise _Problem(f"a movie has at most {MOST_FRAMES} frames")
        controls = _controls(match[3], self.pointer)
        self.pointer = controls.pointer
        self.spans.append((last - first + 1, controls))
        self.frames = last


def _controls(text: str, pointer: tuple[float, float]) -> Controls:
    held: set[str] = set()
    axes: dict[str, float] = {}
    once: dict[str, str] = {}
    for key, value in _words(text):
        if value is None:
            held.update({key} - {"."})
        elif key == "held":
            held.add(_quoted(value))
        elif key == "axis" and (name := value.partition(",")[0]) not in axes:
            axes[name] = _number(value.partition(",")[2])
        elif key in ("pointer", "wheel", "quit", "text") and key not in once:
            once[key] = value
        else:
            raise _Problem(f"cannot read '{key}={value}'")
    if once.get("quit", "1") != "1":
        raise _Problem(f"cannot read 'quit={once['quit']}'")
    return Controls(
        frozenset(held),
        _pair(once["pointer"]) if "pointer" in once else pointer,
        _pair(once["wheel"]) if "wheel" in once else (0.0, 0.0),
        _quoted(once["text"]) if "text" in once else "",
        tuple(axes.items()),
        "quit" in once,
    )


def _words(text: str) -> Iterator[tuple[str, str | None]]:
    position, end = 0, len(text.rstrip())
    while position < end:
        match = _WORD.match(text, position)
        if match is None:
            raise _Problem(f"cannot read {text[position:].strip()!r}")
        yield match[1], match[2]
        position = match.end()


def _quoted(text: str) -> str:
    try:
        # Checked first: of anything but text, JSON could be nested as deep as it likes.
        return str(json.loads(text if text.startswith('"') else ""))
    except ValueError:
        raise _Problem(f"{text} is no quoted text") from None


def _pair(text: str) -> tuple[float, float]:
    x, _, y = text.partition(",")
    return _number(x), _number(y)


def _number(text: str) -> float:
    value = number(text)
    if value is None:
        raise _Problem(f"{text!r} is no number")
    return value
