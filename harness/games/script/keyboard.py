"""``pygame.key``, and the events that holding keys makes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from harness.games.script.runtime import MILLISECOND, Patches, Runtime
from harness.values.keys import KEYS

_SHIFTED = dict(zip("1234567890-=[]\\;',./`", '!@#$%^&*()_+{}|:"<>?~', strict=True))
_NAMED_TEXT = {
    "space": " ",
    "return": "\r",
    "kp_enter": "\r",
    "tab": "\t",
    "backspace": "\x08",
    "escape": "\x1b",
    "delete": "\x7f",
}
_MODIFIERS = ("lshift", "rshift", "lctrl", "rctrl", "lalt", "ralt", "lsuper", "rsuper", "mode")
_MOD_CONSTANTS = {"lsuper": "LMETA", "rsuper": "RMETA"}
_SCANCODES = 512


class Keyboard:
    """Which keys are held, in the program's eyes."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._held: dict[str, None] = {}
        self._just: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
        self._mods_set = 0
        self._repeat = (0, 0)
        self._repeats = 0

    def install(self, patches: Patches) -> None:
        """Replace the getters of state, and the repeat, which real time would drive."""
        import pygame

        self._codes = {name: _code(pygame, name) for name in sorted(KEYS)}
        self._scans = {name: _scan(pygame, name, code) for name, code in self._codes.items()}
        self._mods = {name: _mod(pygame, name) for name in _MODIFIERS}
        self._snapshot: Any = None
        for function in (*self._states(pygame), *self._settings(pygame)):
            if hasattr(pygame.key, function.__name__):
                patches.put(pygame.key, function.__name__, function)

    def _states(self, pygame: Any) -> Iterator[Any]:
        wrapper = pygame.key.ScancodeWrapper
        needs_video = pygame.key.get_pressed

        def get_pressed() -> Any:
            needs_video()  # raises where the real one does
            if self._snapshot is None:
                self._snapshot = self._wrapped(wrapper, self._held)
            return self._snapshot

        def get_just_pressed() -> Any:
            needs_video()
            return self._wrapped(wrapper, self._just[0])

        def get_just_released() -> Any:
            needs_video()
            return self._wrapped(wrapper, self._just[1])

        yield from (get_pressed, get_just_pressed, get_just_released)

    def _settings(self, pygame: Any) -> Iterator[Any]:
        def get_mods() -> int:
            return self.mods

        def set_mods(mods: int, /) -> None:
            self._mods_set = int(mods)

        def get_focused() -> bool:
            return bool(pygame.display.get_surface())

        def set_repeat(delay: int = 0, interval: int = 0) -> None:
            if delay < 0 or interval < 0:
                raise ValueError("delay value must be non-negative")
            self._repeat = (delay, interval or delay)

        def get_repeat() -> tuple[int, int]:
            return self._repeat

        yield from (get_mods, set_mods, get_focused, set_repeat, get_repeat)

    def _wrapped(self, wrapper: Any, held: Iterable[str]) -> Any:
        flags = [False] * _SCANCODES
        for name in held:
            flags[self._scans[name]] = True
        flags[0] = False  # what no keyboard has a place for
        return wrapper(flags)

    def begin(self) -> None:
        """Nothing is held."""
        self._held.clear()
        self._just = (frozenset(), frozenset())
        self._mods_set, self._repeat, self._snapshot = 0, (0, 0), None

    @property
    def mods(self) -> int:
        """The bits of the modifiers that are held."""
        bits = self._mods_set
        for name in self._held:
            bits |= self._mods.get(name, 0)
        return bits

    def hold(self, wanted: frozenset[str]) -> None:
        """Have exactly these keys held; what changes is posted."""
        import pygame

        if not wanted and not self._held and not self._just[0] and not self._just[1]:
            return
        released = [name for name in self._held if name not in wanted]
        pressed = sorted(wanted - self._held.keys(), key=_modifiers_first)
        self._snapshot = None
        self._just = frozenset(pressed), frozenset(released)
        for name in released:
            del self._held[name]
            self._post(pygame.KEYUP, name)
        for name in pressed:
            self._held[name] = None
            self._down(name)
            self._repeats = self._runtime.now + self._repeat[0] * MILLISECOND
        if not pressed:
            self._repeat_last()

    def _repeat_last(self) -> None:
        delay, interval = self._repeat
        last = next(reversed(self._held), None)
        if not delay or last is None:
            return
        while self._repeats <= self._runtime.now:
            self._repeats += interval * MILLISECOND
            self._down(last)

    def type(self, text: str) -> None:
        """Type a text: a key for each character, and the text that it makes."""
        import pygame

        for character in text:
            name = _NAMES.get(character.lower(), "")
            code = self._codes.get(name, ord(character))
            more = {"key": code, "mod": self.mods, "scancode": self._scans.get(name, 0)}
            self._runtime.post(pygame.KEYDOWN, unicode=character, **more, window=None)
            if character.isprintable():
                self._runtime.post(pygame.TEXTINPUT, text=character, window=None)
            self._runtime.post(pygame.KEYUP, unicode=character, **more, window=None)

    def _down(self, name: str) -> None:
        import pygame

        self._post(pygame.KEYDOWN, name)
        text = self._text(name)
        if text.isprintable() and text and not self.mods & (pygame.KMOD_CTRL | pygame.KMOD_ALT):
            self._runtime.post(pygame.TEXTINPUT, text=text, window=None)

    def _post(self, kind: int, name: str) -> None:
        code, scan = self._codes[name], self._scans[name]
        text = self._text(name)
        self._runtime.post(kind, unicode=text, key=code, mod=self.mods, scancode=scan, window=None)

    def _text(self, name: str) -> str:
        import pygame

        if name in _NAMED_TEXT:
            return _NAMED_TEXT[name]
        if name.startswith("kp") and name[2:].isdigit():
            return name[2:]
        code = self._codes[name]
        if not 32 < code < 127:
            return ""
        text = chr(code)
        if self.mods & pygame.KMOD_SHIFT:
            return _SHIFTED.get(text, text.upper())
        return text


_NAMES = {
    **{letter: letter for letter in "abcdefghijklmnopqrstuvwxyz0123456789"},
    " ": "space",
    "\n": "return",
    "\r": "return",
    "\t": "tab",
    "\x08": "backspace",
}


def _modifiers_first(name: str) -> tuple[bool, str]:
    return name not in _MODIFIERS, name


def _code(pygame: Any, name: str) -> int:
    for constant in (f"K_{name}", f"K_{name.upper()}"):
        if hasattr(pygame, constant):
            return int(getattr(pygame, constant))
    return 0


def _scan(pygame: Any, name: str, code: int) -> int:
    found = getattr(pygame, f"KSCAN_{name.upper()}", None)
    if found is not None:
        return int(found)
    # SDL derives the code of a key without a character from its scancode.
    return code & 0x1FF if code & (1 << 30) else _CHARACTER_SCANS.get(name, 0)


_CHARACTER_SCANS = {
    "quote": 52,
    "backquote": 53,
}


def _mod(pygame: Any, name: str) -> int:
    return int(getattr(pygame, f"KMOD_{_MOD_CONSTANTS.get(name, name.upper())}", 0))
