"""What the terminal tells of a failure, and that the commands in it work."""

import re

import pytest


def shown(output, test):
    """The part of the output that tells of one test."""
    found = re.search(
        rf"\n_+ {re.escape(test)} _+\n(.*?)(?=\n_{{3,}} \S|\n=====)", output, re.DOTALL
    )
    assert found, output
    return found[1]


@pytest.fixture(scope="module")
def output(shared_project):
    shared_project.write(
        "tests/test_a.py",
        """
import pytest

def helper(game_run):
    return game_run(frames=40, input="right@1-30", assert_="walker.x + 1 < 20", seed=5)

def test_assert(game_run):
    helper(game_run)

def test_never(game_run):
    game_run(frames=20, until="walker.x > 3 or game.scene == 'park'")

def test_raises(game_run):
    game_run(frames=40, input="right@1-7, trip@9", print="walker.x")

def test_leaves(game_run):
    game_run(frames=40, input="right@1-7, leave@9")

def test_verb_raises(play):
    play.hold("right", frames=4)
    play.tap("trip")

def test_verb_waits(play):
    play.hold("right", frames=4)
    play.until("walker.x > 30", within=5, holding="right")

def test_wrong(game_run, play):
    with pytest.raises(Exception, match="nothing"):
        play.step(0)
    game_run()
""",
    )
    return shared_project.shell("pytest -p no:cacheprovider tests").stdout


def test_a_failure_tells_frame_expression_values_and_the_way_back(output):
    told = shown(output, "test_assert")
    assert (
        "RunFailed: assert walker.x + 1 < 20 did not hold at frame 19\nE         walker.x = 19"
        in told
    )
    assert re.search(
        r"play it again: harness run game --scene street --seed 5 --input right@1-30 --frames 40"
        r" --assert 'walker\.x \+ 1 < 20'$",
        told, re.MULTILINE,
    )  # fmt: skip
    told = shown(output, "test_never")
    assert "never became True between frame 0 and frame 20; last value False" in told
    assert "walker.x = 0" in told
    assert "game.scene = 'street'" in told
    told = shown(output, "test_raises")
    assert "walker.py:37: ValueError: tripped over 7" in told
    assert "frame 9" in told
    assert 'walker.py:37: _trip: raise ValueError(f"tripped over {self.walker.x}")' in told
    told = shown(output, "test_leaves")
    assert "GameError: the game ended itself after frame 8: walker.py:33: SystemExit: 7" in told
    told = shown(output, "test_verb_raises")
    assert "GameError: the game failed: walker.py:37: ValueError: tripped over 4" in told
    told = shown(output, "test_verb_waits")
    assert "walker.x > 30 never became True between frame 4 and frame 9; last value False" in told
    assert "walker.x = 9" in told


def test_a_traceback_starts_in_the_test_and_has_no_frame_of_ours(output):
    assert "7 failed" in output
    places = re.findall(r"^(\S+\.py):\d+: ", output, re.MULTILINE)
    assert set(places) == {"tests/test_a.py"}
    assert "/harness/" not in output
    assert "pytest_playtest.py" not in output


def test_a_failure_ends_with_the_line_that_replays_it(output):
    for test in ("assert", "never", "raises", "leaves", "verb_raises", "verb_waits", "wrong"):
        told = shown(output, f"test_{test}")
        if test == "wrong":
            assert "replay it" not in told  # nothing was played
            continue
        folder = f"game-results/tests-test_a-test_{test}"
        assert told.endswith(f"\nreplay it: harness replay game {folder}/run.movie"), told
        assert "replayed in a fresh process, same: " in told


def test_the_printed_commands_do_what_the_test_did(shared_project, output):
    for test, frames, status in (
        ("assert", "frame 19", 1), ("never", "frame 20", 1), ("raises", "frame 9", 1),
        ("leaves", "frame 8", 1), ("verb_raises", "frame 5", 0), ("verb_waits", "", 0),
    ):  # fmt: skip
        told = shown(output, f"test_{test}")
        again = re.search(r"play it again: (.*)", told)
        if again:
            done = shared_project.shell(again[1])
            assert done.returncode == status, done
            assert frames in done.stdout
            assert not done.stderr
        replay = re.search(r"replay it: (.*)", told)
        done = shared_project.shell(replay[1])
        assert done.returncode == 0, done
        assert done.stdout.startswith("same: ")


def test_a_command_says_its_input_whatever_that_was(project):
    project.write(
        "game bots/bot.py", "def walk(view):\n    return 'right' if view.frame < 4 else None\n"
    )
    project.write(
        "tests/test_a.py",
        """
import json, pytest

def test_bot(game_run):
    game_run(frames=9, input="../game bots/bot.py:walk", assert_="walker.x < 3")

def test_events(game_run):
    events = [{"frame": 1, "press": "right"}, {"frame": 5, "release": "right"}]
    game_run(frames=9, input=events, assert_="walker.x < 3")

def test_movie(game_run):
    game_run(frames=9, input="right@1-4", record="walk.movie")
    game_run(frames=9, input="walk.movie", assert_="walker.x < 3", assignments="walker.health=2",
             against="walk.movie")

def test_function(game_run):
    game_run(frames=9, input=lambda view: "right", assert_="walker.x < 3")

def test_start(game_run):
    game_run(frames=2, input="right@1-2", save="two")
    game_run(frames=9, start="two", input="right@1-9", assert_="walker.x < 3")
""",
    )  # fmt: skip
    output = project.output("tests")
    for test in ("bot", "events", "movie", "function", "start"):
        told = shown(output, f"test_{test}")
        assert "walker.x < 3 did not hold at frame" in told, told
        again = re.search(r"play it again: (.*)", told)
        assert (again is not None) == (test in ("bot", "events", "movie")), told
        if again:
            assert str(project.path) not in again[1]
            done = project.shell(again[1])
            assert done.returncode == 1, done
            assert "assert walker.x < 3 did not hold at frame 3" in done.stdout
        done = project.shell(re.search(r"replay it: (.*)", told)[1])
        assert (done.returncode, done.stdout[:6]) == (0, "same: "), done


def test_commands_work_where_pytest_was_started(project, monkeypatch, command_in):
    project.write("pytest.ini", "[pytest]\n")
    project.write(
        "tests/test_a.py", "def test_it(game_run):\n    game_run(frames=9, assert_='frame < 3')\n"
    )
    elsewhere = project.path / "some where" / "deep"
    elsewhere.mkdir(parents=True)
    monkeypatch.chdir(elsewhere)
    output = project.output("../../tests")
    again, replay = command_in("play it again", output), command_in("replay it", output)
    assert "../../game" in again
    assert project.shell(again, cwd=elsewhere).returncode == 1
    assert project.shell(replay, cwd=elsewhere).returncode == 0
    assert (elsewhere / "game-results" / "tests-test_a-test_it" / "run.movie").is_file()


def test_a_game_of_an_odd_name_can_be_typed_again(project, command_in):
    project.add_game("-odd game's")
    project.write(
        "test_a.py",
        "import pytest\n"
        """@pytest.mark.game(path="-odd game's")\n"""
        "def test_it(game_run):\n    game_run(frames=9, assert_='frame < 3')\n",
    )
    output = project.output()
    assert project.shell(command_in("play it again", output)).returncode == 1
    assert project.shell(command_in("replay it", output)).returncode == 0


def test_a_failure_with_physics_ends_the_process_in_order(project):
    project.shell("harness new ball")
    project.write(
        "ball/test_a.py",
        "import pymunk\nKEPT = []\n\n"
        "def test_it(play, game_run):\n"
        "    KEPT.append(play)\n    play.step(3)\n"
        "    game_run(frames=9, assert_='frame < 5')\n",
    )
    done = project.shell("pytest -p no:cacheprovider ball/test_a.py")
    assert (done.returncode, done.stderr) == (1, ""), done
    assert "1 failed" in done.stdout


def test_a_test_that_is_run_again_starts_anew(project):
    project.write(
        "conftest.py",
        """
import pytest
from _pytest.runner import runtestprotocol

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    for _ in range(2):
        item._initrequest()
        for report in runtestprotocol(item, nextitem=nextitem, log=False):
            item.ihook.pytest_runtest_logreport(report=report)
    return True
""",
    )
    project.write("test_a.py", "def test_it(play):\n    assert play.step(3) == 3\n")
    assert "2 passed" in project.output()
