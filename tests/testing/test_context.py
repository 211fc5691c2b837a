"""The fixtures, and which game, scene and seed they play."""

import pytest

TEST = "def test_it(play, game_run, game_dir, tools):\n"


def test_each_fixture_plays_the_same_game(project):
    project.write(
        "test_a.py",
        """
        def test_it(play, game_run, game_dir, tools):
            assert game_dir.name == "game" and (game_dir / "harness.yaml").is_file()
            run = game_run(frames=3, input="right@1-2", print="walker.x", every=1)
            assert (run.status, run.frames[2]["walker.x"]) == ("passed", 2)
            assert tools.game_run(frames=3, input="right@1-2").state_hash == run.state_hash
            assert play.value("walker.x") == 2
            play.reset(seed=4)
            assert play.step(2) == 2
        """.replace("\n        ", "\n"),
    )  # fmt: skip
    project.passes(passed=1)


def test_two_tests_of_one_session_know_nothing_of_each_other(project):
    project.write(
        "test_a.py",
        """
def test_one(play):
    play.hold("right", frames=5)
    play.save("there")
    assert play.frame == 5

def test_two(play, game_run):
    import harness, pytest
    assert play.frame == 0 and play.value("walker.x") == 0
    with pytest.raises(harness.UnknownName, match="no savestate named 'there'"):
        play.load("there")
    with pytest.raises(harness.UnknownName):
        game_run(start="there")
""",
    )
    project.passes(passed=2)


def test_a_game_that_raises_leaves_later_tests_untouched(project):
    project.write(
        "test_a.py",
        """
import pytest

def test_before(play):
    play.hold("right", frames=5)

@pytest.mark.xfail(strict=True)
def test_trips(play):
    play.tap("trip")

@pytest.mark.xfail(strict=True)
def test_leaves(game_run):
    game_run(input="right@1, leave@3")

def test_after(play, game_run):
    assert play.hold("right", frames=5) == 5 and play.value("walker.x") == 5
    assert game_run(frames=5).passed
""",
    )
    project.passes(passed=2, xfailed=2)


def test_the_tests_own_randomness_is_left_alone(project):
    project.write(
        "test_a.py",
        """
import random

def test_it(play):
    random.seed(5)
    first = random.random()
    random.seed(5)
    play.step(20)
    assert random.random() == first
""",
    )
    project.passes(passed=1)


def test_positional_arguments_and_paths_are_taken(project):
    project.write(
        "sub/test_a.py",
        """
import pathlib

def test_it(game_run, play):
    first = game_run(20, 3, record=pathlib.Path("a.movie"))
    assert first.seed == 3 and (pathlib.Path(__file__).parent / "a.movie").is_file()
    assert game_run(input=pathlib.Path("a.movie")).state_hash == first.state_hash
    assert play.movie("b.movie").frames == 20
""",
    )
    project.passes(passed=1)


def test_unittest_style_classes_and_parametrize_work(project):
    project.write(
        "test_a.py",
        """
import unittest
import pytest

class TestPlain:
    @pytest.mark.parametrize("frames", [1, 2, 3])
    def test_it(self, play, frames):
        assert play.hold("right", frames=frames) == play.value("walker.x") == frames

class OldStyle(unittest.TestCase):
    @pytest.fixture(autouse=True)
    def take(self, play, game_run):
        self.play, self.game_run = play, game_run

    def test_it(self):
        self.assertEqual(self.play.step(3), 3)
        self.assertTrue(self.game_run().passed)

    def test_again(self):
        self.assertEqual(self.play.frame, 0)
""",
    )
    project.passes(passed=5)


def test_a_session_whose_tests_change_directory_goes_on(project, command_in):
    project.write(
        "tests/test_a.py",
        """
import os, pytest

@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

def test_passes(play, game_run):
    play.step(3)
    assert game_run().passed

def test_fails(game_run):
    game_run(frames=9, assert_="frame < 5", input="right@1-9")
""",
    )
    output = project.output("tests")
    assert "1 failed, 1 passed" in output
    again = command_in("play it again", output)
    assert again.startswith("harness run game --"), again
    assert project.shell(again).returncode == 1


# which game


def test_the_marker_names_a_game_relative_to_the_test_file(project):
    project.add_game("other")
    project.write(
        "sub/test_a.py",
        """
import pytest

@pytest.mark.game(path="../other")
def test_marked(game_dir):
    assert game_dir.name == "other"

def test_unmarked(game_dir):
    assert game_dir.name == "game"
""",
    )
    project.passes(passed=2)


def test_game_is_found_by_option_then_ini_then_upward_then_in_the_root(project):
    for name in ("option", "ini", "upward"):
        project.add_game(name)
    for where in ("upward/tests/test_a.py", "tests/test_a.py"):
        project.write(where, "def test_it(game_dir):\n    print(f'<{game_dir.name}>')\n")
    assert "<upward>" in project.output("-s", "upward")
    assert "<game>" in project.output("-s", "tests")
    project.write("pytest.ini", "[pytest]\ngame = ini\n")
    assert "<ini>" in project.output("-s", "upward")
    assert "<option>" in project.output("-s", "--game", "option", "upward")
    assert "<upward>" in project.output("-s", "--game", "upward/harness.yaml", "tests")


def test_the_option_is_relative_to_where_pytest_was_started(project, monkeypatch):
    project.add_game("sub/mine")
    project.write(
        "sub/tests/test_a.py", "def test_it(game_dir):\n    assert game_dir.name == 'mine'\n"
    )
    monkeypatch.chdir(project.path / "sub")
    project.passes("--game", "mine", "tests", passed=1)


def test_without_a_game_the_error_says_how_to_name_one(pytester):
    pytester.makepyfile("def test_it(play):\n    pass\n")
    output = pytester.runpytest_inprocess().stdout.str()
    assert "no game here: no harness.yaml in" in output
    assert "harness new DIR" in output
    assert "--game PATH, the ini key game, or @pytest.mark.game(path=...)" in output
    assert "Traceback" not in output
    assert "context.py" not in output


def test_a_game_that_is_not_there_is_named(project):
    project.write("test_a.py", "def test_it(play):\n    pass\n")
    output = project.output("--game", "gmae")
    assert f"no game at {project.path / 'gmae'}" in output


# which scene and seed


def test_the_nearest_marker_wins_over_the_option(project):
    project.write(
        "test_a.py",
        """
import pytest

pytestmark = pytest.mark.game(seed=7, scene="park")

def test_module(game_run, play):
    run = game_run()
    assert (run.seed, run.scene) == (7, "park")
    play.reset()
    assert play.value("seed") == 7 and play.value("game.scene") == "park"
    play.reset(seed=9, scene="street")
    assert play.value("seed") == 9 and play.value("game.scene") == "street"

@pytest.mark.game(seed=8)
def test_function(game_run):
    assert (game_run().seed, game_run().scene) == (8, "park")
    assert game_run(seed=3, scene="street").seed == 3
""",
    )
    project.write("test_b.py", "def test_it(game_run):\n    print(f'<{game_run().seed}>')\n")
    project.passes("test_a.py", "--game-seed", "5", passed=2)
    assert "<5>" in project.output("-s", "test_b.py", "--game-seed=5")
    assert "<0>" in project.output("-s", "test_b.py")


@pytest.mark.parametrize(
    ("mark", "words"),
    [
        ("game(7)", "mark.game takes seed=, scene= and path="),
        ("game(sed=7)", "mark.game takes seed=, scene= and path="),
        ("game(seed=-1)", "seed: must be at least 0, not -1"),
        ("game(seed='x')", "mark.game: seed: must be a whole number, not 'x'"),
        ("game(seed=True)", "seed: must be a whole number, not True"),
        ("game(scene='prak')", "no scene named 'prak'; this game has: park, street"),
        ("game(scene=3)", "mark.game: scene: must be text, not 3"),
        ("game(path='nowhere')", "no game at"),
        ("game(path=3)", "mark.game: path: must be a path, not 3"),
    ],
)
def test_a_wrong_marker_is_one_clear_line(project, mark, words):
    project.write(
        "test_a.py", f"import pytest\n@pytest.mark.{mark}\ndef test_it(play):\n    play.step()\n"
    )
    output = project.output()
    assert words in output
    assert "harness/" not in output.replace("harness/errors", "")
    assert "1 failed" in output or "1 error" in output


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("--game-seed=x", "invalid int value: 'x'"),
        ("--game-repeat=0", "must be at least 1, not 0"),
        ("--game-repeat=many", "--game-repeat"),
    ],
)
def test_a_wrong_option_is_refused_at_the_start(project, option, words):
    result = project.run(option)
    assert result.ret == 4
    assert words in result.stderr.str()


def test_an_unknown_tool_or_argument_lists_those_there_are(project):
    project.write(
        "test_a.py",
        """
def test_tool(tools):
    tools.game_rnu()

def test_argument(game_run):
    game_run(frmaes=3)
""",
    )
    output = project.output()
    assert "no tool named 'game_rnu'; the registry has: game_run" in output
    assert "no argument named 'frmaes'; game_run has: frames" in output


def test_a_failed_assert_shows_a_play_in_a_word(project):
    project.write(
        "test_a.py", "def test_it(play, game_run):\n    assert play.step(3) == game_run\n"
    )
    output = project.output()
    assert "<play of game, frame 3>" in output
    assert "<tool game_run>" in output


def test_the_users_warning_filters_do_not_change_the_game(project):
    project.change(
        "game",
        "        self.frame += 1\n",
        "        self.frame += 1\n        __import__('warnings').warn('old', DeprecationWarning)\n",
    )
    project.write(
        "test_a.py",
        "def test_it(play, game_run):\n    play.step(3)\n    assert game_run().passed\n",
    )
    project.passes("-W", "error", passed=1)


def test_check_false_gives_what_did_not_pass(project):
    project.write(
        "test_a.py",
        """
def test_it(game_run, tools):
    run = game_run(frames=9, assert_="frame < 5", check=False)
    assert (run.status, run.stopped, run.frame) == ("failed", "assert", 5)
    assert run.failure.expression == "frame < 5"
    assert dict(run.failure.parts) == {"frame": 5}
    run = tools.game_run(frames=9, input="trip@3", check=False)
    assert (run.status, run.error.type, run.error.frame) == ("error", "ValueError", 3)
    assert game_run(input="right@1-2, leave@5", check=False).stopped == "exit"
""",
    )
    project.passes(passed=1)


def test_what_is_raised_carries_the_run(project):
    project.write(
        "test_a.py",
        """
import harness, pytest

def test_it(game_run, play):
    with pytest.raises(harness.RunFailed) as failed:
        game_run(frames=9, until="frame == 10")
    assert failed.value.run.stopped == "frames" and isinstance(failed.value, AssertionError)
    with pytest.raises(harness.GameError) as raised:
        game_run(input="trip@3")
    assert raised.value.run.error.frame == 3 and not isinstance(raised.value, AssertionError)
    with pytest.raises(harness.GameError) as ended:
        game_run(input="right@1-2, leave@3")
    assert ended.value.run.stopped == "exit"
    play.reset()
    with pytest.raises(harness.RunFailed) as failed:
        play.until("walker.x > 3", within=4)
    assert failed.value.run.failure.frame == 4
""",
    )
    project.passes(passed=1)
