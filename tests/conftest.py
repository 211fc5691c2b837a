"""Stub games, honest and lying, each in a folder of its own, and processes to play them in."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from harness import cli

STUBS = Path(__file__).parent / "stubs"
ROOT = Path(__file__).parent.parent
_NEW_LOOP = asyncio.events.new_event_loop

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell that starts the suite in the background has its tests of interrupts ignore them.
    signal.signal(signal.SIGINT, signal.default_int_handler)

CONFIG = """\
id: {name}
entry: {entry}
tick_rate: {tick_rate}
buttons:
  left: [left]
  right: [right]
  jump: [space]
scenes: [{scenes}]
"""


@pytest.fixture(autouse=True)
def _this_process_keeps_its_own_clock() -> Iterator[None]:
    """A program is played in a process of its own: none of its virtual time is left in this one."""
    yield
    assert sys.modules["time"] is time
    assert asyncio.events.new_event_loop is _NEW_LOOP


@pytest.fixture
def stub(tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """Write the folder of a stub game: ``adapter.py`` is given, ``honest.py`` lies beside it."""

    def write(
        adapter: str = "from honest import Honest as Stub\n",
        name: str = "stub",
        entry: str = "adapter:Stub",
        tick_rate: int = 60,
        scenes: str = "first, second",
    ) -> Path:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        shutil.copy(STUBS / "honest.py", folder)
        (folder / "adapter.py").write_text(textwrap.dedent(adapter), encoding="utf-8")
        config = CONFIG.format(name=name, entry=entry, tick_rate=tick_rate, scenes=scenes)
        (folder / "harness.yaml").write_text(config, encoding="utf-8")
        return folder

    yield write
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None)).startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.fixture
def opened(stub: Callable[..., Path], tmp_path: Path) -> Callable[..., Any]:
    """Write a stub game and open a play of it; its files are looked for in ``tmp_path``."""
    from harness.playtest.play import Playtest

    def open_stub(*args: Any, **keywords: Any) -> Any:
        return Playtest(stub(*args, **keywords), base=tmp_path)

    return open_stub


@pytest.fixture
def game_run() -> Callable[..., Any]:
    """Run a play through the registry's tool, arguments checked as every surface checks them."""
    from harness import tools  # noqa: F401
    from harness.registry import REGISTRY

    tool = REGISTRY.find("game_run")

    def run(play: Any, **given: Any) -> Any:
        return tool.function(play, **tool.checked(given))

    return run


@pytest.fixture
def harness(game: Path, capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run a command in this process, beside the ``game`` of the tests' own file.

    Gives the exit status, standard output and standard error.
    """

    def run(*arguments: object) -> tuple[int, str, str]:
        capfd.readouterr()
        status = cli.main([*map(str, arguments)])
        out, error = capfd.readouterr()
        assert "Traceback" not in out + error
        return status, out, error

    return run


@pytest.fixture
def harness_process(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run ``harness ...`` in a process of its own, under a hash seed."""

    def run(*arguments: object, hash_seed: object = "random") -> Any:
        return subprocess.run(
            [sys.executable, "-m", "harness", *map(str, arguments)],
            cwd=tmp_path,
            env={**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return run


@pytest.fixture
def answer_of(harness_process: Callable[..., Any]) -> Callable[..., Any]:
    """Run ``harness ... --json`` in a process of its own, and read its answer."""

    def run(*arguments: object, hash_seed: object = "random") -> Any:
        done = harness_process(*arguments, "--json", hash_seed=hash_seed)
        assert done.stdout, done.stderr
        return json.loads(done.stdout)

    return run


@pytest.fixture
def live() -> Callable[[Path], Any]:
    """Reach behind the driver: give the game object of a stub that is loaded in this process."""

    def find(folder: Path) -> Any:
        for module in list(sys.modules.values()):
            if getattr(module, "__file__", None) == str(folder / "honest.py"):
                return module.LIVE[0]
        raise LookupError(folder)

    return find
