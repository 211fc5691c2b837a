"""What a test leaves behind: its movie, whether a fresh process agrees, and how to replay it."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.errors import Divergence, HarnessError
from harness.replay import other_environment
from harness.values.movie import Movie

if TYPE_CHECKING:
    import pytest

MOVIE = "run.movie"
_LONGEST = 600.0
_LONGEST_NAME = 80


class Keeper:
    """Keeps the evidence of one test under the output folder."""

    def __init__(self, item: pytest.Item, game: Path) -> None:
        self._here = item.config.invocation_params.dir
        self._folder = self._here / item.config.getoption("game_output") / folder_name(item.nodeid)
        self._game = game

    def keep(self, movie: Movie) -> str:
        """Write the movie, replay it once in a fresh process, and say so."""
        try:
            file = self._written(movie)
        except (HarnessError, OSError) as error:
            return f"its movie could not be kept: {error}"
        lines = [f"movie: {self._shown(file)}"]
        answer = replayed(self._game, file, 0)
        if answer is None:
            lines.append("a fresh process could not replay it")
        elif answer["kind"] in ("same", "failed"):
            lines.append(f"a fresh process came to the same: checked {answer['checked']} frames")
        else:
            lines.append(f"a fresh process did not come to the same:\n{answer['text']}")
        lines.append(f"replay it: harness replay {self._shown(self._game)} {self._shown(file)}")
        return "\n".join(lines)

    def forget(self) -> None:
        """Remove what an earlier failure of this test left."""
        if (self._folder / MOVIE).is_file():
            (self._folder / MOVIE).unlink(missing_ok=True)
            for folder in (self._folder, self._folder.parent):
                if not any(folder.iterdir()):
                    folder.rmdir()

    def repeat(self, movies: list[Movie], times: int) -> None:
        """Replay each movie that many times, each in a fresh process under another hash seed.

        Raises:
            Divergence: a replay came to another state; the movie is kept.
        """
        __tracebackhide__ = True
        texts = list(dict.fromkeys(movie.text() for movie in movies if movie.frames))
        for text in texts:
            with tempfile.TemporaryDirectory(prefix="playtest-") as folder:
                file = Path(folder) / MOVIE
                file.write_text(text, encoding="utf-8", newline="\n")
                for number in range(1, times + 1):
                    answer = replayed(self._game, file, number)
                    if answer is None or answer["kind"] not in ("same", "failed"):
                        raise self._divergence(text, number, answer)

    def _divergence(self, text: str, number: int, answer: dict[str, Any] | None) -> Divergence:
        self._folder.mkdir(parents=True, exist_ok=True)
        file = self._folder / MOVIE
        file.write_text(text, encoding="utf-8", newline="\n")
        told = answer["text"] if answer is not None else "the fresh process gave no answer"
        message = (
            f"repeat {number} in a fresh process did not come to the same state\n{told}\n"
            f"  replay it: harness replay {self._shown(self._game)} {self._shown(file)}"
        )
        return Divergence(message, (answer or {}).get("frame") or 0)

    def _written(self, movie: Movie) -> Path:
        self._folder.mkdir(parents=True, exist_ok=True)
        return movie.write(self._folder / MOVIE)

    def _shown(self, path: Path) -> str:
        try:
            relative = os.path.relpath(path, self._here)
        except ValueError:  # another drive
            relative = str(path)
        return shlex.quote(relative if len(relative) <= len(str(path)) else str(path))


def replayed(game: Path, movie: Path, number: int) -> dict[str, Any] | None:
    """What ``harness replay`` says in a fresh process, under the hash seed of that number."""
    command = [sys.executable, "-P", "-m", "harness", "replay", str(game), str(movie), "--json"]
    environment = other_environment(number and 1000 + number)
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, timeout=_LONGEST, check=False
        )
        answer: dict[str, Any] = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return answer if "kind" in answer else None


def folder_name(nodeid: str) -> str:
    """A folder's name for a test: readable, and safe on every system."""
    name = re.sub(r"[^A-Za-z0-9_.]+", "-", nodeid.replace(".py::", "-")).strip("-.")
    if len(name) <= _LONGEST_NAME:
        return name
    return (
        f"{name[: _LONGEST_NAME - 9]}-{hashlib.blake2b(nodeid.encode(), digest_size=4).hexdigest()}"
    )
