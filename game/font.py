"""A small bitmap font of the game's own, so that no picture depends on a system font."""

import pygame

from .drawings import GLYPHS

GLYPH_SIZE = 5, 7
ADVANCE = 6


class Font:
    """Draws lines of text in capitals; small letters become capitals, strangers become `?`."""

    def __init__(self) -> None:
        self._lines: dict[tuple[str, str, int], pygame.Surface] = {}

    def width(self, text: str, scale: int = 1) -> int:
        """Say how wide a line would be, in pixels."""
        return max(0, len(text) * ADVANCE - 1) * scale

    def draw(
        self, surface: pygame.Surface, text: str, at: tuple[int, int], colour: str, scale: int = 1
    ) -> None:
        """Draw one line with its top left corner at a place."""
        key = text.upper(), colour, scale
        if key not in self._lines:
            self._lines[key] = self._line(*key)
        surface.blit(self._lines[key], at)

    def _line(self, text: str, colour: str, scale: int) -> pygame.Surface:
        line = pygame.Surface((max(1, self.width(text)), GLYPH_SIZE[1]), pygame.SRCALPHA)
        for place, letter in enumerate(text):
            for y, row in enumerate(GLYPHS.get(letter, GLYPHS["?"])):
                for x in range(GLYPH_SIZE[0]):
                    if row >> (GLYPH_SIZE[0] - 1 - x) & 1:
                        line.set_at((place * ADVANCE + x, y), colour)
        size = line.get_width() * scale, line.get_height() * scale
        return pygame.transform.scale(line, size)
