"""The command line on programs that have never heard of the harness."""

from pathlib import Path

import pytest

PROGRAM = """\
import random
import pygame

pygame.init()
screen = pygame.display.set_mode((200, 100))
clock = pygame.time.Clock()
x, title, SPEED = 50, "ball", 2
while True:
    pygame.event.get()
    x += SPEED * pygame.key.get_pressed()[pygame.K_RIGHT] + random.choice((0, 1))
    screen.fill("navy")
    pygame.draw.circle(screen, "white", (x, 50), 5)
    pygame.display.flip()
    clock.tick(60)
"""


@pytest.fixture
def game(tmp_path, monkeypatch):
    """A program in the working directory."""
    monkeypatch.chdir(tmp_path)
    Path("main.py").write_text(PROGRAM, encoding="utf-8")
    return tmp_path / "main.py"


def test_a_bare_run_tells_names_to_use_and_what_to_try(harness):
    status, out, _ = harness("run", "main.py", "--frames", 60, "--input", "right@1-60")
    assert status == 0
    names, try_it = out.splitlines()[-2:]
    assert names.startswith("names: x = ")
    assert "title = 'ball'" in names
    assert try_it == "try: harness run main.py --print x --every 60"
    _, out, _ = harness("run", "main.py", "--frames", 60, "--print", "x")
    assert "names:" not in out


def test_a_module_is_run_by_its_name(harness):
    status, out, _ = harness("run", "-m", "pygame.examples.stars", "--frames", 20, "--json")
    assert status == 0
    assert '"frame": 20' in out
    assert harness("run", "-m", "nowhere.at.all")[0] == 2


def test_a_movie_of_a_program_is_replayed(harness, harness_process):
    harness("run", ".", "--frames", 90, "--input", "right@1-30", "--record", "a.movie")
    done = harness_process("replay", "main.py", "a.movie")
    assert (done.returncode, done.stdout.partition(",")[0]) == (0, "same: checked 90 of 90 frames")


def test_a_savestate_of_a_program_is_gone_on_from(harness):
    whole = harness("run", ".", "--frames", 40, "--print", "x")[1].splitlines()[2]
    harness("run", ".", "--frames", 30, "--save", "there")
    half = harness("run", ".", "--start", "there", "--frames", 10, "--print", "x")[1].splitlines()[
        2
    ]
    assert whole.split()[1] == half.split()[1]


def test_variants_of_a_program_are_compared(harness):
    branch = ["branch", ".", "--input", "right@1-20", "--input", "left@1-20", "--print", "x"]
    status, out, _ = harness(*branch, "--frames", 20)
    assert status == 0
    assert out.count("frames") >= 1


def test_a_program_is_drawn(harness):
    assert harness("shot", ".", "--frame", 5, "-o", "a.png")[0] == 0
    assert Path("a.png").read_bytes().startswith(b"\x89PNG")
