"""The numbers of the game and its small pure rules: pixels, seconds, y down."""

from __future__ import annotations

TICK_RATE = 60
DT = 1 / TICK_RATE

GRAVITY = 1000.0
WALK_SPEED = 120.0
PUSH_SPEED = 84.0
WALK_ACCELERATION = 1500.0
AIR_ACCELERATION = 900.0
JUMP_SPEED = 350.0
HURT_SPEED = 220.0

PLAYER_MASS = 4.0
CRATE_MASS = 2.0
CRATE_FRICTION = 0.6
CRATE_JITTER = 2.0

DOOR_SPEED = 180.0

BOB_FRAMES = 90
BOB_HEIGHT = 4.0

SLOP = 0.1
"""How deep a resting body sinks into its floor, in pixels."""

STEEP = 0.7
"""Beyond this share of a contact's normal, the contact is floor (y) or wall (x)."""


def toward(value: float, target: float, most: float) -> float:
    """Move a value to its target by at most so much."""
    if abs(target - value) <= most:
        return target
    return value + most if target > value else value - most


def walk_target(direction: int, *, pushing: bool) -> float:
    """Say how fast a player wants to go; a crate in front slows the walk."""
    return direction * (PUSH_SPEED if pushing else WALK_SPEED)


def walk_acceleration(*, grounded: bool) -> float:
    """Say how much speed a player gains in a second on the ground or in the air."""
    return WALK_ACCELERATION if grounded else AIR_ACCELERATION


def bob(frame: int) -> float:
    """Say how far below its place a coin hovers: a smooth wave made of plain arithmetic.

    `math.sin` may differ in its last bit between two machines; this cannot.
    """
    along = abs(2 * (frame % BOB_FRAMES) / BOB_FRAMES - 1)
    return BOB_HEIGHT * (2 * along * along * (3 - 2 * along) - 1)
