"""Interpositions, put into this process for one test; the test is the program that runs on them."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.games.headless import HEADLESS
from harness.games.script.imports import Imports
from harness.games.script.runtime import Patches, Runtime


@pytest.fixture
def runtime() -> Runtime:
    return Runtime()


@pytest.fixture
def interposed(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., tuple[Any, ...]]]:
    """Install interpositions of the given classes, and begin a run of ``seed`` on them."""
    for name, value in HEADLESS.items():
        monkeypatch.setenv(name, value)
    patches = Patches()
    imports = Imports()
    generator = random.getstate()

    def install(*kinds: Any, seed: int = 0) -> tuple[Any, ...]:
        made = tuple(kind(runtime, imports) for kind in kinds)
        for each in (*made, imports):
            each.install(patches)
        runtime.begin(seed)
        for each in made:
            each.begin()
        runtime.playing = True
        return made

    yield install
    runtime.playing = False
    patches.undo()
    random.setstate(generator)


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., Path]:
    """Write a file of a program, and give its path."""

    def write(name: str, text: str = "import pygame\n") -> Path:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    return write


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Write a program and open it; further files are given by their names."""
    import harness

    opened = []

    def write(
        text: str,
        isolation: str | None = None,
        seed: int = 0,
        budget: float | None = None,
        **files: str,
    ) -> Any:
        for name, content in {"main": text, **files}.items():
            file = tmp_path / f"{name}.py"
            file.write_text(textwrap.dedent(content), encoding="utf-8")
        play = harness.open(tmp_path, isolation=isolation, seed=seed, budget=budget)
        opened.append(play)
        return play

    yield write
    for play in opened:
        play.close()
