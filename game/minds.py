"""The systems of those who think: what guards perceive, what they make of it, where they go."""

import pymunk

from . import entities, rules
from .characters import Guard
from .inputs import Inputs
from .world import World

OPAQUE = pymunk.ShapeFilter(mask=entities.OPAQUE)
"""What a look goes through: people and stones; ground, walls, doors and crates stop it."""
MOODS = {"suspicious": "notice", "chase": "alarm", "patrol": "calm"}
"""The cue of a guard's new state."""


def walk_guards(world: World, inputs: Inputs) -> None:
    """Send each guard to where his state wants him; he stands while he talks."""
    for guard in world.guards:
        across, down = guard.velocity
        gap = guard.goal - guard.position.x
        if guard.speech and guard.calm:
            speed = 0.0
        elif abs(gap) <= 1.0:
            speed = 0.0
            _stand_by(guard, world.frame)
        else:
            guard.arrived_frame = rules.NEVER
            guard.facing = 1 if gap > 0 else -1
            speed = rules.toward(0.0, gap / rules.DT, rules.PACE[guard.state])
        guard.body.velocity = speed, min(down, rules.FALL_SPEED)
        guard.walked += abs(across) * rules.DT


def _stand_by(guard: Guard, frame: int) -> None:
    """Wait while nothing is seen, then turn to the patrol's other end, or look the other way."""
    if guard.arrived_frame == rules.NEVER or guard.sees:
        guard.arrived_frame = frame
    elif frame - guard.arrived_frame >= rules.POST_FRAMES:
        guard.arrived_frame = rules.NEVER
        if guard.calm:
            guard.leg = 1 - guard.leg
        else:
            guard.facing = -guard.facing


def see(world: World, inputs: Inputs) -> None:
    """Let each guard look: the player in his view, with nothing between, is seen."""
    for guard in world.guards:
        across, down = world.player.position - guard.eye
        guard.sees = (
            world.in_control
            and rules.in_view(across, down, guard.facing)
            and not (guard.speech and guard.calm)
            and world.space.segment_query_first(guard.eye, world.player.position, 0, OPAQUE) is None
        )


def suspect(world: World, inputs: Inputs) -> None:
    """Let what a guard sees make him suspicious, and time calm him."""
    for guard in world.guards:
        if guard.sees:
            across, down = world.player.position - guard.eye
            gain = rules.suspicion_gain(across, down)
            guard.notice(world.player.position, guard.suspicion + gain)
        else:
            guard.suspicion = rules.toward(guard.suspicion, 0.0, rules.SUSPICION_FALL)


def decide(world: World, inputs: Inputs) -> None:
    """Let each guard's suspicion decide what he does."""
    for guard in world.guards:
        at_post = abs(guard.patrol[guard.leg] - guard.position.x) <= 1.0
        state = rules.next_mood(guard.state, guard.suspicion, at_post=at_post)
        if state != guard.state:
            guard.mood, guard.state_frame = state, world.frame
            guard.arrived_frame = rules.NEVER
            if state in MOODS:
                world.cue(MOODS[state], guard)


def catch(world: World, inputs: Inputs) -> None:
    """Let a guard who chases catch whom he touches; then all guards are content."""
    player = world.player
    chasers = [guard for guard in world.guards if guard.state == "chase" and world.in_control]
    gaps = [(player.position - chaser.position, chaser.size) for chaser in chasers]
    if any(rules.boxes_meet(gap, player.size, size) for gap, size in gaps):
        world.hurt()
        for guard in world.guards:
            guard.mood, guard.suspicion, guard.last_known, guard.sees = "return", 0.0, None, False
