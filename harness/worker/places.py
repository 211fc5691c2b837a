"""Where a process was when it hung or crashed, as faulthandler wrote it down."""

from __future__ import annotations

import re
from pathlib import Path

from harness.values.run import ErrorInfo

_PLACE = re.compile(r'^  File "(.+)", line (\d+) in (.+)$', re.MULTILINE)
_CAUSE = re.compile(r"Fatal Python error: (.+)")


def cause(dump: str) -> str:
    """What Python said before it died; empty when it said nothing."""
    found = _CAUSE.search(dump)
    return found[1] if found else ""


def ended_there(game: Path, dump: str, kind: str, message: str, frame: int) -> ErrorInfo:
    """Tell a process's end by the innermost place in the game's own files."""
    places = [
        (Path(file).relative_to(game).as_posix(), int(line), name)
        for file, line, name in _PLACE.findall(dump)
        if Path(file).is_relative_to(game)
    ]
    file, line = places[0][:2] if places else ("", 0)
    lines = tuple(f"{file}:{line}: {name}" for file, line, name in reversed(places))
    return ErrorInfo(kind, message, frame, file, line, lines)
