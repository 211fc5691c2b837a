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
        "greenlet",
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


# installed, beside others

THEIRS = """\
import random

import harness
import pytest


def test_theirs_is_theirs():
    assert harness.WHAT == "their own harness"
    assert not hasattr(harness, "Playtest")


@pytest.mark.golden_test("goldens/*.yml")
def test_golden_is_theirs(golden):
    assert golden["input"].upper() == golden.out["output"]


@pytest.mark.parametrize("number", range(4))
def test_chance(number):
    assert 0 <= random.random() < 1
"""
OURS = """\
import random

import pytest


@pytest.mark.parametrize("seed", range(3))
def test_fixtures(play, game_run, game_dir, tools, seed):
    play.reset(seed=seed)
    play.hold("right", frames=4)
    assert play.value("walker.x") == 4
    run = game_run(frames=9, seed=seed, input="right@1-4")
    assert run.passed and tools.game_run(frames=9, seed=seed).seed == seed
    assert game_dir.name == "game"


def test_pictures_have_another_name(golden_of=None):
    import harness
    assert harness.WHAT == "their own harness"


@pytest.mark.xfail(strict=True)
def test_fails(play):
    play.until("walker.x > 3", within=3)
"""
SCENARIO = """\
scenario: it walks
steps:
  - hold: {buttons: right, frames: 4}
  - expect: {walker.x: 4}
---
scenario: it waits
steps:
  - step: 4
  - expect: {walker.x: 0}
"""


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """An environment with the wheel, and the plugins that it must live beside."""
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    scripts = folder / ("Scripts" if sys.platform == "win32" else "bin")
    beside = ["pytest-golden", "pytest-randomly", "pytest-xdist"]
    done = subprocess.run(
        [scripts / "python", "-m", "pip", "install", "--quiet", str(wheel), *beside],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode and re.search(r"Could not find a version|[Cc]onnection", done.stderr):
        pytest.skip("pip cannot reach a registry for pytest-golden, pytest-randomly, pytest-xdist")
    assert done.returncode == 0, done.stderr
    return scripts


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """Somebody's project with a ``tests/harness.py`` of its own, a game and scenarios."""
    folder = tmp_path_factory.mktemp("project")
    files = {
        "tests/harness.py": 'WHAT = "their own harness"\n',
        "tests/test_theirs.py": THEIRS,
        "tests/goldens/a.yml": "input: word\noutput: WORD\n",
        "tests/test_ours.py": OURS,
        "tests/a.scenario.yaml": SCENARIO,
        "a_first.scenario.yaml": SCENARIO,
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    shutil.copytree(ROOT / "tests" / "walker", folder / "game")
    return folder


@pytest.mark.parametrize(
    "arguments",
    [
        ["-p", "no:randomly"],
        ["-p", "randomly", "-p", "no:xdist"],
        ["-n", "2", "--game-repeat", "2"],
        ["-p", "no:randomly", "tests/test_ours.py", "tests/a.scenario.yaml", "tests"],
    ],
    ids=["theirs is imported late", "shuffled", "spread and repeated", "ours first"],
)
def test_their_tests_and_ours_pass_in_one_session(installed, project, arguments):
    done = subprocess.run(
        [installed / "pytest", "-p", "no:cacheprovider", *arguments],
        cwd=project, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    passed = 12 if arguments[-1] == "tests" else 14
    assert f" {passed} passed, 1 xfailed" in done.stdout, done.stdout


def test_a_failure_beside_another_harness_is_replayed_too(installed, project):
    (project / "more").mkdir()
    (project / "more" / "test_more.py").write_text(
        "import sys\nsys.path.insert(0, 'tests')\nimport harness\n\n\n"
        "def test_it(game_run):\n    game_run(frames=9, assert_='frame < 5')\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [installed / "pytest", "-p", "no:cacheprovider", "more"],
        cwd=project, capture_output=True, text=True, check=False,
    )  # fmt: skip
    shutil.rmtree(project / "more")
    assert "RunFailed: assert frame < 5 did not hold at frame 5" in done.stdout
    assert "replayed in a fresh process, same: checked 5 of 5 frames" in done.stdout
    for word in ("play it again", "replay it"):
        command = re.search(rf"{word}: (harness .*)", done.stdout)[1].split(" ", 1)[1]
        again = subprocess.run(
            f'"{installed / "harness"}" {command}',
            shell=True, cwd=project, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert again.returncode == (1 if word == "play it again" else 0), again
        assert not again.stderr


def test_the_installed_command_writes_a_game_that_plays(installed, tmp_path):
    for command in ("harness new mine", "harness run mine --frames 3", "pytest mine -q"):
        program, *arguments = command.split()
        done = subprocess.run(
            [installed / program, *arguments], cwd=tmp_path,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
