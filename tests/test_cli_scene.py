"""harness check, scene, api, describe and capabilities."""

import json
import shutil
from pathlib import Path

import pytest

from harness import cli, tools  # noqa: F401
from harness.errors import ArgumentError
from harness.playtest.play import Playtest
from harness.registry import REGISTRY
from harness.tools.desk import Desk, called

ROOT = Path(__file__).parents[1]
WALKER = ROOT / "tests/walker"


@pytest.fixture
def game(tmp_path, monkeypatch):
    """A copy of the reference game in the working directory."""
    monkeypatch.chdir(tmp_path)
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "game", tmp_path / "game", ignore=ignore)
    shutil.copy("game/levels/ledge.yaml", "game/levels/before.yaml")
    return tmp_path / "game"


def told(game, tool, /, **given):
    """What the tool itself answers."""
    desk = Desk(game, game, lambda: Playtest(game))
    found = REGISTRY.find(tool)
    return called(found, desk, found.checked(given)).to_json()


EDITS = [
    (["set", "Door", "position.y=250", "--parent=Level"],
     {"action": "set", "object": "Door", "assignments": ["position.y=250"], "parent": "Level"}),
    (["add", "Coin2", "position=1,2", "--from=Coin"],
     {"action": "add", "object": "Coin2", "assignments": ["position=1,2"], "from": "Coin"}),
    (["remove", "#2", "--confirm"], {"action": "remove", "object": "#2", "confirm": True}),
    (["set", "Guard", "name=Captain2", "--scene=watch"],
     {"action": "set", "object": "Guard", "assignments": "name=Captain2", "scene": "watch"}),
]  # fmt: skip
READS = [
    ("scene_list", ["list", "--scene=yard", "--limit=3", "--depth=2"],
     {"scene": "yard", "limit": 3, "depth": 2}),
    ("scene_get", ["get", "Level/Beams", "--scene=yard"],
     {"object": "Level/Beams", "scene": "yard"}),
    ("scene_diff", ["diff", "levels/before.yaml", "--scene=yard"],
     {"against": "levels/before.yaml", "scene": "yard"}),
]  # fmt: skip
OTHERS = [
    ("api", ["api", "--name=Walker", "--isolation=in-process"], {"name": "Walker"}),
    ("api", ["api", "--search=walker", "--isolation=in-process"], {"search": "walker"}),
    ("describe", ["describe", "game_run"], {"tool": "game_run"}),
    ("capabilities", ["capabilities"], {}),
    ("game_check", ["check", "--determinism", "--isolation=in-process"], {"determinism": True}),
]


@pytest.mark.parametrize(("words", "given"), EDITS)
def test_an_edit_is_the_tools_own(harness, game, tmp_path, words, given):
    shutil.copytree(game, tmp_path / "other")
    expected = told(tmp_path / "other", "scene_edit", **given)
    status, out, error = harness("scene", "game", *words, "--json")
    assert (status, error) == (0, "")
    assert json.loads(out) == expected
    for path in game.glob("levels/*"):
        assert path.read_bytes() == (tmp_path / "other/levels" / path.name).read_bytes()


@pytest.mark.parametrize(("tool", "words", "given"), READS)
def test_a_look_at_a_file_is_the_tools_own(harness, game, tool, words, given):
    status, out, error = harness("scene", "game", *words, "--json")
    assert (status, error) == (0, "")
    assert json.loads(out) == told(game, tool, **given)


@pytest.mark.parametrize(("tool", "words", "given"), OTHERS)
def test_the_other_commands_are_the_tools_own(harness, tmp_path, tool, words, given):
    shutil.rmtree("game")
    shutil.copytree(WALKER, tmp_path / "game", ignore=shutil.ignore_patterns("__pycache__"))
    status, out, error = harness(*words, "--json")
    assert (status, error) == (0, "")
    assert json.loads(out) == told(tmp_path / "game", tool, **given)


def test_every_argument_of_every_tool_of_files_can_be_reached():
    given = {"scene_edit": set().union(*(given for _, given in EDITS))}
    for tool, _, arguments in [*READS, *OTHERS]:
        given.setdefault(tool, set()).update(arguments)
    for tool, names in given.items():
        assert names == {argument.name for argument in REGISTRY.find(tool).arguments}, tool


def test_the_game_may_stand_before_or_after_the_action_or_be_found(harness):
    answers = {
        harness("scene", *words)[1]
        for words in (("game", "get", "Door"), ("get", "game", "Door"), ("get", "Door"))
    }
    assert len(answers) == 1
    assert harness("scene", "list", "game")[1] == harness("scene", "list")[1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["foo"], "no action named 'foo'; scene has: add, diff, get, list, remove, set"),
        (["game", "foo"], "no action named 'foo'"),
        (["game", "get"], "object: is required"),
        (["game", "list", "Door"], "list takes no object, not Door"),
        (["game", "get", "a", "b"], "get takes one object, not a b"),
        (["game", "get", "Door", "a=1"], "get takes no assignments, and a=1 is one"),
        (["game", "get", "Door", "--depth=1"], "get takes no --depth"),
        (["game", "list", "--from=a"], "list takes no --from"),
        (["game", "set", "Door"], "assignments: is required by set"),
        (["game", "set", "Door", "a=1", "--from=Coin"], "from: is for add, not for set"),
        (["game", "remove", "Door"], "confirm: must be true to remove an object"),
        (["game", "remove", "Door", "a=1", "--confirm"], "assignments: of remove are properties"),
        (["game", "set", "Door", "a=1", "--confirm"], "confirm: is for remove, not for set"),
        (["game", "set", "a=1"], "object: is required by set"),
        (["game", "add"], "object: is required by add: the new object's name"),
        (["game", "diff", "levels/none.yaml"], "against: no file at 'levels/none.yaml'"),
        (["game", "diff", "../away.yaml"], "../away.yaml is outside of the game's folder"),
        (["game", "list", "--scene=ledgr"], "no scene named 'ledgr'; this game has: ledge"),
    ],
)
def test_a_wrong_request_is_one_line_and_changes_nothing(harness, game, words, message):
    before = {path: path.read_bytes() for path in game.rglob("*.yaml")}
    status, out, error = harness("scene", *words)
    assert (status, out) == (2, "")
    assert error.startswith(f"harness: {message}")
    assert before == {path: path.read_bytes() for path in game.rglob("*.yaml")}


def test_check_ends_with_1_when_something_is_wrong(harness, game):
    (game / "broken.py").write_text("def f(:\n", encoding="utf-8")
    status, out, _ = harness("check", "game", "--isolation=in-process")
    assert status == 1
    assert "broken.py:1: SyntaxError" in out


def test_a_game_without_scene_files_says_what_to_do(harness, tmp_path):
    shutil.copytree(WALKER, tmp_path / "walker")
    status, _, error = harness("scene", "walker", "list")
    assert status == 2
    assert "scene street is no file: the game makes it by itself" in error
    assert "scenes: {street: levels/street.yaml}" in error


@pytest.mark.parametrize(
    "action", [["list"], ["get", "A"], ["set", "A", "x=1"], ["diff", "a.yaml"]]
)
def test_a_program_has_no_scene_files(harness, tmp_path, action):
    (tmp_path / "main.py").write_text("import pygame\n", encoding="utf-8")
    status, _, error = harness("scene", "main.py", *action)
    assert status == 2
    assert "main.py is a program, which makes its scenes by itself" in error


def test_a_file_that_was_changed_meanwhile_is_not_written_over(game):
    from harness.errors import RequestError
    from harness.games.folder import read_folder
    from harness.scene.draft import write_edited
    from harness.scene.edit import set_properties
    from harness.scene.kinds import Kinds
    from harness.scene.layout import read_scene

    scene = read_scene(read_folder(game))
    edited = set_properties(scene, Kinds(), scene.find("Door"), ["position.y=1"])
    level = game / "levels/ledge.yaml"
    level.write_bytes(level.read_bytes() + b"# mine\n")
    with pytest.raises(RequestError, match="was changed by somebody else meanwhile"):
        write_edited(scene, edited)
    assert level.read_bytes().endswith(b"# mine\n")


def test_a_comparison_with_no_file_names_those_that_there_are(game):
    with pytest.raises(ArgumentError) as refused:
        told(game, "scene_diff", against="levels/was.yaml")
    assert str(refused.value).startswith(
        "against: no file at 'levels/was.yaml' in the game's folder; beside levels/ledge.yaml is"
        " levels/before.yaml, levels/title.yaml, "
    )


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ({"limit": 3}, "... 14 more: limit=0 lists all, depth=1 only the outermost"),
        ({"depth": 2}, "... 9 more: without depth all are listed, scene_get shows one"),
        ({"depth": 2, "limit": 3}, "... 14 more: limit=0 without depth lists all"),
    ],
)
def test_a_list_that_leaves_objects_out_says_how_to_get_them(game, given, hint):
    desk = Desk(game, game, lambda: Playtest(game))
    tool = REGISTRY.find("scene_list")
    assert hint in called(tool, desk, tool.checked(given)).text().splitlines()[-1]


@pytest.mark.parametrize("against", ["a\0b", "x" * 5000, ".", "", "levels"])
def test_what_no_file_is_called_is_refused_in_words(game, against):
    from harness.errors import ArgumentError

    with pytest.raises(ArgumentError, match="against: no file at "):
        told(game, "scene_diff", against=against)


def test_a_declaration_that_says_nothing_is_told_with_its_line(harness, game):
    config = (game / "harness.yaml").read_text(encoding="utf-8").partition("kinds:")[0]
    (game / "harness.yaml").write_text(config + "kinds: {door: 3}\n", encoding="utf-8")
    line = config.count("\n") + 1
    status, _, error = harness("scene", "game", "set", "Door", "position.y=1")
    assert status == 2
    assert f"harness.yaml, line {line}: kinds: door: must map its properties" in error
    status, out, _ = harness("check", "game", "--isolation=in-process")
    assert (status, f"harness.yaml:{line}: kinds: door: must map" in out) == (1, True)
