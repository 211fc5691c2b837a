"""Interpositions, put into this process for one test; the test is the program that runs on them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
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
