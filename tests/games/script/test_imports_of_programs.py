"""Where a program's own modules come from, however Python is told of them."""

from __future__ import annotations

import textwrap
from contextlib import closing

import pytest

import harness

MAIN = """
    import pygame
    from engine import place

    pygame.init()
    pygame.display.set_mode((64, 48))
    place.write()
    for _ in range(9):
        pygame.event.get()
        pygame.display.flip()
"""
PLACE = """
    from pathlib import Path

    def write():
        Path(__file__).with_name("written.txt").write_text("here", encoding="utf-8")
"""


@pytest.fixture
def project(tmp_path):
    """A project whose program imports a package from the folder above its own."""
    for name, text in (("game/main.py", MAIN), ("engine/place.py", PLACE)):
        file = tmp_path / "project" / name
        file.parent.mkdir(parents=True)
        file.write_text(textwrap.dedent(text), encoding="utf-8")
    return tmp_path / "project"


def played(file):
    with closing(harness.open(file)) as play:
        return play.step(5)


def test_a_program_imports_from_its_project_as_it_does_in_an_ide(project):
    (project / ".idea").mkdir()
    assert played(project / "game" / "main.py") == 5
    assert not (project / "engine" / "written.txt").exists()


def test_nothing_above_is_imported_where_no_project_ends(project):
    with pytest.raises(harness.GameError, match=r"main\.py:3: ModuleNotFoundError: .*'engine'"):
        played(project / "game" / "main.py")


def test_what_python_is_told_to_import_from_is_the_copy(project, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(project))
    assert played(project / "game" / "main.py") == 5
    assert not list(project.rglob("written.txt"))
