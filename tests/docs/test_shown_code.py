"""Code that a page quotes is the code of the repository, and the example's windows open."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

CLOSED_AFTER_5_FRAMES = """
import runpy, sys
import pygame

frames = iter(range(5))
flip = pygame.display.flip

def counted():
    flip()
    if next(frames, None) is None:
        pygame.event.post(pygame.event.Event(pygame.QUIT))

pygame.display.flip = counted
runpy.run_path(sys.argv[1], run_name="__main__")
"""


def blocks(page, kind):
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def quoted(block):
    lines = (re.sub(r"\s+# \d+$", "", line).strip() for line in block.splitlines())
    return [line for line in lines if line and line != "..."]


@pytest.mark.parametrize(
    ("number", "file"), [(0, "examples/before/catch.py"), (1, "examples/catch/catch.py")]
)
def test_the_conversion_quotes_the_files_of_the_example(number, file):
    code = [line.strip() for line in (ROOT / file).read_text(encoding="utf-8").splitlines()]
    shown = quoted(blocks("docs/your-own-game.md", "text")[number])

    assert len(shown) > 9
    assert [line for line in shown if line not in code] == []


def test_the_config_that_is_shown_is_the_one_of_the_example():
    config = (ROOT / "examples/catch/harness.yaml").read_text(encoding="utf-8")

    assert blocks("docs/your-own-game.md", "yaml")[0] == config


def test_the_readme_opens_with_a_scenario_of_the_game():
    scenarios = (ROOT / "scenarios/test_crate_and_door.py").read_text(encoding="utf-8")

    assert blocks("README.md", "python")[0] in scenarios


@pytest.mark.parametrize("file", ["examples/before/catch.py", "examples/catch/window.py"])
def test_the_window_of_an_example_opens_plays_and_closes(file):
    path = ROOT / file
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", CLOSED_AFTER_5_FRAMES, str(path)],
        env={
            **os.environ,
            "SDL_VIDEODRIVER": "dummy",
            "SDL_AUDIODRIVER": "dummy",
            "PYTHONPATH": str(path.parent),
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 0, done.stderr
