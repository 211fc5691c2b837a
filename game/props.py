"""Makes the sprites of what is carried, thrown, raised and read; as in pictures.py."""

from functools import cache

import pygame

from .drawings import HEART, INKS
from .pictures import Size, blank, mix


@cache
def platform(size: Size) -> pygame.Surface:
    """Draw a riveted iron platform with a stripe of warning."""
    width, height = size
    picture = blank(size)
    picture.fill("#59607a")
    pygame.draw.rect(picture, "#8a93ad", (0, 0, width, 3))
    for x in range(2, width - 6, 12):
        stripe = [(x, height - 2), (x + 5, 4), (x + 10, 4), (x + 5, height - 2)]
        pygame.draw.polygon(picture, "#e8b45a", stripe)
    pygame.draw.rect(picture, "#343a52", picture.get_rect(), 1, border_radius=2)
    return picture


@cache
def beam(size: Size) -> pygame.Surface:
    """Draw a thin wooden beam."""
    width, height = size
    picture = blank(size)
    picture.fill("#a8794e")
    pygame.draw.rect(picture, "#d9a76a", (0, 0, width, 2))
    pygame.draw.rect(picture, "#6b4a3a", (0, height - 2, width, 2))
    for x in range(14, width - 6, 28):
        pygame.draw.line(picture, "#8f613e", (x, 3), (x + 9, 3))
    for x in (2, width - 4):
        pygame.draw.rect(picture, "#4e3437", (x, 2, 2, 2))
    return picture


@cache
def stone(size: Size) -> pygame.Surface:
    """Draw a round grey stone."""
    picture = blank(size)
    pygame.draw.ellipse(picture, "#4b4a60", picture.get_rect())
    pygame.draw.ellipse(picture, "#9a9db0", picture.get_rect().inflate(-2, -2))
    return picture


@cache
def flag(size: Size, flutter: int, *, up: bool) -> pygame.Surface:
    """Draw a flag on its pole: rolled down and grey, or up and fluttering."""
    width, height = size
    picture = blank(size)
    pygame.draw.rect(picture, "#6b4a3a", (3, 0, 3, height))
    pygame.draw.circle(picture, "#e8b45a", (4, 2), 2)
    if up:
        tip = (width - 1, 9 + (-1, 0, 1, 0)[flutter])
        pygame.draw.polygon(picture, "#d8574f", [(6, 3), tip, (6, 17)])
        pygame.draw.polygon(picture, "#f08a72", [(6, 3), tip, (6, 9)])
    else:
        pygame.draw.polygon(
            picture, "#8d96ab", [(6, height - 20), (9, height - 8), (6, height - 6)]
        )
    return picture


@cache
def sign(size: Size) -> pygame.Surface:
    """Draw a board on a post."""
    width, height = size
    picture = blank(size)
    pygame.draw.rect(picture, "#6b4a3a", (width // 2 - 2, 6, 4, height - 6))
    pygame.draw.rect(picture, "#c9955d", (0, 0, width, 13), border_radius=2)
    pygame.draw.rect(picture, "#7a5036", (0, 0, width, 13), 1, border_radius=2)
    for y in (4, 7):
        pygame.draw.line(picture, "#7a5036", (4, y), (width - 6, y))
    return picture


@cache
def heart(*, full: bool) -> pygame.Surface:
    """Draw a heart: one life, there or gone."""
    picture = blank((len(HEART[0]), len(HEART)))
    for y, row in enumerate(HEART):
        for x, ink in enumerate(row):
            if ink in INKS:
                picture.set_at((x, y), INKS[ink] if full or ink == "o" else "#5a5068")
    return picture


@cache
def mark(sign: str, fullness: int) -> pygame.Surface:
    """Draw the mark over a guard's head: a bubble that fills with suspicion, of 8 eighths."""
    picture = blank((15, 18))
    colour = mix("#ffd866", "#ef5a4a", fullness / 8)
    pygame.draw.polygon(picture, "#2b2438", [(5, 12), (7, 17), (10, 12)])
    pygame.draw.circle(picture, "#2b2438", (7, 7), 7)
    level = 13 - 12 * fullness // 8
    disc = blank((15, 15))
    pygame.draw.circle(disc, colour, (7, 7), 5)
    disc.fill((0, 0, 0, 0), (0, 0, 15, level))
    pygame.draw.circle(picture, "#fff3d0", (7, 7), 5)
    picture.blit(disc, (0, 0))
    bar = "#ffffff" if sign == "!" and fullness > 5 else "#2b2438"
    if sign == "!":
        pygame.draw.rect(picture, bar, (6, 3, 3, 5))
    else:
        pygame.draw.lines(picture, bar, False, [(5, 5), (6, 4), (8, 4), (9, 5), (9, 6), (7, 7)])
    pygame.draw.rect(picture, bar, (6, 9, 3 if sign == "!" else 2, 2))
    return picture
