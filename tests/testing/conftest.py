"""A project of a user: the walker beside its tests, run by a pytest of its own."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml  # noqa: F401

# Kept from run to run: pytester forgets what a run of its own imports.
import harness.testing  # noqa: F401

WALKER = Path(__file__).parents[1] / "walker"

# hypothesis would be imported anew, rewritten, by each run's summary: most of a second.
QUIET = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest")


class Project:
    """A folder with a game in ``game/``."""

    def __init__(self, path, pytester=None):
        self.pytester = pytester
        self.path = path
        self.add_game("game")

    def add_game(self, name, whim="0"):
        """Copy the walker, with something else on its mind."""
        folder = self.path / name
        shutil.copytree(WALKER, folder, ignore=shutil.ignore_patterns("__pycache__"))
        self.change(
            name,
            "        self.whim = 0\n\n    def _trip",
            f"        self.whim = {whim}\n\n    def _trip",
        )
        return folder

    def change(self, name, old, new):
        file = self.path / name / "walker.py"
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new), encoding="utf-8")

    def write(self, name, text):
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def run(self, *args):
        """Run pytest in this process."""
        return self.pytester.runpytest_inprocess(*QUIET, *args)

    def passes(self, *args, **outcomes):
        result = self.run(*args)
        result.assert_outcomes(**outcomes)
        return result

    def output(self, *args):
        """What pytest prints, as one text."""
        return self.run(*args).stdout.str()

    def shell(self, command, cwd=None):
        """Type a command, with this environment's programs in reach."""
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        return subprocess.run(
            command, shell=True, cwd=cwd or self.path, env={**os.environ, "PATH": path},
            capture_output=True, text=True, check=False,
        )  # fmt: skip


@pytest.fixture
def project(pytester):
    return Project(pytester.path, pytester)


@pytest.fixture(scope="module")
def shared_project(tmp_path_factory):
    """One for all tests of a module, to look at; pytest is typed in its shell."""
    return Project(tmp_path_factory.mktemp("shared"))


@pytest.fixture
def command_in():
    """Find the one command that follows a word in a report.

    On a build server pytest's summary repeats the whole message, command and all.
    """

    def find(word, text):
        [command] = {*re.findall(rf"{word}: (harness .*)", text)}
        return command

    return find
