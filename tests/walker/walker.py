"""Somebody who walks, trips and leaves; tests make it lie by replacing its `whim`."""

import random
import sys
import time  # noqa: F401  (for the whims that tests write)

WORDS = ["ash", "birch", "cedar", "dogwood", "elm", "fir", "gum", "hazel", "ivy", "juniper"]


class Walker:
    name = "walker"

    def __init__(self):
        self.x = 0
        self.health = 3


class WalkerGame:
    def reset(self, scene, seed):
        self.scene = scene
        self.rng = random.Random(seed)
        self.walker = Walker()
        self.luck = self.rng.randrange(1000)
        self.frame = 0
        self.whim = 0

    def step(self, inputs):
        self.frame += 1
        self.walker.x += ("right" in inputs.held) - ("left" in inputs.held)
        if "trip" in inputs.pressed:
            self._trip(inputs)
        if "leave" in inputs.pressed:
            sys.exit(self.walker.x)
        self.whim = 0

    def _trip(self, inputs):
        raise ValueError(f"tripped over {self.walker.x}")

    def state(self):
        return (self.frame, self.walker.x, self.walker.health, self.luck, self.whim)

    def entities(self):
        return [self.walker]

    def names(self):
        return {"game": self}
