"""Draws what lies over the scene: hearts and coins, speech, and the words of each status."""

import pygame

from . import pictures, props, scenery
from .entities import Sign
from .font import Font
from .game import LEVELS, Game
from .world import World

READ_REACH = 56
PALE = "#fff3d0"
WORDS = {
    "paused": ("PAUSED", "#fff3d0", "P GOES ON - R STARTS AGAIN - BACKSPACE LEAVES"),
    "won": ("YOU MADE IT!", "#b9f3be", "ENTER GOES ON - R PLAYS AGAIN"),
    "lost": ("OUCH!", "#f6a79a", "ENTER PLAYS AGAIN"),
}


class Overlays:
    """Draws text and signs of status; it keeps letters, and nothing of the play."""

    def __init__(self) -> None:
        self._font = Font()

    def draw(self, game: Game, surface: pygame.Surface) -> None:
        """Draw what the status of a game calls for."""
        if game.status == "title":
            self._title(game, surface)
            return
        self._counts(game, surface)
        world = game.world
        hint = "THE DOOR IS OPEN" if any(door.open for door in world.doors) else world.level.title
        self._centred(surface, hint, 16, PALE, 1)
        if game.status in WORDS:
            text, colour, help_ = WORDS[game.status]
            third = surface.get_height() // 3
            if game.status == "paused":
                _dim(surface, 120)
            self._centred(surface, text, third, colour, 3)
            self._centred(surface, help_, third + 40, PALE, 1)

    def speak(self, world: World, surface: pygame.Surface, view: pygame.Vector2) -> None:
        """Draw a bubble over everybody who speaks, and over a sign that the player stands at."""
        place = world.player.position
        for entity in world.entities:
            if isinstance(entity, Sign):
                near = abs(entity.home.x - place.x) < READ_REACH
                if near and abs(entity.home.y - place.y) < READ_REACH:
                    self._bubble(surface, entity.text, scenery.box_of(entity), view)
        for npc in world.npcs:
            if npc.speech:
                self._bubble(surface, npc.speech, scenery.box_of(npc), view)

    def _bubble(
        self, surface: pygame.Surface, text: str, box: pygame.Rect, view: pygame.Vector2
    ) -> None:
        at = box.move(-int(view.x), -int(view.y))
        width = self._font.width(text)
        bubble = pygame.Rect(0, 0, width + 14, 19)
        bubble.midbottom = at.centerx, at.top - 8
        bubble.clamp_ip(surface.get_rect().inflate(-8, -8))
        tail = [(at.centerx - 4, bubble.bottom - 1), (at.centerx, bubble.bottom + 5)]
        tail.append((at.centerx + 4, bubble.bottom - 1))
        pygame.draw.rect(surface, "#2b2438", bubble.inflate(2, 2), border_radius=7)
        pygame.draw.polygon(surface, "#2b2438", [(x, y + 1) for x, y in tail])
        pygame.draw.rect(surface, "#fffaf0", bubble, border_radius=6)
        pygame.draw.polygon(surface, "#fffaf0", tail)
        self._font.draw(surface, text, (bubble.left + 7, bubble.top + 6), "#3a2c3f")

    def _counts(self, game: Game, surface: pygame.Surface) -> None:
        """Draw the coins, and the lives as hearts where a level gives more than one."""
        coins = f"{game.coins_taken}/{len(game.coins)}"
        _plaque(surface, pygame.Rect(8, 8, 58, 22))
        surface.blit(pictures.coin(14, 0), (14, 12))
        self._font.draw(surface, coins, (36, 16), PALE)
        most = game.world.level.lives
        if most > 1:
            left = surface.get_width() - 14 * most - 16
            _plaque(surface, pygame.Rect(left, 8, 14 * most + 8, 22))
            for life in range(most):
                heart = props.heart(full=life < game.lives)
                surface.blit(heart, (left + 7 + 14 * life, 15))

    def _title(self, game: Game, surface: pygame.Surface) -> None:
        """Draw the name of the game, and the level that is chosen."""
        _dim(surface, 70)
        height = surface.get_height()
        for shift, colour in ((3, "#4e3437"), (0, "#ffd98a")):
            self._line(surface, "CRATE AND DOOR", height // 5 + shift, colour, 6)
        level = f"<  {game.chosen + 1}. THE {LEVELS[game.chosen].upper()}  >"
        self._centred(surface, level, height // 2, "#ffffff", 2)
        self._centred(surface, "LEFT AND RIGHT CHOOSE - ENTER STARTS", height // 2 + 34, PALE, 1)

    def _line(self, surface: pygame.Surface, text: str, top: int, colour: str, scale: int) -> None:
        left = (surface.get_width() - self._font.width(text, scale)) // 2
        self._font.draw(surface, text, (left, top), colour, scale)

    def _centred(
        self, surface: pygame.Surface, text: str, top: int, colour: str, scale: int
    ) -> None:
        """Draw a line in the middle, on a plaque."""
        width = self._font.width(text, scale)
        left = (surface.get_width() - width) // 2
        _plaque(surface, pygame.Rect(left - 8, top - 8, width + 16, 7 * scale + 15))
        self._line(surface, text, top, colour, scale)


def _plaque(surface: pygame.Surface, box: pygame.Rect) -> None:
    """Darken a box behind some text."""
    shade = pictures.blank(box.size)
    pygame.draw.rect(shade, (43, 36, 56, 170), shade.get_rect(), border_radius=6)
    surface.blit(shade, box)


def _dim(surface: pygame.Surface, depth: int) -> None:
    """Darken everything."""
    shade = pictures.blank(surface.get_size())
    shade.fill((43, 36, 56, depth))
    surface.blit(shade, (0, 0))
