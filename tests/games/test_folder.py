"""A game's folder: where it is found, and what its harness.yaml may say."""

import sys

import pytest

from harness.errors import ConfigError
from harness.games.folder import find_game, read_folder
from harness.playtest.play import Playtest


def test_the_game_that_is_given_is_the_folder_or_its_config(stub, tmp_path):
    folder = stub()
    assert find_game(folder) == folder
    assert find_game(folder / "harness.yaml") == folder
    assert find_game("stub", tmp_path) == folder
    assert find_game(folder / ".." / "stub") == folder


def test_without_one_the_nearest_upward_is_found_then_game_beside(stub, tmp_path):
    folder = stub()
    (folder / "scenarios" / "deep").mkdir(parents=True)
    assert find_game(None, folder / "scenarios" / "deep") == folder
    other = stub(name="game")
    assert find_game(None, tmp_path) == other
    (tmp_path / "elsewhere").mkdir()
    assert find_game(None, tmp_path / "elsewhere", tmp_path) == other


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("nowhere", "no game at"),
        ("empty", "it has no harness.yaml"),
        ("file.txt", "is no game; the harness drives programs for pygame"),
    ],
)
def test_what_is_no_game_is_told_so(tmp_path, given, message):
    (tmp_path / "empty").mkdir()
    (tmp_path / "file.txt").touch()
    with pytest.raises(ConfigError) as refused:
        Playtest(given, base=tmp_path)
    assert message in str(refused.value)
    assert len(str(refused.value).splitlines()) <= 2


def test_no_game_at_all_says_how_to_begin(tmp_path):
    with pytest.raises(ConfigError, match=r"no game here: .*\n  harness new DIR writes a game"):
        find_game(None, tmp_path)
    (tmp_path / "pong.py").touch()
    with pytest.raises(ConfigError, match=r"no game here: .*\n  name the program .* has: pong\.py"):
        find_game(None, tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "needs keys such as entry, size and scenes"),
        ("- entry\n", "needs keys such as entry"),
        ("entry: a:B\nsceens: [x]\n", "no key named 'sceens'; harness.yaml has: scenes"),
        ("size: [1, 2]\n", "entry: must be module:Class, as in adapter:MyGame, not None"),
        ("entry: a.py\n", "entry: must be module:Class"),
        ("entry: a:B\nsize: [0, 9]\n", "line 2: size: must be [width, height] in pixels"),
        ("entry: a:B\nsize: 640x360\n", "size: must be [width, height]"),
        ("entry: a:B\ntick_rate: 0\n", "tick_rate: must be a whole number of steps a second"),
        ("entry: a:B\ntick_rate: true\n", "tick_rate: must be a whole number"),
        ("entry: a:B\nscenes: []\n", "scenes: must be a list of names"),
        ("entry: a:B\nscenes: [1]\n", "scenes: must be a list of names"),
        ("entry: a:B\nscenes:\n  one: no.yaml\n", "scenes: one: no file at no.yaml"),
        ("entry: a:B\nbuttons: [jump]\n", "buttons: must map a button's name to its keys"),
        ("entry: a:B\nbuttons: {jump: spaec}\n", "buttons: jump: no key"),
        ("entry: a:B\nbuttons: {'a b': space}\n", "a button's name is a word of letters"),
        ("entry: a:B\nbuttons: {quit: space}\n", "a button's name is a word"),
        ("entry: a:B\nroot: nowhere\n", "root: must be the game's folder or one above it"),
        ("entry: a:B\ntitle: [x]\n", "title: must be a line of text"),
        ("entry: a:B\nid: ''\n", "id: must be a line of text"),
        ("entry: a:B\nentry: a:C\n", "line 2: the key 'entry' is there twice"),
    ],
)  # fmt: skip
def test_a_config_that_does_not_fit_is_one_line_with_its_place(tmp_path, text, message):
    (tmp_path / "harness.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as refused:
        read_folder(tmp_path)
    assert message in str(refused.value)
    assert str(refused.value).startswith(str(tmp_path / "harness.yaml"))
    assert len(str(refused.value).splitlines()) == 1


def test_what_is_left_out_has_its_default(tmp_path):
    (tmp_path / "harness.yaml").write_text("entry: a:B\n", encoding="utf-8")
    folder = read_folder(tmp_path)
    assert (folder.id, folder.size, folder.tick_rate) == (tmp_path.name, (640, 360), 60)
    assert folder.scenes == ("main",)
    assert folder.scene(None) == "main"


def test_another_tick_rate_is_another_dt(opened):
    play = opened(tick_rate=50)
    play.step(25)
    assert play.value("time") == 0.5


def test_a_folder_that_is_a_package_is_imported_as_one(opened, stub, game_run):
    folder = stub("from .honest import Honest as Stub\n", name="boxed")
    (folder / "__init__.py").touch()
    play = Playtest(folder)
    one = game_run(play, frames=5)
    plain = game_run(opened(), frames=5)
    assert one.state_hash == plain.state_hash
    (folder / "adapter.py").write_text("from .honest import Honest as Stub  # edited\n")
    assert game_run(play, frames=5).build != one.build


@pytest.mark.skipif(sys.platform == "win32", reason="folders are everybody's on POSIX alone")
def test_a_game_that_anybody_could_have_put_there_is_not_found_by_looking_upward(stub, tmp_path):
    game = stub()
    inside = game / "deep"
    inside.mkdir()
    game.chmod(0o1777)
    with pytest.raises(ConfigError, match="no game here"):
        find_game(None, inside)
    assert find_game(None, game) == find_game(game) == game.resolve()
    game.chmod(0o777)
    assert find_game(None, inside) == game.resolve()
