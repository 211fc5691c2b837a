"""A game that is edited between two calls of one process is played as edited."""

import os

import pytest

from harness.errors import ConfigError, GameError

RULES = "SPEED = {speed}\n"
STUB = """
    from honest import Honest
    import rules

    class Stub(Honest):
        def step(self, inputs):
            super().step(inputs)
            self.walker.x += rules.SPEED
"""


@pytest.fixture
def play(opened):
    play = opened(STUB)
    (play.stage.path / "rules.py").write_text(RULES.format(speed=1), encoding="utf-8")
    return play


def _edit(play, text, file="rules.py"):
    """Write as many bytes as there were, and set the time back to what it was."""
    path = play.stage.path / file
    before = path.stat()
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_an_edit_of_the_same_size_and_time_is_played_and_is_another_build(play, game_run):
    one = game_run(play, frames=10, print="walker.x")
    size = (play.stage.path / "rules.py").stat().st_size
    _edit(play, RULES.format(speed=2))
    assert (play.stage.path / "rules.py").stat().st_size == size
    other = game_run(play, frames=10, print="walker.x")
    assert (one.frames[10], other.frames[10]) == ({"walker.x": 10}, {"walker.x": 20})
    assert one.build != other.build
    _edit(play, RULES.format(speed=1))
    back = game_run(play, frames=10)
    assert (back.build, back.state_hash) == (one.build, one.state_hash)


def test_an_older_savestate_is_rebuilt_and_says_the_first_frame_that_differs(play, game_run):
    game_run(play, frames=10, save="ten")
    _edit(play, RULES.format(speed=2))
    run = game_run(play, frames=5, start="ten", print="walker.x")
    assert run.frames[5] == {"walker.x": 30}
    assert run.notes == (
        "savestate 'ten' was rebuilt from its movie: the game has changed, first at frame 1;"
        " at frame 10 walker.x was 10 and is 20",
    )
    assert play.load("ten") == 10
    assert play.value("walker.x") == 20
    assert "first at frame 1" in play.notes[-1]


def test_an_edit_that_changes_nothing_says_so(play, game_run):
    play.step(10)
    play.save("ten")
    _edit(play, "# SPEED\nSPEED = 1\n")
    assert play.load("ten") == 10
    assert play.notes[-1].endswith("the game has changed, its state has not")


def test_reset_plays_the_edited_game(play):
    play.step(3)
    _edit(play, RULES.format(speed=5))
    play.reset()
    play.step(3)
    assert play.value("walker.x") == 15


@pytest.mark.parametrize("broken", ["SPEED = 1 +", "1 / 0", "import nowhere", ""])
def test_a_broken_edit_is_an_error_and_mending_it_recovers(play, game_run, broken):
    one = game_run(play, frames=10)
    _edit(play, broken)
    run = game_run(play, frames=10)
    assert run.status == "error"
    if broken:
        assert (run.error.file, run.error.line) == ("rules.py", 1)
    with pytest.raises(GameError):
        play.reset() or play.step()
    _edit(play, RULES.format(speed=1))
    assert game_run(play, frames=10).state_hash == one.state_hash


def test_a_broken_config_is_refused_and_mending_it_recovers(play, game_run):
    one = game_run(play, frames=10)
    config = (play.stage.path / "harness.yaml").read_text(encoding="utf-8")
    _edit(play, config.replace("tick_rate: 60", "tick_rate: no"), "harness.yaml")
    with pytest.raises(ConfigError, match="line 3: tick_rate: must be a whole number"):
        game_run(play, frames=10)
    _edit(play, config, "harness.yaml")
    assert game_run(play, frames=10).state_hash == one.state_hash


def test_an_edited_scene_file_is_another_build(play, game_run):
    scene = play.stage.path / "level.txt"
    scene.write_text("one", encoding="utf-8")
    builds = {game_run(play, frames=1).build}
    _edit(play, "two", "level.txt")
    builds.add(game_run(play, frames=1).build)
    scene.unlink()
    builds.add(game_run(play, frames=1).build)
    assert len(builds) == 3


@pytest.mark.parametrize(
    "path",
    [
        "scenarios/test_it.py", "tests/helper.py", "test_it.py", "conftest.py", "x.movie",
        "it.scenario.yaml", ".venv/lib/thing.py", ".hidden", "venv/lib/thing.py",
        "lib/site-packages/thing.py", "__pycache__/x.pyc", "game-results/a/run.movie",
    ],
)  # fmt: skip
def test_tests_records_and_environments_are_no_part_of_the_build(play, game_run, path):
    environment = play.stage.path / "venv"
    environment.mkdir()
    (environment / "pyvenv.cfg").touch()
    build = game_run(play, frames=1).build
    file = play.stage.path / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("1", encoding="utf-8")
    assert game_run(play, frames=1).build == build


def test_a_library_inside_the_games_folder_is_neither_dropped_nor_blamed(play, game_run):
    library = play.stage.path / ".venv" / "lib" / "site-packages"
    library.mkdir(parents=True)
    (library / "borrowed.py").write_text("def fail():\n    raise KeyError('borrowed')\n")
    _edit(play, f"import sys\nsys.path.append({str(library)!r})\nimport borrowed\nSPEED = 1\n")
    import sys

    try:
        game_run(play, frames=1)
        borrowed = sys.modules["borrowed"]
        _edit(
            play,
            "import borrowed\nclass S:\n    __radd__ = lambda s, o: borrowed.fail()\nSPEED = S()\n",
        )
        run = game_run(play, frames=3)
        assert sys.modules["borrowed"] is borrowed
        assert (run.error.type, run.error.file, run.error.line) == ("KeyError", "rules.py", 3)
    finally:
        sys.path.remove(str(library))
        sys.modules.pop("borrowed", None)


def test_another_play_of_the_same_game_meets_the_edited_game_too(play, game_run, tmp_path):
    from harness.playtest.play import Playtest

    other = Playtest(play.stage.path, base=tmp_path)
    other.step(10)
    _edit(play, RULES.format(speed=2))
    game_run(play, frames=1)
    other.step()
    assert other.value("walker.x") == 22
    assert "rebuilt from its movie: the game has changed, first at frame 1" in other.notes[-1]
