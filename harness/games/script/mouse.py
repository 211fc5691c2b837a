"""``pygame.mouse``, and the events of the pointer, its buttons and its wheel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.games.script.runtime import Patches, Runtime
from harness.values.keys import MOUSE_BUTTONS

Place = tuple[int, int]

_NUMBERS = {"left": 1, "middle": 2, "right": 3, "x1": 6, "x2": 7}
"""The buttons as events tell them: 4 and 5 are the wheel."""


class Mouse:
    """Where the pointer is, in the program's eyes.

    ``move`` puts it where the input says. After the program itself has put it elsewhere, or while
    it is hidden and grabbed, the input moves it by as much as it moves.
    """

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self.begin()

    def begin(self) -> None:
        """The pointer is at the top left, and nothing is held."""
        self._at: Place = (0, 0)
        self._input: Place = (0, 0)
        self._since: Place = (0, 0)
        self._strayed = self._relative = self._grabbed = False
        self._held: frozenset[str] = frozenset()
        self._just: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())

    def install(self, patches: Patches) -> None:
        """Replace the getters of state, and what moves the pointer."""
        import pygame

        self._pygame = pygame
        for function in (*self._getters(pygame), *self._setters(pygame)):
            if hasattr(pygame.mouse, function.__name__):
                patches.put(pygame.mouse, function.__name__, function)
        for function in self._grabs():
            patches.put(pygame.event, function.__name__, function)

    def _getters(self, pygame: Any) -> Iterator[Any]:
        needs_video = pygame.mouse.get_pos

        def get_pos(*_: Any) -> Place:
            needs_video()  # raises where the real one does
            return self._at

        def get_rel() -> Place:
            needs_video()
            moved, self._since = self._since, (0, 0)
            return moved

        def get_pressed(num_buttons: int = 3, **_: Any) -> tuple[bool, ...]:
            needs_video()
            if num_buttons not in (3, 5):
                raise ValueError("Number of buttons needs to be 3 or 5.")
            return tuple(name in self._held for name in MOUSE_BUTTONS[:num_buttons])

        def get_just_pressed() -> tuple[bool, ...]:
            return tuple(name in self._just[0] for name in MOUSE_BUTTONS)

        def get_just_released() -> tuple[bool, ...]:
            return tuple(name in self._just[1] for name in MOUSE_BUTTONS)

        def get_focused() -> bool:
            return bool(pygame.display.get_surface())

        yield from (get_pos, get_rel, get_pressed)
        yield from (get_just_pressed, get_just_released, get_focused)

    def _setters(self, pygame: Any) -> Iterator[Any]:
        needs_video = pygame.mouse.get_pos

        def set_pos(*place: Any) -> None:
            needs_video()
            x, y = place if len(place) == 2 else place[0]
            if not self._runtime.heeds():
                return
            self._strayed = True
            self._moved((int(x), int(y)))

        def set_relative_mode(enable: bool) -> None:
            self._relative = bool(enable)

        def get_relative_mode() -> bool:
            return self._relative

        yield from (set_pos, set_relative_mode, get_relative_mode)

    def _grabs(self) -> Iterator[Any]:
        """A window that is nowhere cannot grab; the program must not see that."""

        def set_grab(grab: bool, /) -> None:
            self._grabbed = bool(grab)

        def get_grab() -> bool:
            return self._grabbed

        yield from (set_grab, get_grab)

    def move(self, pointer: tuple[float, float]) -> None:
        """Have the pointer where the input has it."""
        there = (int(pointer[0]), int(pointer[1]))
        if there == self._input:
            return
        step = (there[0] - self._input[0], there[1] - self._input[1])
        self._input = there
        pygame = self._pygame
        caught = self._relative or (self._grabbed and not pygame.mouse.get_visible())
        if caught or self._strayed:
            self._moved((self._at[0] + step[0], self._at[1] + step[1]), hold_in=True)
        else:
            self._moved(there)

    def _moved(self, place: Place, hold_in: bool = False) -> None:
        rel = (place[0] - self._at[0], place[1] - self._at[1])
        if rel == (0, 0):
            return
        self._since = (self._since[0] + rel[0], self._since[1] + rel[1])
        surface = self._pygame.display.get_surface()
        if hold_in and surface is not None:
            width, height = surface.get_size()
            place = (min(max(place[0], 0), width - 1), min(max(place[1], 0), height - 1))
        self._at = place
        buttons = tuple(int(name in self._held) for name in MOUSE_BUTTONS[:3])
        self._post(self._pygame.MOUSEMOTION, pos=place, rel=rel, buttons=buttons)

    def hold(self, wanted: frozenset[str]) -> None:
        """Have exactly these buttons held; what changes is posted."""
        if wanted == self._held and not self._just[0] and not self._just[1]:
            return
        pygame = self._pygame
        pressed, released = wanted - self._held, self._held - wanted
        self._held, self._just = wanted, (pressed, released)
        for kind, names in ((pygame.MOUSEBUTTONUP, released), (pygame.MOUSEBUTTONDOWN, pressed)):
            for name in sorted(names):
                self._post(kind, pos=self._at, button=_NUMBERS[name])

    def turn(self, wheel: tuple[float, float]) -> None:
        """Turn the wheel by notches; older programs hear of it as buttons 4 and 5."""
        across, up = wheel
        if not across and not up:
            return
        pygame = self._pygame
        for _ in range(abs(int(up))):
            button = 4 if up > 0 else 5
            self._post(pygame.MOUSEBUTTONDOWN, pos=self._at, button=button)
            self._post(pygame.MOUSEBUTTONUP, pos=self._at, button=button)
        whole = {"x": int(across), "y": int(up), "precise_x": across, "precise_y": up}
        self._post(pygame.MOUSEWHEEL, flipped=False, **whole)

    def _post(self, kind: int, **attributes: Any) -> None:
        self._runtime.post(kind, **attributes, touch=False, window=None)
