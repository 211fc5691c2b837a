from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from harness.games.script.clipboard import Clipboard

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

TEXT, UTF8 = "text/plain", "text/plain;charset=utf-8"


@pytest.fixture
def scrap(interposed: Callable[..., Any]) -> Iterator[Any]:
    """``pygame.scrap`` as a program has it, with a window."""
    import pygame
    import pygame.scrap

    interposed(Clipboard)
    pygame.display.init()
    pygame.display.set_mode((8, 8))
    yield pygame.scrap
    pygame.display.quit()


def test_the_clipboard_keeps_what_is_put_there(scrap: Any) -> None:
    scrap.init()
    scrap.put(TEXT, b"words")
    assert scrap.get(TEXT) == scrap.get(UTF8) == b"words"
    assert scrap.contains(TEXT)


def test_an_empty_clipboard_has_the_kinds_of_text_all_the_same(scrap: Any) -> None:
    scrap.init()
    assert scrap.get_types() == [TEXT, UTF8]
    assert not scrap.get(scrap.get_types()[0])
    assert not scrap.contains(TEXT)


def test_what_is_selected_is_not_what_was_copied(scrap: Any) -> None:
    import pygame

    scrap.init()
    scrap.put("game/level", b"\0\1")
    assert scrap.get_types() == [TEXT, UTF8, "game/level"]
    scrap.set_mode(pygame.SCRAP_SELECTION)
    assert scrap.get("game/level") is None
    scrap.set_mode(pygame.SCRAP_CLIPBOARD)
    assert scrap.get("game/level") == b"\0\1"
    with pytest.raises(ValueError, match="invalid clipboard mode"):
        scrap.set_mode(7)


def test_a_clipboard_that_was_not_begun_says_so(scrap: Any) -> None:
    import pygame

    assert not scrap.get_init()
    with pytest.raises(pygame.error, match="scrap system not initialized"):
        scrap.get(TEXT)
    pygame.display.quit()
    with pytest.raises(pygame.error, match="video system not initialized"):
        scrap.init()


def test_text_of_pygame_ce_is_the_same_clipboard(scrap: Any) -> None:
    if not hasattr(scrap, "put_text"):
        pytest.skip("pygame has none")
    assert scrap.get_text() == ""
    assert not scrap.has_text()
    scrap.put_text("wörter")
    scrap.init()
    assert scrap.get_text() == scrap.get(UTF8).decode() == "wörter"
    assert scrap.has_text()
