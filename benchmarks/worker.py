"""What a process of its own costs a run, and what a savestate costs there.

A bare ``os.fork`` is measured in a process that has played the same, so that it has as many pages
to share. Sides take turns, and the fastest of all turns counts, since several processes wait for
each other on a busy machine.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from harness.playtest.play import Playtest
from harness.values.run import RunRequest
from harness.worker.isolation import FORKS
from harness.worker.play import WorkerPlay

REFERENCE_GAME = Path(__file__).parent.parent / "game"
RUN = RunRequest(seed=3, frames=60, input="right@1-40", print=("player.position.x",))
TURNS = 60
MOST_MORE = 5.0
MOST_FORKS = 2.0
MOST_LATE = 8.0
LATE = 100_000


def milliseconds(act: Callable[[], object]) -> float:
    """How long something takes on the clock."""
    began = time.perf_counter()
    act()
    return (time.perf_counter() - began) * 1e3


def taken(sides: dict[str, Callable[[], object]], turns: int) -> dict[str, float]:
    """Let the sides take turns, and give the fastest turn of each."""
    times: dict[str, list[float]] = {side: [] for side in sides}
    for _ in range(turns):
        for side, act in sides.items():
            times[side].append(milliseconds(act))
    return {side: min(found) for side, found in times.items()}


def bare_fork() -> None:
    """Fork this process, and wait until the child is there and gone."""
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and say which bounds are missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--no-bounds", action="store_true", help="only print")
    parser.add_argument("--quick", action="store_true", help="a quarter of the turns")
    chosen = parser.parse_args(arguments)
    if not FORKS:
        print("no forks here: a worker is a fresh process each time")
        return 0
    turns = TURNS // 4 if chosen.quick else TURNS
    here, there = Playtest(REFERENCE_GAME), WorkerPlay(REFERENCE_GAME)
    for play in (here, there):
        play.run(RUN)
        play.run(RUN)
    found = taken({"here": lambda: here.run(RUN), "there": lambda: there.run(RUN)}, turns)
    more = found["there"] - found["here"]
    print(
        f"a run of 60 frames: {found['here']:.2f} ms in-process, {found['there']:.2f} in a worker"
    )
    there.run(RUN)
    saves = taken(
        {
            "fork": bare_fork,
            "save": lambda: there.save("here"),
            "load": lambda: there.load("here"),
        },
        turns,
    )
    print(
        f"a bare fork {saves['fork']:.2f} ms, a save {saves['save']:.2f},"
        f" a load {saves['load']:.2f}"
    )
    late = restored_late(there, turns)
    print(f"one frame from a savestate at frame {LATE}: {late:.2f} ms")
    there.close()
    missed = [
        line
        for bound, line in (
            (more <= MOST_MORE, f"a worker adds {more:.2f} ms to a run, at most {MOST_MORE:g}"),
            (saves["save"] <= MOST_FORKS * saves["fork"], "a save is more than two bare forks"),
            (saves["load"] <= MOST_FORKS * saves["fork"], "a load is more than two bare forks"),
            (late <= MOST_LATE, f"a late savestate takes {late:.2f} ms, at most {MOST_LATE:g}"),
        )
        if not bound
    ]
    for line in missed:
        print(f"missed: {line}")
    return 1 if missed and not chosen.no_bounds else 0


def restored_late(play: WorkerPlay, turns: int) -> float:
    """Play on from a savestate at a frame that no replay would reach in time."""
    run = play.run(RunRequest(seed=3, frames=LATE, save="late"))
    if not run.passed:
        raise SystemExit(f"the measured run did not pass: {run.text()}")
    request = RunRequest(start="late", frames=1)
    return taken({"late": lambda: play.run(request)}, turns)["late"]


if __name__ == "__main__":
    sys.exit(main())
