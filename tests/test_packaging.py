"""What the wheel holds: the harness, the plugin and the starter game, and nothing else."""

import email
import importlib.util
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """The wheel, built from a copy of what git would give."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    skipped = shutil.ignore_patterns(
        ".git", ".venv", ".tox", "__pycache__", "*.egg-info", ".*_cache", "build", "game-results"
    )
    shutil.copytree(ROOT, source, ignore=skipped)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(folder)]
    if importlib.util.find_spec("setuptools") and _setuptools_is_new():
        command.append("--no-build-isolation")
    done = subprocess.run([*command, str(source)], capture_output=True, text=True, check=False)
    if done.returncode and re.search(r"Could not find a version|connection|resolve", done.stderr):
        pytest.skip("pip cannot reach a registry for setuptools, which builds the wheel")
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("*.whl")
    return built


def _setuptools_is_new():
    from importlib.metadata import version

    return int(version("setuptools").split(".")[0]) >= 77


@pytest.fixture
def names(wheel):
    return zipfile.ZipFile(wheel).namelist()


def test_the_wheel_holds_the_package_and_the_plugin_and_nothing_else(names):
    tops = {name.partition("/")[0] for name in names}
    assert tops == {"harness", "pytest_playtest.py", "playtest_harness-0.1.0.dist-info"}


def test_the_wheel_holds_every_module(names):
    for file in (ROOT / "harness").rglob("*.py"):
        assert file.relative_to(ROOT).as_posix() in names
    assert "harness/py.typed" in names
    for file in (
        "ball.py",
        "harness.yaml",
        "scenarios/test_ball.py",
        "scenarios/wait.scenario.yaml",
    ):
        assert f"harness/starter/files/{file}" in names
    left = [name for name in names if re.search(r"\.pyc|\.movie|\.pytest_cache|__pycache__", name)]
    assert left == []


def test_the_metadata_says_how_to_start(wheel):
    archive = zipfile.ZipFile(wheel)
    folder = "playtest_harness-0.1.0.dist-info"
    metadata = email.message_from_string(archive.read(f"{folder}/METADATA").decode())
    assert (metadata["Name"], metadata["Version"]) == ("playtest-harness", "0.1.0")
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata["License-Expression"] == "MIT"
    needed = [line for line in metadata.get_all("Requires-Dist") if "extra ==" not in line]
    assert sorted(re.match(r"[\w-]+", line)[0].lower() for line in needed) == [
        "pymunk",
        "pytest",
        "pyyaml",
    ]
    assert {"pygame", "pygame-ce"} <= set(metadata.get_all("Provides-Extra"))
    entry_points = archive.read(f"{folder}/entry_points.txt").decode()
    assert "harness = harness.cli:main" in entry_points
    assert "[pytest11]\npytest_playtest = pytest_playtest" in entry_points


def test_every_package_is_listed():
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = {
        file.parent.relative_to(ROOT).as_posix().replace("/", ".")
        for file in (ROOT / "harness").rglob("__init__.py")
    }
    assert set(config["tool"]["setuptools"]["packages"]) == packages


def test_the_version_is_written_twice_and_the_same():
    import harness

    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert config["project"]["version"] == harness.__version__
