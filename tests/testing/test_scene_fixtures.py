"""Scenes and checking as pytest fixtures."""

import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def project(pytester):
    """A copy of the reference game beside a test that is given."""
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "game", pytester.path / "game", ignore=ignore)

    def run(test):
        (pytester.path / "test_a.py").write_text(test, encoding="utf-8")
        return pytester.runpytest_inprocess("-p", "no:cacheprovider", "-p", "no:hypothesispytest")

    run.level = pytester.path / "game/levels/ledge.yaml"
    return run


def test_a_test_edits_a_scene_and_plays_it(project):
    result = project("""
def test_it(scene_list, scene_get, scene_edit, scene_diff, game_run, game_dir):
    assert scene_list(limit=0).count == 17
    assert scene_get("Door").properties["opened_by"] == ["Plate"]
    level = game_dir / "levels/ledge.yaml"
    before = game_dir / "levels/before.yaml"
    before.write_bytes(level.read_bytes())
    assert game_run(frames=1, print="coin.position.x").frames[1]["coin.position.x"] == 330
    scene_edit("set", "Coin", ["position.x=340"])
    assert game_run(frames=1, print="coin.position.x").frames[1]["coin.position.x"] == 340
    diff = scene_diff(against=before)
    ((coin, (row,)),) = diff.changed
    assert (coin.name, row.key, row.before, row.after) == (
        "Coin", "position", [330, 212], [340, 212]
    )
""")
    result.assert_outcomes(passed=1)


def test_a_wrong_edit_is_told_in_its_own_words(project):
    before = project.level.read_bytes()
    result = project("""
def test_it(scene_edit):
    scene_edit("set", "Dor", ["position.x=340"])
""")
    output = result.stdout.str()
    assert "no object named 'Dor'; scene ledge has: Door, " in output
    assert "/harness/" not in output
    assert project.level.read_bytes() == before


def test_game_check_raises_with_the_list(project):
    text = project.level.read_text(encoding="utf-8")
    project.level.write_text(text.replace("parent: Gate", "parent: Gaet"), encoding="utf-8")
    result = project("""
import pytest
from harness import ProblemsFound

def test_it(game_check):
    with pytest.raises(ProblemsFound) as found:
        game_check()
    assert "levels/ledge.yaml:22: Keep: parent: no object named 'Gaet'" in str(found.value)
    assert found.value.answer.problems == game_check(check=False).problems

def test_other(game_check):
    game_check()
""")
    result.assert_outcomes(passed=1, failed=1)
    assert "levels/ledge.yaml:22: Keep" in result.stdout.str()


def test_every_tool_is_a_method_of_tools(project):
    result = project("""
def test_it(tools):
    assert tools.help().answer["tools"].keys() == set(dir(tools))
    assert tools.capabilities().answer["game"]["id"] == "crate-and-door"
    assert tools.describe("api").answer["name"] == "api"
    assert tools.events().cursor == 0
    assert "Player" in tools.api(search="who walks").text()
""")
    result.assert_outcomes(passed=1)
