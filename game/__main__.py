"""Plays the game in a window, with keyboard and mouse or a pad: `python -m game [SCENE]`."""

import sys
import time
from pathlib import Path
from typing import Any

import pygame
import yaml

from .adapter import CrateGame
from .inputs import STICK_REACH, Inputs
from .sounds import RATE, Sounds

MOST_STEPS = 5
"""Steps made up for at most after a pause of the machine; the rest of the time is dropped."""

PAD_BUTTONS = {0: "pad:a", 1: "pad:b", 2: "pad:x", 3: "pad:y", 6: "pad:back", 7: "pad:start"}
MOUSE_BUTTONS = {1: "mouse:left", 2: "mouse:middle", 3: "mouse:right"}
DOWN = (pygame.KEYDOWN, pygame.MOUSEBUTTONDOWN, pygame.JOYBUTTONDOWN)
UP = (pygame.KEYUP, pygame.MOUSEBUTTONUP, pygame.JOYBUTTONUP)


class Controls:
    """Turns keys, the mouse and the pads into the buttons that harness.yaml names."""

    def __init__(self, buttons: dict[str, list[str]]) -> None:
        self._buttons = buttons
        self._down: set[str] = set()
        self._tapped: set[str] = set()
        self._before: frozenset[str] = frozenset()
        self._pointer = (0.0, 0.0)
        self._pads: list[pygame.joystick.JoystickType] = []

    def hear(self, event: pygame.event.Event) -> None:
        """Note an event; a short tap between two steps is kept for the next."""
        if event.type == pygame.JOYDEVICEADDED:
            self._pads.append(pygame.joystick.Joystick(event.device_index))
        elif event.type == pygame.MOUSEMOTION:
            self._pointer = float(event.pos[0]), float(event.pos[1])
        elif event.type in DOWN:
            self._down.add(_trigger(event))
            self._tapped.add(_trigger(event))
        elif event.type in UP:
            self._down.discard(_trigger(event))

    def frame(self) -> Inputs:
        """Say what the next step reads."""
        # Pads without two sticks give their buttons alone.
        pads = [pad for pad in self._pads if pad.get_init() and pad.get_numaxes() >= 5]
        triggers = self._down.union(self._tapped, *map(_pushed, pads))
        self._tapped.clear()
        held = frozenset(
            button for button, bound in self._buttons.items() if triggers.intersection(bound)
        )
        pressed, self._before = held - self._before, held
        axes = [(f"right_{way}", pad.get_axis(3 + i)) for pad in pads for i, way in enumerate("xy")]
        return Inputs(held, pressed, self._pointer, tuple(axes))


def _trigger(event: pygame.event.Event) -> str:
    if event.type in (pygame.KEYDOWN, pygame.KEYUP):
        return pygame.key.name(event.key)
    if event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        return MOUSE_BUTTONS.get(event.button, "")
    return PAD_BUTTONS.get(event.button, "")


def _pushed(pad: pygame.joystick.JoystickType) -> set[str]:
    """Read the left stick and the cross as the ways of a pad."""
    x, y = pad.get_axis(0), pad.get_axis(1)
    if pad.get_numhats():
        x, y = x + pad.get_hat(0)[0], y - pad.get_hat(0)[1]
    ways = {"pad:left": -x, "pad:right": x, "pad:down": y}
    return {way for way, reach in ways.items() if reach > STICK_REACH}


def main() -> None:
    """Play from the title, or the scene that is named, until the window is closed."""
    config = yaml.safe_load((Path(__file__).parent / "harness.yaml").read_text(encoding="utf-8"))
    scene = sys.argv[1] if len(sys.argv) > 1 else "title"
    pygame.mixer.pre_init(RATE, -16, 1)
    pygame.init()
    pygame.display.set_caption(config["title"])
    window = pygame.display.set_mode(config["size"], pygame.SCALED | pygame.RESIZABLE)
    _play(config, scene, window)
    pygame.quit()


def _play(config: dict[str, Any], scene: str, window: pygame.Surface) -> None:
    """Run the loop of "Fix your timestep": real time is saved up and spent in whole steps."""
    game, controls, sounds = CrateGame(), Controls(config["buttons"]), Sounds()
    game.reset(scene, int(time.time()))
    clock, dt, saved = pygame.time.Clock(), 1 / config["tick_rate"], 0.0
    while True:
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                return
            controls.hear(event)
        saved = min(saved + clock.tick(2 * config["tick_rate"]) / 1000, MOST_STEPS * dt)
        while saved >= dt:
            game.step(controls.frame())
            sounds.play(game.game.cues)
            saved -= dt
        game.draw(window)
        pygame.display.flip()


if __name__ == "__main__":
    main()
