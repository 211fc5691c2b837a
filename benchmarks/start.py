"""What the harness costs before any game runs: which modules it imports, how long a start takes.

Each start is a process of its own, pytest's with no other plugin than ours, so that theirs add no
noise. Starts with and without it take turns, and the CPU time of the fastest counts.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HEAVY = ("pygame", "pymunk", "PIL", "mcp", "yaml", "numpy")
MOST_MILLISECONDS = 10.0
STARTS = 40
PLUGIN = ("-p", "pytest_playtest")

REPORT = f"print('imported:', *sorted(set(sys.modules) & {set(HEAVY)}))"
COMMANDS = {
    "import harness": f"import sys, harness; {REPORT}",
    "harness --help": (
        "import sys, runpy; sys.argv = ['harness', '--help']\n"
        "try: runpy.run_module('harness', run_name='__main__')\n"
        f"except SystemExit: {REPORT}"
    ),
}
CONFTEST = f"import sys\n\ndef pytest_unconfigure():\n    {REPORT}\n"


@dataclass(frozen=True)
class Start:
    """One process: milliseconds of CPU and of wall time, and what it printed."""

    cpu: float
    wall: float
    output: str


def started(words: Sequence[str], folder: Path) -> Start:
    """Run Python with these words to its end."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    output = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(words)} failed:\n{output}")
    wall = time.perf_counter() - began
    return Start((used.ru_utime + used.ru_stime) * 1e3, wall * 1e3, output)


def imported(start: Start) -> set[str]:
    """Which heavy modules a process said that it had imported."""
    line = next(line for line in start.output.splitlines() if line.startswith("imported:"))
    return set(line.split()[1:])


def imports(folder: Path) -> dict[str, set[str]]:
    """Which heavy modules each way to start imports; of pytest, those that the plugin adds."""
    found = {name: imported(started(["-c", code], folder)) for name, code in COMMANDS.items()}
    idle, without = (imported(started(pytest(*more), folder)) for more in (PLUGIN, ()))
    return {**found, "an idle pytest plugin": idle - without}


def pytest(*more: str) -> list[str]:
    """Give the words that start pytest on a test that has nothing to do with games."""
    return ["-m", "pytest", "-q", "-p", "no:cacheprovider", *more]


def plugin(folder: Path, starts: int) -> tuple[list[Start], list[Start]]:
    """Start pytest with and without the plugin, in turn."""
    with_it: list[Start] = []
    without: list[Start] = []
    for _ in range(starts):
        with_it.append(started(pytest(*PLUGIN), folder))
        without.append(started(pytest(), folder))
    return with_it, without


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and say which bounds are missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--no-bounds", action="store_true", help="only print")
    parser.add_argument("--quick", action="store_true", help="a quarter of the starts")
    chosen = parser.parse_args(arguments)
    missed: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "test_other.py").write_text("def test_other():\n    assert True\n", "utf-8")
        (folder / "conftest.py").write_text(CONFTEST, "utf-8")
        for what, heavy in imports(folder).items():
            print(f"{what:24} imports {', '.join(sorted(heavy)) or 'nothing heavy'}")
            if heavy:
                missed.append(f"{what} imports {', '.join(sorted(heavy))}")
        helps = [started(["-m", "harness", "--help"], folder) for _ in range(5)]
        print(f"{'harness --help':24} {min(s.cpu for s in helps):6.1f} ms CPU")
        with_it, without = plugin(folder, STARTS // 4 if chosen.quick else STARTS)
    more = min(s.cpu for s in with_it) - min(s.cpu for s in without)
    for name, starts in (("pytest with the plugin", with_it), ("pytest without it", without)):
        print(
            f"{name:24} {min(s.cpu for s in starts):6.1f} ms CPU at best,"
            f" {statistics.median(s.cpu for s in starts):.1f} median;"
            f" {min(s.wall for s in starts):.1f} ms on the clock at best"
        )
    print(f"{'the plugin adds':24} {more:6.1f} ms CPU")
    if more > MOST_MILLISECONDS:
        missed.append(f"the plugin adds {more:.1f} ms, at most {MOST_MILLISECONDS:g}")
    for line in missed:
        print(f"missed: {line}")
    return 1 if missed and not chosen.no_bounds else 0


if __name__ == "__main__":
    sys.exit(main())
