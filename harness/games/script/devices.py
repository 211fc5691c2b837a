"""One frame's input, as the real events that a keyboard, a mouse and a pad would have made."""

from __future__ import annotations

from collections.abc import Mapping

from harness.games.script.keyboard import Keyboard
from harness.games.script.mouse import Mouse
from harness.games.script.pads import Pads
from harness.games.script.runtime import Patches, Runtime
from harness.values.inputs import InputFrame


class Devices:
    """The keyboard, the mouse and the pads of one program."""

    def __init__(self, runtime: Runtime, pads: int = 0) -> None:
        self._runtime = runtime
        self.keyboard, self.mouse = Keyboard(runtime), Mouse(runtime)
        self.pads = Pads(runtime, pads)
        self._held: frozenset[str] | None = None
        self._parted: dict[str, frozenset[str]] = {}
        self.buttons: Mapping[str, tuple[str, ...]] = {}
        """The buttons that the game's harness.yaml names, each with what it is bound to."""

    def install(self, patches: Patches) -> None:
        """Replace all getters of state."""
        for device in (self.keyboard, self.mouse, self.pads):
            device.install(patches)

    def begin(self) -> None:
        """Nothing is held."""
        self._held, self._parted = None, self._controls(frozenset())
        for device in (self.keyboard, self.mouse, self.pads):
            device.begin()

    def play(self, inputs: InputFrame) -> None:
        """Post what a frame's input changes."""
        if inputs.held is not self._held:
            self._held, self._parted = inputs.held, self._controls(inputs.held)
        held = self._parted
        self.mouse.move(inputs.pointer)
        self.keyboard.hold(held["key"])
        self.mouse.hold(held["mouse"])
        self.pads.play(held["pad"], dict(inputs.axes))
        self.mouse.turn(inputs.wheel)
        if inputs.text:
            self.keyboard.type(inputs.text)
        if inputs.quit:
            import pygame

            self._runtime.post(pygame.QUIT)

    def _controls(self, held: frozenset[str]) -> dict[str, frozenset[str]]:
        """The controls of each device; a button that is held as such is its first control."""
        controls = {word for word in held if ":" in word}
        for word in held - controls:
            bound = self.buttons.get(word, ())
            if bound and not controls.intersection(bound):
                controls.add(bound[0])
        found: dict[str, set[str]] = {"key": set(), "mouse": set(), "pad": set()}
        for control in controls:
            device, _, name = control.partition(":")
            found[device].add(name)
        return {device: frozenset(names) for device, names in found.items()}
