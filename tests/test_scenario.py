"""Scenario files: what they take, and the one line that refuses what they do not."""

import inspect
from pathlib import Path

import pytest

from harness.errors import ConfigError
from harness.playtest.play import Playtest
from harness.scenario import VERBS, ScenarioFailed, play_scenario, read_scenarios

WALKER = Path(__file__).parent / "walker"
ANSWERS = {
    "value", "names", "explain", "logged", "run", "query", "shot", "played", "kept", "keep",
    "cancel", "close",
}  # fmt: skip
"""What only answers (`expect` is theirs), and what surfaces ask of a play."""


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "a.scenario.yaml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


@pytest.fixture
def played(file, tmp_path):
    """Play a scenario of these steps, and give the play."""

    def play(steps, head="", scenario="scenario: it\n"):
        (scenario,) = read_scenarios(file(f"{scenario}{head}steps:\n{steps}"))
        play = Playtest(WALKER, base=tmp_path)
        play_scenario(play, scenario)
        return play

    return play


def test_the_verbs_are_those_of_play():
    public = {
        name
        for name, verb in vars(Playtest).items()
        if inspect.isfunction(verb) and not name.startswith("_")
    }
    assert set(VERBS) == public - ANSWERS


@pytest.mark.parametrize(
    ("steps", "frame", "x"),
    [
        ("  - step", 1, 0),
        ("  - step:", 1, 0),
        ("  - step: 5", 5, 0),
        ("  - step: {frames: 5}", 5, 0),
        ("  - step: {frames: 5, input: 'right@2-3'}", 5, 2),
        ("  - hold: right", 1, 1),
        ("  - hold: [right]", 1, 1),
        ("  - hold: [right, left]", 1, 0),
        ("  - hold: {buttons: right, frames: 4}", 4, 4),
        ("  - hold: {buttons: [right], frames: 4}", 4, 4),
        ("  - hold:\n      buttons: [right]\n      frames: 4", 4, 4),
        ("  - tap: right", 2, 1),
        ("  - tap: {buttons: right, frames: 3}", 4, 3),
        ("  - until: frame == 9", 9, 0),
        ("  - until: {value: walker.x == 5, within: 6, holding: right}", 5, 5),
        ("  - until: {value: walker.x == 5, holding: [right]}", 5, 5),
        ("  - until: {value: walker.x == 2, within: 9, input: 'right@4-9'}", 5, 2),
        ("  - edit: {walker.x: 7}\n  - step", 1, 7),
        ("  - edit: {target: walker.x, value: 7}\n  - step", 1, 7),
        ("  - hold: right\n  - save: here\n  - step: 9\n  - load: here", 1, 1),
        ("  - hold: right\n  - save: {name: here}\n  - step: 9\n  - load: {name: here}", 1, 1),
        ("  - hold: right\n  - reset", 0, 0),
        ("  - hold: right\n  - reset: park\n  - expect: {game.scene: park}", 0, 0),
        ("  - hold: right\n  - reset: {seed: 9}\n  - expect: {seed: 9}", 0, 0),
    ],
)
def test_each_verb_takes_its_arguments(played, steps, frame, x):
    play = played(steps + "\n")
    assert (play.frame, play.value("walker.x")) == (frame, x)


def test_a_movie_is_written_beside_the_scenario(played, tmp_path):
    played("  - hold: {buttons: right, frames: 4}\n  - movie: walk.movie\n")
    assert (tmp_path / "walk.movie").is_file()


@pytest.mark.parametrize(
    "expect",
    [
        "{walker.x: 0}",
        "{walker.x: 0, walker.health: 3.0, walker.name: walker}",
        "walker.x == 0",
        "[walker.x == 0, 'frame < 3']",
        "{'walker.x > 0': false, walker: walker, find_all('nobody'): []}",
        "{'[walker.x, 5]': [0, 5], '{1: 2}.get(3)': null}",
    ],
)
def test_expect_holds(played, expect):
    played(f"  - expect: {expect}\n")


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ("{walker.x: 1}", "expected walker.x to be 1 at frame 0, and it is 0"),
        ("{walker.x: false}", "expected walker.x to be False at frame 0, and it is 0"),
        (
            "{walker.x == 0: 1}",
            "expected walker.x == 0 to be 1 at frame 0, and it is True\n  walker.x = 0",
        ),
        ("walker.x > 3", "expected walker.x > 3 at frame 0, and it is False\n  walker.x = 0"),
        ("[frame == 0, walker.x]", "expected walker.x at frame 0, and it is 0"),
        ("{walker.x: '0'}", "expected walker.x to be '0' at frame 0, and it is 0"),
        ("{walker.name: [w]}", "expected walker.name to be ['w'] at frame 0, and it is 'walker'"),
    ],
)
def test_expect_that_does_not_hold_says_what_is(played, expect, message):
    with pytest.raises(ScenarioFailed) as failed:
        played(f"  - expect: {expect}\n")
    assert str(failed.value) == f"a.scenario.yaml:3: {message}"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 0, "holds no scenario; one is a mapping with scenario: and steps:"),
        ("# nothing\n---\n---\n", 0, "holds no scenario"),
        ("- step\n", 1, "a scenario is a mapping with scenario: and steps:"),
        ("hello\n", 0, "a scenario is a mapping with scenario: and steps:"),
        ("steps: [step]\n", 1, "scenario: must say in a line what happens"),
        ("scenario:\nsteps: [step]\n", 1, "scenario: must say in a line"),
        ("steps: [step]\nscenario: 3\n", 2, "scenario: must say in a line"),
        ("scenario: |\n  a\n  b\nsteps: [step]\n", 1, "scenario: must say in a line"),
        ("scenario: a::b\nsteps: [step]\n", 1, "scenario: must be without ::"),
        (b"scenario: \xff\xfe\n", 1, "is not text in UTF-8"),
        ("scenario: it\nsteps: [step]\n---\nscenario: it\nsteps: [step]\n", 4,
         "the scenario 'it' is there already, on line 1"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_scenario_is_refused_in_a_line(file, text, line, message):
    refused_in_a_line(file(text), line, message)


@pytest.mark.parametrize(
    ("rest", "line", "message"),
    [
        ("", 1, "steps: must be a list of steps, as in - step: 60"),
        ("steps:\n", 2, "steps: must be a list of steps"),
        ("steps: []\n", 2, "steps: must be a list of steps"),
        ("steps: {step: 3}\n", 2, "steps: must be a list of steps"),
        ("steps:\n\t- step\n", 3, ""),
        ("steps: [step\n", 3, ""),
        ("sead: 3\nsteps: [step]\n", 2, "no key named 'sead'; a scenario has: seed, "),
        ("seed: x\nsteps: [step]\n", 2, "seed: must be a whole number, not 'x'"),
        ("seed: true\nsteps: [step]\n", 2, "seed: must be a whole number, not True"),
        ("seed: -1\nsteps: [step]\n", 2, "seed: must be 0 to 4294967295, not -1"),
        ("scene: 3\nsteps: [step]\n", 2, "scene: must be text, not 3"),
        ("game: [a]\nsteps: [step]\n", 2, "game: must be text, not ['a']"),
        ("seed: 1\nseed: 2\nsteps: [step]\n", 3, "the key 'seed' is there twice"),
    ],
)
def test_a_wrong_key_is_refused_in_a_line(file, rest, line, message):
    refused_in_a_line(file(f"scenario: it\n{rest}"), line, message)


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("stpe: 3", "no verb named 'stpe'; a scenario has: step, "),
        ("run: {}", "no verb named 'run'"),
        ("3: 4", "no verb named '3'"),
        ("step: 3\n    hold: right", "a step is one verb with its arguments, as in - step: 60"),
        ("60", "a step is one verb with its arguments"),
        ("{}", "a step is one verb with its arguments"),
        ("[step]", "a step is one verb with its arguments"),
        ("", "a step is one verb with its arguments"),
        ("step: {frame: 3}", "step: no argument named 'frame'; step has: frames, input"),
        ("step: sixty", "step: frames: must be a whole number, not 'sixty'"),
        ("step: 1.5", "step: frames: must be a whole number, not 1.5"),
        ("step: true", "step: frames: must be a whole number, not True"),
        ("step: [3]", "step: frames: must be a whole number, not [3]"),
        ("hold", "hold: buttons: names no button"),
        ("hold: {frames: 3}", "hold: buttons: names no button"),
        ("hold: 3", "hold: buttons: must be a button or a list of buttons, not [3]"),
        ("tap: [{a: 3}]", "tap: buttons: must be a button or a list of buttons, not [{'a': 3}]"),
        ("until", "until: value: is required"),
        ("until: {within: 3}", "until: value: is required"),
        ("until: 3", "until: value: must be text, not 3"),
        ("edit", "edit: target: is required"),
        ("edit: {a: 1, b: 2}", "edit: one value a step, as in - edit: {player.health: 1}"),
        ("edit: {target: a}", "edit: value: is required"),
        ("save", "save: name: is required"),
        ("load: 3", "load: name: must be text, not 3"),
        ("expect", "expect: takes values, as in {door.open: true}, or expressions that must hold"),
        ("expect: {}", "expect: takes values"),
        ("expect: []", "expect: takes values"),
        ("expect: 3", "expect: takes values"),
        ("expect: x = 3", "expect: 'x = 3' is a statement"),
        ("expect: {'x >': 3}", "expect: cannot read 'x >'"),
    ],
)
def test_a_wrong_step_is_refused_in_a_line(file, step, message):
    refused_in_a_line(file(f"scenario: it\nsteps:\n  - step\n  - {step}\n"), 4, message)


def refused_in_a_line(path, line, message):
    with pytest.raises(ConfigError) as refused:
        read_scenarios(path)
    place = f"{path}, line {line}" if line else str(path)
    told = str(refused.value)
    assert told.startswith(f"{place}: {message}")
    assert "\n" not in told
    assert len(told) < 400


def test_a_yaml_bomb_is_refused_at_once(file):
    bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n"
    for name, before in zip("bcdefghijk", "abcdefghij", strict=True):
        bomb += f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for text in (
        bomb,
        "scenario: it\n" + "x: 1\n" + bomb,
        bomb + "seed: *k\nscenario: x\nsteps: [step]\n",
    ):
        with pytest.raises(ConfigError) as refused:
            read_scenarios(file(text))
        assert len(str(refused.value)) < 1000


def test_a_list_that_holds_itself_is_refused(file):
    with pytest.raises(ConfigError):
        read_scenarios(file("scenario: it\nsteps: &a [*a]\n"))


def test_deep_nesting_is_refused(file):
    with pytest.raises(ConfigError):
        read_scenarios(file("scenario: it\nsteps: " + "[" * 5000 + "]" * 5000 + "\n"))


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r"no file at .*nowhere\.scenario\.yaml"):
        read_scenarios(tmp_path / "nowhere.scenario.yaml")


def test_a_byte_order_mark_and_windows_line_ends_are_no_matter(file):
    text = "scenario: it\nsteps:\n  - step: 3\n".replace("\n", "\r\n")
    (scenario,) = read_scenarios(file(b"\xef\xbb\xbf" + text.encode()))
    assert (scenario.name, scenario.steps[0].verb, scenario.steps[0].line) == ("it", "step", 3)
