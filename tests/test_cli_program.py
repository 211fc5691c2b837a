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


def test_a_movie_of_a_program_is_replayed(harness):
    harness("run", ".", "--frames", 90, "--input", "right@1-30", "--record", "a.movie")
    status, out, _ = harness("replay", "main.py", "a.movie")
    assert (status, out.partition(",")[0]) == (0, "same: checked 90 of 90 frames")


@pytest.mark.parametrize(
    ("act", "told"),
    [
        ("while True: pass", "main.py:12: Hung: no frame was finished for 1 s (frame 30)"),
        ("import ctypes; ctypes.string_at(0)", "Crashed: "),
        ("import os; os.kill(os.getpid(), 9)", "Crashed: "),
    ],
)
def test_a_replay_outlives_a_program_that_does_not(harness, tmp_path, act, told):
    harness("run", ".", "--frames", 60, "--input", "right@1-60", "--record", "a.movie")
    (tmp_path / "main.py").write_text(
        PROGRAM.replace(
            "while True:\n", f"n = 0\nwhile True:\n    n += 1\n    if n == 31:\n        {act}\n"
        ),
        encoding="utf-8",
    )
    status, out, _ = harness("replay", "main.py", "a.movie", "--budget", 1)
    assert status == 1
    assert out.startswith("behaviour changed: a.movie first differs between frame 1 and frame 30")
    assert "it was the game played on and is " in out
    assert told in out


def test_a_replay_says_that_a_program_never_came_to_its_first_frame(harness, tmp_path, monkeypatch):
    monkeypatch.setattr("harness.worker.seat.LOADING", 1.0)
    harness("run", ".", "--frames", 60, "--record", "a.movie")
    (tmp_path / "main.py").write_text("while True:\n    pass\n", encoding="utf-8")
    status, out, error = harness("replay", "main.py", "a.movie", "--budget", 1)
    assert (status, out) == (1, "")
    assert "Hung: it came to no first frame in 1 s (frame 0)" in error


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
