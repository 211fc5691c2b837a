"""The things of a level: what each one is, owns and remembers. What they do is in systems.py."""

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pymunk
from pymunk import Vec2d

from . import rules
from .rules import Pair

PLAYER, GUARD, STONE, OPAQUE = 1, 2, 4, 8
"""The categories of shapes; what stands still is in all of them."""
ALL = pymunk.ShapeFilter.ALL_MASKS()


def only(category: int, *, passing: int = 0) -> pymunk.ShapeFilter:
    """Say what a shape is, and which others it passes through."""
    return pymunk.ShapeFilter(categories=category, mask=ALL ^ passing)


SEE_THROUGH = only(ALL ^ OPAQUE)

COMPONENTS = {
    "place": ("position", "size"),
    "body": ("position", "velocity"),
    "walker": ("facing", "walked"),
    "legs": ("heading", "grounded", "pushing", "carry"),
    "jump": ("held_frames", "asked_frame", "stood_frame", "dropped_frame", "landed_frame"),
    "life": ("alive", "hurt_frame", "spawn"),
    "speech": ("lines", "speech", "speech_frame", "told"),
    "post": ("patrol", "leash", "leg", "arrived_frame"),
    "sight": ("eye", "facing", "sees"),
    "mind": ("suspicion", "state_frame", "last_known"),
    "plate": ("pressed",),
    "door": ("open", "opened_by"),
    "swing": ("home", "to", "period"),
    "coin": ("taken", "phase"),
    "sign": ("text",),
}
"""Each component: the attributes that belong together. An entity has it if it has them all."""


@dataclass(frozen=True)
class Spec:
    """One object as a level describes it; `path` leads to it from the root."""

    id: int
    name: str
    kind: str
    path: str
    position: Pair
    size: Pair
    more: Mapping[str, Any]  # the keys that only its kind has


class Entity:
    """A named thing with a place; on its own it holds others, or is only seen.

    `name` is the level's name in the form expressions use: `FarLedge` becomes `far_ledge`. The keys
    that only its kind has in a level become attributes, and it begins in the first of its states.
    """

    tags: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    """The states it can be in; for a kind that has two, without and with its `flag`."""
    flag = ""  # the attribute that tells the state

    def __init__(self, spec: Spec) -> None:
        self.id = spec.id
        self.name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", spec.name).lower()
        self.kind = spec.kind
        self.path = spec.path
        self.home = Vec2d(*spec.position)
        self.size = spec.size
        for key, value in spec.more.items():
            setattr(self, key, value)
        if self.states:
            self.state = self.states[0]

    @property
    def position(self) -> Vec2d:
        """The centre, in pixels."""
        return self.home

    @property
    def state(self) -> str:
        """The state it is in, in a word; none for what is always the same."""
        value = getattr(self, self.flag, "")
        return value if isinstance(value, str) else self.states[value]

    @state.setter
    def state(self, state: str) -> None:
        place = self.states.index(state)
        setattr(self, self.flag, state if len(self.states) > 2 else bool(place))

    def components(self) -> dict[str, dict[str, Any]]:
        """Show the attributes, component by component; setting one is setting the attribute."""
        return {
            component: {name: getattr(self, name) for name in names}
            for component, names in COMPONENTS.items()
            if all(hasattr(self, name) for name in names)
        }

    def prepare(self, rng: random.Random) -> None:
        """Take what the seed decides about this entity; most leave it alone."""


class Sign(Entity):
    """A board with a text on it, read by who walks past."""

    text: str


class Piece(Entity):
    """An entity made of one box in the space; this one is solid and stays where it is."""

    body_type = pymunk.Body.STATIC
    sensor = False
    mass = 0.0
    friction = 1.0
    filter = pymunk.ShapeFilter()

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self.body = pymunk.Body(self.mass, float("inf"), self.body_type)
        self.body.position = self.home
        self.shape = pymunk.Poly.create_box(self.body, self.size)
        self.shape.sensor = self.sensor
        self.shape.friction = self.friction
        self.shape.filter = SEE_THROUGH if self.sensor else self.filter

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

    states, flag = ("free", "pressed"), "pressed"
    sensor = True
    pressed: bool


class Door(Piece):
    """A door that slides up while one of its plates is pressed."""

    states, flag = ("closed", "open"), "open"
    body_type = pymunk.Body.KINEMATIC
    friction = 0.0
    opened_by: tuple[str, ...]
    plates: tuple[Plate, ...] = ()
    open: bool

    @property
    def lift(self) -> float:
        """How far the door is up: 0.0 closed, 1.0 out of the way."""
        return (self.home.y - self.body.position.y) / self.size[1]


class Platform(Piece):
    """A floor that swings between its place and another, and takes along who stands on it."""

    tags = ("carries",)
    body_type = pymunk.Body.KINEMATIC
    to: Pair
    period: int

    def place_at(self, frame: int) -> Vec2d:
        """Say where it is in a frame: at home in frame 0, and again each period."""
        return self.to + (self.home - self.to) * rules.wave(frame, self.period)


class Beam(Piece):
    """A one-way floor: solid for a player above it, air for one below or dropping."""

    tags = ("thin",)
    states, flag = ("air", "solid"), "solid"
    air = only(ALL, passing=PLAYER)

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self.top = self.home.y - self.size[1] / 2
        self.solid = True


class Coin(Piece):
    """A coin that hovers; the seed decides where in its wave it starts."""

    states, flag = ("waiting", "taken"), "taken"
    body_type = pymunk.Body.KINEMATIC
    sensor = True
    taken: bool
    phase = 0

    def prepare(self, rng: random.Random) -> None:
        """Start anywhere in the wave."""
        self.phase = rng.randrange(rules.BOB_FRAMES)
        self.body.position = self.home + Vec2d(0, rules.bob(self.phase))


class Spikes(Piece):
    """A row of spikes: who touches it loses a life."""

    tags = ("hurts",)
    sensor = True


class Exit(Piece):
    """The way out: who reaches it has won."""

    tags = ("goal",)
    sensor = True


class Checkpoint(Piece):
    """A flag: who touched it last comes back to it."""

    states, flag = ("down", "up"), "reached"
    sensor = True
    reached: bool
