"""What a test leaves behind: its movie, whether a fresh process agrees, and how to replay it."""

from __future__ import annotations

import contextlib
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

from harness.errors import HarnessError
from harness.golden.evidence import RECORD
from harness.golden.evidence import forget as forget_golden
from harness.golden.evidence import keep as keep_golden
from harness.golden.golden import Golden, Verdict
from harness.values.files import shown_path
from harness.values.movie import Movie
from harness.values.picture import Picture

if TYPE_CHECKING:
    import pytest

MOVIE = "run.movie"
NO_ANSWER = "a fresh process could not replay it"
_LONGEST = 600.0
_LONGEST_NAME = 80


class Keeper:
    """Keeps the evidence of one test under the output folder."""

    def __init__(self, item: pytest.Item, game: Path) -> None:
        self._here = item.config.invocation_params.dir
        self._folder = self._here / item.config.getoption("game_output") / folder_name(item.nodeid)
        self._game = game
        self._budget: float = item.config.getoption("game_budget")
        self._root = item.config.rootpath
        self._seen = 0

    def golden(self, golden: Golden, picture: Picture, verdict: Verdict) -> str:
        """Keep the pictures of a comparison that failed, and say where to look.

        A test's first lie in its folder, those of further comparisons in folders below.
        """
        folder = self._folder if not self._seen else self._folder / f"{golden.name}-{self._seen}"
        if not self._seen:
            self._forget_goldens()
        try:
            shown = keep_golden(folder, self._root, golden, picture, verdict)
        except (HarnessError, OSError) as error:
            return f"the picture could not be kept: {error}"
        self._seen += 1
        return f"see {self._shown(shown)}"

    @property
    def keeps_goldens(self) -> bool:
        """Whether a comparison of this test left its pictures."""
        return self._seen > 0

    def _forget_goldens(self) -> None:
        below = [record.parent for record in self._folder.glob(f"*/{RECORD}")]
        for folder in (*below, self._folder):
            forget_golden(folder)
            with contextlib.suppress(OSError):
                folder.rmdir()

    def keep(self, movie: Movie) -> str:
        """Write the movie, replay it once in a fresh process, and say so."""
        try:
            file = self._written(movie)
        except (HarnessError, OSError) as error:
            return f"its movie could not be kept: {error}"
        lines = [f"movie: {self._shown(file)}"]
        answer = replayed(self._game, file, 0, self._budget)
        if answer["kind"] == NO_ANSWER:
            lines.append(f"{NO_ANSWER}: {answer['text']}")
        elif answer["kind"] in ("same", "failed"):
            lines.append(f"replayed in a fresh process, {answer['text']}")
        else:
            told = answer["text"].replace(str(file), "the movie")
            lines.append(f"a fresh process came to another state, so it may not recur\n{told}")
        lines.append(self._replay_line(file))
        return "\n".join(lines)

    def forget(self) -> None:
        """Remove what an earlier failure of this test left."""
        if not self._folder.is_dir():
            return
        with contextlib.suppress(OSError):
            (self._folder / MOVIE).unlink()
        self._forget_goldens()
        with contextlib.suppress(OSError):  # not empty, or another process was first
            self._folder.parent.rmdir()

    def repeat(self, movies: list[Movie], times: int) -> str:
        """Replay each movie that many times, each in a fresh process under another hash seed.

        Gives the first difference in words, "" where there is none; its movie is kept.
        """
        texts = list(dict.fromkeys(movie.text() for movie in movies if movie.frames))
        for text in texts:
            with tempfile.TemporaryDirectory(prefix="playtest-") as folder:
                file = Path(folder) / MOVIE
                file.write_text(text, encoding="utf-8", newline="\n")
                for number in range(1, times + 1):
                    answer = replayed(self._game, file, number, self._budget)
                    if answer["kind"] not in ("same", "failed"):
                        told = answer["text"].replace(str(file), "its movie")
                        return self._difference(text, number, told)
        return ""

    def _difference(self, text: str, number: int, told: str) -> str:
        self._folder.mkdir(parents=True, exist_ok=True)
        file = self._folder / MOVIE
        file.write_text(text, encoding="utf-8", newline="\n")
        return (
            f"replay {number} of this test in a fresh process came to another state\n{told}\n"
            f"movie: {self._shown(file)}\n{self._replay_line(file)}"
        )

    def _replay_line(self, file: Path) -> str:
        return f"replay it: harness replay {self._shown(self._game)} {self._shown(file)}"

    def _written(self, movie: Movie) -> Path:
        self._folder.mkdir(parents=True, exist_ok=True)
        return movie.write(self._folder / MOVIE)

    def _shown(self, path: Path) -> str:
        return shlex.quote(shown_path(path, self._here))


def replayed(game: Path, movie: Path, number: int, budget: float = 30.0) -> dict[str, Any]:
    """What ``harness replay`` says in a fresh process, under the hash seed of that number."""
    command = [sys.executable, "-P", "-m", "harness", "replay", str(game), str(movie), "--json"]
    command += ["--budget", f"{budget:g}"]
    environment = other_environment(number and 1000 + number)
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, timeout=_LONGEST, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return {"kind": NO_ANSWER, "text": str(error)}
    try:
        answer: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        last = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        return {"kind": NO_ANSWER, "text": f"it ended with status {done.returncode}: {last}"}
    if "kind" not in answer:
        return {"kind": NO_ANSWER, "text": answer["error"]["message"]}
    return answer


def other_environment(hash_seed: int) -> dict[str, str]:
    """This environment under a hash seed, else another than its own, with our package in reach."""
    seed = hash_seed or (1 if os.environ.get("PYTHONHASHSEED") != "1" else 2)
    home = str(Path(__file__).resolve().parent.parent.parent)
    paths = [home, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": os.pathsep.join(paths)}


def folder_name(nodeid: str) -> str:
    """A folder's name for a test: readable, safe on every system, and no other test's."""
    place, bracket, case = nodeid.partition("[")
    plain = re.sub(r"\.py(?=::|$)", "", place).replace("::", "/")
    name = re.sub(r"[^A-Za-z0-9_.]+", "-", plain + bracket + case).strip("-.")
    told_apart = re.fullmatch(r"[A-Za-z0-9_./]+", plain) and re.fullmatch(
        r"(\w+\])?", case, re.ASCII
    )
    if told_apart and len(name) <= _LONGEST_NAME:
        return name
    digest = hashlib.blake2b(nodeid.encode("utf-8", "surrogateescape"), digest_size=3).hexdigest()
    return f"{name[:_LONGEST_NAME]}-{digest}"
