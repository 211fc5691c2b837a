"""Plays the game in a window, with keyboard and mouse or a pad: `python -m game [SCENE]`."""

import sys
import time
from pathlib import Path
from typing import Any

import pygame
import yaml

from .adapter import CrateGame
from .inputs import Inputs
from .sounds import RATE, Sounds

MOST_STEPS = 5
"""Steps made up for at most after a pause of the machine; the rest of the time is dropped."""

PAD_BUTTONS = {0: "pad:a", 1: "pad:b", 2: "pad:x", 3: "pad:y", 6: "pad:back", 7: "pad:start"}
PAD_AXES = {"right_x": 3, "right_y": 4}
MOUSE_BUTTONS = {1: "mouse:left", 2: "mouse:middle", 3: "mouse:right"}
STICK_REACH = 0.4
DOWN = (pygame.KEYDOWN, pygame.MOUSEBUTTONDOWN, pygame.JOYBUTTONDOWN)
UP = (pygame.KEYUP, pygame.MOUSEBUTTONUP, pygame.JOYBUTTONUP)


class Controls:
    """Turns keys, the mouse and the pad into the buttons that harness.yaml names."""

    def __init__(self, buttons: dict[str, list[str]]) -> None:
        self._buttons: dict[int | str, list[str]] = {}
        for button, triggers in buttons.items():
            for trigger in triggers:
                code = trigger if ":" in trigger else pygame.key.key_code(trigger)
                self._buttons.setdefault(code, []).append(button)
        self._down: set[int | str] = set()
        self._tapped: set[int | str] = set()
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
        triggers = self._down | self._tapped
        held = frozenset(b for trigger in triggers for b in self._buttons.get(trigger, ()))
        held |= self._stick()
        axes = tuple(axis for pad in self._present() for axis in _right_stick(pad))
        frame = Inputs(held, held - self._before, self._pointer, axes)
        self._before = held
        self._tapped.clear()
        return frame

    def _present(self) -> list[pygame.joystick.JoystickType]:
        return [pad for pad in self._pads if pad.get_init()]

    def _stick(self) -> frozenset[str]:
        """Read the left stick and the cross as the four ways."""
        pads = self._present()
        ways = [(pad.get_axis(0), pad.get_axis(1)) for pad in pads if pad.get_numaxes() > 1]
        ways += [(pad.get_hat(0)[0], -pad.get_hat(0)[1]) for pad in pads if pad.get_numhats()]
        across = {"right" if x > 0 else "left" for x, _ in ways if abs(x) > STICK_REACH}
        return frozenset(across | {"down" for _, y in ways if y > STICK_REACH})


def _trigger(event: pygame.event.Event) -> int | str:
    if event.type in (pygame.KEYDOWN, pygame.KEYUP):
        return int(event.key)
    if event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        return MOUSE_BUTTONS.get(event.button, "")
    return PAD_BUTTONS.get(event.button, "")


def _right_stick(pad: pygame.joystick.JoystickType) -> list[tuple[str, float]]:
    return [(name, pad.get_axis(i)) for name, i in PAD_AXES.items() if i < pad.get_numaxes()]


def main() -> int:
    """Play from the title, or the scene that is named, until the window is closed."""
    config = yaml.safe_load((Path(__file__).parent / "harness.yaml").read_text(encoding="utf-8"))
    scene = sys.argv[1] if len(sys.argv) > 1 else "title"
    pygame.mixer.pre_init(RATE, -16, 1)
    pygame.init()
    pygame.display.set_caption(config["title"])
    window = pygame.display.set_mode(config["size"], pygame.SCALED | pygame.RESIZABLE)
    _play(config, scene, window)
    pygame.quit()
    return 0


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
    sys.exit(main())
