"""What a failed test leaves, whether it recurs, and --game-repeat."""

import pytest

from harness import read_movie
from harness.testing.evidence import folder_name

FAILS = (
    "def test_it(play):\n    play.hold('right', frames=7)\n    assert play.value('walker.x') < 7\n"
)
PLAYS = "def test_it(play, game_run):\n    play.hold('right', frames=7)\n    game_run(frames=9)\n"

CLOCK = "time.perf_counter_ns() % 1000003"
SET_ORDER = "str(set(WORDS)) if self.frame > 4 else 0"


def left(project, folder="game-results"):
    root = project.path / folder
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


def test_a_failure_leaves_its_movie_up_to_the_failing_frame_and_a_pass_removes_it(project):
    project.write("test_a.py", FAILS)
    assert "movie: game-results/test_a-test_it/run.movie" in project.output()
    assert left(project) == ["test_a-test_it/run.movie"]
    assert read_movie(project.path / "game-results/test_a-test_it/run.movie").frames == 7
    project.write("test_a.py", FAILS.replace("< 7", "< 8"))
    project.passes(passed=1)
    assert not (project.path / "game-results").exists()


def test_what_others_keep_in_the_output_folder_stays(project):
    project.write("test_a.py", FAILS)
    project.output()
    project.write("game-results/test_a-test_it/notes.txt", "mine")
    project.write("test_a.py", PLAYS)
    project.passes(passed=1)
    assert left(project) == ["test_a-test_it/notes.txt"]


def test_the_movie_ends_in_the_frame_that_failed(project):
    project.write(
        "test_a.py", "def test_it(game_run):\n    game_run(frames=99, input='right@1-7, trip@8')\n"
    )
    project.output()
    movie = read_movie(project.path / "game-results/test_a-test_it/run.movie")
    assert movie.frames == 8
    project.write(
        "test_a.py", "def test_it(game_run):\n    game_run(frames=99, assert_='frame < 30')\n"
    )
    project.output()
    assert read_movie(project.path / "game-results/test_a-test_it/run.movie").frames == 30


def test_a_failure_in_a_fixture_of_the_users_is_kept_too(project):
    project.write(
        "test_a.py",
        """
import pytest

@pytest.fixture
def far_away(play):
    play.until("walker.x > 9", within=5)
    return play

def test_it(far_away):
    pass
""",
    )
    output = project.output()
    assert "ERROR at setup of test_it" in output
    assert "replay it: harness replay game game-results/test_a-test_it/run.movie" in output


def test_output_goes_where_it_is_told(project):
    project.write("test_a.py", FAILS)
    output = project.output("--game-output", "build/left")
    assert "replay it: harness replay game build/left/test_a-test_it/run.movie" in output
    assert left(project, "build/left") == ["test_a-test_it/run.movie"]


def test_an_output_folder_that_cannot_be_made_is_told(project):
    project.write("test_a.py", FAILS)
    project.write("taken", "")
    output = project.output("--game-output", "taken")
    assert "its movie could not be kept: " in output
    assert "1 failed" in output
    assert "INTERNALERROR" not in output


def test_a_failure_that_does_not_recur_says_so(project):
    project.add_game("liar", whim=CLOCK)
    project.write("test_a.py", FAILS)
    output = project.output("--game=liar")
    assert "a fresh process came to another state, so it may not recur" in output
    assert "nondeterministic: the movie first differs at frame 1" in output
    assert "replay it: harness replay liar game-results/test_a-test_it/run.movie" in output


def test_a_fresh_process_that_cannot_replay_says_why(project):
    project.write(
        "test_a.py",
        """
import pathlib

def test_it(game_run, game_dir):
    run = game_run(frames=9)
    (game_dir / "harness.yaml").write_text("scenes: 3")
    assert run.frame < 9
""",
    )
    output = project.output()
    assert "a fresh process could not replay it: " in output
    assert "entry: must be module:Class" in output
    output = project.output()
    assert "harness.yaml: entry: must be module:Class" in output


@pytest.mark.parametrize(
    "how", ["play.save('a'); play.load('a')", "play.save('a'); play.reset(); play.load('a')"]
)
def test_a_load_that_comes_to_another_state_is_kept_and_told(project, how):
    project.add_game("liar", whim=CLOCK)
    project.write("test_a.py", f"def test_it(play):\n    play.step(9)\n    {how}\n")
    output = project.output("--game=liar")
    assert "Divergence: state diverged at frame 1" in output
    assert "state()[4] was" in output
    assert "/harness/" not in output
    assert "replay it: harness replay liar game-results/test_a-test_it/run.movie" in output


def test_a_test_that_fails_without_playing_leaves_nothing(project):
    project.write(
        "test_a.py", "def test_it(play):\n    assert 0\n\ndef test_other():\n    assert 0\n"
    )
    output = project.output()
    assert "2 failed" in output
    assert "playtest --" not in output
    assert not (project.path / "game-results").exists()


def test_an_expected_failure_leaves_nothing(project):
    project.write("test_a.py", "import pytest\n@pytest.mark.xfail(strict=True)\n" + FAILS)
    project.passes(xfailed=1)
    assert not (project.path / "game-results").exists()


def test_repeat_passes_on_an_honest_game(project):
    project.write("test_a.py", PLAYS)
    project.write(
        "a.scenario.yaml", "scenario: it walks\nsteps:\n  - hold: {buttons: right, frames: 7}\n"
    )
    project.passes("--game-repeat", "3", passed=2)
    assert not (project.path / "game-results").exists()


@pytest.mark.parametrize(("whim", "first"), [(CLOCK, 1), (SET_ORDER, 5)])
def test_repeat_fails_on_a_game_that_lies_and_names_the_first_frame(
    project, whim, first, command_in
):
    project.add_game("liar", whim=whim)
    project.write("test_a.py", PLAYS)
    project.passes("--game=liar", passed=1)
    output = project.output("--game=liar", "--game-repeat=3")
    assert "1 failed" in output
    assert "of this test in a fresh process came to another state" in output
    assert f"nondeterministic: its movie first differs at frame {first}" in output
    assert "game.whim" in output or "state" in output
    assert "/harness/" not in output.replace(str(project.path), "")
    assert "pytest_playtest.py" not in output
    assert left(project) == ["test_a-test_it/run.movie"]
    done = project.shell(command_in("replay it", output))
    assert done.returncode == 1, done
    assert done.stdout.startswith("nondeterministic: ")


def test_repeat_keeps_the_movie_of_the_play_that_differed(project):
    project.add_game("liar", whim=f"({CLOCK}) if self.walker.x > 2 else 0")
    project.write(
        "test_a.py",
        "def test_it(game_run):\n    game_run(frames=20, input='right@1-4')\n"
        "    game_run(frames=3)\n",
    )
    output = project.output("--game=liar", "--game-repeat=2")
    assert "first differs at frame 3" in output
    assert read_movie(project.path / "game-results/test_a-test_it/run.movie").frames == 20


def test_repeat_replays_failures_of_the_game_that_a_test_expects(project):
    project.write(
        "test_a.py",
        """
import pytest, harness

def test_it(game_run, play):
    game_run(input="right@1-7, trip@8", check=False)
    play.reset()
    with pytest.raises(harness.GameError):
        play.tap("trip")
""",
    )
    project.passes("--game-repeat=2", passed=1)


def test_it_works_spread_over_processes(project):
    project.write("test_a.py", FAILS + FAILS.replace("test_it", "test_two"))
    project.write(
        "a.scenario.yaml", "scenario: it walks\nsteps:\n  - hold: {buttons: right, frames: 7}\n"
    )
    result = project.pytester.runpytest_subprocess("-n", "2", "-p", "no:cacheprovider")
    result.assert_outcomes(failed=2, passed=1)
    assert left(project) == ["test_a-test_it/run.movie", "test_a-test_two/run.movie"]
    assert (
        "replay it: harness replay game game-results/test_a-test_two/run.movie"
        in result.stdout.str()
    )


def test_folders_are_readable_and_no_two_tests_share_one():
    assert folder_name("tests/test_a.py::test_it") == "tests-test_a-test_it"
    assert folder_name("test_a.py::TestIt::test_it[3]") == "test_a-TestIt-test_it-3"
    ids = ["a b", "a-b", "a/b", "a::b", "ä", "ö", "..", "x" * 300, "x" * 301, "a[b]", "-", ""]
    names = [folder_name(f"test_a.py::test_it[{name}]") for name in ids]
    assert len(set(names)) == len(names)
    assert all(len(name) < 100 and name.isascii() and "/" not in name for name in names)
