"""Where a play stands untouched, and which runs it remembers."""

from __future__ import annotations

from dataclasses import dataclass

from harness.values.run import RunResult

MOST_RUNS = 256
"""Runs of a play that ``against`` can name: the last ones."""


def remembered(runs: dict[str, RunResult], run: RunResult) -> None:
    """Keep a run among the last ones, by its name."""
    runs.pop(run.run_id, None)
    runs[run.run_id] = run
    while len(runs) > MOST_RUNS:
        del runs[next(iter(runs))]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a play has stood untouched: at the savestate ``name``, or at a reset's frame 0.

    A process that was kept there need not play its way again.
    """

    name: str | None
    scene: str
    seed: int
    notes: tuple[str, ...] = ()
