"""A run as a value: what was asked, and what came of it."""

from __future__ import annotations

import hashlib
import json
import math
import os
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

from harness.errors import ArgumentError
from harness.values.kinds import path, played, saved_name, short, text, texts, wholes
from harness.values.movie import Movie
from harness.values.numbers import rounded
from harness.values.picture import Picture

DEFAULT_FRAMES = 60
MOST_SEED = 2**32 - 1
_MOST_BITS = 1024
"""A longer whole number is shown as its type: Python itself refuses to write it out."""

Status = Literal["passed", "failed", "error"]
Stopped = Literal["frames", "until", "assert", "error", "exit", "cancelled"]


@dataclass(frozen=True, slots=True)
class RunRequest:
    """Everything that decides a run. Frames are counted from the start of the call.

    ``input`` is notation, a tuple of events, the path of a movie, ``bot.py:function``, or (in
    Python only) a function that is called each frame.

    Raises:
        ArgumentError: a part of it is of another kind.
    """

    game: str = ""
    scene: str | None = None
    seed: int | None = None
    input: str | tuple[Mapping[str, Any], ...] | Callable[..., Any] | None = None
    start: str | None = None
    frames: int | None = None
    assert_: tuple[str, ...] = ()
    until: str | None = None
    print: tuple[str, ...] = ()
    every: int | None = None
    assignments: tuple[str, ...] = ()
    save: str | None = None
    against: str | None = None
    shots: tuple[int, ...] = ()
    record: str | None = None

    def __post_init__(self) -> None:
        # A frozen value is filled in here alone: one text is taken for several, a list for a tuple.
        put = object.__setattr__
        for name in ("assert_", "print", "assignments"):
            put(self, name, texts(name.rstrip("_"), getattr(self, name)))
        for name in ("scene", "until", "start", "save", "against"):
            if getattr(self, name) is not None:
                text(name, getattr(self, name))
        if self.save is not None:
            saved_name(self.save)
        for name in ("seed", "frames", "every"):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
                raise ArgumentError(name, f"must be a whole number, not {short(value)}")
        put(self, "shots", wholes("shots", self.shots))
        for name in ("game", "record"):
            given = getattr(self, name)
            if given:  # as it was given: `./-odd` can be typed, and `-odd` cannot
                path(name, given)
                put(self, name, os.fspath(given))
            elif given is not None:
                text(name, given)
        put(self, "input", played("input", self.input))

    def to_json(self) -> dict[str, Any]:
        """The arguments that were given, under their own names."""
        found: dict[str, Any] = {}
        for item in fields(self):
            value = getattr(self, item.name)
            if value in (None, (), ""):
                continue
            if callable(value):
                named = value if hasattr(value, "__qualname__") else type(value)
                value = f"{named.__module__}:{named.__qualname__}"
            found[item.name.rstrip("_")] = list(value) if isinstance(value, tuple) else value
        return found


@dataclass(frozen=True, slots=True)
class Failure:
    """The check that did not hold: at which frame, and the values of its parts."""

    kind: Literal["assert", "until"]
    expression: str
    frame: int
    parts: tuple[tuple[str, Any], ...]
    message: str


@dataclass(frozen=True, slots=True)
class ErrorInfo:
    """What the game raised: where in its own files, at which frame."""

    type: str
    message: str
    frame: int
    file: str = ""
    line: int = 0
    traceback: tuple[str, ...] = ()

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.file else ""
        message = f"{self.type}: {self.message}" if self.message else self.type
        # A game's exit is told with the frame after which it came.
        when = "" if self.type == "SystemExit" else f" (frame {self.frame})"
        return f"{place}{message}{when}"


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a run and another one first differ; frame None when they never do.

    Both are played by the game as it is now: ``changed`` says in words where the other one is no
    more what it was when it was recorded.
    """

    other: str
    frame: int | None = None
    name: str = ""
    here: Any = None
    there: Any = None
    changed: str = ""

    def __str__(self) -> str:
        again = f", played again; {self.changed}" if self.changed else ""
        if self.frame is None:
            return f"same as {self.other} on every frame{again}"
        here, there = shown_apart(self.here, self.there)
        value = f": {self.name} is {here}, there {there}" if self.name else ""
        return f"differs from {self.other} at frame {self.frame}{value}{again}"


@dataclass(frozen=True, slots=True)
class RunResult:
    """What came of a run. ``frames`` maps a frame number to that frame's printed values.

    ``shots`` maps each frame that was drawn to its picture, at the game's own size; ``strip`` is
    all of them in one picture, numbered, at most 640 pixels wide.
    """

    status: Status
    stopped: Stopped
    frame: int
    start_frame: int
    seed: int
    scene: str
    build: str
    state_hash: str
    frames: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    failure: Failure | None = None
    error: ErrorInfo | None = None
    against: Difference | None = None
    notes: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    run_id: str = ""
    request: RunRequest = field(default_factory=RunRequest)
    movie: Movie | None = field(default=None, repr=False, compare=False)
    shots: Mapping[int, Picture] = field(default_factory=dict, repr=False, compare=False)
    strip: Picture | None = field(default=None, repr=False, compare=False)

    @property
    def passed(self) -> bool:
        """Whether the run ended as was asked."""
        return self.status == "passed"

    def to_json(self) -> dict[str, Any]:
        """The structured answer: plain values only, every number finite."""
        answer: dict[str, Any] = {
            name: getattr(self, name)
            for name in (
                "status", "stopped", "frame", "start_frame", "seed", "scene", "build",
                "state_hash", "run_id",
            )
        }  # fmt: skip
        answer["frames"] = {
            str(n): {k: jsonable(v) for k, v in row.items()} for n, row in self.frames.items()
        }
        if self.failure is not None:
            failure = asdict(self.failure)
            failure["parts"] = {part: jsonable(value) for part, value in self.failure.parts}
            answer["failure"] = failure
        if self.error is not None:
            answer["error"] = {**asdict(self.error), "traceback": list(self.error.traceback)}
        if self.against is not None:
            difference = asdict(self.against)
            difference.update(here=jsonable(self.against.here), there=jsonable(self.against.there))
            answer["against"] = difference
        if self.strip is not None:
            facts = {"frames": list(self.shots), "size": list(self.strip.size)}
            answer["shots"] = {**facts, "hash": self.strip.hash}
        answer["notes"] = list(self.notes)
        answer["written"] = list(self.written)
        return answer

    def text(self) -> str:
        """The answer in words: short lines, rounded numbers."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        since = f" (frame {self.start_frame + self.frame} since reset)" if self.start_frame else ""
        when = "after" if self.stopped == "exit" else "at"
        yield f"{self.status}: {STOPPED[self.stopped]} {when} frame {self.frame}{since}"
        if self.failure is not None:
            yield from self.failure.message.split("\n")
        if self.error is not None:
            yield str(self.error)
        yield from table(self.frames)
        if self.against is not None:
            yield str(self.against)
        if self.strip is not None:
            size = f"{self.strip.width}x{self.strip.height} pixels, hash {self.strip.hash}"
            yield f"shots of {', '.join(map(str, self.shots))}: {size}"
        yield from (f"note: {note}" for note in self.notes)
        yield from (f"wrote {path}" for path in self.written)
        state = f" hash {self.state_hash}," if self.state_hash else ""
        scene = f"scene {self.scene}, " if self.scene else ""  # none was begun
        yield f"{scene}seed {self.seed},{state} build {self.build}, {self.run_id}"


STOPPED: Mapping[str, str] = {
    "frames": "played all frames, stopped",
    "until": "until held, stopped",
    "assert": "an assert did not hold, stopped",
    "error": "the game failed, stopped",
    "exit": "the game ended itself",
    "cancelled": "cancelled, stopped",
}


def run_id(request: RunRequest, build: str, state_hash: str) -> str:
    """Name a run by what was asked, of which build, and where it ended."""
    asked = json.dumps([request.to_json(), build, state_hash], sort_keys=True, default=str)
    return f"run-{hashlib.blake2b(asked.encode(), digest_size=4).hexdigest()}"


def jsonable(value: Any) -> Any:
    """Give a printed value as JSON has it: points as lists, no NaN, nothing that JSON lacks."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return value if value.bit_length() <= _MOST_BITS else type(value).__name__
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {str(key): jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(item) for item in value]
    return repr(value) if isinstance(value, bytes) else type(value).__name__


def shown(value: Any) -> str:
    """Give a printed value as a short word: numbers rounded to three decimals."""
    if isinstance(value, float) and math.isfinite(value):
        return rounded(value)
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return type(value).__name__
    if isinstance(value, tuple):
        return f"({', '.join(map(shown, value))})"
    if isinstance(value, list):
        return f"[{', '.join(map(shown, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{shown(k)}: {shown(v)}" for k, v in value.items()) + "}"
    return repr(value)


def shown_apart(here: Any, there: Any) -> tuple[str, str]:
    """Give two values that differ as short words that differ too."""
    words = shown(here), shown(there)
    return words if words[0] != words[1] else (repr(here), repr(there))


def table(rows: Mapping[int, Mapping[str, Any]]) -> Iterator[str]:
    """Write printed values as a table, one line a frame."""
    names = list(dict.fromkeys(name for row in rows.values() for name in row))
    if not names:
        return
    grid = [["frame", *(" ".join(name.split()) for name in names)]]
    grid += [
        [str(frame), *(shown(row[n]) if n in row else "" for n in names)]
        for frame, row in rows.items()
    ]
    widths = [max(len(line[column]) for line in grid) for column in range(len(names) + 1)]
    for line in grid:
        yield "  ".join(
            cell.rjust(width) for cell, width in zip(line, widths, strict=True)
        ).rstrip()


def command_line(request: RunRequest) -> str | None:
    """The command that plays a request again, or None where one line cannot say it."""
    if callable(request.input) or request.start is not None or isinstance(request.input, tuple):
        return None
    words = ["harness", "run", request.game or "."]
    for name, value in request.to_json().items():
        if name in ("game", "save", "record"):
            continue
        if name == "shots":
            value = ",".join(map(str, value))
        for item in value if isinstance(value, list) else [value]:
            option = f"--{name}" if name != "assignments" else "--assign"
            # What begins with a dash would be taken for an option of its own.
            words += [f"{option}={item}"] if str(item).startswith("-") else [option, str(item)]
    return shlex.join(words)
