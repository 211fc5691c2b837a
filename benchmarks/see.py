"""What looking costs, as ratios: rays, overlaps, comparing with a golden, writing a PNG.

Each ratio is of the fastest of many turns, taken in turn, on the CPU time of this process. A ray
is held against the two calls of pymunk that give the same answer: of a thick segment that a ray
ends in, pymunk's ray alone may say nothing, so its end is asked too.
"""

from __future__ import annotations

import argparse
import io
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pymunk

from harness.golden.compare import difference
from harness.golden.png import read_png
from harness.golden.store import Store, golden_file
from harness.playtest.play import Playtest
from harness.query.world import World
from harness.values.picture import Picture

GAME = Path(__file__).parent / "game"
REFERENCE_GAME = Path(__file__).parent.parent / "game"
BODIES = (10, 100, 1000)
MOST_QUERY = 1.3
CALLS = 50
MOST_GROWTH = 1.5
MOST_EQUAL, MOST_KNOWN_MS = 1.2, 0.2
MOST_DIFFERENT, MOST_PNG = 1.5, 0.5

Timed = Callable[[], Any]


def fastest(*sides: Timed, turns: int, calls: int = 1) -> list[float]:
    """Let sides take turns; gives the fastest of each, in microseconds a call."""
    best = [float("inf")] * len(sides)
    for _ in range(turns):
        for place, side in enumerate(sides):
            began = time.process_time_ns()
            for _ in range(calls):
                side()
            best[place] = min(best[place], (time.process_time_ns() - began) / 1000 / calls)
    return best


def queries(bodies: int, turns: int) -> Iterator[tuple[str, int, float, float, float]]:
    """Ask a settled bowl of balls, and pymunk the same.

    Gives the name, how many are met, our time, that of pymunk's calls, and of its first alone.
    """
    play = Playtest(GAME)
    play.reset(scene=f"bodies-{bodies}")
    play.step(200)
    world, space = World(play.stage.driver), play.stage.game.space
    ball = tuple(next(iter(play.stage.driver.entities.labelled.values())).position)
    rays = {
        "ray": ((20.0, 250.0), (620.0, 345.0)),
        "long ray": ((0.0, 335.0), (640.0, 335.0)),
        "ray to a ball": ((320.0, 200.0), ball),
        "ray of nothing": ((0.0, -5000.0), (640.0, -5000.0)),
    }
    for name, (start, end) in rays.items():

        def along(start: Any = start, end: Any = end) -> Any:
            return space.segment_query(start, end, 0, pymunk.ShapeFilter())

        def whole(start: Any = start, end: Any = end) -> Any:
            met = space.segment_query(start, end, 0, pymunk.ShapeFilter())
            return met, space.point_query(end, 0, pymunk.ShapeFilter())

        def ours(start: Any = start, end: Any = end) -> Any:
            return world.raycast(start, end)

        yield name, len(along()), *fastest(ours, whole, along, turns=turns, calls=CALLS)
    for name, middle in (("circle", (320.0, 335.0)), ("circle of nothing", (320.0, -5000.0))):

        def circle(middle: Any = middle) -> Any:
            return space.point_query(middle, 40, pymunk.ShapeFilter())

        def overlap(middle: Any = middle) -> Any:
            return world.overlap(middle, 40)

        mine, raw = fastest(overlap, circle, turns=turns, calls=CALLS)
        yield name, len(circle()), mine, raw, raw


def drawn() -> Picture:
    """The reference game, 1280 pixels wide."""
    play = Playtest(REFERENCE_GAME)
    play.step(60, "right@1-60")
    return play.screenshot(width=1280)


def moved(picture: Picture) -> Picture:
    """The picture with a patch of 32 by 32 pixels that is not the same."""
    pixels, noise = bytearray(picture.pixels), random.Random(1)
    for row in range(300, 332):
        start = (row * picture.width + 500) * 3
        pixels[start : start + 96] = noise.randbytes(96)
    return Picture(picture.size, bytes(pixels))


def pictures(turns: int) -> Iterator[tuple[str, float, float, float | None]]:
    """Compare and write a picture: name, ours, the other's, the most that the ratio may be."""
    from PIL import Image, ImageChops

    picture = drawn()
    other, dark = moved(picture), Picture(picture.size, bytes(255 - b for b in picture.pixels))
    with tempfile.TemporaryDirectory() as folder:
        path = Store(Path(folder)).write("shot", picture, {}, {})
        data = path.read_bytes()

        def decoded() -> Any:
            image = Image.open(io.BytesIO(data))
            image.load()
            return image

        def pillow(actual: Picture) -> Any:
            image = Image.frombytes("RGB", actual.size, actual.pixels)
            return ImageChops.difference(image, decoded()).getbbox()

        def encoded() -> None:
            image = Image.frombytes("RGB", picture.size, picture.pixels)
            image.save(io.BytesIO(), format="PNG")

        known = golden_file(path)

        def anew() -> Picture:
            return Picture(picture.size, picture.pixels)

        yield ("equal, no fingerprint", *fastest(
            lambda: picture == read_png(path), decoded, turns=turns), MOST_EQUAL)  # fmt: skip
        yield ("equal, by its hash", *fastest(
            lambda: known.is_exactly(anew()), decoded, turns=turns), MOST_EQUAL)  # fmt: skip
        yield ("equal, hash known", *fastest(
            lambda: known.is_exactly(picture), decoded, turns=turns), None)  # fmt: skip
        yield ("different, a patch", *fastest(
            lambda: difference(other, read_png(path)), lambda: pillow(other), turns=turns),
            MOST_DIFFERENT)  # fmt: skip
        yield ("different, everywhere", *fastest(
            lambda: difference(dark, read_png(path)), lambda: pillow(dark),
            turns=turns), MOST_DIFFERENT)  # fmt: skip
        yield ("a shot's PNG", *fastest(picture.to_png, encoded, turns=turns), MOST_PNG)


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and say which bounds are missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--no-bounds", action="store_true", help="only print")
    parser.add_argument("--quick", action="store_true", help="a quarter of the turns")
    chosen = parser.parse_args(arguments)
    turns = 10 if chosen.quick else 40
    missed: list[str] = []
    first: dict[str, float] = {}
    print("bodies  question             hits        us    pymunk    ratio  to its first call")
    for bodies in BODIES:
        for name, hits, ours, theirs, alone in queries(bodies, turns):
            ratio = ours / theirs
            print(f"{bodies:6}  {name:18} {hits:6} {ours:9.1f} {theirs:9.1f} {ratio:8.2f}"
                  f" {ours / alone:18.2f}", flush=True)  # fmt: skip
            if ratio > MOST_QUERY:
                missed.append(f"{name}, {bodies} bodies: {ratio:.2f}, at most {MOST_QUERY:g}")
            if not hits and ours > MOST_GROWTH * first.setdefault(name, ours):
                missed.append(f"{name}: {ours:.1f} us with {bodies} bodies, and {first[name]:.1f}")
    print("\npicture 1280x720             ms      other    ratio")
    for name, ours, theirs, most in pictures(turns):
        print(
            f"{name:24} {ours / 1000:7.3f} {theirs / 1000:10.3f} {ours / theirs:8.3f}", flush=True
        )
        if most is not None and ours / theirs > most:
            missed.append(f"{name}: {ours / theirs:.2f}, at most {most:g}")
        if most is None and ours / 1000 > MOST_KNOWN_MS:
            missed.append(f"{name}: {ours / 1000:.2f} ms, at most {MOST_KNOWN_MS:g}")
    for line in missed:
        print(f"missed: {line}")
    return 1 if missed and not chosen.no_bounds else 0


if __name__ == "__main__":
    sys.exit(main())
