"""``pygame.display`` and its windows, headless: what is shown ends a frame."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from harness.games.script.imports import Imports
from harness.games.script.runtime import Patches, Runtime

NO_OPENGL = (
    "OPENGL: a game is drawn without a screen and without OpenGL here; those that draw on surfaces"
    " or with pygame's Renderer can be run"
)

_SOFTWARE = 1
"""SDL's flag of a renderer that needs no graphics card."""

_SMALLER = ((800, 600), (640, 480), (320, 240))


class Display:
    """The display module, ``Window`` and ``Renderer``.

    What needs a screen is taken off: a window that is FULLSCREEN would be as large as a dummy
    screen, and SCALED would be drawn twice, where its surface is the same without.
    """

    def __init__(self, runtime: Runtime, imports: Imports) -> None:
        self._runtime = runtime
        self._real: dict[str, Callable[..., Any]] = {}
        self._cursor: Any = None
        self._fullscreen = False
        self._shown: Callable[[], Any] | None = None
        imports.when("pygame.window", self._windows_loaded)
        imports.when("pygame._sdl2.video", self._video_loaded)

    def install(self, patches: Patches) -> None:
        """Replace the module's functions."""
        import pygame

        for owner, names in (
            (pygame.display, ("flip", "update", "set_mode", "get_surface", "toggle_fullscreen")),
            (pygame.display, ("is_fullscreen", "list_modes", "mode_ok", "get_desktop_sizes")),
            (pygame.display, ("_get_renderer_info",)),
            (pygame.mouse, ("set_cursor", "get_cursor")),
        ):
            for name in names:
                if hasattr(owner, name):  # not every version has each
                    self._real[name] = patches.original(owner, name)
                    if hasattr(self, name):
                        patches.put(owner, name, getattr(self, name))

    def begin(self) -> None:
        """Have shown nothing yet."""
        self._cursor, self._fullscreen, self._shown = None, False, None

    def picture(self) -> Any:
        """The surface that holds what the program has shown last; None before it shows any."""
        import pygame

        try:
            return self._real["get_surface"]() if self._shown is None else self._shown()
        except pygame.error:  # its window is no more
            return None

    # the module's functions

    def flip(self) -> None:
        """Show the picture."""
        self._real["flip"]()
        self._show(None)

    def update(self, *rectangles: Any, **keywords: Any) -> None:
        """Show a part of the picture, or all of it."""
        self._real["update"](*rectangles, **keywords)
        self._show(None)

    def set_mode(
        self,
        size: Any = (0, 0),
        flags: int = 0,
        depth: int = 0,
        display: int = 0,
        vsync: int = 0,
    ) -> Any:
        """Open the window; its surface is as large as asked."""
        import pygame

        if flags & pygame.OPENGL:
            raise self.refusal()
        if flags & pygame.SCALED and not all(size):
            raise pygame.error("Cannot set 0 sized SCALED display mode")
        os.environ.pop("SDL_WINDOWID", None)  # a part of some other window, which is not there
        surface = self._real["set_mode"](
            size,
            flags & ~(pygame.SCALED | pygame.FULLSCREEN),
            # pygame-ce warns of any, and ignores it.
            *([depth] if depth else []),
        )
        self._fullscreen = bool(flags & pygame.FULLSCREEN)
        return surface

    def _get_renderer_info(self) -> tuple[str, int]:
        """What would scale a window that is SCALED: its name, and its flags."""
        return "software", _SOFTWARE

    def toggle_fullscreen(self) -> int:
        """Fill the screen, or no more; the surface stays as large as it is."""
        import pygame

        if self._real["get_surface"]() is None:
            raise pygame.error("No open window")
        self._fullscreen = not self._fullscreen
        return 1

    def is_fullscreen(self) -> bool:
        """Whether the program has asked to fill the screen."""
        return self._fullscreen

    def list_modes(self, *_: Any, **__: Any) -> list[tuple[int, int]]:
        """The sizes that a screen can have, the largest first."""
        desktop: tuple[int, int] = self._real["get_desktop_sizes"]()[0]
        return [desktop, *(size for size in _SMALLER if size[0] < desktop[0])]

    def mode_ok(self, size: Any, *_: Any, **__: Any) -> int:
        """Whether a window can be that large: bits of a pixel, and 0 if it cannot."""
        found: int = self._real["mode_ok"](size)
        return found

    def set_cursor(self, *cursor: Any) -> None:
        """Have the pointer look like this; without a screen it is kept in mind."""
        import pygame

        try:
            self._real["set_cursor"](*cursor)
            self._cursor = None
        except pygame.error:
            self._cursor = pygame.cursors.Cursor(*cursor)

    def get_cursor(self) -> Any:
        """What the pointer looks like."""
        return self._real["get_cursor"]() if self._cursor is None else self._cursor

    # windows

    def _windows_loaded(self, module: Any, patches: Patches) -> None:
        self._replace_window(module, patches)

    def _video_loaded(self, module: Any, patches: Patches) -> None:
        self._replace_window(module, patches)
        renderer = patches.original(module, "Renderer")
        self._put(module, "Renderer", _subclass(renderer, _Renderer, self), patches)

    def _replace_window(self, module: Any, patches: Patches) -> None:
        real = patches.original(module, "Window")
        if not issubclass(real, _Window):
            self._put(module, "Window", _subclass(real, _Window, self), patches)

    def _put(self, module: Any, name: str, kind: type[Any], patches: Patches) -> None:
        """Replace a class in its module, and in those that have it from there."""
        import sys

        real = patches.original(module, name)
        for owner in ("pygame", "pygame.window", "pygame._sdl2", "pygame._sdl2.video"):
            holder = sys.modules.get(owner)
            if holder is not None and getattr(holder, name, None) is real:
                patches.put(holder, name, kind)

    def show(self, picture: Callable[[], Any]) -> None:
        """Note that a window of the program's own was shown."""
        self._show(picture)

    def refusal(self) -> Exception:
        """What is raised in a program that wants OpenGL."""
        import pygame

        self._runtime.note(NO_OPENGL)
        return pygame.error(NO_OPENGL)

    def _show(self, picture: Callable[[], Any] | None) -> None:
        self._shown = picture
        self._runtime.shown()


class _Window:
    """What of a window is not as on a screen."""

    __slots__ = ()
    _display: Display

    def __init__(self, *args: Any, **keywords: Any) -> None:
        if keywords.get("opengl") or keywords.get("vulkan"):
            raise self._display.refusal()
        for name in ("fullscreen", "fullscreen_desktop"):
            keywords.pop(name, None)
        super().__init__(*args, **keywords)

    def set_fullscreen(self, desktop: bool = False) -> None:
        pass

    def set_windowed(self) -> None:
        pass

    @property
    def opacity(self) -> float:
        return 1.0

    @opacity.setter
    def opacity(self, value: float) -> None:
        pass


class _Renderer:
    """What of a renderer is not as on a screen."""

    __slots__ = ()
    _display: Display

    def present(self) -> None:
        super().present()  # type: ignore[misc]
        self._display.show(self.to_surface)  # type: ignore[attr-defined]


def _subclass(real: Any, ours: type[Any], display: Display) -> type[Any]:
    kept = {
        "__module__": real.__module__,
        "__qualname__": real.__qualname__,
        "__slots__": (),  # pygame's own modules look at how large their instances are
        "_display": display,
    }
    if hasattr(real, "flip"):  # pygame's Window has none, only pygame-ce's

        def flip(window: Any) -> None:
            real.flip(window)
            display.show(window.get_surface)

        kept["flip"] = flip
    return type(real.__name__, (ours, real), kept)
