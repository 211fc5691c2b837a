"""Bodies that pile up and fall asleep, joints, sparks, and somebody who jumps on them."""

import random

import pymunk


class Jumper:
    name = "jumper"
    id = 1

    def __init__(self, space):
        self.body = pymunk.Body(1, float("inf"))
        self.body.position = 40, 60
        shape = pymunk.Poly.create_box(self.body, (10, 20))
        shape.friction = 0.6
        space.add(self.body, shape)
        self.jumps = 0

    @property
    def position(self):
        return self.body.position


class Heap:
    def reset(self, scene, seed):
        self.rng = random.Random(seed)
        self.space = pymunk.Space()
        self.space.gravity = 0, 500
        self.space.sleep_time_threshold = 0.4
        floor = pymunk.Segment(self.space.static_body, (-500, 300), (2000, 305), 4)
        floor.friction = 0.8
        self.space.add(floor)
        self.jumper = Jumper(self.space)
        for index in range(int(scene.partition("-")[2])):
            self.add_box(60 + 11 * (index % 40) + self.rng.random(), 280 - 11 * (index // 40))
        self.add_chain(5)
        self.sparks = []
        self.steps = 0

    def add_box(self, x, y):
        body = pymunk.Body(1, 20)
        body.position = x, y
        shape = pymunk.Poly.create_box(body, (10, 10))
        shape.friction, shape.elasticity = 0.6, 0.1
        self.space.add(body, shape)

    def add_chain(self, links):
        before = self.space.static_body
        for index in range(links):
            body = pymunk.Body(1, 10)
            body.position = 20 + 12 * index, 20
            self.space.add(body, pymunk.Circle(body, 4))
            anchor = (20, 20) if before is self.space.static_body else (6, 0)
            self.space.add(pymunk.PivotJoint(before, body, anchor, (-6, 0)))
            before = body

    def step(self, inputs):
        self.steps += 1
        body = self.jumper.body
        body.velocity = 60 * (("right" in inputs.held) - ("left" in inputs.held)), body.velocity.y
        if "jump" in inputs.pressed:
            self.jumper.jumps += 1
            body.apply_impulse_at_local_point((0, -260))
            self.sparks += [[body.position.x, self.rng.uniform(-1, 1)] for _ in range(8)]
        for spark in self.sparks:
            spark[0] += spark[1] + self.rng.gauss(0, 0.1)
        self.sparks = self.sparks[-64:]
        self.space.step(inputs.dt)

    def state(self):
        return self.steps, len(self.sparks), sum(x for x, _ in self.sparks)

    def entities(self):
        return [self.jumper]
