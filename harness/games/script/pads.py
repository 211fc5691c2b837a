"""``pygame.joystick``: pads that are played by the input, and the events that they make.

One is plugged in when the input first uses it, or from the start where the game's ``pads`` says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from harness.games.script.runtime import Patches, Runtime
from harness.values.keys import PAD_AXES

NAME = "Xbox 360 Controller"

_BUTTONS = {
    "a": 0,
    "b": 1,
    "x": 2,
    "y": 3,
    "left_shoulder": 4,
    "right_shoulder": 5,
    "back": 6,
    "start": 7,
    "guide": 8,
    "left_stick": 9,
    "right_stick": 10,
}
"""As pygame's documentation numbers them; the directions are the hat."""

_AXES = {
    "left_x": 0,
    "left_y": 1,
    "left_trigger": 2,
    "right_x": 3,
    "right_y": 4,
    "right_trigger": 5,
}


class Pads:
    """What the pads show; the input plays the first."""

    def __init__(self, runtime: Runtime, plugged: int = 0) -> None:
        self._runtime = runtime
        self._from_start = plugged
        self.begin()

    def begin(self) -> None:
        """Nothing is held, and as many are plugged in as are from the start."""
        self.count = self._from_start
        self.buttons: frozenset[str] = frozenset()
        self.axes: dict[str, float] = {}
        self._running = False

    def install(self, patches: Patches) -> None:
        """Replace the module's functions, and its class."""
        import pygame

        kind = type("JoystickType", (Joystick,), {"pads": self, "__module__": "pygame.joystick"})

        def init() -> None:
            self._running = True

        def quit() -> None:
            self._running = False

        def get_init() -> bool:
            return self._running

        def get_count() -> int:
            if not self._running:
                raise pygame.error("joystick system not initialized")
            return self.count

        for function in (init, quit, get_init, get_count):
            patches.put(pygame.joystick, function.__name__, function)
        for name in ("Joystick", "JoystickType"):
            patches.put(pygame.joystick, name, kind)
        for name, running in (("init", True), ("quit", False)):
            patches.put(pygame, name, self._following(getattr(pygame, name), running))

    def _following(self, real: Any, running: bool) -> Any:
        """``pygame.init`` and ``pygame.quit`` take the joysticks with them."""

        def call() -> Any:
            self._running = running
            return real()

        return call

    def play(self, held: frozenset[str], axes: Mapping[str, float]) -> None:
        """Have exactly these buttons held and axes moved; what changes is posted."""
        if not held and not axes and not self.buttons and not self.axes:
            return
        import pygame

        if not self.count:
            self.count = 1
            self._runtime.post(pygame.JOYDEVICEADDED, device_index=0, guid="0" * 32)
        before, self.buttons = self.buttons, held
        hat_before = hat(before)
        for kind, names in (
            (pygame.JOYBUTTONUP, before - held),
            (pygame.JOYBUTTONDOWN, held - before),
        ):
            for name in sorted(names & _BUTTONS.keys()):
                self._post(kind, button=_BUTTONS[name])
        if hat(held) != hat_before:
            self._post(pygame.JOYHATMOTION, hat=0, value=hat(held))
        moved = {**dict.fromkeys(self.axes, 0.0), **axes}
        for name in PAD_AXES:
            if name in moved and moved[name] != self.axes.get(name, 0.0):
                self._post(pygame.JOYAXISMOTION, axis=_AXES[name], value=moved[name])
        self.axes = {name: value for name, value in axes.items() if value}

    def _post(self, kind: int, **attributes: Any) -> None:
        self._runtime.post(kind, joy=0, instance_id=0, **attributes)


def hat(held: frozenset[str]) -> tuple[int, int]:
    """The four directions as pygame's hat has them: up is 1."""
    return ("right" in held) - ("left" in held), ("up" in held) - ("down" in held)


class Joystick:
    """One pad as a program holds it."""

    pads: ClassVar[Pads]

    def __init__(self, id: int) -> None:
        import pygame

        if not 0 <= id < self.pads.count:
            raise pygame.error("Invalid joystick device number")
        self._id = id

    def init(self) -> None:
        """Nothing: it is ready as it is made."""

    def quit(self) -> None:
        """Nothing: there is no device to let go of."""

    def get_init(self) -> bool:
        """Whether it is ready."""
        return True

    def get_id(self) -> int:
        """Which pad it is."""
        return self._id

    get_instance_id = get_id

    def get_guid(self) -> str:
        """An identity that says nothing."""
        return "0" * 32

    def get_name(self) -> str:
        """What kind of pad it is."""
        return NAME

    def get_power_level(self) -> str:
        """How it is powered."""
        return "wired"

    def get_numaxes(self) -> int:
        """How many axes it has."""
        return len(_AXES)

    def get_numbuttons(self) -> int:
        """How many buttons it has."""
        return len(_BUTTONS)

    def get_numhats(self) -> int:
        """How many hats it has."""
        return 1

    def get_numballs(self) -> int:
        """How many trackballs it has."""
        return 0

    def get_axis(self, axis_number: int) -> float:
        """Where an axis stands, -1 to 1; a trigger rests at -1."""
        name = _named(_AXES, axis_number, "axis")
        rest = -1.0 if name.endswith("trigger") else 0.0
        return self.pads.axes.get(name, rest) if not self._id else rest

    def get_button(self, button: int) -> bool:
        """Whether a button is held."""
        name = _named(_BUTTONS, button, "button")
        return not self._id and name in self.pads.buttons

    def get_hat(self, hat_number: int) -> tuple[int, int]:
        """Where the hat stands."""
        if hat_number != 0:
            _named({}, hat_number, "hat")
        return hat(self.pads.buttons) if not self._id else (0, 0)

    def rumble(self, low_frequency: float, high_frequency: float, duration: int) -> bool:
        """It does not shake."""
        return False

    def stop_rumble(self) -> None:
        """It does not shake."""

    def set_led(self, _color: Any) -> bool:
        """It has no light."""
        return False


def _named(numbers: Mapping[str, int], wanted: int, kind: str) -> str:
    import pygame

    for name, number in numbers.items():
        if number == wanted:
            return name
    raise pygame.error(f"Invalid joystick {kind}")
