"""Problems as values: where, what, and what to do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

_PLACED = re.compile(r"(?:(?P<file>[^\n]*?), line (?P<line>\d+): )?(?P<what>.*)", re.DOTALL)
_IN_CODE = re.compile(r"(?P<file>[^\n:]+\.pyw?):(?P<line>\d+): (?P<what>.*)", re.DOTALL)
_MOST_SHOWN = 40


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing that is wrong, and what to do about it.

    ``file`` is as seen from the game's folder, ``line`` 0 for all; ``source`` are lines of code
    that show it.
    """

    file: str
    line: int
    what: str
    fix: str
    source: tuple[str, ...] = ()

    def text(self) -> str:
        """In words: the place, what it is, and below it the code and what to do."""
        place = f"{self.file}:{self.line}" if self.line else self.file
        what = self.what.replace("\n", "\n    ")
        lines = [f"{place}: {what}", *(f"    | {line}" for line in self.source)]
        return "\n".join([*lines, f"    {self.fix}"])


def refused(error: Exception, file: str, path: Path, fix: str) -> Problem:
    """What a reader refused as a problem of that file; its message may begin with the place.

    ``fix`` is what to do where the message itself does not say it.
    """
    message, _, hint = str(error).partition("\n")
    found = _PLACED.fullmatch(message)
    line = int(found["line"] or 0) if found else 0
    what = found["what"] if found else message
    what = what.removeprefix(f"{path}: ").removeprefix(f"{file}: ").removeprefix(f"{path} ")
    code = _IN_CODE.fullmatch(what)
    if code is not None:
        file, line, what = code["file"], int(code["line"]), code["what"]
    return Problem(file, line, what, hint.strip() or fix)


@dataclass(frozen=True, slots=True)
class Checked:
    """The answer of game_check: every problem, and how much was looked at."""

    problems: tuple[Problem, ...]
    counts: Mapping[str, int] = field(default_factory=dict)
    build: str = ""
    notes: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    def to_json(self) -> dict[str, Any]:
        """The structured answer."""
        return {
            "status": "passed" if self.passed else "failed",
            "problems": [asdict(problem) for problem in self.problems],
            "checked": dict(self.counts),
            "build": self.build,
            "notes": list(self.notes),
        }

    def text(self) -> str:
        """The answer in words."""
        counts = ", ".join(
            f"{n} {word if n != 1 else word.removesuffix('s')}" for word, n in self.counts.items()
        )
        count = len(self.problems)
        found = f"{count} problem{'s' * (count != 1)}" if count else "no problems"
        lines = [f"{found} in {counts}"]
        lines += [problem.text() for problem in self.problems[:_MOST_SHOWN]]
        if count > _MOST_SHOWN:
            lines.append(f"... {count - _MOST_SHOWN} more; mend some of these and ask again")
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])
