"""An honest native game: a walker that counts what it is told, and a ball that falls and rolls."""

import random

import pymunk

LIVE = []
"""The game object of this process, for tests that change it behind the driver's back."""


class Walker:
    def __init__(self, rng):
        self.name = "walker"
        self.id = 1
        self.rng = rng
        self.x = 0
        self.presses = 0
        self.releases = 0
        self.steps = 0
        self.luck = 0.0
        self.typed = ""
        self.pointer = (0.0, 0.0)
        self.bag = [1, 2, 3]
        self.kit = {"rope": {"metres": 3}}

    @property
    def position(self):
        return pymunk.Vec2d(self.x, 0)

    @property
    def far(self):
        return self.x > 20

    def trip(self):
        self.x -= 1
        return True

    def look(self):
        return self.rng.random()


class Ball:
    def __init__(self):
        self.name = "ball"
        self.id = 2
        self.kind = "round"
        self.body = pymunk.Body(1, 10)
        self.shape = pymunk.Circle(self.body, 5)
        self.shape.friction = 0.5
        self.shape.collision_type = 1
        self.body.position = 100, 50

    @property
    def position(self):
        return self.body.position


class Floor:
    def __init__(self, space):
        self.name = "floor"
        self.id = 3
        self.shapes = [pymunk.Segment(space.static_body, (0, 100), (300, 110), 2)]
        self.shapes[0].friction = 0.5


class Honest:
    def __init__(self):
        LIVE[:] = [self]

    def reset(self, scene, seed):
        self.scene = scene
        self.rng = random.Random(seed)
        self.walker = Walker(self.rng)
        self.space = pymunk.Space()
        self.space.gravity = 0, 300
        self.ball, self.floor = Ball(), Floor(self.space)
        self.space.add(self.ball.body, self.ball.shape, *self.floor.shapes)
        self.things = [self.walker, self.ball, self.floor]

    def step(self, inputs):
        walker = self.walker
        walker.steps += 1
        walker.x += "right" in inputs.held
        walker.x -= "left" in inputs.held
        walker.presses += len(inputs.pressed)
        walker.releases += len(inputs.released)
        walker.typed += inputs.text
        walker.pointer = inputs.pointer
        walker.luck = self.rng.random()
        if "jump" in inputs.pressed:
            self.ball.body.apply_impulse_at_local_point((30 * walker.luck, -100))
        self.space.step(inputs.dt)

    def state(self):
        walker = self.walker
        return walker.x, walker.presses, walker.steps, self.scene

    def entities(self):
        return self.things
