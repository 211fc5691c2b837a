from __future__ import annotations

import subprocess

import pygame
import pygame.freetype
import pytest

from harness.games.script.fonts import Fonts


@pytest.fixture
def fonts(interposed, monkeypatch):
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("fonts are looked for"))
    interposed(lambda _runtime, _imports: Fonts())
    pygame.font.init()
    pygame.freetype.init()


def drawn(font):
    surface = font.render("Score 10", True, "white")
    return pygame.image.tobytes(surface, "RGBA")


def test_every_system_font_is_pygames_own(fonts):
    own = drawn(pygame.font.Font(pygame.font.match_font("anything"), 24))
    assert drawn(pygame.font.SysFont("arial", 24)) == own
    # As ever, pygame draws what has no name smaller.
    assert drawn(pygame.font.SysFont(None, 24)) == drawn(pygame.font.Font(None, 24)) != own
    assert drawn(pygame.font.SysFont(["no such font", "serif"], 24)) == own
    assert pygame.font.SysFont("serif", 24, bold=True).get_bold()
    assert pygame.font.get_fonts() == ["freesansbold"]
    assert pygame.freetype.SysFont("arial", 24).get_rect("x").width > 0
