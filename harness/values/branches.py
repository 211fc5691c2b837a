"""What came of several inputs from one state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from harness.values.run import RunResult, jsonable, shown

_LONGEST_INPUT = 60


@dataclass(frozen=True, slots=True)
class Branches:
    """One run for each input, in the order in which they were given."""

    inputs: tuple[str, ...]
    runs: tuple[RunResult, ...]

    @property
    def passed(self) -> bool:
        """Whether any of them ended as was asked."""
        return any(run.passed for run in self.runs)

    def to_json(self) -> dict[str, Any]:
        """The structured answer: one row an input."""
        rows = [
            {"input": text, **_row(run)} for text, run in zip(self.inputs, self.runs, strict=True)
        ]
        return {"status": "passed" if self.passed else "failed", "rows": rows}

    def text(self) -> str:
        """The answer in words: one line an input."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        count = sum(run.passed for run in self.runs)
        yield f"{count} of {len(self.runs)} passed"
        names = list(dict.fromkeys(name for run in self.runs for name in _last(run)))
        grid = [["", "ended", "frame", *names, "input"]]
        for number, (text, run) in enumerate(zip(self.inputs, self.runs, strict=True), 1):
            last = _last(run)
            values = [shown(last[name]) if name in last else "" for name in names]
            grid.append([str(number), _ended(run), str(run.frame), *values, _short(text)])
        widths = [max(len(line[column]) for line in grid) for column in range(len(grid[0]))]
        for line in grid:
            *cells, text = line
            padded = [cell.rjust(width) for cell, width in zip(cells, widths, strict=False)]
            yield "  ".join([*padded, text]).rstrip()
        yield from (f"note: {note}" for note in self._notes())

    def _notes(self) -> Iterator[str]:
        """What was noted, and of which inputs where it is not of all."""
        numbers: dict[str, list[int]] = {}
        for number, run in enumerate(self.runs, 1):
            for note in run.notes:
                numbers.setdefault(note, []).append(number)
        for note, those in numbers.items():
            every = len(those) == len(self.runs)
            yield note if every else f"{', '.join(map(str, those))}: {note}"


def _row(run: RunResult) -> dict[str, Any]:
    row = {
        name: getattr(run, name)
        for name in ("status", "stopped", "frame", "start_frame", "state_hash", "run_id")
    }
    row["values"] = {name: jsonable(value) for name, value in _last(run).items()}
    if run.failure is not None:
        row["failure"] = run.failure.message
    if run.error is not None:
        row["error"] = str(run.error)
    row["notes"] = list(run.notes)
    return row


def _last(run: RunResult) -> dict[str, Any]:
    return dict(run.frames[max(run.frames)]) if run.frames else {}


def _ended(run: RunResult) -> str:
    if run.error is not None and run.error.file:
        return f"{run.error.type} at {run.error.file}:{run.error.line}"
    return run.stopped if run.passed else f"{run.status}: {run.stopped}"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_INPUT else f"{text[: _LONGEST_INPUT - 3]}..."
