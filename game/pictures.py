"""Makes each sprite once, from its size alone; a sprite made twice is the same surface."""

import random
from functools import cache

import pygame

from .drawings import BLINK, BODY, CLOTHES, INKS, LEGS

Size = tuple[int, int]

LEG_ROWS = 5


def blank(size: Size) -> pygame.Surface:
    """Make a see-through surface."""
    return pygame.Surface(size, pygame.SRCALPHA)


def mix(one: str, other: str, share: float) -> pygame.Color:
    """Mix two colours; a share of 0 is the first."""
    return pygame.Color(one).lerp(pygame.Color(other), min(1.0, max(0.0, share)))


@cache
def person(look: str, legs: str, *, blink: bool, left: bool, lean: int) -> pygame.Surface:
    """Draw somebody's body over one pose of the legs, in the clothes of a look."""
    inks = {**INKS, **CLOTHES[look]}
    rows = [BLINK.get(y, row) if blink else row for y, row in enumerate(BODY)]
    picture = blank((20, len(BODY) + LEG_ROWS))
    for y, row in enumerate((*rows, *LEGS[legs])):
        shift = 2 + (lean if y < len(BODY) else 0)
        for x, ink in enumerate(row):
            if ink in inks:
                picture.set_at((x + shift, y), inks[ink])
    return pygame.transform.flip(picture, left, False)


@cache
def crate(size: Size) -> pygame.Surface:
    """Draw a wooden box: planks, a frame, a brace and nails, lit from the upper left."""
    width, height = size
    picture = blank(size)
    picture.fill("#b98450")
    for y in range(4, height - 4, 5):
        pygame.draw.line(picture, "#c9955d", (4, y), (width - 5, y))
        pygame.draw.line(picture, "#8f613e", (4, y + 4), (width - 5, y + 4))
    pygame.draw.line(picture, "#7a5036", (5, height - 5), (width - 6, 4), 5)
    pygame.draw.line(picture, "#d9a76a", (4, height - 6), (width - 6, 4), 3)
    pygame.draw.rect(picture, "#cf9a60", picture.get_rect(), 5)
    pygame.draw.rect(picture, "#7a5036", picture.get_rect().inflate(-8, -8), 1)
    pygame.draw.lines(picture, "#eec68a", False, [(1, height - 2), (1, 1), (width - 2, 1)])
    pygame.draw.rect(picture, "#4e3437", picture.get_rect(), 1, border_radius=2)
    for x in (3, width - 4):
        for y in (3, height - 4):
            picture.set_at((x, y), "#5d3f38")
    return picture


@cache
def coin(diameter: int, turn: int) -> pygame.Surface:
    """Draw a coin at one of eight stages of its spin."""
    picture = blank((diameter, diameter))
    width = (diameter, diameter - 2, diameter // 2 + 1, 4, 2, 4, diameter // 2 + 1, diameter - 2)[
        turn
    ]
    face = pygame.Rect(0, 0, width, diameter)
    face.center = diameter // 2, diameter // 2
    pygame.draw.ellipse(picture, "#a8702c", face)
    pygame.draw.ellipse(picture, "#f4c64c", face.inflate(-2, -2))
    if width > 6:
        pygame.draw.ellipse(picture, "#fde79a", face.inflate(-6, -6).move(-1, -1))
        pygame.draw.ellipse(picture, "#dd9f37", face.inflate(-8, -6))
    return picture


@cache
def spikes(size: Size) -> pygame.Surface:
    """Draw a row of steel spikes."""
    width, height = size
    picture = blank(size)
    for left in range(0, width - 5, 8):
        tip, right = (left + 4, 0), left + 8
        pygame.draw.polygon(picture, "#8d96ab", [(left, height), tip, (right, height)])
        pygame.draw.polygon(picture, "#d9dfe8", [(left, height), tip, (left + 4, height)])
        pygame.draw.line(picture, "#565d75", tip, (right - 1, height))
        picture.set_at(tip, "#ffffff")
    pygame.draw.rect(picture, "#565d75", (0, height - 2, width, 2))
    return picture


@cache
def plate(size: Size, *, pressed: bool) -> pygame.Surface:
    """Draw a plate of stone on a metal bed; pressed, it glows."""
    width, height = size
    picture = blank(size)
    top = height - 2 if pressed else 0
    pygame.draw.rect(picture, "#74d68a" if pressed else "#e07a5f", (3, top, width - 6, height))
    pygame.draw.line(picture, "#b9f3be" if pressed else "#f4b29a", (3, top), (width - 4, top))
    pygame.draw.rect(picture, "#4b4a60", (0, height - 1, width, 1))
    return picture


@cache
def door(size: Size) -> pygame.Surface:
    """Draw a door of dark planks with iron bands."""
    width, height = size
    picture = blank(size)
    picture.fill("#7d5443")
    for x in range(0, width, 4):
        pygame.draw.line(picture, "#95694f", (x + 1, 0), (x + 1, height))
        pygame.draw.line(picture, "#5a3b37", (x + 3, 0), (x + 3, height))
    for y in (8, height // 2 - 2, height - 14):
        pygame.draw.rect(picture, "#474a5e", (0, y, width, 4))
        pygame.draw.line(picture, "#7b8098", (0, y), (width, y))
        picture.set_at((width // 2, y + 2), "#c9cddc")
    pygame.draw.rect(picture, "#38293a", picture.get_rect(), 1)
    return picture


@cache
def glow(radius: int, colour: str) -> pygame.Surface:
    """Draw a soft round light."""
    picture = blank((2 * radius, 2 * radius))
    for reach in range(radius, 0, -1):
        light = pygame.Color(colour)
        light.a = int(110 * (1 - reach / radius) ** 2)
        pygame.draw.circle(picture, light, (radius, radius), reach)
    return picture


@cache
def lamp(*, lit: bool) -> pygame.Surface:
    """Draw the lamp over a door: green when the door is open."""
    picture = blank((12, 14))
    pygame.draw.rect(picture, "#38324a", (0, 0, 12, 14), border_radius=3)
    pygame.draw.rect(picture, "#7df2a0" if lit else "#ef6a5a", (3, 3, 6, 8), border_radius=2)
    pygame.draw.rect(picture, "#e8fff0" if lit else "#ffd0c4", (4, 4, 2, 3))
    return picture


@cache
def arch(size: Size) -> pygame.Surface:
    """Draw the way out: an arch full of evening light."""
    width, height = size
    picture = blank(size)
    for inset in range(5):
        colour = mix("#8a6a72", "#fff3c4", inset / 4)
        frame = pygame.Rect(inset, inset, width - 2 * inset, height - inset)
        curve = width // 2 - inset
        pygame.draw.rect(
            picture, colour, frame, border_top_left_radius=curve, border_top_right_radius=curve
        )
    return picture


@cache
def bricks(size: Size, light: str, dark: str) -> pygame.Surface:
    """Draw a wall of stones, each of its own shade."""
    width, height = size
    picture = blank(size)
    picture.fill(dark)
    shades = random.Random(width * height)
    for row, y in enumerate(range(0, height, 10)):
        for x in range(-10 * (row % 2), width, 20):
            colour = mix(light, dark, shades.uniform(0.0, 0.4))
            pygame.draw.rect(picture, colour, (x + 1, y + 1, 18, 8), border_radius=2)
            pygame.draw.line(picture, colour.lerp("#ffffff", 0.25), (x + 3, y + 1), (x + 16, y + 1))
    return picture


@cache
def soil(size: Size, above: int, seed: int) -> pygame.Surface:
    """Draw earth with pebbles in it, the darker the nearer to the level's bottom, far below."""
    width, height = size
    picture = blank(size)
    for y in range(height):
        colour = mix("#5b3f4a", "#a87a54", (above - y) / 150)
        pygame.draw.line(picture, colour, (0, y), (width, y))
    scatter = random.Random(seed)
    for _ in range(width * height // 160):
        x, y = scatter.randrange(width), scatter.randrange(height)
        shade = mix("#5b3f4a", "#a87a54", (above - y) / 150 + scatter.choice((-0.3, 0.3)))
        pygame.draw.ellipse(picture, shade, (x, y, scatter.choice((2, 3, 5)), 2))
    return picture
