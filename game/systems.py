"""What happens in one step, one system after the other, in the order of SYSTEMS at the end."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pymunk
from pymunk import Vec2d

from . import rules
from .entities import Coin, Door, Piece

if TYPE_CHECKING:
    from .world import Inputs, World


def control(world: World, inputs: Inputs) -> None:
    """Turn the held buttons into the player's speed, and a press of jump into a jump."""
    player, playing = world.player, world.status == "playing"
    player.heading = playing * (("right" in inputs.held) - ("left" in inputs.held))
    player.facing = player.heading or player.facing
    target = rules.walk_target(player.heading, pushing=player.pushing)
    gain = rules.walk_acceleration(grounded=player.grounded) * rules.DT
    across, down = player.body.velocity
    if playing and player.grounded and "jump" in inputs.pressed:
        down = -rules.JUMP_SPEED
        world.cue("jump", player)
    player.body.velocity = rules.toward(across, target, gain), down


def move_doors(world: World, inputs: Inputs) -> None:
    """Slide each door up while it is open, else down unless someone stands beneath."""
    most = rules.DOOR_SPEED * rules.DT
    for door in world.doors:
        goal = door.home.y - (door.size[1] if door.open else 0.0)
        gap = goal - door.position.y
        if abs(gap) <= most:
            door.body.position, door.body.velocity = (door.home.x, goal), (0, 0)
        elif gap > 0 and _beneath(world, door):
            door.body.velocity = 0, 0
        else:
            door.body.velocity = 0, math.copysign(rules.DOOR_SPEED, gap)


def _beneath(world: World, door: Door) -> bool:
    """Say whether anything heavy is in the way of a closing door."""
    return any(
        abs(piece.position.x - door.home.x) < (piece.size[0] + door.size[0]) / 2
        and abs(piece.position.y - door.home.y) < (piece.size[1] + door.size[1]) / 2
        for piece in world.weights
    )


def hover_coins(world: World, inputs: Inputs) -> None:
    """Let each coin bob around its place."""
    for coin in world.coins:
        if not coin.taken:
            coin.body.position = coin.home + Vec2d(0, rules.bob(world.frame + coin.phase))


def move_bodies(world: World, inputs: Inputs) -> None:
    """Let the physics run for one step."""
    world.space.step(rules.DT)


def stand(world: World, inputs: Inputs) -> None:
    """Feel from the contacts whether the player stands on something or pushes a crate."""
    player = world.player
    flying = not player.grounded
    player.grounded = player.pushing = False
    for (across, down), other in _contacts(world, player):
        if down > rules.STEEP:
            player.grounded = True
        elif across * player.heading > rules.STEEP and other and "pushable" in other.tags:
            player.pushing = True
    if player.grounded:
        player.walked += abs(player.velocity.x) * rules.DT
        if flying:
            player.landed_frame = world.frame
            world.cue("land", player)


def _contacts(world: World, piece: Piece) -> list[tuple[Vec2d, Piece | None]]:
    """List what a piece leans on, each with the normal towards it; None is the level's border.

    The callback only collects, for pymunk swallows whatever is raised in one.
    """
    found: list[tuple[Vec2d, pymunk.Shape]] = []
    piece.body.each_arbiter(lambda contact: found.append((contact.normal, contact.shapes[1])))
    return [(normal, world.owners.get(shape)) for normal, shape in found]


def press_plates(world: World, inputs: Inputs) -> None:
    """Press each plate that a crate or the player lies on."""
    for plate in world.plates:
        pressed = any("weight" in piece.tags for piece in world.touching(plate))
        if pressed != plate.pressed:
            plate.pressed = pressed
            world.cue("press" if pressed else "release", plate)


def open_doors(world: World, inputs: Inputs) -> None:
    """Open each door while one of its plates is pressed."""
    for door in world.doors:
        is_open = any(plate.pressed for plate in door.plates)
        if is_open != door.open:
            door.open = is_open
            world.cue("open" if is_open else "close", door)


def meet(world: World, inputs: Inputs) -> None:
    """Let the player take, suffer or reach what it touches."""
    if world.status != "playing":
        return
    player = world.player
    for piece in world.touching(player):
        if isinstance(piece, Coin) and not piece.taken:
            piece.taken = True
            world.space.remove(*piece.bodies())
            world.cue("coin", piece)
        elif "hurts" in piece.tags and player.alive:
            player.alive = False
            player.body.velocity = 0, -rules.HURT_SPEED
            world.finish("lost")
        elif "goal" in piece.tags and player.alive:
            world.finish("won")


def scatter(world: World, inputs: Inputs) -> None:
    """Let dust and sparkles fly: for the eye only."""
    world.particles.step(world.cues)


SYSTEMS = (
    control,
    move_doors,
    hover_coins,
    move_bodies,
    stand,
    press_plates,
    open_doors,
    meet,
    scatter,
)
