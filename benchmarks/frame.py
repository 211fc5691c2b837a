"""What the harness adds to one frame of a game, as a ratio to the bare loop of the same game.

Both sides step the same class and are timed by its own stamps (process CPU at every 60th step), so
that a side is a sum of whole blocks of 60 frames. The two sides take turns; of each block the
fastest of all turns counts.
"""

from __future__ import annotations

import argparse
import functools
import importlib.util
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from harness.playtest.play import Playtest
from harness.values.inputs import InputFrame
from harness.values.run import RunRequest

GAME = Path(__file__).parent / "game"
REFERENCE_GAME = Path(__file__).parent.parent / "game"
FRAMES = 780  # 12 blocks between the first stamp and the last
TURNS = {10: 60, 100: 30, 1000: 8}
MOST_RATIO = {100: 1.15, 1000: 1.10}
MOST_MORE_AT_10 = 8.0
MOST_ASSERT = 0.8
LEAST_SPEED = 100.0
HEADLESS = {"SDL_VIDEODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}

Play = Callable[[], list[float]]
"""Plays the game once from its reset and gives its stamps."""


@dataclass(frozen=True)
class Figures:
    """CPU microseconds of one frame, by who plays it."""

    bodies: int
    step: float
    bare: float
    driver: float
    five: float
    twenty_five: float

    @property
    def each_assert(self) -> float:
        """What one further assert costs."""
        return (self.twenty_five - self.five) / 20

    @property
    def speed(self) -> float:
        """How many times real time the game runs with five asserts."""
        return 1e6 / 60 / self.five

    def missed(self) -> Iterator[str]:
        """Say which promises do not hold."""
        ratio, more = self.five / self.bare, self.five - self.bare
        if self.bodies == 10 and more > MOST_MORE_AT_10:
            yield f"10 bodies: {more:.1f} us more than bare, at most {MOST_MORE_AT_10:g}"
        if ratio > MOST_RATIO.get(self.bodies, ratio):
            yield f"{self.bodies} bodies: {ratio:.3f} x bare, at most {MOST_RATIO[self.bodies]:g}"
        # Beside 1000 bodies an assert is lost in the noise.
        if self.bodies < 1000 and self.each_assert > MOST_ASSERT:
            yield f"{self.bodies} bodies: {self.each_assert:.2f} us an assert, not {MOST_ASSERT:g}"


def measured(bodies: int, turns: int) -> Figures:
    """Let every side play in turn, and give the cost of a frame on each."""
    scene = f"bodies-{bodies}"
    sides: dict[str, Play] = {
        "step": lambda: bare(scene, events=False),
        "bare": lambda: bare(scene, events=True),
        "driver": lambda: harnessed(scene, 0),
        "five": lambda: harnessed(scene, 5),
        "twenty_five": lambda: harnessed(scene, 25),
    }
    blocks: dict[str, list[float]] = {}
    for _ in range(turns):
        for side, play in sides.items():
            stamps = play()
            taken = [after - before for before, after in pairwise(stamps)]
            blocks[side] = list(map(min, taken, blocks.get(side, taken)))
    frames = FRAMES - 60
    return Figures(bodies, **{side: sum(best) / frames * 1e6 for side, best in blocks.items()})


def bare(scene: str, *, events: bool) -> list[float]:
    """Play as the game's own undrawn loop does: pygame's events and keys, then the step."""
    game = game_class()()
    game.reset(scene, 0)
    inputs = InputFrame(dt=1 / 60)
    step = game.step
    if events:
        import pygame

        get, keys = pygame.event.get, pygame.key.get_pressed
        for _ in range(FRAMES):
            for _event in get():
                pass
            keys()
            step(inputs)
    else:
        for _ in range(FRAMES):
            step(inputs)
    return list(game.stamps)


def harnessed(scene: str, asserts: int) -> list[float]:
    """Play as a scenario does: every input kept, every frame hashed, marks, asserts."""
    play = Playtest(GAME)
    expressions = tuple(f"body{n % 10}.position.y < {5000 + n}" for n in range(asserts))
    run = play.run(RunRequest(scene=scene, seed=0, frames=FRAMES, assert_=expressions))
    if not run.passed:
        raise SystemExit(f"the measured run did not pass: {run.text()}")
    return list(play.value("stamps"))


@functools.cache
def game_class() -> Callable[[], Any]:
    """Load the class that the harness plays, from the same file."""
    spec = importlib.util.spec_from_file_location("falling", GAME / "falling.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    game: Callable[[], Any] = module.Falling
    return game


def reference_speed() -> float:
    """How many times real time the reference game runs, undrawn: a whole run from its reset on."""
    play, frames, taken = Playtest(REFERENCE_GAME), 1200, []
    request = RunRequest(
        seed=0, frames=frames, input=f"right@1-{frames}", print=("player.position.x",)
    )
    for _ in range(5):
        began = time.process_time()
        run = play.run(request)
        taken.append((time.process_time() - began) / run.frame)
    return 1 / 60 / min(taken)


def told(figures: Figures) -> str:
    """One line of the table."""
    ratio, more = figures.five / figures.bare, figures.five - figures.bare
    return (
        f"{figures.bodies:6} {figures.step:9.2f} {figures.bare:9.2f} {figures.driver:9.2f}"
        f" {figures.five:9.2f} {ratio:9.3f} {figures.five / figures.step:9.3f} {more:9.2f}"
        f" {figures.each_assert:9.2f} {figures.speed:8.0f} x"
    )


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and say which bounds are missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--no-bounds", action="store_true", help="only print")
    parser.add_argument("--quick", action="store_true", help="a quarter of the turns")
    chosen = parser.parse_args(arguments)
    missed: list[str] = []
    print("CPU us a frame; ratio and more: driver + 5 asserts against the bare loop with events")
    print(
        "bodies      step      bare    driver +5 asserts    ratio   to step      more"
        " an assert  real time"
    )
    with_display()
    for bodies, turns in TURNS.items():
        figures = measured(bodies, max(2, turns // 4) if chosen.quick else turns)
        print(told(figures), flush=True)
        missed += figures.missed()
    speed = reference_speed()
    print(f"the reference game runs at {speed:.0f} x real time")
    if speed < LEAST_SPEED:
        missed.append(f"the reference game: {speed:.0f} x real time, not {LEAST_SPEED:g}")
    for line in missed:
        print(f"missed: {line}")
    return 1 if missed and not chosen.no_bounds else 0


def with_display() -> None:
    """Open SDL's dummy window, so that the bare loop has events to ask for."""
    os.environ.update(HEADLESS)
    import pygame

    pygame.display.init()
    pygame.display.set_mode((640, 360))


if __name__ == "__main__":
    sys.exit(main())
