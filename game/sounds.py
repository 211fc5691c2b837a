"""Plays the cues of a game with small sounds made here, where there is a mixer to play them."""

import math
from array import array
from collections.abc import Iterable

import pygame

RATE = 22050
TONES = {
    "jump": (300, 620, 0.10),
    "land": (120, 70, 0.06),
    "coin": (900, 1500, 0.14),
    "press": (220, 160, 0.08),
    "release": (160, 220, 0.08),
    "open": (180, 420, 0.25),
    "close": (420, 180, 0.25),
    "throw": (500, 300, 0.08),
    "knock": (260, 110, 0.07),
    "checkpoint": (520, 1040, 0.22),
    "respawn": (260, 520, 0.20),
    "talk": (340, 380, 0.12),
    "notice": (440, 560, 0.16),
    "alarm": (880, 660, 0.30),
    "calm": (400, 300, 0.16),
    "hurt": (400, 90, 0.25),
    "lost": (300, 60, 0.60),
    "won": (520, 1250, 0.60),
}
"""The sound of each cue: from one pitch to another in so many seconds."""


class Sounds:
    """Every cue's sound, made once; without a mixer it is silent."""

    def __init__(self) -> None:
        self._sounds: dict[str, pygame.mixer.Sound] = {}
        if pygame.mixer.get_init():
            self._sounds = {name: _sound(*tone) for name, tone in TONES.items()}

    def play(self, cues: Iterable[tuple[str, float, float]]) -> None:
        """Play what a step let be heard."""
        for name, _, _ in cues:
            if name in self._sounds:
                self._sounds[name].play()


def _sound(first: float, last: float, seconds: float) -> pygame.mixer.Sound:
    """Make a tone that slides from one pitch to another and fades."""
    length, turn, wave = int(RATE * seconds), 0.0, array("h")
    for sample in range(length):
        along = sample / length
        turn += (first + (last - first) * along) / RATE
        wave.append(int(7000 * (1 - along) * math.sin(math.tau * turn)))
    return pygame.mixer.Sound(buffer=wave.tobytes())
