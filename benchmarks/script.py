"""What a frame of somebody's program costs under the harness, against the program by itself.

The bare side is the same program in a process of its own, whose clock does not wait. Both sides
are asked for the CPU time between two frames, and take turns; the fastest turn of each counts.
"""

from __future__ import annotations

import argparse
import os
import runpy
import statistics
import subprocess
import sys
import time
from pathlib import Path

GAMES = ("pygame.examples.chimp", "pygame.examples.stars", "pymunk.examples.breakout",
         "pymunk.examples.platformer", "pymunk.examples.slide_and_pinjoint")  # fmt: skip
FIRST, LAST = 100, 700
TURNS = 6
MOST = 1.2
ROOT = Path(__file__).parent.parent


def bare(module: str) -> None:
    """Run a program as it is but for its waits, and print its seconds of CPU."""
    import random

    import pygame

    frames, began = 0, 0.0

    class Clock:
        def tick(self, framerate: float = 0) -> int:
            return int(1000 / framerate) if framerate else 0

        def get_fps(self) -> float:
            return 60.0

    def counted(real):
        def show(*args):
            nonlocal frames, began
            real(*args)
            frames += 1
            if frames == FIRST:
                began = time.process_time()
            elif frames == LAST:
                print(time.process_time() - began, flush=True)
                os._exit(0)

        return show

    pygame.time.Clock = Clock
    pygame.time.wait = pygame.time.delay = lambda _ms: 0
    for name in ("flip", "update"):
        setattr(pygame.display, name, counted(getattr(pygame.display, name)))
    random.seed(1)
    runpy.run_module(module, run_name="__main__")


def driven(module: str) -> None:
    """Run a program under the harness, and print its seconds of CPU."""
    from harness.driver.driver import Driver
    from harness.games.folder import find_game
    from harness.games.opening import opened_game
    from harness.values.inputs import InputFrame

    game = opened_game(find_game(f"-m {module}"))
    game.refresh()
    with game.active():
        driver = Driver(game)
        driver.reset("main", 1)
        driver.advance([InputFrame()] * (FIRST - 1))
        began = time.process_time()
        driver.advance([InputFrame()] * (LAST - FIRST))
        print(time.process_time() - began, flush=True)
    os._exit(0)


def seconds(side: str, module: str) -> float:
    """One turn of one side."""
    quiet = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.script", "--side", side, module]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **quiet}, capture_output=True, text=True, check=True
    )
    return float(done.stdout.split()[-1])


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and say whether the bound is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--no-bounds", action="store_true", help="only print")
    parser.add_argument("--quick", action="store_true", help="half of the turns")
    parser.add_argument("--side", choices=("bare", "driven"), help=argparse.SUPPRESS)
    parser.add_argument("games", nargs="*", default=GAMES, help="modules to run")
    chosen = parser.parse_args(arguments)
    if chosen.side:
        {"bare": bare, "driven": driven}[chosen.side](chosen.games[0])
    ratios = []
    for game in chosen.games:
        sides = ("bare", "driven")
        turns = [[seconds(side, game) for side in sides] for _ in range(TURNS >> chosen.quick)]
        alone, under = map(min, zip(*turns, strict=True))
        ratios.append(under / alone)
        each = 1e6 / (LAST - FIRST)
        print(
            f"{game}: {alone * each:.0f} us a frame by itself, {under * each:.0f} under the"
            f" harness, {ratios[-1]:.2f} times"
        )
    median = statistics.median(ratios)
    print(f"a program under the harness takes {median:.2f} times its own CPU, the median of all")
    if median > MOST:
        print(f"missed: at most {MOST:g} times")
    return 1 if median > MOST and not chosen.no_bounds else 0


if __name__ == "__main__":
    sys.exit(main())
