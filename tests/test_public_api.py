"""The public names: those that are listed are there, are what they say, and cost nothing unused."""

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import harness

PACKAGE = Path(harness.__file__).parent
HEAVY = ("pygame", "pymunk", "PIL", "mcp", "yaml", "numpy", "pytest", "argparse", "hypothesis")


def test_every_listed_name_is_there():
    assert harness.__all__ == sorted(harness.__all__)
    for name in harness.__all__:
        assert getattr(harness, name) is not None
    assert dir(harness) == harness.__all__


def test_every_listed_name_comes_from_the_module_that_it_says():
    for name, home in harness._HOME.items():
        assert getattr(importlib.import_module(home), name) is getattr(harness, name)
    assert set(harness._HOME) == set(harness.__all__) - {"open"}


def test_type_checkers_see_the_same_names():
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    imported = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    seen = {(alias.asname or alias.name): node.module for node in imported for alias in node.names}
    assert seen == harness._HOME


def test_every_public_name_is_documented():
    for name in harness.__all__:
        assert (getattr(harness, name).__doc__ or "").strip(), name


def test_every_error_is_public():
    from harness import errors

    classes = {name for name, value in vars(errors).items() if isinstance(value, type)}
    assert {name for name in classes if issubclass(getattr(errors, name), Exception)} <= set(
        harness.__all__
    )


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'harness' has no attribute 'Playtets'"):
        _ = harness.Playtets
    assert not hasattr(harness, "nothing")


def test_the_version_is_that_of_the_package():
    from importlib.metadata import version

    assert harness.__version__ == version("playtest-harness")


def test_importing_the_package_imports_nothing_heavy_and_nothing_of_its_own():
    code = "import sys, harness; print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parent
    )
    loaded = done.stdout.split()
    assert "harness" in loaded
    assert [name for name in loaded if name.startswith("harness.")] == []
    assert [name for name in HEAVY if name in loaded] == []


def test_star_import_gives_the_listed_names():
    names = {}
    exec("from harness import *", names)
    assert set(harness.__all__) <= set(names)


def test_open_plays_a_game_in_any_program():
    walker = Path(__file__).parent / "walker"
    play = harness.open(walker, seed=4, scene="park")
    play.hold("right", frames=3)
    assert (play.frame, play.value("walker.x"), play.value("seed")) == (3, 3, 4)
    assert play.value("game.scene") == "park"
    assert harness.open(str(walker)).step(2) == 2
    with pytest.raises(harness.ConfigError, match="no game at"):
        harness.open(walker / "nowhere")


def test_open_finds_the_game_upward(monkeypatch):
    monkeypatch.chdir(Path(__file__).parent / "walker")
    assert harness.open().step() == 1


@pytest.mark.parametrize("value", [3, b"x", [], object()])
def test_what_is_no_path_is_refused_in_words(value):
    with pytest.raises(harness.ArgumentError, match=r"^game: must be a path, not "):
        harness.open(value)
    with pytest.raises(harness.ArgumentError, match=r"^path: must be a path, not "):
        harness.read_movie(value)
    with pytest.raises(harness.ArgumentError, match=r"^path: must be a path, not "):
        harness.Picture((1, 1), b"abc").write(value)


@pytest.mark.parametrize("value", ["soon", [], float("nan"), float("inf"), 0, -1])
def test_a_budget_that_is_none_is_refused(value):
    with pytest.raises(harness.ArgumentError, match=r"^budget: must be more than 0 seconds, not "):
        harness.open(budget=value)
