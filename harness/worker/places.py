"""Where a process was when it hung or crashed, as faulthandler wrote it down."""

from __future__ import annotations

import re
from pathlib import Path

from harness.values.run import ErrorInfo

_PLACE = re.compile(r'^  File "(.+)", line (\d+) in (.+)$', re.MULTILINE)
_THREAD = re.compile(r"^(?=(?:Current thread|Thread) 0x)", re.MULTILINE)
_CAUSE = re.compile(r"Fatal Python error: (.+)")

_WAITS = ("turns.py", "_take")
"""The file and the function in which a program's thread waits for its turn."""

Place = tuple[str, int, str]


def cause(dump: str) -> str:
    """What Python said before it died; empty when it said nothing."""
    found = _CAUSE.search(dump)
    return found[1] if found else ""


def ended_there(game: Path, dump: str, kind: str, message: str, frame: int) -> ErrorInfo:
    """Tell a process's end by the innermost place in the game's own files."""
    places = _places(game, dump)
    file, line = places[0][:2] if places else ("", 0)
    lines = tuple(f"{file}:{line}: {name}" for file, line, name in reversed(places))
    return ErrorInfo(kind, message, frame, file, line, lines)


def _places(game: Path, dump: str) -> list[Place]:
    """Where in the game the thread is that is to blame: one that does not wait for another.

    The first thread of a process is the last one told, but for the current one.
    """
    threads = _THREAD.split(dump)[::-1]
    threads.sort(key=lambda told: not told.startswith("Current"))
    waiting: list[Place] = []
    for told in threads:
        found = _PLACE.findall(told)
        own = [
            (Path(file).relative_to(game).as_posix(), int(line), name)
            for file, line, name in found
            if Path(file).is_relative_to(game)
        ]
        if own and not any((Path(file).name, name) == _WAITS for file, _, name in found):
            return own
        waiting = waiting or own
    return waiting
