"""game_check of an unmodified program: what can be known of it without running, and its frame 0."""

import contextlib
import textwrap
from importlib.util import find_spec
from pathlib import Path

import pytest

import harness
from harness.check.check import check
from harness.errors import ConfigError

PROGRAM = """\
    import pygame

    pygame.init()
    screen = pygame.display.set_mode((80, 60))
    clock = pygame.time.Clock()
    x = 0
    while not pygame.event.peek(pygame.QUIT):
        x += 1
        pygame.event.clear()
        screen.fill((x % 255, 0, 0))
        pygame.display.flip()
        clock.tick(60)
    """


PNG = (Path(__file__).parents[2] / "docs/pictures/crate-and-door.png").read_bytes()


@pytest.fixture
def checked(tmp_path):
    """Check a program that is given."""

    def run(source, determinism=False):
        file = tmp_path / "catch" / "main.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text(textwrap.dedent(source), encoding="utf-8")

        def play():
            return contextlib.closing(harness.open(file, isolation="auto"))

        found = check(file, play, determinism).problems
        return [(problem.file, problem.line, problem.what, problem.fix) for problem in found]

    return run


def test_a_program_that_is_well_has_no_problems_and_is_deterministic(checked):
    assert checked(PROGRAM, determinism=True) == []


def test_an_asset_that_is_named_and_not_there_is_told_once(checked):
    (found,) = checked(PROGRAM.replace("x = 0", 'x = 0\n    hero = pygame.image.load("hero.png")'))
    assert found[:3] == ("main.py", 7, "hero.png: no file of the game ends in 'hero.png'")
    through = (
        "def load(name):\n        return pygame.image.load(name)\n    x = load('hero.png') and 0"
    )
    (found,) = checked(PROGRAM.replace("x = 0", through))
    assert found[:2] == ("main.py", 8)


def test_an_asset_that_cannot_be_loaded_is_told_once(checked, tmp_path):
    (tmp_path / "catch").mkdir()
    (tmp_path / "catch/hero.png").write_bytes(b"none")
    source = PROGRAM.replace("x = 0", 'x = 0\n    hero = pygame.image.load("hero.png")')
    (found,) = checked(source)
    assert found[:2] == ("hero.png", 0)
    (_, other) = checked(source.replace("x = 0", "x = 1 / 0"))
    assert other[:3] == ("main.py", 6, "ZeroDivisionError: division by zero (scene main, frame 0)")


def test_a_path_that_only_windows_understands_is_told(checked, tmp_path):
    (tmp_path / "catch/img").mkdir(parents=True)
    (tmp_path / "catch/img/hero.png").write_bytes(PNG)
    (found,) = checked(PROGRAM.replace("x = 0", "x = 0\n    NAME = 'img\\\\hero.png'"))
    assert found[1] == 7
    assert "only Windows takes \\ between the names of a path, and all take /" in found[2]


def test_a_package_that_is_missing_is_told_with_what_pip_calls_it_where_that_is_known(checked):
    pip = {"cv2": "opencv-python", "Box2D": "box2d-py", "skimage": "scikit-image"}
    (name, *_) = [name for name in pip if find_spec(name) is None]
    one, other = checked(f"import {name}\nimport nowhere_at_all\n{textwrap.dedent(PROGRAM)}")
    assert one[3].startswith(f"pip install {pip[name]}: install it beside the harness, in ")
    assert other[3].startswith("install it beside the harness, in ")


def test_what_the_harness_does_not_drive_is_said_without_running_it(checked):
    (found,) = checked("import arcade\narcade.run()\n")
    assert found[:3] == ("main.py", 1, "imports arcade, a game library of its own, over pyglet")
    (found,) = checked("import turtle\nturtle.done()\n")
    assert found[2].startswith("main.py is a program for turtle; the harness drives programs for ")
    assert found[3] == "give a program that is made with pygame; none of this one was run"


def test_a_program_whose_runs_differ_is_found_out(checked):
    (found,) = checked(PROGRAM.replace("(x % 255", '(hash("x") % 255'), determinism=True)
    assert found[2].startswith("two runs differ first at frame 0 of 240")
    assert found[3] == "look first at main.py:10 hash()"


def test_a_broken_program_is_told_once(checked):
    try:
        found = checked("import pygame\nx = (\n")
    except ConfigError as error:
        pytest.fail(str(error))
    assert [(file, line) for file, line, *_ in found] == [("main.py", 2)]


def test_of_a_folder_of_programs_only_what_this_one_imports_is_checked(checked, tmp_path):
    others = {
        "other.py": "import nowhere_at_all\n",
        "used.py": "from parts import wheel\n",
        "parts/__init__.py": "",
        "parts/wheel.py": "from . import spoke\n",
        "parts/spoke.py": "import nowhere_too\n",
    }
    for name, source in others.items():
        file = tmp_path / "catch" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source, encoding="utf-8")
    found = checked("import used\n" + textwrap.dedent(PROGRAM))
    assert {file for file, *_ in found} == {"parts/spoke.py"}
    found = checked(textwrap.dedent(PROGRAM) + "__import__(name)\n")
    assert {file for file, *_ in found} >= {"parts/spoke.py", "other.py"}


def test_a_program_without_a_suffix_is_a_script_too(tmp_path):
    file = tmp_path / "play"
    file.write_text("#!/usr/bin/env python3\nimport pygame, rest\n", encoding="utf-8")
    (tmp_path / "rest.py").write_text("def broken(:\n", encoding="utf-8")
    found = check(file, None)
    assert found.counts["scripts"] == 2
    assert [(one.file, one.line) for one in found.problems] == [("rest.py", 1)]
