from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from harness.errors import GameError

LOADS = """
    import pygame

    pygame.init()
    pygame.display.set_mode((64, 48))
    pygame.display.flip()
    {loads}
    pygame.display.flip()
"""


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    folder = tmp_path / "Pictures"
    folder.mkdir()
    (folder / "hero.png").touch()
    if (tmp_path / "pictures").exists():
        pytest.skip("case does not matter here")
    return folder


@pytest.mark.parametrize(
    ("loads", "there"),
    [
        ("pygame.image.load('pictures/Hero.png')", "Pictures/hero.png"),
        ("pygame.mixer.Sound('Pictures/HERO.PNG')", "Pictures/hero.png"),
        ("pygame.mixer.music.load('Pictures/Hero.png')", "Pictures/hero.png"),
        ("open('./PICTURES/hero.png')", "Pictures/hero.png"),
        ("pygame.font.Font('pictures/hero.png', 12)", "Pictures/hero.png"),
    ],
)
def test_a_file_that_is_there_in_another_case_is_named(program, pictures, loads, there):
    with pytest.raises(GameError, match=f"; there is '{there}', and here case matters"):
        program(LOADS.format(loads=loads)).step(2)


@pytest.mark.parametrize("isolation", [None, "spawn"])
def test_an_error_names_files_where_the_user_has_them(program, pictures, tmp_path, isolation):
    loads = "import os; pygame.image.load(os.path.abspath('Pictures/villain.png'))"
    with pytest.raises(GameError) as raised:
        program(LOADS.format(loads=loads), isolation=isolation).step(2)
    assert f"'{tmp_path}/Pictures/villain.png'" in str(raised.value)
    assert "there is" not in str(raised.value)


def test_an_error_about_the_home_of_a_run_names_no_folder_of_it(program):
    loads = "import os; open(os.path.expanduser('~/scores.txt'))"
    with pytest.raises(GameError, match="directory: '~/scores\\.txt'"):
        program(LOADS.format(loads=loads)).step(2)


@pytest.mark.skipif(sys.platform == "win32", reason="there it is")
@pytest.mark.parametrize(
    "loads",
    [
        "import winsound",
        "from msvcrt import getch",
        "import ctypes; ctypes.windll.user32.SetProcessDPIAware()",
        "from ctypes import windll",
        "import os; os.startfile('readme.txt')",
    ],
)
def test_what_windows_alone_has_is_said_to_be_of_windows(program, loads):
    with pytest.raises(GameError, match=r"main\.py:\d+: \w+Error: .*; that is of Windows alone"):
        program(LOADS.format(loads=loads)).step(2)


@pytest.mark.parametrize("loads", ["import winsand", "import os; os.windmill", "open('a.txt')"])
def test_what_nobody_has_is_said_as_ever(program, loads):
    with pytest.raises(GameError) as raised:
        program(LOADS.format(loads=loads)).step(2)
    assert not re.search("there is|alone", str(raised.value))
