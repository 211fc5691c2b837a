"""A ball that rolls and jumps; it wins when it reaches the right side."""

import random

import pymunk

FLOOR, GOAL = 340, 600


class Ball:
    """What the player moves."""

    name = "ball"

    def __init__(self, space, x):
        self.body = pymunk.Body(1, pymunk.moment_for_circle(1, 0, 12))
        self.body.position = x, FLOOR - 12
        self.shape = pymunk.Circle(self.body, 12)
        self.shape.friction = 1
        space.add(self.body, self.shape)

    @property
    def position(self):
        return self.body.position


class BallGame:
    """Everything that the harness needs of a game."""

    def reset(self, scene, seed):
        self.rng = random.Random(seed)
        self.space = pymunk.Space()
        self.space.gravity = 0, 900
        floor = pymunk.Segment(self.space.static_body, (-1000, FLOOR), (2000, FLOOR), 0)
        floor.friction = 1
        self.space.add(floor)
        self.ball = Ball(self.space, 60 + self.rng.randint(-10, 10))
        self.won = False

    def step(self, inputs):
        push = ("right" in inputs.held) - ("left" in inputs.held)
        self.ball.body.angular_velocity += push * 0.8
        if "jump" in inputs.pressed and self.ball.position.y > FLOOR - 14:
            self.ball.body.velocity -= 0, 350
        self.space.step(inputs.dt)
        self.won = self.won or self.ball.position.x >= GOAL

    def state(self):
        return (self.won,)

    def entities(self):
        return [self.ball]

    def names(self):
        return {"game": self}

    def draw(self, surface, camera=None):
        import pygame

        surface.fill("midnightblue")
        pygame.draw.rect(surface, "seagreen", (0, FLOOR, 640, 20))
        pygame.draw.line(surface, "gold", (GOAL, 0), (GOAL, FLOOR), 2)
        pygame.draw.circle(surface, "tomato", self.ball.position, 12)
