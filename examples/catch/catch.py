"""Catch the apples: the rules alone. No window, no clock, no generator but the game's own."""

import random

LEFT, RIGHT, FLOOR = 20, 300, 220
BASKET_SPEED, FALL_SPEED = 360, 120
APPLE_EVERY = 48
REACH = 24


class Basket:
    """What the player moves."""

    name = "basket"

    def __init__(self):
        self.x = 160.0


class Apple:
    """What falls. Its name says which apple it is, its kind that it is one."""

    kind = "apple"

    def __init__(self, number, x):
        self.name = f"apple{number}"
        self.x, self.y = x, 0.0


class Catch:
    """The game: the window plays it, and so does the harness."""

    def reset(self, scene, seed):
        self.rng = random.Random(seed)
        self.basket, self.apples = Basket(), []
        self.frame = self.caught = self.missed = 0

    @property
    def over(self):
        return self.missed == 3

    def step(self, inputs):
        if self.over:
            return
        way = ("right" in inputs.held) - ("left" in inputs.held)
        self.basket.x += way * BASKET_SPEED * inputs.dt
        self.basket.x = max(LEFT, min(RIGHT, self.basket.x))
        if self.frame % APPLE_EVERY == 0:
            number = self.frame // APPLE_EVERY + 1
            self.apples.append(Apple(number, self.rng.randint(LEFT, RIGHT)))
        self.frame += 1
        for apple in list(self.apples):
            apple.y += FALL_SPEED * inputs.dt
            if apple.y >= FLOOR:
                self._land(apple)

    def _land(self, apple):
        self.apples.remove(apple)
        if abs(apple.x - self.basket.x) <= REACH:
            self.caught += 1
        else:
            self.missed += 1

    def state(self):
        return self.frame, self.caught, self.missed, self.basket.x

    def entities(self):
        return [self.basket, *self.apples]

    def names(self):
        return {"game": self}

    def draw(self, surface, camera=None):
        import pygame

        surface.fill("skyblue")
        pygame.draw.rect(surface, "saddlebrown", (self.basket.x - 20, FLOOR, 40, 12))
        for apple in self.apples:
            pygame.draw.circle(surface, "crimson", (apple.x, apple.y), 6)
