"""What happens in one step, one system after the other, in the order of SYSTEMS at the end."""

import math

from pymunk import Vec2d

from . import minds, moves, rules
from .entities import Checkpoint, Coin, Door, Piece
from .inputs import Inputs
from .world import World


def move_platforms(world: World, inputs: Inputs) -> None:
    """Give each platform the speed that takes it to its next place within this step."""
    for platform in world.platforms:
        way = platform.place_at(world.frame) - platform.position
        platform.body.velocity = way / rules.DT


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
    gaps = [(piece.position - door.home, piece.size) for piece in world.weights]
    return any(rules.boxes_meet(gap, door.size, size) for gap, size in gaps)


def hover_coins(world: World, inputs: Inputs) -> None:
    """Let each coin bob around its place."""
    for coin in world.coins:
        if not coin.taken:
            coin.body.position = coin.home + Vec2d(0, rules.bob(world.frame + coin.phase))


def let_through(world: World, inputs: Inputs) -> None:
    """Make each beam solid for a player above it, and air for one below or dropping."""
    player = world.player
    dropping = world.frame - player.dropped_frame < rules.DROP_FRAMES
    for beam in world.beams:
        above = player.position.y + player.size[1] / 2 <= beam.top + rules.SINK
        solid = not dropping and (above or player.ground is beam)
        if solid != beam.solid:
            beam.solid, beam.shape.filter = solid, beam.filter if solid else beam.air


def move_bodies(world: World, inputs: Inputs) -> None:
    """Let the physics run for one step."""
    world.space.step(rules.DT)


def stand(world: World, inputs: Inputs) -> None:
    """Feel from the contacts whether the player stands on something or pushes a crate."""
    player = world.player
    flying = not player.grounded
    player.grounded = player.pushing = False
    floors: list[Piece] = []
    for (across, down), other in world.leaning(player):
        if down > rules.STEEP:
            player.grounded = True
            floors += [other] if other else []
        elif across * player.heading > rules.STEEP and other and "pushable" in other.tags:
            player.pushing = True
    player.ground = min(floors, key=_footing, default=None)
    if player.grounded:
        player.stood_frame = world.frame
        player.walked += abs(player.velocity.x - player.carry) * rules.DT
        if flying:
            player.landed_frame = world.frame
            world.cue("land", player)


def _footing(floor: Piece) -> tuple[bool, bool, int]:
    """Order what a player stands on: the carrying first, beams last."""
    return "carries" not in floor.tags, "thin" in floor.tags, floor.id


def drop_stones(world: World, inputs: Inputs) -> None:
    """Let a stone be heard where it first lands, and take it away when its time is over."""
    for stone in list(world.stones):
        if not stone.landed and world.leaning(stone):
            stone.landed = True
            world.cue("knock", stone)
            for guard in world.guards:
                if rules.is_near(*(stone.position - guard.position), rules.HEARING):
                    guard.notice(stone.position, rules.HEARD)
        if world.frame - stone.thrown_frame >= rules.STONE_LIFE:
            world.remove(stone)


def press_plates(world: World, inputs: Inputs) -> None:
    """Press each plate that a crate, the player or another lies on."""
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
    if not world.in_control:
        return
    for piece in world.touching(world.player):
        if isinstance(piece, Coin) and not piece.taken:
            piece.taken = True
            world.space.remove(*piece.bodies())
            world.cue("coin", piece)
        elif isinstance(piece, Checkpoint) and not piece.reached:
            _reach(world, piece)
        elif "hurts" in piece.tags and world.in_control:
            world.hurt()
        elif "goal" in piece.tags and world.in_control:
            world.finish("won")


def _reach(world: World, checkpoint: Checkpoint) -> None:
    """Make a flag the place where the player comes back; all others go down."""
    for other in world.checkpoints:
        other.reached = other is checkpoint
    rise = (checkpoint.size[1] - world.player.size[1]) / 2 + rules.SLOP
    world.player.spawn = checkpoint.home + Vec2d(0, rise)
    world.cue("checkpoint", checkpoint)


def fall_out(world: World, inputs: Inputs) -> None:
    """Hurt a player who falls out of the level."""
    if world.player.position.y > world.level.size[1] + rules.ABYSS and world.in_control:
        world.hurt()


def come_back(world: World, inputs: Inputs) -> None:
    """Bring a hurt player back to the last flag after a moment, while lives remain."""
    player = world.player
    hurt_for = world.frame - player.hurt_frame
    if not player.alive and not world.ending and hurt_for >= rules.RESPAWN_FRAMES:
        player.alive, player.carry, player.held_frames = True, 0.0, 0
        player.asked_frame = player.stood_frame = rules.NEVER
        player.body.position, player.body.velocity = player.spawn, (0, 0)
        world.cue("respawn", player)


def follow(world: World, inputs: Inputs) -> None:
    """Let the camera follow the player, who may go a little without it."""
    world.camera.follow(world.player.position)


def scatter(world: World, inputs: Inputs) -> None:
    """Let dust and sparkles fly: for the eye only."""
    world.particles.step(world.cues)


SYSTEMS = (
    move_platforms,
    moves.walk,
    moves.jump,
    moves.throw,
    moves.talk,
    minds.walk_guards,
    move_doors,
    hover_coins,
    let_through,
    move_bodies,
    stand,
    drop_stones,
    press_plates,
    open_doors,
    minds.see,
    minds.suspect,
    minds.decide,
    minds.catch,
    meet,
    fall_out,
    come_back,
    follow,
    scatter,
)


def step(world: World, inputs: Inputs) -> None:
    """Advance a world by one frame: every system once, in order."""
    world.frame += 1
    for system in SYSTEMS:
        system(world, inputs)
