"""A sprite, a clock and a line of text, drawn; tests change one of them by a little."""

import random

import pygame

SPECKS = 40


class Thing:
    def __init__(self, number, name, rect):
        self.id = number
        self.name = name
        self.rect = list(rect)
        self.visible = True
        self.colour = [200, 60, 60]


class Gallery:
    def reset(self, scene, seed):
        self.scene = scene
        self.rng = random.Random(seed)
        self.frame = 0
        self.words = "score 10"
        self.spoil = ""
        self.sprite = Thing(0, "sprite", (20, 30, 16, 16))
        self.clock = Thing(1, "clock", (120, 4, 36, 12))
        self.far = Thing(2, "far", (500, 500, 10, 10))
        self.specks = [(self.rng.randrange(160), self.rng.randrange(60, 90)) for _ in range(SPECKS)]

    def step(self, inputs):
        self.frame += 1
        self.sprite.rect[0] += ("right" in inputs.held) - ("left" in inputs.held)
        if "spoil" in inputs.pressed:
            self.spoil = "spoil"
        if "crash" in inputs.pressed:
            self.spoil = "crash"

    def draw(self, surface, camera=None):
        if self.spoil == "crash":
            raise ValueError("no paint left")
        if self.spoil:
            self.sprite.colour[0] -= 1
        if camera not in (None, "near"):
            raise ValueError(f"no camera named {camera!r}")
        surface.fill((30, 40, 60))
        if self.scene == "empty":
            return
        random.random()  # of the process's own generator: whoever draws must not be noticed
        for x, y in self.specks:
            surface.set_at((x, y), (90, 140, 90))
        pygame.draw.rect(surface, self.sprite.colour, self.sprite.rect)
        shown = [self.clock.rect[0] + self.frame % 30, *self.clock.rect[1:2], 4, 8]
        pygame.draw.rect(surface, (240, 240, 120), shown)
        font = pygame.font.Font(None, 16)
        surface.blit(font.render(self.words, False, (255, 255, 255)), (4, 4))
        if camera == "near":
            surface.blit(pygame.transform.scale(surface.copy(), (320, 180)), (0, 0))

    def view(self, camera=None):
        return (0, 0, 80, 45) if camera == "near" else (0, 0, 160, 90)

    def state(self):
        return (self.frame, self.spoil, self.scene, self.words)

    def entities(self):
        return [self.sprite, self.clock, self.far]

    def names(self):
        return {"game": self}
