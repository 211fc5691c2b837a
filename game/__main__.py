"""Plays the game in a window: `python -m game`. R starts again, Esc leaves."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pygame
import yaml

from .adapter import CrateGame

MOST_STEPS = 5
"""Steps made up for at most after a pause of the machine; the rest of the time is dropped."""

PAD_BUTTONS = {0: "pad:a", 1: "pad:b", 2: "pad:x", 3: "pad:y"}
STICK_REACH = 0.4


@dataclass(frozen=True)
class Frame:
    """The buttons of one frame."""

    held: frozenset[str] = frozenset()
    pressed: frozenset[str] = frozenset()
    released: frozenset[str] = frozenset()


class Controls:
    """Turns keys and the pad into the buttons that harness.yaml names."""

    def __init__(self, buttons: dict[str, list[str]]) -> None:
        self._buttons: dict[int | str, str] = {}
        for button, triggers in buttons.items():
            for trigger in triggers:
                is_pad = trigger.startswith("pad:")
                self._buttons[trigger if is_pad else pygame.key.key_code(trigger)] = button
        self._down: set[int | str] = set()
        self._tapped: set[str] = set()
        self._before: frozenset[str] = frozenset()
        self._pads: list[pygame.joystick.JoystickType] = []

    def hear(self, event: pygame.event.Event) -> None:
        """Note a key or a pad's button; a short tap between two steps is kept for the next."""
        if event.type == pygame.JOYDEVICEADDED:
            self._pads.append(pygame.joystick.Joystick(event.device_index))
        elif event.type in (pygame.KEYDOWN, pygame.JOYBUTTONDOWN):
            self._down.add(self._trigger(event))
            self._tapped.add(self._buttons.get(self._trigger(event), ""))
        elif event.type in (pygame.KEYUP, pygame.JOYBUTTONUP):
            self._down.discard(self._trigger(event))

    def frame(self) -> Frame:
        """Say which buttons the next step reads."""
        down = {self._buttons.get(trigger, "") for trigger in self._down}
        held = frozenset((down | self._tapped | self._stick()) - {""})
        frame = Frame(held, held - self._before, self._before - held)
        self._before = held
        self._tapped.clear()
        return frame

    def _trigger(self, event: pygame.event.Event) -> int | str:
        if event.type in (pygame.KEYDOWN, pygame.KEYUP):
            return int(event.key)
        return PAD_BUTTONS.get(event.button, "")

    def _stick(self) -> set[str]:
        pads = [pad for pad in self._pads if pad.get_init()]
        ways = [pad.get_axis(0) for pad in pads if pad.get_numaxes()]
        ways += [pad.get_hat(0)[0] for pad in pads if pad.get_numhats()]
        right = {"right" for way in ways if way > STICK_REACH}
        return right | {"left" for way in ways if way < -STICK_REACH}


def main() -> int:
    """Play the first scene until the window is closed."""
    config = yaml.safe_load((Path(__file__).parent / "harness.yaml").read_text(encoding="utf-8"))
    pygame.init()
    pygame.display.set_caption(config["title"])
    window = pygame.display.set_mode(config["size"], pygame.SCALED | pygame.RESIZABLE)
    _play(config, window)
    pygame.quit()
    return 0


def _play(config: dict[str, Any], window: pygame.Surface) -> None:
    """Run the loop of "Fix your timestep": real time is saved up and spent in whole steps."""
    game, controls, dt = CrateGame(), Controls(config["buttons"]), 1 / config["tick_rate"]
    scene, seed = next(iter(config["scenes"])), int(time.time())
    game.reset(scene, seed)
    clock, saved = pygame.time.Clock(), 0.0
    while True:
        for event in pygame.event.get():
            key = event.key if event.type == pygame.KEYDOWN else None
            if event.type == pygame.QUIT or key == pygame.K_ESCAPE:
                return
            if key == pygame.K_r:
                seed += 1
                game.reset(scene, seed)
            controls.hear(event)
        saved = min(saved + clock.tick(2 * config["tick_rate"]) / 1000, MOST_STEPS * dt)
        while saved >= dt:
            game.step(controls.frame())
            saved -= dt
        game.draw(window)
        pygame.display.flip()


if __name__ == "__main__":
    sys.exit(main())
