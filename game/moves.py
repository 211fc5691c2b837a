"""The systems that turn buttons into what the player does: walk, jump, throw, talk."""

from . import rules
from .inputs import STICK_REACH, Inputs
from .world import World


def walk(world: World, inputs: Inputs) -> None:
    """Turn the held buttons into the player's speed; what carries the player adds its own."""
    player = world.player
    player.heading = world.in_control * (("right" in inputs.held) - ("left" in inputs.held))
    player.facing = player.heading or player.facing
    speed = rules.PUSH_SPEED if player.pushing else rules.WALK_SPEED
    gain = rules.WALK_ACCELERATION if player.grounded else rules.AIR_ACCELERATION
    across, down = player.body.velocity
    own = rules.toward(across - player.carry, player.heading * speed, gain * rules.DT)
    if player.ground is not None and "carries" in player.ground.tags:
        player.carry, down = player.ground.velocity
    elif player.grounded:
        player.carry = 0.0
    player.body.velocity = own + player.carry, min(down, rules.FALL_SPEED)


def jump(world: World, inputs: Inputs) -> None:
    """Jump when asked to, on the ground or a moment after it; or drop through a beam."""
    player, frame = world.player, world.frame
    if not world.in_control:
        return
    if "jump" in inputs.pressed:
        player.asked_frame = frame
        if "down" in inputs.held and player.ground is not None and "thin" in player.ground.tags:
            player.dropped_frame = frame
            player.asked_frame = player.stood_frame = rules.NEVER
    asked = frame - player.asked_frame <= rules.BUFFER_FRAMES
    if asked and frame - 1 - player.stood_frame <= rules.COYOTE_FRAMES:
        player.body.velocity = player.velocity.x, -rules.JUMP_SPEED
        player.asked_frame = player.stood_frame = rules.NEVER
        player.held_frames = 1
        world.cue("jump", player)
    elif player.held_frames:
        _rise(world, held="jump" in inputs.held)


def _rise(world: World, *, held: bool) -> None:
    """Go on rising while the button is held; one let go early cuts the rise."""
    player = world.player
    across, down = player.velocity
    if not held and down < 0:
        player.body.velocity = across, down * rules.rise_kept(player.held_frames)
    rising = held and down < 0 and player.held_frames + 1 < rules.RISE_FRAMES
    player.held_frames = player.held_frames + 1 if rising else 0


def throw(world: World, inputs: Inputs) -> None:
    """Throw a stone where one aims."""
    free = world.in_control and len(world.stones) < rules.STONES_AT_ONCE
    if "throw" in inputs.pressed and free:
        world.throw(rules.direction(*_aim(world, inputs)))


def _aim(world: World, inputs: Inputs) -> tuple[float, float]:
    """Say which way one aims: with the right stick, else the mouse, else ahead and up."""
    stick = inputs.axis("right_x"), inputs.axis("right_y")
    if max(map(abs, stick)) > STICK_REACH:
        return stick
    if inputs.pointer == (0, 0):
        return float(world.player.facing), -0.7
    place = world.camera.to_world(inputs.pointer)
    return place.x - world.player.position.x, place.y - world.player.position.y


def talk(world: World, inputs: Inputs) -> None:
    """Let the nearest calm one in reach say a line, and end each line after a while."""
    for npc in world.npcs:
        if npc.speech and world.frame - npc.speech_frame >= rules.SPEECH_FRAMES:
            npc.speech = ""
    if "talk" not in inputs.pressed or not world.in_control:
        return
    gaps = [(world.player.position - npc.position, npc) for npc in world.npcs if npc.calm]
    near = [(gap, npc) for gap, npc in gaps if rules.boxes_meet(gap, rules.TALK_AREA, (0, 0))]
    able = [(abs(gap.x), npc.id, npc) for gap, npc in near if npc.lines]
    if able:
        npc = min(able)[2]
        npc.facing = 1 if npc.position.x < world.player.position.x else -1
        npc.speech, npc.speech_frame = npc.lines[npc.told % len(npc.lines)], world.frame
        npc.told += 1
        world.cue("talk", npc)
