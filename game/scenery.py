"""Paints what does not move: the sky with its hills, and the ground with its grass."""

import math
import random

import pygame

from . import pictures
from .entities import Entity, Platform
from .pictures import Size

SKY = ("#5c78b0", "#9fb8d8", "#f3d9c0", "#f9e6c8")
HILLS = (
    ("#a3b1cc", 0.1, 205, 26, 0.011),
    ("#8198b4", 0.2, 238, 22, 0.017),
    ("#6a8f9c", 0.35, 272, 16, 0.025),
)
"""Each range of hills: colour, share of the camera's way, height of its line, swing, density."""

CLOUDS = ((40, 52, 46), (210, 30, 30), (330, 78, 38), (520, 44, 54))
"""Each cloud: where it starts, how high, how long."""


def sky(size: Size) -> pygame.Surface:
    """Paint the evening sky and a low sun."""
    width, height = size
    picture = pygame.Surface(size)
    for y in range(height):
        band, share = divmod(y / height * (len(SKY) - 1), 1)
        colour = pictures.mix(SKY[int(band)], SKY[int(band) + 1], share)
        pygame.draw.line(picture, colour, (0, y), (width, y))
    sun = int(width * 0.72), int(height * 0.5)
    picture.blit(pictures.glow(90, "#fff0c0"), (sun[0] - 90, sun[1] - 90))
    pygame.draw.circle(picture, "#fff4d6", sun, 24)
    return picture


def clouds(surface: pygame.Surface, frame: int) -> None:
    """Let the clouds drift with the frames."""
    width = surface.get_width()
    for start, y, length in CLOUDS:
        x = (start + frame // 12) % (width + 2 * length) - length
        for part, (shift, rise, share) in enumerate(((0, 4, 0.7), (0.25, 0, 0.6), (0.5, 3, 0.6))):
            puff = pygame.Rect(x + shift * length, y + rise, share * length, 11 - part)
            pygame.draw.ellipse(surface, "#eef2f6", puff)


def hills(surface: pygame.Surface, way: float) -> None:
    """Paint the ranges of hills, the far ones slower than the near as the camera goes."""
    width, height = surface.get_size()
    for colour, share, line, swing, density in HILLS:
        outline, low = [(0, height)], line * height // 360
        for x in range(0, width + 8, 8):
            along = (x + way * share) * density
            outline.append((x, int(low + swing * (math.sin(along) + 0.4 * math.sin(2.7 * along)))))
        pygame.draw.polygon(surface, colour, [*outline, (width, height)])
        if share == HILLS[-1][1]:
            _pines(surface, outline[1:], colour)


def _pines(surface: pygame.Surface, line: list[tuple[int, int]], colour: str) -> None:
    """Set pines of several heights along a line of hills."""
    for place, (x, y) in enumerate(line):
        tall = 8 + place * 5 % 9
        if place * 7 % 5 < 2:
            pygame.draw.polygon(surface, colour, [(x - 5, y + 3), (x, y - tall), (x + 5, y + 3)])


def terrain(size: Size, entities: list[Entity]) -> pygame.Surface:
    """Paint the ground, the walls and the halls behind them on one see-through layer."""
    layer = pictures.blank(size)
    for entity in entities:
        box = box_of(entity)
        if entity.kind == "ground":
            layer.blit(pictures.soil(box.size, size[1] - box.top, entity.id), box)
        elif entity.kind == "wall":
            _battlements(layer, box)
        elif entity.kind == "hall":
            layer.blit(pictures.bricks(box.size, "#5d5670", "#4a445c"), box)
    for entity in entities:
        if entity.kind == "ground":
            _edges(layer, box_of(entity), random.Random(entity.id))
    return layer


def rail(surface: pygame.Surface, platform: Platform, view: pygame.Vector2) -> None:
    """Draw the rail that a platform swings along."""
    start, end = (pygame.Vector2(*place) - view for place in (platform.home, platform.to))
    pygame.draw.line(surface, "#6d7490", start, end, 3)
    pygame.draw.line(surface, "#a3abc4", start, end, 1)
    for stop in (start, end):
        pygame.draw.circle(surface, "#343a52", stop, 4)
        pygame.draw.circle(surface, "#a3abc4", stop, 2)


def box_of(entity: Entity) -> pygame.Rect:
    """Say which pixels an entity covers."""
    box = pygame.Rect(0, 0, int(entity.size[0]), int(entity.size[1]))
    box.center = round(entity.position.x), round(entity.position.y)
    return box


def _battlements(layer: pygame.Surface, box: pygame.Rect) -> None:
    layer.blit(pictures.bricks(box.size, "#a9a6b8", "#77738a"), box)
    merlon = pictures.bricks((16, 10), "#a9a6b8", "#77738a")
    for x in range(box.left, box.right - 8, 26):
        layer.blit(merlon, (x, box.top - 10))
    pygame.draw.rect(layer, "#c6c3d0", (box.left, box.top, box.width, 2))
    pygame.draw.rect(layer, "#5f5b73", (box.left, box.bottom - 3, box.width, 3))


def _edges(layer: pygame.Surface, box: pygame.Rect, scatter: random.Random) -> None:
    """Darken the open sides of a piece of ground and let grass grow on its open top."""
    for y in range(box.top, box.bottom):
        for x, beside in ((box.left, box.left - 1), (box.right - 1, box.right)):
            if _is_open(layer, beside, y):
                layer.fill("#6b4a48", (min(x, 2 * x - beside), y, 2, 1))
    for x in range(box.left, box.right):
        if _is_open(layer, x, box.bottom):
            layer.fill("#6b4a48", (x, box.bottom - 2, 1, 2))
    tops = [x for x in range(box.left, box.right) if _is_open(layer, x, box.top - 1)]
    for x in tops:
        depth = scatter.choice((4, 5, 5, 6, 7))
        layer.fill("#5f8f52", (x, box.top, 1, depth))
        layer.fill("#86bb5e", (x, box.top, 1, depth - 2))
        layer.fill("#b3d977", (x, box.top, 1, 1))
    for x in tops:
        _plant(layer, x, box.top, scatter)


def _plant(layer: pygame.Surface, x: int, top: int, scatter: random.Random) -> None:
    chance = scatter.random()
    if chance < 0.16:
        layer.fill("#86bb5e", (x, top - 2, 1, 2))
    elif chance < 0.19:
        layer.fill("#5f8f52", (x, top - 5, 1, 5))
        petal = scatter.choice(("#f6f0e0", "#f2a7b5", "#f7d66b"))
        layer.fill(petal, (x - 1, top - 6, 3, 2))


def _is_open(layer: pygame.Surface, x: int, y: int) -> bool:
    return layer.get_rect().collidepoint(x, y) and layer.get_at((x, y)).a == 0
