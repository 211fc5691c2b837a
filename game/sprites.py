"""Draws a world: where each sprite goes and which of its poses it shows, read from the state."""

from __future__ import annotations

import pygame

from . import pictures, scenery
from .entities import Coin, Crate, Door, Entity, Exit, Plate, Player, Spikes
from .font import Font
from .level import Level
from .world import World

CAMERAS = ("main", "overview")
STRIDE = 7.0
STEPS = ("apart", "pass", "apart", "pass")
SPECKS = {"dust": "#e9dcc0", "spark": "#ffe27a", "smoke": "#6a5570"}
ENDINGS = {"won": ("YOU MADE IT!", "#b9f3be"), "lost": ("OUCH!", "#f6a79a")}


class Painter:
    """Draws worlds through one of the CAMERAS; it keeps sprites, and nothing of the play."""

    def __init__(self) -> None:
        self._font = Font()
        self._level: Level | None = None
        self._terrain = pictures.blank((1, 1))
        self._sky: dict[tuple[int, int], pygame.Surface] = {}

    def draw(self, world: World, surface: pygame.Surface, camera: str | None = None) -> None:
        """Draw a world: the view that follows the player, or the overview of the whole level."""
        if camera not in (None, *CAMERAS):
            raise ValueError(f"no camera named {camera!r}; there are: {', '.join(CAMERAS)}")
        if camera == "overview":
            self._overview(world, surface)
        else:
            self._scene(world, surface, self._follow(world, surface))
        self._hud(world, surface)

    def _follow(self, world: World, surface: pygame.Surface) -> pygame.Vector2:
        """Say where the view's corner is: around the player, inside the level."""
        place = []
        view, middle = surface.get_size(), world.player.position
        for centre, shown, whole in zip(middle, view, world.level.size, strict=True):
            place.append(round(max(0.0, min(centre - shown / 2, whole - shown))))
        return pygame.Vector2(place)

    def _overview(self, world: World, surface: pygame.Surface) -> None:
        width, height = (int(length) for length in world.level.size)
        whole = pygame.Surface((width, height))
        self._scene(world, whole, pygame.Vector2())
        room = surface.get_rect().inflate(-80, -80)
        scale = min(room.width / width, room.height / height)
        small = pygame.transform.smoothscale(whole, (int(width * scale), int(height * scale)))
        frame = small.get_rect(center=surface.get_rect().center)
        surface.fill("#2b2438")
        pygame.draw.rect(surface, "#c9955d", frame.inflate(8, 8), border_radius=4)
        surface.blit(small, frame)

    def _scene(self, world: World, surface: pygame.Surface, view: pygame.Vector2) -> None:
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
        for entity in world.entities:
            self._entity(world, entity, surface, view)
        for speck in world.particles.specks:
            side = 1 + speck.life // 12
            spot = int(speck.x - view.x), int(speck.y - view.y), side, side
            surface.fill(SPECKS[speck.look], spot)

    def _entity(
        self, world: World, entity: Entity, surface: pygame.Surface, view: pygame.Vector2
    ) -> None:
        box = scenery.box_of(entity)
        at = box.move(-int(view.x), -int(view.y))
        if isinstance(entity, Player):
            self._player(world, surface, at)
        elif isinstance(entity, Crate):
            surface.blit(pictures.crate(box.size), at)
        elif isinstance(entity, Plate):
            surface.blit(pictures.plate(box.size, pressed=entity.pressed), at)
        elif isinstance(entity, Spikes):
            surface.blit(pictures.spikes(box.size), at)
        elif isinstance(entity, Exit):
            surface.blit(pictures.glow(44, "#ffd98a"), at.move(at.width // 2 - 44, -20))
            surface.blit(pictures.arch(box.size), at)
        elif isinstance(entity, Door):
            self._door(surface, at, entity)
        elif isinstance(entity, Coin) and not entity.taken:
            turn = (world.frame + entity.phase) // 6 % 8
            surface.blit(pictures.glow(16, "#ffe27a"), at.inflate(18, 18))
            surface.blit(pictures.coin(box.width, turn), at)

    def _door(self, surface: pygame.Surface, at: pygame.Rect, door: Door) -> None:
        """Draw what shows of a door beneath the wall it slides into, and its lamp."""
        hidden = round(door.lift * at.height)
        shown = pygame.Rect(0, hidden, at.width, at.height - hidden)
        surface.blit(pictures.door(at.size), at.move(0, hidden), shown)
        colour = "#7df2a0" if door.open else "#ef6a5a"
        lamp = at.move(0, -19)
        surface.blit(pictures.glow(22, colour), (lamp.centerx - 22, lamp.top - 15))
        surface.blit(pictures.lamp(lit=door.open), (lamp.centerx - 6, lamp.top))

    def _player(self, world: World, surface: pygame.Surface, at: pygame.Rect) -> None:
        player = world.player
        across, down = player.velocity
        legs, stretch = "stand", 0
        if not player.grounded:
            legs, stretch = "tuck", 2 if down < -60 else 1
        elif abs(across) > 12:
            legs = STEPS[int(player.walked / STRIDE) % len(STEPS)]
        elif world.frame // 30 % 2:
            stretch = -1
        if world.frame - player.landed_frame < 8:
            stretch = -3
        lean = 2 if player.pushing else 0
        blink = world.frame % 170 < 7 or not player.alive
        picture = pictures.player(legs, blink=blink, left=player.facing < 0, lean=lean)
        size = picture.get_width() - stretch, picture.get_height() + stretch
        picture = pygame.transform.scale(picture, size)
        if not player.alive:
            picture = pygame.transform.rotate(picture, 90)
        elif world.status == "won":
            at = at.move(0, -abs((world.frame - world.status_frame) % 24 - 12) // 2)
        surface.blit(picture, picture.get_rect(midbottom=at.midbottom))

    def _hud(self, world: World, surface: pygame.Surface) -> None:
        height = surface.get_height()
        coins = f"{world.coins_taken}/{len(world.coins)}"
        self._plaque(surface, pygame.Rect(8, 8, 58, 22))
        surface.blit(pictures.coin(14, 0), (14, 12))
        self._font.draw(surface, coins, (36, 16), "#fff3d0")
        hint = "THE DOOR IS OPEN" if any(door.open for door in world.doors) else world.level.title
        self._centred(surface, hint, 16, "#fff3d0", 1)
        if world.status in ENDINGS:
            text, colour = ENDINGS[world.status]
            self._centred(surface, text, height // 3, colour, 3)
            self._centred(surface, "PRESS R TO PLAY AGAIN", height // 3 + 36, "#fff3d0", 1)

    def _centred(
        self, surface: pygame.Surface, text: str, top: int, colour: str, scale: int
    ) -> None:
        width = self._font.width(text, scale)
        left = (surface.get_width() - width) // 2
        self._plaque(surface, pygame.Rect(left - 8, top - 8, width + 16, 7 * scale + 15))
        self._font.draw(surface, text, (left, top), colour, scale)

    def _plaque(self, surface: pygame.Surface, box: pygame.Rect) -> None:
        """Darken a box behind some text."""
        shade = pictures.blank(box.size)
        pygame.draw.rect(shade, (43, 36, 56, 170), shade.get_rect(), border_radius=6)
        surface.blit(shade, box)
