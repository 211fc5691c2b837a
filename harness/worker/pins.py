"""What a worker is started with, so that it is the same each time: hash seed, threads, folders."""

from __future__ import annotations

import os
import shutil
import site
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from harness.games.headless import HOMES

How = Literal["fork", "spawn"]

BUDGET = 30.0
"""Seconds of wall clock in which a frame must be finished."""

MEMORY = 4096
"""MiB of address space that a game may have."""

HASH_SEED = "0"

_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")

# A worker is killed when it is no longer wanted, so that it could never write its measurements.
_COVERAGE = ("COVERAGE_PROCESS_START", "COV_CORE_SOURCE", "COV_CORE_CONFIG", "COV_CORE_DATAFILE")
_PREFIX = "playtest-"


def pinned(
    environment: Mapping[str, str], home: Path, hash_seed: str = HASH_SEED
) -> dict[str, str]:
    """An environment with a worker's pins in it; ``home`` is where the game may write."""
    kept = {name: value for name, value in environment.items() if name not in _COVERAGE}
    return {
        **kept,
        "PYTHONHASHSEED": hash_seed,
        "PYTHONDONTWRITEBYTECODE": "1",
        "SDL_VIDEODRIVER": "dummy",
        "SDL_AUDIODRIVER": "dummy",
        "PYGAME_HIDE_SUPPORT_PROMPT": "1",
        **dict.fromkeys(HOMES, str(home)),
        **dict.fromkeys(_THREADS, "1"),
    }


def start_environment(home: Path, hash_seed: str) -> dict[str, str]:
    """What a worker is started with: its pins, and our package in reach."""
    package = str(Path(__file__).resolve().parent.parent.parent)
    paths = [package, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        **pinned(os.environ, home, hash_seed),
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONUSERBASE": site.getuserbase(),  # it is looked for in HOME, else
    }


def new_folder() -> Path:
    """A folder for a family of workers; those of processes that were killed are removed."""
    there = Path(tempfile.gettempdir())
    for folder in there.glob(f"{_PREFIX}*-*"):
        owner = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if owner.isdigit() and not _lives(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)
    # A game may show its paths, or count on their length: that at least is always the same.
    owner = f"{_PREFIX}{os.getpid():010d}-"
    return Path(tempfile.mkdtemp(prefix=owner, dir=there)).resolve()


def _lives(process: int) -> bool:
    if os.name == "nt":  # there `os.kill` would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True
