"""Catch the apples in a window: the only file with a clock. Play it with: python window.py"""

import time
from typing import NamedTuple

import pygame
from catch import Catch

TICK_RATE = 60
KEYS = {
    pygame.K_LEFT: "left",
    pygame.K_a: "left",
    pygame.K_RIGHT: "right",
    pygame.K_d: "right",
}


class Buttons(NamedTuple):
    """What one step reads, under the names of harness.yaml."""

    held: frozenset
    pressed: frozenset
    dt: float


def main():
    pygame.init()
    window = pygame.display.set_mode((320, 240))
    clock = pygame.time.Clock()
    game, before = Catch(), frozenset()
    game.reset("orchard", seed=int(time.time()))
    while not game.over:
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                return
        clock.tick(TICK_RATE)
        keys = pygame.key.get_pressed()
        held = frozenset(button for key, button in KEYS.items() if keys[key])
        game.step(Buttons(held, held - before, 1 / TICK_RATE))
        before = held
        game.draw(window)
        pygame.display.set_caption(f"caught {game.caught}, missed {game.missed}")
        pygame.display.flip()
    print(f"You caught {game.caught} apples.")


if __name__ == "__main__":
    main()
