"""A yard of shapes for questions to the world: each thing is made by the test that needs it."""

import pymunk

LIVE = []
TYPES = {"dynamic": 0, "kinematic": 1, "static": 2}


class Thing:
    def __init__(self, space, number, name, at, size=(20, 20), kind="static", **more):
        self.id, self.name = number, name
        self.size = size
        self.visible = more.pop("visible", True)
        self.mood = "calm"
        self.body = pymunk.Body(1, more.pop("moment", float("inf")), TYPES[kind])
        self.body.position = at
        self.body.angle = more.pop("angle", 0)
        self.body.velocity = more.pop("velocity", (0, 0))
        self.shape = pymunk.Poly.create_box(self.body, size)
        for key, value in more.items():
            setattr(self.shape, key, value)
        space.add(self.body, self.shape)


class Yard:
    def __init__(self):
        LIVE[:] = [self]

    def reset(self, scene, seed):
        self.frame = 0
        self.space = pymunk.Space()
        self.space.gravity = (0, 600)
        self.things = []
        self.each_step = []

    def add(self, name, at, *args, **more):
        thing = Thing(self.space, len(self.things), name, at, *args, **more)
        self.things = [*self.things, thing]
        return thing

    def step(self, inputs):
        self.frame += 1
        for act in self.each_step:
            act(self.frame)
        self.space.step(inputs.dt)

    def state(self):
        return (self.frame,)

    def entities(self):
        return self.things
