"""The draw door: a game drawn off screen by its own `draw`, and what it was drawn with."""

from __future__ import annotations

import inspect
import os
import platform
from collections.abc import Callable
from typing import Any

from harness.errors import ArgumentError, MissingDependency, RequestError, UnknownName
from harness.games.adapter import seen
from harness.games.generators import given_back
from harness.games.loaded import LoadedGame
from harness.values.kinds import text
from harness.values.picture import Picture
from harness.values.sight import Box

MOST_WIDTH = 8192
_CANNOT = "this game cannot be drawn: its adapter has no draw(surface, camera=None)"


def draw(game: LoadedGame, camera: str | None = None, width: int | None = None) -> Picture:
    """Draw the present state at the game's own size, then scaled to ``width``.

    Needs ``game.active()`` and ``game.guarded()`` around it. Chance that the drawing uses of
    Python's or numpy's own generator is given back, so that the game goes on as if never drawn.

    Raises:
        RequestError: the game has no draw, or none that takes a camera.
    """
    if not game.declared:
        return _shown(game, camera, width)
    method = getattr(game.instance, "draw", None)
    if not callable(method):
        raise RequestError(_CANNOT)
    if camera is not None and not _takes_camera(method):
        raise ArgumentError("camera", "this game's draw takes none")
    known = getattr(game.instance, "cameras", None)
    if camera is not None and known is not None and camera not in known:
        raise UnknownName("camera", text("camera", camera), known)
    pygame = _pygame()
    _open_display(pygame, game.folder.size)
    surface = pygame.Surface(game.folder.size, 0, 32)
    with given_back():
        if camera is None:
            method(surface)
        else:
            method(surface, camera)
    surface = _scaled(pygame, surface, width)
    scale = surface.get_width() / game.folder.size[0]
    return Picture(surface.get_size(), pygame.image.tobytes(surface, "RGB"), scale=scale)


def _shown(game: LoadedGame, camera: str | None, width: int | None) -> Picture:
    """What a program's window shows: it has drawn that itself."""
    surface = game.surface()
    if camera is not None:
        raise ArgumentError("camera", "a program has none; what its window shows is the picture")
    if surface is None:
        raise RequestError("the program has opened no window yet; there is nothing to see")
    pygame = _pygame()
    size = surface.get_size()
    scaled = _scaled(pygame, surface, width)
    scale = scaled.get_width() / size[0]
    return Picture(scaled.get_size(), pygame.image.tobytes(scaled, "RGB"), scale=scale)


def shown_part(game: LoadedGame, camera: str | None) -> Box | None:
    """The part of the world that a drawing shows; None where the game does not say.

    A game says it by ``view(camera)``; one without a ``view`` draws its world as it is.
    """
    method = getattr(game.instance, "view", None)
    if not callable(method):
        return Box(0, 0, *game.folder.size) if camera is None else None
    answer = method() if camera is None else method(camera)
    return Box(*seen(method, answer)) if answer is not None else None


def fingerprint() -> dict[str, str]:
    """What decides how a drawing comes out, besides the game."""
    pygame = _pygame()
    flavour = "pygame-ce" if getattr(pygame, "IS_CE", False) else "pygame"
    return {
        flavour: pygame.version.ver,
        "SDL": _dotted(pygame.get_sdl_version()),
        "SDL_ttf": _dotted(pygame.font.get_sdl_ttf_version()),
        "machine": platform.machine().lower() or "unknown",
    }


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def _pygame() -> Any:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame.font
    except ImportError:
        raise MissingDependency("pygame", "drawing", "pygame") from None
    return pygame


def _open_display(pygame: Any, size: tuple[int, int]) -> None:
    """Give the game what `convert` and fonts need; the driver is SDL's dummy one."""
    if not pygame.display.get_init():
        pygame.display.init()
    if pygame.display.get_surface() is None:
        pygame.display.set_mode(size)
    if not pygame.font.get_init():
        pygame.font.init()


def _takes_camera(method: Callable[..., Any]) -> bool:
    try:
        inspect.signature(method).bind(None, "camera")
    except TypeError:
        return False
    return True


def _scaled(pygame: Any, surface: Any, width: int | None) -> Any:
    if width is None or width == surface.get_width():
        return surface
    if isinstance(width, bool) or not isinstance(width, int) or not 1 <= width <= MOST_WIDTH:
        raise ArgumentError(
            "width", f"must be a whole number from 1 to {MOST_WIDTH}, not {width!r}"
        )
    whole = surface.get_size()
    size = width, max(1, round(width * whole[1] / whole[0]))
    transform = pygame.transform
    before = transform.get_smoothscale_backend()
    transform.set_smoothscale_backend("GENERIC")  # the others differ from machine to machine
    try:
        return transform.smoothscale(surface, size)
    finally:
        transform.set_smoothscale_backend(before)
