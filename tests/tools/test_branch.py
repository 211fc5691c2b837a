"""Several inputs from one state, a row each."""

import pytest

from harness import tools  # noqa: F401
from harness.errors import ArgumentError, UnknownName
from harness.registry import REGISTRY
from harness.values.run import RunRequest


@pytest.fixture
def branch():
    tool = REGISTRY.find("game_branch")
    return lambda play, **given: tool.function(play, **tool.checked(given))


def test_each_input_is_played_from_the_same_state(opened, branch):
    play = opened()
    play.run(RunRequest(frames=10, input="right@1-10", save="ten"))
    inputs = ["right@1-5", "left@1-3", ""]
    more = {"frames": 5, "print": "walker.x", "until": "walker.x > 12"}
    tried = branch(play, start="ten", inputs=inputs, **more)
    assert tried.inputs == tuple(inputs)
    assert [run.frame for run in tried.runs] == [3, 5, 5]
    assert [run.status for run in tried.runs] == ["passed", "failed", "failed"]
    assert [list(run.frames.values())[-1]["walker.x"] for run in tried.runs] == [13, 7, 10]
    assert tried.passed
    assert [row["values"] for row in tried.to_json()["rows"]][1] == {"walker.x": 7}
    assert tried.text().splitlines() == [
        "1 of 3 passed",
        "            ended  frame  walker.x  input",
        "1           until      3        13  right@1-5",
        "2  failed: frames      5         7  left@1-3",
        "3  failed: frames      5        10",
    ]


def test_a_note_says_of_which_inputs_it_is(opened, branch):
    unmoved = "input was given and no printed value changed; is it meant for this game?"
    play = opened()
    inputs = ["key:q@1", "right@1", "key:q@2"]
    text = branch(play, inputs=inputs, frames=5, print="walker.x").text()
    assert text.splitlines()[-1] == f"note: 1, 3: {unmoved}"
    text = branch(play, inputs=inputs[::2], frames=5, print="walker.x").text()
    assert text.splitlines()[-1] == f"note: {unmoved}"


def test_from_a_reset_every_variant_has_the_seed_and_scene(opened, branch):
    tried = branch(opened(), inputs=["jump@1", "jump@1"], seed=7, scene="second", frames=20)
    one, two = tried.runs
    assert (one.seed, one.scene, one.state_hash) == (7, "second", two.state_hash)


def test_a_game_that_fails_in_one_variant_is_a_row(opened, branch):
    play = opened("""
        from honest import Honest
        class Stub(Honest):
            def step(self, inputs):
                super().step(inputs)
                if "jump" in inputs.pressed:
                    raise ValueError("too high")
    """)
    tried = branch(play, inputs=["jump@2", "right@1-3"], frames=3)
    assert [run.status for run in tried.runs] == ["error", "passed"]
    assert "ValueError at adapter.py:7" in tried.text()
    assert tried.to_json()["rows"][0]["error"].startswith("adapter.py:7: ValueError: too high")


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ([], "inputs: takes 1 to 64 variants, not 0"),
        (["right@1"] * 65, "inputs: takes 1 to 64 variants, not 65"),
        (["right@1", "rihgt@1"], "inputs: variant 2: no button or key named 'rihgt'"),
    ],
)
def test_what_cannot_be_played_is_refused_before_anything_runs(opened, branch, inputs, message):
    play = opened()
    with pytest.raises(ArgumentError) as refused:
        branch(play, inputs=inputs)
    assert str(refused.value).startswith(message)
    assert play.frame == 0
    assert not play.stage.started


def test_an_unknown_savestate_is_refused(opened, branch):
    with pytest.raises(UnknownName, match="no savestate named 'gap'"):
        branch(opened(), inputs=["right@1"], start="gap")
