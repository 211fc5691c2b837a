"""The game that is measured: balls that fall into a bowl, as many as the scene's name says."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable
from itertools import pairwise
from typing import Protocol

import pymunk

STAMP_EVERY = 60
WIDTH = 640


class Inputs(Protocol):
    """What a step reads."""

    held: frozenset[str]
    dt: float


class Ball:
    """One ball."""

    kind = "ball"

    def __init__(self, number: int, position: tuple[float, float]) -> None:
        self.id = number
        self.name = f"body{number}"
        self.path = f"Bowl/Body{number}"
        self.body = pymunk.Body(1, 50)
        self.body.position = position
        self.shape = pymunk.Circle(self.body, 5)
        self.shape.friction = 0.6

    @property
    def position(self) -> pymunk.Vec2d:
        """The centre, in pixels."""
        return self.body.position

    @property
    def velocity(self) -> pymunk.Vec2d:
        """Pixels a second."""
        return self.body.velocity


class Falling:
    """The balls; left and right tilt the world.

    ``stamps`` is the one thing that no game needs: process time at every 60th step. What lies
    between two stamps is 60 whole frames, whoever calls ``step``.
    """

    stamps: list[float]

    def reset(self, scene: str, seed: int) -> None:
        """Hang the balls in rows above the bowl."""
        self.frame = 0
        self.tilt = 0.0
        self.stamps = []
        self.rng = random.Random(seed)
        self.space = pymunk.Space()
        self.space.gravity = (0, 900)
        self.space.add(*self._bowl())
        self.balls = [Ball(n, self._start(n)) for n in range(int(scene.partition("-")[2]))]
        for ball in self.balls:
            self.space.add(ball.body, ball.shape)

    def step(self, inputs: Inputs) -> None:
        """Advance one frame."""
        self.tilt = 90.0 * (("right" in inputs.held) - ("left" in inputs.held))
        self.space.gravity = (self.tilt, 900)
        self.space.step(inputs.dt)
        self.frame += 1
        if self.frame % STAMP_EVERY == 0:
            self.stamps.append(time.process_time())

    def state(self) -> tuple[int | float, ...]:
        """Say what the bodies do not."""
        return self.frame, self.tilt

    def entities(self) -> list[Ball]:
        """List the balls."""
        return self.balls

    def names(self) -> dict[str, list[float]]:
        """Let the benchmark read the stamps."""
        return {"stamps": self.stamps}

    def _start(self, number: int) -> tuple[float, float]:
        row, column = divmod(number, 40)
        return 40 + 14 * column + self.rng.uniform(-2, 2), 200 - 14 * row

    def _bowl(self) -> Iterable[pymunk.Shape]:
        corners = [(0, -2000), (0, 250), (WIDTH / 4, 345), (3 * WIDTH / 4, 345), (WIDTH, 250)]
        corners.append((WIDTH, -2000))
        for start, end in pairwise(corners):
            side = pymunk.Segment(self.space.static_body, start, end, 6)
            side.friction = 0.6
            yield side
