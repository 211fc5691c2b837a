"""What a frame of somebody's program costs under the harness, against the program by itself.

The bare side is the same program in a process of its own, whose clock does not wait. Both sides
are asked for the CPU time between two frames, and take turns; the fastest turn of each counts.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import runpy
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

GAMES = ("-m pygame.examples.chimp", "-m pygame.examples.stars", "-m pymunk.examples.breakout",
         "-m pymunk.examples.platformer", "-m pymunk.examples.slide_and_pinjoint")  # fmt: skip
FIRST, LAST = 100, 700
TURNS = 6
MOST = 1.2
LONGEST = 90.0
"""Seconds that one turn of a side may take."""
ROOT = Path(__file__).parent.parent


class _Paces:
    """Takes the CPU time between two of the pictures that a program shows."""

    def __init__(self) -> None:
        self.shown, self._began = 0, 0.0

    def show(self) -> None:
        """Count one more, and print and end at the last."""
        self.shown += 1
        if self.shown == FIRST:
            self._began = time.process_time()
        elif self.shown == LAST:
            print(time.process_time() - self._began, flush=True)
            os._exit(0)


def bare(game: str) -> None:
    """Run a program as it is but for its waits and its clock, and print its seconds of CPU."""
    import random

    import pygame

    paces = _Paces()

    class Clock:
        def tick(self, framerate: float = 0) -> int:
            return int(1000 / framerate) if framerate else 0

        tick_busy_loop = tick

        def get_time(self) -> int:
            return 16

        get_rawtime = get_time

        def get_fps(self) -> float:
            return 60.0

    def counted(real):
        def show(*args):
            real(*args)
            paces.show()

        return show

    pygame.time.Clock = Clock
    pygame.time.wait = pygame.time.delay = lambda _ms: 0
    pygame.time.get_ticks = lambda: paces.shown * 1000 // 60
    for name in ("time", "monotonic", "perf_counter"):
        setattr(time, name, lambda: 1.7e9 + paces.shown / 60)
    time.sleep = lambda _seconds: None
    for name in ("flip", "update"):
        setattr(pygame.display, name, counted(getattr(pygame.display, name)))
    random.seed(1)
    _started(game)


def _started(game: str) -> None:
    if game.startswith("-m "):
        runpy.run_module(game[3:], run_name="__main__")
        return
    from harness.games.folder import read_folder
    from harness.games.script.scratch import copied
    from harness.games.script.sources import read_sources

    folder = read_folder(Path(game))
    script = folder.script
    assert script is not None
    home = Path(tempfile.mkdtemp(prefix="playtest-bench-"))  # what a game writes harms nobody
    os.environ["HOME"] = str(home)
    file = copied(folder.own, home / "game") / script.relative_to(folder.own)
    os.chdir(file.parent)
    sys.path.insert(0, str(file.parent))
    sys.argv = [str(file)]
    if read_sources(script).zero:
        from pgzero import runner

        runner.main()
    else:
        runpy.run_path(str(file), run_name="__main__")


def driven(game: str) -> None:
    """Run a program under the harness, and print its seconds of CPU."""
    from harness.driver.driver import Driver
    from harness.games.folder import find_game
    from harness.games.opening import opened_game
    from harness.games.script.runtime import Runtime
    from harness.values.inputs import InputFrame

    paces, shown = _Paces(), Runtime.shown

    def counted(runtime: Runtime) -> None:
        shown(runtime)
        paces.show()

    Runtime.shown = counted  # type: ignore[method-assign]
    loaded = opened_game(find_game(game))
    loaded.refresh()
    with loaded.active():
        driver = Driver(loaded)
        driver.reset("main", 1)
        driver.advance([InputFrame()] * (4 * LAST))


def seconds(side: str, game: str) -> float | None:
    """One turn of one side; None where the program does not show so many pictures by itself."""
    quiet = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "PYTHONHASHSEED": "0"}
    command = [
        sys.executable,
        "-W",
        "ignore",
        "-m",
        "benchmarks.script",
        "--side",
        side,
        "--",
        game,
    ]
    try:
        done = subprocess.run(
            command, cwd=ROOT, env={**os.environ, **quiet}, capture_output=True, text=True,
            check=False, timeout=LONGEST, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        return float(done.stdout.split()[-1])
    except (subprocess.TimeoutExpired, IndexError, ValueError):
        return None


def installed(root: Path) -> list[str]:
    """The games of the list that are there, as ``harness run`` takes them."""
    from benchmarks.games import listed, place

    found = []
    for game in listed():
        with contextlib.suppress(FileNotFoundError):
            found.append(place(game, root))
    return found


def measured(game: str, turns: int) -> float | None:
    """How much more CPU a program takes under the harness; prints it."""
    pairs: list[tuple[float, float]] = []
    for _ in range(turns):
        alone = seconds("bare", game)
        under = seconds("driven", game) if alone is not None else None
        if alone is None or under is None:
            side = "itself" if alone is None else "itself under the harness"
            print(f"{game}: does not show {LAST} pictures by {side}", flush=True)
            return None
        pairs.append((alone, under))
    alone, under = map(min, zip(*pairs, strict=True))
    each = 1e6 / (LAST - FIRST)
    print(
        f"{game}: {alone * each:.0f} us a picture by itself, {under * each:.0f} under the harness,"
        f" {under / alone:.2f} times", flush=True,
    )  # fmt: skip
    return under / alone


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and say whether the bound is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--no-bounds", action="store_true", help="only print")
    parser.add_argument("--quick", action="store_true", help="half of the turns")
    parser.add_argument("--side", choices=("bare", "driven"), help=argparse.SUPPRESS)
    parser.add_argument("--turns", type=int, default=TURNS, help=f"turns of each side ({TURNS})")
    parser.add_argument(
        "--root", type=Path, help="every game of games.yaml that is checked out there"
    )
    parser.add_argument("games", nargs="*", help="programs or -m modules, as harness run has them")
    chosen = parser.parse_args(arguments)
    if chosen.side:
        {"bare": bare, "driven": driven}[chosen.side](chosen.games[0])
        return 1
    games = chosen.games or (installed(chosen.root) if chosen.root else list(GAMES))
    turns = max(1, chosen.turns >> chosen.quick)
    ratios = [ratio for game in games if (ratio := measured(game, turns)) is not None]
    if not ratios:
        return 1
    median = statistics.median(ratios)
    print(
        f"a program under the harness takes {median:.2f} times its own CPU, the median of"
        f" {len(ratios)}"
    )
    if median > MOST:
        print(f"missed: at most {MOST:g} times")
    return 1 if median > MOST and not chosen.no_bounds else 0


if __name__ == "__main__":
    sys.exit(main())
