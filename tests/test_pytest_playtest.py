"""The plugin's one module: what it declares, and the movie marker."""

from pathlib import Path

import pytest

import pytest_playtest
from harness import tools  # noqa: F401
from harness.registry import REGISTRY

WALKER = Path(__file__).parent / "walker"
OTHERS = {"golden", "page", "api", "events", "snapshot", "benchmark", "mocker", "client"}


def test_there_is_a_fixture_for_each_tool_of_the_registry():
    names = tuple(tool.name for tool in REGISTRY if tool.name.startswith(("game_", "scene_")))
    assert names == pytest_playtest.TOOL_FIXTURES


def test_no_other_name_is_taken(pytester):
    output = pytester.runpytest_inprocess("--fixtures", "-p", "no:hypothesispytest").stdout.str()
    section = output.partition("fixtures defined from pytest_playtest")[2].partition("\n-----")[0]
    ours = {line.split()[0] for line in section.splitlines() if " -- " in line}
    assert ours == {"play", "tools", "game_dir", "game_golden", *pytest_playtest.TOOL_FIXTURES}
    assert not ours & OTHERS


def test_every_fixture_marker_and_option_is_explained(pytester):
    fixtures = pytester.runpytest_inprocess("--fixtures", "-p", "no:hypothesispytest").stdout.str()
    section = fixtures.partition("fixtures defined from pytest_playtest")[2]
    assert "no docstring available" not in section.partition("\n-----")[0]
    markers = pytester.runpytest_inprocess("--markers", "-p", "no:hypothesispytest").stdout.str()
    assert "@pytest.mark.game(seed=, scene=, path=): " in markers
    assert "@pytest.mark.movie(pattern, ...): " in markers
    options = pytester.runpytest_inprocess("--help", "-p", "no:hypothesispytest").stdout.str()
    for option in ("--game=PATH", "--game-seed=N", "--game-repeat=N", "--game-output=DIR"):
        assert option in options


@pytest.fixture
def movies(pytester):
    """A project with a game, and movies that it recorded."""
    import shutil

    import harness

    shutil.copytree(WALKER, pytester.path / "game")
    play = harness.open(pytester.path / "game")
    for name in ("b", "a", "deep/c"):
        file = pytester.path / "tests" / "repros" / f"{name}.movie"
        file.parent.mkdir(parents=True, exist_ok=True)
        play.hold("right", frames=3)
        play.movie(file)

    def run(test, *args):
        file = pytester.path / "tests" / "test_a.py"
        file.write_text(f"import pytest\n{test}\n", encoding="utf-8")
        return pytester.runpytest_inprocess(
            "-v", "-p", "no:cacheprovider", "-p", "no:hypothesispytest", *args
        )

    return run


TEST = """
def test_it(movie, game_run):
    run = game_run(input=movie)
    assert run.frame in (3, 6, 9)
    assert run.state_hash == __import__("harness").read_movie(movie).marks[-1].state_hash
"""


def test_a_test_runs_once_for_each_movie(movies):
    output = movies(f'@pytest.mark.movie("repros/*.movie"){TEST}').stdout.str()
    assert "test_it[repros/a.movie] PASSED" in output
    assert "test_it[repros/b.movie] PASSED" in output
    assert "2 passed" in output
    assert output.index("a.movie]") < output.index("b.movie]")


def test_patterns_may_be_several_deep_and_upward(movies, pytester):
    output = movies(f'@pytest.mark.movie("repros/a.movie", "repros/**/*.movie"){TEST}').stdout.str()
    assert "test_it[repros/deep/c.movie] PASSED" in output
    assert "3 passed" in output
    output = movies(f'@pytest.mark.movie("../tests/repros/a.movie"){TEST}').stdout.str()
    assert "1 passed" in output
    pattern = (pytester.path / "tests/repros/*.movie").as_posix()
    assert "2 passed" in movies(f'@pytest.mark.movie("{pattern}"){TEST}').stdout.str()


def test_it_goes_with_parametrize_and_k(movies):
    test = TEST.replace("movie,", "movie, n,").replace("== __imp", "and n or __imp")
    marks = '@pytest.mark.movie("repros/*.movie")\n@pytest.mark.parametrize("n", [1, 2])'
    assert "4 passed" in movies(marks + test).stdout.str()
    assert "2 passed, 2 deselected" in movies(marks + test, "-k", "a.movie").stdout.str()


@pytest.mark.parametrize(
    ("mark", "test", "words"),
    [
        ('movie("repors/*.movie")', TEST, "no movie matches repors/*.movie in "),
        ("movie", TEST, 'mark.movie takes patterns, as in movie("repros/*.movie")'),
        ('movie(pattern="*.movie")', TEST, "mark.movie takes patterns"),
        ("movie(3)", TEST, "mark.movie takes patterns"),
        ('movie("repros/*")', "\ndef test_it(play): pass",
         "a test marked movie takes each as its argument `movie`"),
    ],
)  # fmt: skip
def test_a_wrong_marker_is_one_clear_line_of_its_own_test_alone(movies, mark, test, words):
    result = movies(f"@pytest.mark.{mark}{test}\ndef test_other(play): assert play.step() == 1")
    output = result.stdout.str()
    assert output.count(words) <= 2  # where it failed, and in the summary
    assert words in output
    assert "pytest_playtest.py" not in output
    result.assert_outcomes(errors=1, passed=1)


def test_a_game_that_is_not_there_is_told_once(movies):
    output = movies("def test_it(play): pass", "--game", "nowhere").stdout.str()
    assert output.count("no game at") == 2  # and in the summary
    assert "During handling" not in output


def test_what_the_movie_is_not_for_is_told_when_it_is_played(movies, pytester):
    file = pytester.path / "tests" / "repros" / "a.movie"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("walker", "runner"), encoding="utf-8")
    output = movies(f'@pytest.mark.movie("repros/a.movie"){TEST}').stdout.str()
    assert "was recorded with the game 'runner', and this is 'walker'" in output
    assert "/harness/" not in output
