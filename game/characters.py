"""Those who walk and what they throw: what each one is, perceives and remembers."""

import pymunk
from pymunk import Vec2d

from . import entities, rules
from .entities import GUARD, PLAYER, STONE, Piece, Spec
from .rules import Pair


class Player(Piece):
    """The one who walks and jumps; without friction, so that no wall holds it."""

    tags = ("character", "weight")
    states, flag = ("hurt", "alive"), "alive"
    body_type = pymunk.Body.DYNAMIC
    mass = rules.PLAYER_MASS
    friction = 0.0
    filter = entities.only(PLAYER, passing=GUARD | STONE)

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self.alive = True
        self.grounded = self.pushing = False
        self.heading = 0
        self.facing = 1
        self.ground: Piece | None = None  # what the player stands on, the carrying first
        self.carry = 0.0  # the speed that a platform lends, kept in the air after leaving it
        self.held_frames = 0
        """For how many frames the rising jump's button has been held; 0 once it is let go."""
        self.asked_frame = self.stood_frame = self.dropped_frame = rules.NEVER
        """When the player last pressed jump, stood on something, dropped through a beam."""
        self.spawn = self.home  # where the player comes back
        self.hurt_frame = rules.NEVER
        self.walked = 0.0  # the way walked on the ground, in pixels: the legs follow it
        self.landed_frame = rules.NEVER  # the frame of the last landing: the squash follows it


class Npc(Piece):
    """Somebody who can be talked to: says one line after the other."""

    tags = ("character", "weight", "talks")
    lines: tuple[str, ...]
    body_type = pymunk.Body.DYNAMIC
    mass = rules.GUARD_MASS
    friction = 0.0
    filter = entities.only(GUARD, passing=PLAYER | GUARD)

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self.facing = 1
        self.walked = 0.0
        self.speech = ""  # what is being said; nothing, most of the time
        self.speech_frame = rules.NEVER
        self.told = 0  # how many times this one has been talked to

    @property
    def calm(self) -> bool:
        """Whether this one can be talked to."""
        return True


class Guard(Npc):
    """One who walks between two points, sees ahead and hears stones, and never leaves his leash."""

    states, flag = ("patrol", "suspicious", "chase", "return"), "mood"
    mood: str
    patrol: Pair
    leash: Pair

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self.state_frame = 0
        self.leg = 1  # the end of the patrol that he goes to next
        self.arrived_frame = rules.NEVER
        """When he came to where he stands; NEVER while he is on his way."""
        self.sees = False
        self.suspicion = 0.0
        self.last_known: Vec2d | None = None  # where he last saw or heard something

    @property
    def eye(self) -> Vec2d:
        """Where he looks from."""
        return self.body.position - Vec2d(0, self.size[1] / 4)

    @property
    def calm(self) -> bool:
        """Whether he can be talked to."""
        return self.mood in ("patrol", "return")

    @property
    def goal(self) -> float:
        """Where he wants to be, in pixels from the left."""
        if self.calm or self.last_known is None:
            return self.patrol[self.leg]
        return max(self.leash[0], min(self.last_known.x, self.leash[1]))

    def notice(self, place: Vec2d, suspicion: float) -> None:
        """Remember where something was, and be more suspicious for it."""
        self.last_known = place
        self.suspicion = max(self.suspicion, min(1.0, suspicion))


class Stone(Piece):
    """A thrown stone; where it first lands, guards hear it."""

    tags = ("thrown",)
    states, flag = ("flying", "landed"), "landed"
    landed: bool
    body_type = pymunk.Body.DYNAMIC
    mass = rules.STONE_MASS
    friction = 0.9
    filter = entities.only(STONE, passing=PLAYER)

    def __init__(self, number: int, count: int, place: Vec2d, frame: int) -> None:
        name = f"Stone{count}"
        super().__init__(Spec(number, name, "stone", name, place, rules.STONE_SIZE, {}))
        self.thrown_frame = frame
