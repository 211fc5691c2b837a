"""The numbers of the game and its small pure rules: pixels, seconds, frames, y down."""

import math

Pair = tuple[float, float]

TICK_RATE = 60
DT = 1 / TICK_RATE
VIEW = (640.0, 360.0)  # the window, and so the part of a level that the main camera shows

GRAVITY = 1000.0
WALK_SPEED = 120.0
PUSH_SPEED = 84.0
WALK_ACCELERATION = 1500.0
AIR_ACCELERATION = 900.0
FALL_SPEED = 540.0

JUMP_SPEED = 350.0
RISE_FRAMES = 8  # a jump whose button is held for so many frames rises all the way
COYOTE_FRAMES = 6  # a jump still works after so many frames in the air
BUFFER_FRAMES = 6  # a jump asked for so many frames before the landing is made at the landing
DROP_FRAMES = 14  # beams are air for so many frames after down and jump

HURT_SPEED = 220.0
RESPAWN_FRAMES = 45
ABYSS = 40.0  # how far below a level one has fallen out of it

PLAYER_MASS = 4.0
GUARD_MASS = 6.0
CRATE_MASS = 2.0
CRATE_FRICTION = 0.6
CRATE_JITTER = 2.0
DOOR_SPEED = 180.0

STONE_SIZE = 6.0, 6.0
STONE_MASS = 0.3
STONE_SPEED = 430.0
STONE_LIFE = 240
STONES_AT_ONCE = 3
HEARING = 260.0

BOB_FRAMES = 90
BOB_HEIGHT = 4.0

SIGHT_RANGE = 190.0
SIGHT_SLOPE = 0.5  # pixels up or down in a guard's view for each pixel ahead: a cone of 53 degrees
SUSPICION_RISE = 1 / 60
SUSPICION_FALL = 1 / 240
HEARD = 0.6  # how suspicious a sound makes at once
NOTICE, CALM = 0.4, 0.1
"""A guard becomes suspicious at the first and goes back to his post below the second."""

PACE = {"patrol": 45.0, "suspicious": 60.0, "chase": 105.0, "return": 45.0}
POST_FRAMES = 45  # how long a guard stands at each end of his patrol, and between two looks around

TALK_AREA = 96.0, 60.0  # the place around somebody in which he hears what is said
SPEECH_FRAMES = 150

DEAD_ZONE = 60.0, 40.0
"""How far the player may go from the camera's middle before the camera follows."""

SLOP = 0.1  # how deep a resting body sinks into its floor, in pixels
SINK = 1.0  # how far below a beam's top the feet of one who comes from above may be, in pixels
STEEP = 0.7  # beyond this share of a contact's normal, the contact is floor (y) or wall (x)

NEVER = -1000  # a frame so long ago that it matters to no rule


def toward(value: float, target: float, most: float) -> float:
    """Move a value to its target by at most so much."""
    if abs(target - value) <= most:
        return target
    return value + most if target > value else value - most


def rise_kept(held: int) -> float:
    """Say what share of its speed a jump keeps when its button is let go after so many frames."""
    return (held + 4) / (RISE_FRAMES + 4)


def wave(frame: int, period: int) -> float:
    """Swing from 1 down to 0 and back in a period, smoothly, by plain arithmetic.

    `math.sin` may differ in its last bit between two machines; this cannot.
    """
    along = abs(2 * (frame % period) / period - 1)
    return along * along * (3 - 2 * along)


def bob(frame: int) -> float:
    """Say how far below its place a coin hovers."""
    return BOB_HEIGHT * (2 * wave(frame, BOB_FRAMES) - 1)


def direction(across: float, down: float) -> tuple[float, float]:
    """Give the way of length 1 to somewhere else; straight up where that is no way at all."""
    length = math.sqrt(across * across + down * down)
    return (across / length, down / length) if length else (0.0, -1.0)


def is_near(across: float, down: float, reach: float) -> bool:
    """Say whether something so far away is within reach."""
    return across * across + down * down <= reach * reach


def boxes_meet(gap: Pair, size: Pair, other: Pair) -> bool:
    """Say whether two boxes overlap whose middles are so far apart."""
    return abs(gap[0]) < (size[0] + other[0]) / 2 and abs(gap[1]) < (size[1] + other[1]) / 2


def in_view(across: float, down: float, facing: int) -> bool:
    """Say whether something so far from a guard's eyes is in his view, walls left aside."""
    ahead = across * facing
    return ahead > 0 and abs(down) <= ahead * SIGHT_SLOPE and is_near(across, down, SIGHT_RANGE)


def suspicion_gain(across: float, down: float) -> float:
    """Say how much more suspicious a frame makes a guard who sees: up to twice as fast nearby."""
    return SUSPICION_RISE * (2 - math.sqrt(across * across + down * down) / SIGHT_RANGE)


def next_mood(mood: str, suspicion: float, *, at_post: bool) -> str:
    """Say what a guard does next: patrol, suspicious, chase or return."""
    if suspicion >= 1 or (mood == "chase" and suspicion >= NOTICE):
        return "chase"
    if suspicion >= NOTICE or (mood in ("suspicious", "chase") and suspicion > CALM):
        return "suspicious"
    return "patrol" if at_post or mood == "patrol" else "return"
