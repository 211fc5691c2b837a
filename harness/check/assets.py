"""Loads every picture, sound and font of a game, in a process of its own: one may crash it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.check.files import FONTS, PICTURES, SOUNDS, GameFiles
from harness.check.problems import Problem
from harness.check.scripts import READ
from harness.games.headless import HEADLESS

_LONGEST = 60.0
"""Seconds that all of them may take."""


def problems_of(files: GameFiles) -> tuple[list[Problem], list[str]]:
    """Assets that cannot be loaded, and notes on what could not be tried."""
    found = list(_data(files))
    names = files.ending(*PICTURES, *SOUNDS, *FONTS)
    if not names:
        return found, []
    lines, ended, note = _loaded(files.path, names)
    reached = None
    for line in lines:
        name, problem = json.loads(line)
        reached = name
        if problem:
            found.append(Problem(name, 0, problem, "save it again, or replace it"))
    if ended is not None and reached is not None:
        found.append(Problem(reached, 0, f"crashes what loads it ({ended})", "replace it"))
    return found, [note] if note else []


def _data(files: GameFiles) -> Iterator[Problem]:
    for name in files.ending(".json", ".tmj"):
        try:
            json.loads((files.path / name).read_bytes())
        except ValueError as error:
            line = getattr(error, "lineno", 0)
            what = f"is no JSON: {getattr(error, 'msg', error)}"
            yield Problem(name, line, what, "correct the line, or the one before it")
        except (OSError, RecursionError) as error:
            yield Problem(name, 0, f"cannot be read: {error}", READ)


def _loaded(folder: Path, names: list[str]) -> tuple[list[str], str | None, str]:
    """What the other process said, how it died where it did, and a note where it had no time."""
    home = str(Path(__file__).resolve().parents[2])
    paths = [home, *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, **HEADLESS, "PYTHONPATH": os.pathsep.join(paths)}
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "harness.check.loading", str(folder)],
            input=json.dumps(names).encode(), env=environment, capture_output=True,
            timeout=_LONGEST, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired as slow:
        return _lines(slow.stdout), None, f"loading assets took more than {_LONGEST:g} s: not all"
    except OSError as error:
        return [], None, f"assets were not loaded: {error}"
    if done.returncode == 3:
        return [], None, "assets were not loaded: pygame is not installed"
    ended = None if done.returncode == 0 else f"exit status {done.returncode}"
    return _lines(done.stdout), ended, ""


def _lines(output: Any) -> list[str]:
    text = (output or b"").decode("utf-8", "replace")
    return [line for line in text.splitlines(keepends=False) if line.startswith("[")]
