from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from harness.games.script.display import Display
from harness.games.script.runtime import Runtime


@pytest.fixture
def frames(runtime: Runtime) -> list[int]:
    """The virtual time of each frame that ended."""
    ended: list[int] = []
    runtime.switch = lambda: ended.append(runtime.now)
    return ended


@pytest.fixture
def display(interposed: Callable[..., Any]) -> Iterator[Display]:
    import pygame

    (display,) = interposed(Display)
    pygame.display.init()
    yield display
    pygame.display.quit()


@pytest.mark.usefixtures("display")
def test_flip_and_update_end_a_frame(frames: list[int]) -> None:
    import pygame

    pygame.display.set_mode((64, 48))
    pygame.display.flip()
    pygame.display.update()
    pygame.display.update((0, 0, 8, 8))
    pygame.display.update([(0, 0, 8, 8), None])
    pygame.display.update([])
    assert len(frames) == 5


@pytest.mark.usefixtures("display")
def test_showing_without_a_window_is_refused_as_ever(frames: list[int]) -> None:
    import pygame

    for show in (pygame.display.flip, pygame.display.update):
        with pytest.raises(pygame.error):
            show()
    assert frames == []


@pytest.mark.usefixtures("display")
@pytest.mark.parametrize(
    "flags", ["FULLSCREEN", "SCALED", "RESIZABLE", "NOFRAME", "HIDDEN", "DOUBLEBUF", "HWSURFACE"]
)
@pytest.mark.parametrize("more", ["FULLSCREEN", "SCALED", "RESIZABLE"])
@pytest.mark.parametrize("size", [(320, 240), (1920, 1080)])
def test_a_window_is_as_large_as_asked_whatever_its_flags(
    flags: str, more: str, size: tuple[int, int]
) -> None:
    import pygame

    wanted = getattr(pygame, flags) | getattr(pygame, more)
    assert pygame.display.set_mode(size, wanted, vsync=1, display=1).get_size() == size
    assert pygame.display.get_window_size() == size
    assert pygame.display.get_surface().get_size() == size


def test_a_window_of_no_size_fills_the_screen(display: Display) -> None:
    import pygame

    assert pygame.display.set_mode().get_size() == pygame.display.get_desktop_sizes()[0]
    assert pygame.display.list_modes(32, pygame.FULLSCREEN)[0] == (1024, 768)
    assert pygame.display.mode_ok((640, 480), pygame.FULLSCREEN) > 0
    with pytest.raises(pygame.error, match="0 sized SCALED"):
        pygame.display.set_mode((0, 0), pygame.SCALED)


def test_filling_the_screen_is_kept_in_mind(display: Display) -> None:
    import pygame

    with pytest.raises(pygame.error, match="No open window"):
        pygame.display.toggle_fullscreen()
    screen = pygame.display.set_mode((64, 48))
    assert pygame.display.toggle_fullscreen() == 1
    assert display.is_fullscreen()
    assert pygame.display.get_surface() is screen
    pygame.display.toggle_fullscreen()
    assert not display.is_fullscreen()
    pygame.display.set_mode((64, 48), pygame.FULLSCREEN)
    assert display.is_fullscreen()


def test_opengl_is_refused_in_words_and_noted(display: Display, runtime: Runtime) -> None:
    import pygame

    with pytest.raises(pygame.error, match="OPENGL: a game is drawn without a screen"):
        pygame.display.set_mode((64, 48), pygame.OPENGL | pygame.DOUBLEBUF)
    assert runtime.notes[0].startswith("OPENGL: ")
    if hasattr(pygame, "Window"):
        with pytest.raises(pygame.error, match="OPENGL"):
            pygame.Window("w", (64, 48), opengl=True)


@pytest.mark.usefixtures("display")
def test_cursors_of_every_kind_are_taken() -> None:
    import pygame

    pygame.display.set_mode((64, 48))
    pygame.mouse.set_cursor(pygame.SYSTEM_CURSOR_HAND)
    assert pygame.mouse.get_cursor().data == (pygame.SYSTEM_CURSOR_HAND,)
    pygame.mouse.set_cursor(*pygame.cursors.arrow)
    assert pygame.mouse.get_cursor().type == "bitmap"
    pygame.mouse.set_cursor((2, 3), pygame.Surface((8, 8)))
    assert pygame.mouse.get_cursor().type == "color"
    with pytest.raises(TypeError):
        pygame.mouse.set_cursor("hand")


@pytest.mark.usefixtures("display")
def test_what_needs_no_screen_goes_on_working() -> None:
    import pygame

    pygame.display.set_mode((64, 48))
    pygame.display.set_caption("title", "t")
    assert pygame.display.get_caption()[0] == "title"
    pygame.display.set_icon(pygame.Surface((8, 8)))
    pygame.display.iconify()
    assert pygame.display.get_wm_info() is not None
    assert pygame.display.Info().current_w == 64
    assert pygame.display.get_active()


def test_the_picture_is_what_was_shown_last(display: Display, frames: list[int]) -> None:
    import pygame
    from pygame._sdl2 import video

    assert display.picture() is None
    screen = pygame.display.set_mode((64, 48))
    screen.fill((1, 2, 3))
    pygame.display.flip()
    assert display.picture() is screen
    renderer = video.Renderer(video.Window("own", (32, 24)))
    renderer.draw_color = (9, 8, 7, 255)
    renderer.clear()
    renderer.present()
    assert len(frames) == 2
    assert tuple(display.picture().get_at((0, 0)))[:3] == (9, 8, 7)
    pygame.display.flip()
    assert display.picture() is screen


def test_a_window_of_pygame_ce_ends_a_frame_when_it_is_flipped(
    display: Display, frames: list[int]
) -> None:
    import pygame

    if not hasattr(pygame, "Window"):
        pytest.skip("pygame has no Window")
    window = pygame.Window("own", (32, 24), fullscreen_desktop=True)
    window.set_fullscreen(True)
    assert window.size == (32, 24)
    window.get_surface().fill((4, 5, 6))
    window.flip()
    assert len(frames) == 1
    assert tuple(display.picture().get_at((0, 0)))[:3] == (4, 5, 6)


@pytest.mark.usefixtures("display")
def test_a_window_of_ones_own_may_be_asked_to_look_like_on_a_screen() -> None:
    import pygame
    from pygame._sdl2 import video

    window = video.Window("own", (32, 24), always_on_top=True)
    window.opacity = 0.5
    window.set_icon(pygame.Surface((8, 8)))
    window.set_fullscreen(True)
    window.set_windowed()
    window.title = "another"
    assert window.size == (32, 24)
    assert pygame.display.set_mode((64, 48), pygame.SCALED)
    assert pygame.display._get_renderer_info()[0] == "software"
