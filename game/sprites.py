"""Draws a game: where each sprite goes and which of its poses it shows, read from the state."""

import pygame

from . import minds, pictures, props, rules, scenery
from .characters import Guard, Npc, Player, Stone
from .entities import (
    Beam,
    Checkpoint,
    Coin,
    Crate,
    Door,
    Entity,
    Exit,
    Plate,
    Platform,
    Sign,
    Spikes,
)
from .game import Game
from .level import Level
from .overlays import Overlays
from .world import World

CAMERAS = ("main", "overview")
OVERVIEW = (rules.VIEW[0] - 80, rules.VIEW[1] - 96)
"""How large the whole level may be in its overview; a frame and the counts are around it."""
STRIDE = 7.0
STEPS = ("apart", "pass", "apart", "pass")
SPECKS = {"dust": "#e9dcc0", "spark": "#ffe27a", "smoke": "#6a5570"}
CONES = {"suspicious": "#ffb04a", "chase": "#ff5a4a"}
CONE_RAYS = 24

View = pygame.Vector2


class Painter:
    """Draws games through one of the CAMERAS; it keeps sprites, and nothing of the play."""

    def __init__(self) -> None:
        self._overlays = Overlays()
        self._level: Level | None = None
        self._terrain = pictures.blank((1, 1))
        self._sky: dict[tuple[int, int], pygame.Surface] = {}

    def draw(self, game: Game, surface: pygame.Surface, camera: str | None = None) -> None:
        """Draw a game: the view that follows the player, or the overview of the whole level."""
        if camera not in (None, *CAMERAS):
            raise ValueError(f"no camera named {camera!r}; there are: {', '.join(CAMERAS)}")
        if camera == "overview":
            self._overview(game.world, surface)
        else:
            corner = game.camera.corner
            self._scene(game.world, surface, View(round(corner.x), round(corner.y)))
        self._overlays.draw(game, surface)

    def view(self, game: Game, camera: str | None = None) -> tuple[float, float, float, float]:
        """Say which part of the level a camera shows: x, y, width and height."""
        if camera != "overview":
            return (*game.camera.corner, *rules.VIEW)
        (width, height), scale = game.world.level.size, _overview_scale(game.world)
        across, down = rules.VIEW[0] / scale, rules.VIEW[1] / scale
        return (width - across) / 2, (height - down) / 2, across, down

    def _overview(self, world: World, surface: pygame.Surface) -> None:
        width, height = (int(length) for length in world.level.size)
        whole = pygame.Surface((width, height))
        self._scene(world, whole, View())
        scale = _overview_scale(world)
        small = pygame.transform.smoothscale(whole, (int(width * scale), int(height * scale)))
        frame = small.get_rect(center=surface.get_rect().center)
        surface.fill("#2b2438")
        pygame.draw.rect(surface, "#c9955d", frame.inflate(8, 8), border_radius=4)
        surface.blit(small, frame)

    def _scene(self, world: World, surface: pygame.Surface, view: View) -> None:
        size = surface.get_size()
        if size not in self._sky:
            self._sky[size] = scenery.sky(size)
        if self._level != world.level:
            self._level = world.level
            width, height = world.level.size
            self._terrain = scenery.terrain((int(width), int(height)), world.entities)
        surface.blit(self._sky[size], (0, 0))
        scenery.clouds(surface, world.frame)
        scenery.hills(surface, view.x)
        surface.blit(self._terrain, -view)
        for platform in world.platforms:
            scenery.rail(surface, platform, view)
        for guard in world.guards:
            _cone(world, guard, surface, view)
        for entity in world.entities:
            _entity(world, entity, surface, view)
        for speck in world.particles.specks:
            side = 1 + speck.life // 12
            spot = int(speck.x - view.x), int(speck.y - view.y), side, side
            surface.fill(SPECKS[speck.look], spot)
        self._overlays.speak(world, surface, view)


def _overview_scale(world: World) -> float:
    width, height = world.level.size
    return min(OVERVIEW[0] / width, OVERVIEW[1] / height)


def _entity(world: World, entity: Entity, surface: pygame.Surface, view: View) -> None:
    """Draw one entity, if it is in view."""
    at = scenery.box_of(entity).move(-int(view.x), -int(view.y))
    if not at.inflate(100, 100).colliderect(surface.get_rect()):
        return
    if isinstance(entity, Player):
        _player(world, surface, at)
    elif isinstance(entity, Npc):
        _npc(world, entity, surface, at)
    elif isinstance(entity, Door):
        _door(surface, at, entity)
    elif isinstance(entity, Coin):
        if not entity.taken:
            surface.blit(pictures.glow(16, "#ffe27a"), at.inflate(18, 18))
            surface.blit(pictures.coin(at.width, (world.frame + entity.phase) // 6 % 8), at)
    elif isinstance(entity, Exit):
        surface.blit(pictures.glow(44, "#ffd98a"), at.move(at.width // 2 - 44, -20))
        surface.blit(pictures.arch(at.size), at)
    else:
        _prop(world, entity, surface, at)


def _prop(world: World, entity: Entity, surface: pygame.Surface, at: pygame.Rect) -> None:
    """Draw what is one picture."""
    if isinstance(entity, Crate):
        surface.blit(pictures.crate(at.size), at)
    elif isinstance(entity, Plate):
        surface.blit(pictures.plate(at.size, pressed=entity.pressed), at)
    elif isinstance(entity, Spikes):
        surface.blit(pictures.spikes(at.size), at)
    elif isinstance(entity, Platform):
        surface.blit(props.platform(at.size), at)
    elif isinstance(entity, Beam):
        surface.blit(props.beam(at.size), at)
    elif isinstance(entity, Stone):
        surface.blit(props.stone(at.size), at)
    elif isinstance(entity, Checkpoint):
        flutter = world.frame // 8 % 4
        surface.blit(props.flag(at.size, flutter, up=entity.reached), at)
    elif isinstance(entity, Sign):
        surface.blit(props.sign(at.size), at)


def _door(surface: pygame.Surface, at: pygame.Rect, door: Door) -> None:
    """Draw what shows of a door beneath the wall it slides into, and its lamp."""
    hidden = round(door.lift * at.height)
    shown = pygame.Rect(0, hidden, at.width, at.height - hidden)
    surface.blit(pictures.door(at.size), at.move(0, hidden), shown)
    colour = "#7df2a0" if door.open else "#ef6a5a"
    lamp = at.move(0, hidden - 19)
    surface.blit(pictures.glow(22, colour), (lamp.centerx - 22, lamp.top - 15))
    surface.blit(pictures.lamp(lit=door.open), (lamp.centerx - 6, lamp.top))


def _player(world: World, surface: pygame.Surface, at: pygame.Rect) -> None:
    """Draw the player: the pose follows the movement, the squash the landing."""
    player = world.player
    across, down = player.velocity
    legs, stretch = "stand", 0
    if not player.grounded:
        legs, stretch = "tuck", 2 if down < -60 else 1
    elif abs(across - player.carry) > 12:
        legs = STEPS[int(player.walked / STRIDE) % len(STEPS)]
    elif world.frame // 30 % 2:
        stretch = -1
    if world.frame - player.landed_frame < 8:
        stretch = -3
    lean = 2 if player.pushing else 0
    blink = world.frame % 170 < 7 or not player.alive
    picture = pictures.person("player", legs, blink=blink, left=player.facing < 0, lean=lean)
    size = picture.get_width() - stretch, picture.get_height() + stretch
    picture = pygame.transform.scale(picture, size)
    if not player.alive:
        picture = pygame.transform.rotate(picture, 90)
    elif world.ending == "won":
        at = at.move(0, -abs((world.frame - world.ending_frame) % 24 - 12) // 2)
    surface.blit(picture, picture.get_rect(midbottom=at.midbottom))


def _npc(world: World, npc: Npc, surface: pygame.Surface, at: pygame.Rect) -> None:
    """Draw a guard or somebody else, and over a guard the mark of what he suspects."""
    moving = abs(npc.velocity.x) > 5
    legs = STEPS[int(npc.walked / STRIDE) % len(STEPS)] if moving else "stand"
    blink = (world.frame + 60 * npc.id) % 190 < 7
    stretch = 0 if moving or (world.frame + 40 * npc.id) // 34 % 2 else -1
    lean = 2 if isinstance(npc, Guard) and npc.state == "chase" else 0
    picture = pictures.person(npc.kind, legs, blink=blink, left=npc.facing < 0, lean=lean)
    size = picture.get_width(), picture.get_height() + 2 + stretch
    picture = pygame.transform.scale(picture, size)
    surface.blit(picture, picture.get_rect(midbottom=at.midbottom))
    if isinstance(npc, Guard) and npc.suspicion > 0 and not npc.speech:
        sign = "!" if npc.state == "chase" else "?"
        mark = props.mark(sign, min(8, int(npc.suspicion * 8)))
        surface.blit(mark, mark.get_rect(midbottom=(at.centerx, at.top - 4)))


def _cone(world: World, guard: Guard, surface: pygame.Surface, view: View) -> None:
    """Draw what a guard overlooks: rays that end at the first thing in their way."""
    eye, reach = guard.eye, rules.SIGHT_RANGE
    outline = [(eye.x - view.x, eye.y - view.y)]
    for ray in range(CONE_RAYS + 1):
        slope = rules.SIGHT_SLOPE * (2 * ray / CONE_RAYS - 1)
        way = View(guard.facing, slope)
        way.scale_to_length(reach)
        end = eye.x + way.x, eye.y + way.y
        hit = world.space.segment_query_first(eye, end, 0, minds.OPAQUE)
        spot = hit.point if hit else end
        outline.append((spot[0] - view.x, spot[1] - view.y))
    colour = pygame.Color(CONES.get(guard.state, "#ffe9a0"))
    shade = pictures.blank((int(2 * reach), int(2 * reach)))
    corner = View(outline[0]) - View(reach, reach)
    for depth, alpha in ((1.0, 62), (0.66, 54)):
        colour.a = alpha
        middle = View(reach, reach)
        pygame.draw.polygon(
            shade, colour, [middle + (View(p) - corner - middle) * depth for p in outline]
        )
    surface.blit(shade, corner)
