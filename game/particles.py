"""Dust and sparkles: they have their own generator, and no rule ever reads them."""

import random
from collections.abc import Iterable
from dataclasses import dataclass

from . import rules

BURSTS = {
    "jump": ("dust", 5, 40.0),
    "land": ("dust", 8, 60.0),
    "press": ("dust", 10, 70.0),
    "coin": ("spark", 16, 110.0),
    "open": ("spark", 10, 90.0),
    "hurt": ("smoke", 12, 100.0),
    "knock": ("dust", 6, 50.0),
    "checkpoint": ("spark", 14, 90.0),
    "respawn": ("spark", 12, 80.0),
    "alarm": ("smoke", 6, 60.0),
    "lost": ("smoke", 18, 120.0),
    "won": ("spark", 30, 150.0),
}
"""What each cue scatters: the look, how many, and how fast in pixels a second."""

LIFE = 36
"""How many frames a particle lives."""


@dataclass
class Particle:
    """One speck on its way."""

    look: str
    x: float
    y: float
    across: float
    down: float
    life: int


class Particles:
    """All the specks in the air."""

    def __init__(self, cosmetic_rng: random.Random) -> None:
        self.cosmetic_rng = cosmetic_rng
        self.specks: list[Particle] = []

    def step(self, cues: Iterable[tuple[str, float, float]]) -> None:
        """Scatter specks for the cues of this step and move those in the air."""
        for name, x, y in cues:
            if name in BURSTS:
                self._burst(name, x, y)
        for speck in self.specks:
            speck.x += speck.across * rules.DT
            speck.y += speck.down * rules.DT
            speck.down += (40.0 if speck.look == "dust" else 160.0) * rules.DT
            speck.life -= 1
        if self.specks:
            self.specks = [speck for speck in self.specks if speck.life > 0]

    def _burst(self, name: str, x: float, y: float) -> None:
        look, count, speed = BURSTS[name]
        pick = self.cosmetic_rng.uniform
        for _ in range(count):
            across = pick(-speed, speed)
            down = pick(-speed, 0) * (0.4 if look == "dust" else 1.0)
            life = self.cosmetic_rng.randrange(LIFE // 2, LIFE)
            self.specks.append(Particle(look, x, y, across, down, life))
