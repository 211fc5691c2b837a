"""The things of a level: what each one is, owns and remembers. What they do is in systems.py."""

from __future__ import annotations

import random
import re

import pymunk
from pymunk import Vec2d

from . import rules
from .level import LevelError, Spec


class Entity:
    """A named thing with a place; on its own it holds others, or is only seen.

    `name` is the level's name in the form expressions use: `FarLedge` becomes `far_ledge`.
    """

    tags: tuple[str, ...] = ()

    def __init__(self, spec: Spec) -> None:
        self.id = spec.id
        self.name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", spec.name).lower()
        self.kind = spec.kind
        self.path = spec.path
        self.home = Vec2d(*spec.position)
        self.size = spec.size

    @property
    def position(self) -> Vec2d:
        """The centre, in pixels."""
        return self.home

    def bodies(self) -> tuple[pymunk.Body | pymunk.Shape, ...]:
        """List what belongs into the space: nothing, for a group."""
        return ()

    def prepare(self, rng: random.Random) -> None:
        """Take what the seed decides about this entity; most leave it alone."""


class Piece(Entity):
    """An entity made of one box in the space; this one is solid and stays where it is."""

    body_type = pymunk.Body.STATIC
    sensor = False
    mass = 0.0
    friction = 1.0

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        if min(self.size) <= 0:
            raise LevelError(f"{self.path}: a {self.kind} needs a size above 0, not {self.size}")
        self.body = pymunk.Body(self.mass, float("inf"), self.body_type)
        self.body.position = self.home
        self.shape = pymunk.Poly.create_box(self.body, self.size)
        self.shape.sensor = self.sensor
        self.shape.friction = self.friction
        self.shapes = (self.shape,)

    @property
    def position(self) -> Vec2d:
        """The centre of the body, in pixels."""
        return self.body.position

    @property
    def velocity(self) -> Vec2d:
        """The velocity of the body, in pixels a second."""
        return self.body.velocity

    def bodies(self) -> tuple[pymunk.Body | pymunk.Shape, ...]:
        """List the body and its shape."""
        return (self.body, self.shape)


class Player(Piece):
    """The one who walks and jumps; without friction, so that no wall holds it."""

    tags = ("character", "weight")
    body_type = pymunk.Body.DYNAMIC
    mass = rules.PLAYER_MASS
    friction = 0.0

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self.alive = True
        self.grounded = False
        self.pushing = False
        self.heading = 0
        self.facing = 1
        self.walked = 0.0
        """The way walked on the ground, in pixels: the legs follow it."""
        self.landed_frame = -1000
        """The frame of the last landing: the squash follows it."""


class Crate(Piece):
    """A box to be pushed; it never tilts. The seed moves its start a little."""

    tags = ("pushable", "weight")
    body_type = pymunk.Body.DYNAMIC
    mass = rules.CRATE_MASS
    friction = rules.CRATE_FRICTION

    def prepare(self, rng: random.Random) -> None:
        """Shift the start by up to two pixels."""
        shift = rng.uniform(-rules.CRATE_JITTER, rules.CRATE_JITTER)
        self.body.position = self.home + Vec2d(shift, 0)


class Plate(Piece):
    """A plate in the floor, pressed while something heavy lies on it."""

    sensor = True

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self.pressed = False


class Door(Piece):
    """A door that slides up while one of its plates is pressed."""

    body_type = pymunk.Body.KINEMATIC
    friction = 0.0

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self.opened_by = spec.opened_by
        self.plates: tuple[Plate, ...] = ()
        self.open = False

    @property
    def lift(self) -> float:
        """How far the door is up: 0.0 closed, 1.0 out of the way."""
        return (self.home.y - self.body.position.y) / self.size[1]


class Coin(Piece):
    """A coin that hovers; the seed decides where in its wave it starts."""

    body_type = pymunk.Body.KINEMATIC
    sensor = True

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self.phase = 0
        self.taken = False

    def prepare(self, rng: random.Random) -> None:
        """Start anywhere in the wave."""
        self.phase = rng.randrange(rules.BOB_FRAMES)
        self.body.position = self.home + Vec2d(0, rules.bob(self.phase))


class Spikes(Piece):
    """A row of spikes: who touches it is lost."""

    tags = ("hurts",)
    sensor = True


class Exit(Piece):
    """The way out: who reaches it has won."""

    tags = ("goal",)
    sensor = True


KINDS: dict[str, type[Entity]] = {
    "group": Entity,
    "hall": Entity,
    "ground": Piece,
    "wall": Piece,
    "player": Player,
    "crate": Crate,
    "plate": Plate,
    "door": Door,
    "coin": Coin,
    "spikes": Spikes,
    "exit": Exit,
}
