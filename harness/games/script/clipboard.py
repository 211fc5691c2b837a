"""``pygame.scrap`` on a clipboard that a program has to itself, empty when it begins."""

from __future__ import annotations

from typing import Any

from harness.games.script.imports import Imports
from harness.games.script.runtime import Patches, Runtime

_TEXT = ("text/plain", "text/plain;charset=utf-8")
"""Two names of one kind, which can always be asked for."""

_CLIPBOARD = 0
_SELECTION = 1


_FUNCTIONS = (
    *("init", "get_init", "put", "get", "contains", "get_types", "lost", "set_mode"),
    *("put_text", "get_text", "has_text"),
)


class Clipboard:
    """What a program copies and pastes.

    On a real one, which kinds there are and whether plain text can be put at all is each system's
    own; here every kind can be, and text is there by both of its names.
    """

    def __init__(self, runtime: Runtime, imports: Imports) -> None:
        self._kept: dict[int, dict[str, bytes]] = {}
        self._mode = _CLIPBOARD
        self._begun = False
        imports.when("pygame.scrap", self._scrap_loaded)

    def install(self, patches: Patches) -> None:
        """Nothing: the module is replaced when it is imported."""

    def begin(self) -> None:
        """Have nothing on it."""
        self._kept = {_CLIPBOARD: {}, _SELECTION: {}}
        self._mode, self._begun = _CLIPBOARD, False

    def _scrap_loaded(self, module: Any, patches: Patches) -> None:
        for name in _FUNCTIONS:
            if hasattr(module, name):  # only pygame-ce has those of text
                patches.put(module, name, getattr(self, f"_{name}"))

    def _init(self) -> None:
        _need_display()
        self._begun = True

    def _get_init(self) -> bool:
        return self._begun

    @property
    def _there(self) -> dict[str, bytes]:
        if not self._begun:
            import pygame

            raise pygame.error("scrap system not initialized.")
        return self._kept[self._mode]

    def _put(self, kind: str, data: bytes, /) -> None:
        self._there[_named(kind)] = bytes(data)

    def _get(self, kind: str, /) -> bytes | None:
        return self._there.get(_named(kind))

    def _contains(self, kind: str, /) -> bool:
        return self._begun and _named(kind) in self._there

    def _get_types(self) -> list[str]:
        return [*_TEXT, *(kind for kind in self._there if kind not in _TEXT)]

    def _lost(self) -> bool:
        return not self._there

    def _set_mode(self, mode: int, /) -> None:
        self._there  # noqa: B018  it raises before init
        if mode not in self._kept:
            raise ValueError("invalid clipboard mode")
        self._mode = mode

    def _put_text(self, text: str, /) -> None:
        _need_display()
        if not isinstance(text, str):
            raise TypeError(f"put_text() argument must be str, not {type(text).__name__}")
        self._kept[_CLIPBOARD][_TEXT[0]] = text.encode()

    def _get_text(self) -> str:
        _need_display()
        return self._kept[_CLIPBOARD].get(_TEXT[0], b"").decode(errors="replace")

    def _has_text(self) -> bool:
        return bool(self._get_text())


def _need_display() -> None:
    import pygame

    if not pygame.display.get_init():
        raise pygame.error("video system not initialized")


def _named(kind: str) -> str:
    return _TEXT[0] if kind in _TEXT else kind
