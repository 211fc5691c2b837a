from __future__ import annotations

import pytest

from harness.games.script.reach import own_folder, working_folder
from harness.games.script.sources import module_file

FROM_ABOVE = "import os\nROOT = os.path.dirname(os.path.dirname(__file__))\n"


@pytest.fixture
def written(tmp_path, written):
    """Write a file among the games of a folder, which holds other things too."""
    (tmp_path / "others").mkdir()
    return written


@pytest.mark.parametrize(
    ("name", "text", "above"),
    [
        ("game/main.py", "import pygame\n", 0),
        ("game/src/main.py", "import pygame\n", 1),
        ("game/play/main.py", "open('../pictures/a.png')\n", 1),
        ("game/play/main.py", "open('sounds/a.ogg')\n", 0),
        ("game/play/main.py", "open('../nowhere/a.png')\n", 0),
        ("game/play/main.py", f"{FROM_ABOVE}open(os.path.join(ROOT, 'pictures', 'a.png'))\n", 1),
        ("game/play/main.py", "import sys\nsys.path.append('..')\nimport engine\n", 1),
        ("game/play/more/main.py", "open('../../pictures/a.png')\n", 2),
        ("game/play/more/main.py", "import sys\nsys.path.append('..')\nimport engine\n", 0),
        ("game/play/main.py", "import os\nos.chdir('levels')\nos.chdir('..')\n", 0),
        ("game/play/main.py", "import sys, pygame\nsys.path.append('..')\n", 0),
    ],
)
def test_a_program_owns_its_folder_or_the_one_that_it_reaches_into(written, name, text, above):
    written("game/pictures/a.png")
    written("game/engine.py")
    written("game/pygame/readme.md")
    file = written(name, text)
    assert own_folder(file) == file.parents[above]


def test_a_module_in_a_folder_that_says_where_the_game_lies_does_not_reach_above_it(written):
    written("game/data/paths.py", f"{FROM_ABOVE}OTHERS = ROOT + 'others'\nNAME = 'others'\n")
    file = written("game/main.py", "from data import paths\n")
    assert own_folder(file) == file.parent


def test_a_program_that_finds_its_files_from_above_is_run_there(written, tmp_path):
    written("levels/one.txt", "")
    file = written("game/code/main.py", "open('levels/one.txt')\n")
    assert working_folder(file) == own_folder(file) == tmp_path
    (file.parent / "levels").mkdir()
    (file.parent / "levels" / "one.txt").touch()
    assert working_folder(file) == file.parent
    assert working_folder(written("other/main.py", "open('a/b.txt')\n")) == tmp_path / "other"


@pytest.mark.parametrize(
    ("name", "text", "above"),
    [
        ("game/main.py", "from game.thing import THING\n", 1),
        ("game/main.py", "from .thing import THING\n", 1),
        ("game/main.py", "import thing\n", 0),
        ("game/core/main.py", "import game.thing\n", 2),
        ("game/pygame/main.py", "from pygame import sprite\n", 0),
    ],
)
def test_what_only_runs_as_a_module_finds_its_files_beside_its_package(
    written, tmp_path, name, text, above
):
    written("levels/one.txt", "")
    written("game/thing.py", "import os\nTHING = os.listdir('levels')\n")
    written("game/pygame/sprite.py", "import os\nTHING = os.listdir('levels')\n")
    file = written(name, text)
    assert working_folder(file) == file.parents[above]
    assert own_folder(file).is_relative_to(tmp_path / "game") == (above == 0)


@pytest.mark.parametrize(
    "text",
    [
        "import os\nopen(os.path.join('levels', 'one.txt'))\n",
        "def load(*parts): ...\nload(3, 'levels', 'one.txt')\n",
        "from pathlib import Path\nopen(Path('levels') / 'one.txt')\n",
    ],
)
def test_a_path_may_be_written_in_parts(written, tmp_path, text):
    written("levels/one.txt", "")
    assert working_folder(written("game/code/main.py", text)) == tmp_path


def test_a_program_in_src_that_names_a_folder_beside_it_is_run_there(written, tmp_path):
    text = "import os\nROOT = os.path.join(os.path.abspath('.'), 'levels')\nKIND = 'engine'\n"
    written("game/engine/__init__.py", "")
    file = written("game/src/main.py", text)
    assert working_folder(file) == file.parent
    written("game/levels/one.txt", "")
    assert working_folder(file) == tmp_path / "game"
    written("game/src/levels/one.txt", "")
    assert working_folder(file) == file.parent


def test_a_package_is_owned_whole_and_nothing_beside_it(written):
    written("thing/__init__.py", "")
    file = written("thing/__main__.py", "from . import inner\nfrom thing import more\n")
    assert own_folder(file) == file.parent
    written("thing/inner/__init__.py", "")
    assert own_folder(written("thing/inner/main.py", "import pygame\n")) == file.parent


@pytest.mark.parametrize("text", ["import engine\n", "open('pictures')\n"])
def test_a_package_that_uses_what_lies_beside_it_is_owned_with_that(written, tmp_path, text):
    written("engine.py")
    written("pictures/a.png")
    written("thing/__init__.py", "")
    assert own_folder(written("thing/__main__.py", text)) == tmp_path


def test_an_installed_program_owns_no_more_than_its_folder():
    file = module_file("pygame.examples.aliens")
    assert own_folder(file) == file.parent
