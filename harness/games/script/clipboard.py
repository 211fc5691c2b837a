"""``pygame.scrap`` on a clipboard that a program has to itself, empty when it begins."""

from __future__ import annotations

from typing import Any

from harness.games.script.imports import Imports
from harness.games.script.runtime import Patches, Runtime

_TEXT = ("text/plain", "text/plain;charset=utf-8")
"""Two names of one kind, which can always be asked for."""

_CLIPBOARD = 0
_SELECTION = 1


class Clipboard:
    """What a program copies and pastes.

    On a real one, which kinds there are and whether plain text can be put at all is each system's
    own; here every kind can be, and text is there by both of its names. pygame-ce keeps text
    without a screen, and is left to do so.
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
        if hasattr(module, "put_text"):
            return
        for name in ("init", "get_init", "put", "get", "contains", "get_types", "lost", "set_mode"):
            patches.put(module, name, getattr(self, f"_{name}"))

    def _init(self) -> None:
        import pygame

        if not pygame.display.get_init():
            raise pygame.error("video system not initialized")
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


def _named(kind: str) -> str:
    return _TEXT[0] if kind in _TEXT else kind
