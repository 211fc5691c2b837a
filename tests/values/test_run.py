import json
import math
import shlex
from functools import partial
from pathlib import Path

import pytest

from harness.errors import ArgumentError
from harness.values.run import (
    DEFAULT_FRAMES,
    MOST_SEED,
    Difference,
    ErrorInfo,
    Failure,
    RunRequest,
    RunResult,
    command_line,
    jsonable,
    run_id,
    shown,
    shown_apart,
    table,
)
from harness.values.sight import Point


class Thing:
    pass


class Player:
    def __call__(self, view):
        return None


def bot(view):
    return None


def result(**more):
    known = {
        "status": "passed",
        "stopped": "frames",
        "frame": 60,
        "start_frame": 0,
        "seed": 3,
        "scene": "ledge",
        "build": "b8a1",
        "state_hash": "fe67786bf1057180",
        "run_id": "run-1",
    }
    return RunResult(**{**known, **more})


# what was asked


def test_a_request_in_json_is_what_was_given_under_its_own_name():
    request = RunRequest(game="game", seed=0, assert_=("a > 1",), until="b", frames=5)

    assert request.to_json() == {
        "game": "game", "seed": 0, "frames": 5, "assert": ["a > 1"], "until": "b",
    }  # fmt: skip
    assert RunRequest().to_json() == {}


@pytest.mark.parametrize(
    ("given", "name"), [(bot, "bot"), (Player(), "Player"), (partial(bot, None), "partial")]
)
def test_a_bot_is_told_by_its_name_and_never_by_its_address(given, name):
    said = RunRequest(input=given).to_json()["input"]

    assert said.endswith(f":{name}")
    assert " at 0x" not in said


def test_the_same_run_has_the_same_id_and_another_one_another():
    request = RunRequest(input=({"frame": 1, "press": "jump"},), frames=60)

    assert run_id(request, "build", "hash") == run_id(request, "build", "hash")
    ids = {
        run_id(request, "build", "hash"),
        run_id(request, "build", "other"),
        run_id(request, "other", "hash"),
        run_id(RunRequest(frames=60), "build", "hash"),
    }
    assert len(ids) == 4
    turned = RunRequest(input=({"press": "jump", "frame": 1},), frames=60)
    assert run_id(turned, "build", "hash") in ids


def test_an_unsaid_length_and_the_largest_seed_are_those_of_the_contract():
    assert (DEFAULT_FRAMES, MOST_SEED) == (60, 4294967295)


def test_the_command_plays_the_request_again():
    request = RunRequest(
        game="my game", input="right@1-40, jump@30+6", assert_=("a < 'b'",), print=("-x", "y"),
        seed=0, frames=5, assignments=("a=1",), save="here", record="x.movie",
    )  # fmt: skip

    assert shlex.split(command_line(request) or "") == [
        "harness", "run", "my game", "--seed", "0", "--input", "right@1-40, jump@30+6",
        "--frames", "5", "--assert", "a < 'b'", "--print=-x", "--print", "y", "--assign", "a=1",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "request_", [RunRequest(input=bot), RunRequest(start="here"), RunRequest(input=({"frame": 1},))]
)
def test_what_one_line_cannot_say_has_no_command(request_):
    assert command_line(request_) is None


# what came of it


def test_a_passed_run_in_words():
    text = result(frames={30: {"a.x": 0.1 + 0.2}, 60: {"a.x": 12.0}}, notes=("n",), written=("w",))

    assert text.text().splitlines() == [
        "passed: played all frames, stopped at frame 60",
        "frame  a.x",
        "   30  0.3",
        "   60   12",
        "note: n",
        "wrote w",
        "scene ledge, seed 3, hash fe67786bf1057180, build b8a1, run-1",
    ]
    assert text.passed


def test_a_failure_an_error_and_a_difference_in_words():
    run = result(
        status="error",
        stopped="error",
        start_frame=100,
        failure=Failure("assert", "a > 1", 60, (("a", 1),), "assert a > 1 did not hold\n  a = 1"),
        error=ErrorInfo("KeyError", "'x'", 61, "world.py", 7),
        against=Difference("no-input", 5, "a.x", 1.0, 2.0),
    )

    assert run.text().splitlines()[:5] == [
        "error: the game failed, stopped at frame 60 (frame 160 since reset)",
        "assert a > 1 did not hold",
        "  a = 1",
        "world.py:7: KeyError: 'x' (frame 61)",
        "differs from no-input at frame 5: a.x is 1, there 2",
    ]
    assert not run.passed


def test_an_error_without_message_or_place_is_its_type():
    assert str(ErrorInfo("KeyError", "", 3)) == "KeyError (frame 3)"


def test_a_run_that_never_differs_says_so():
    assert str(Difference("a.movie")) == "same as a.movie on every frame"
    assert str(Difference("a.movie", 4)) == "differs from a.movie at frame 4"


def test_values_that_differ_are_shown_as_different():
    assert shown_apart(0.1 + 0.2, 0.3) == ("0.30000000000000004", "0.3")
    assert shown_apart(1.0, 2.0) == ("1", "2")
    assert "is 0.30000000000000004, there 0.3" in str(Difference("x", 1, "a", 0.1 + 0.2, 0.3))


def test_the_structured_answer_is_plain_json():
    run = result(
        status="failed",
        stopped="until",
        frames={60: {"p": Point(1.5, math.nan), "t": [Thing()], "b": b"\xff", "n": 1 << 5000}},
        failure=Failure("until", "p", 60, (("p", math.inf),), "m"),
        error=ErrorInfo("E", "m", 1, traceback=("a", "b")),
        against=Difference("x", 1, "a", math.nan, {1: Thing}),
    )
    answer = json.loads(json.dumps(run.to_json(), allow_nan=False))

    assert answer["frames"] == {
        "60": {"p": [1.5, "nan"], "t": ["Thing"], "b": "b'\\xff'", "n": "int"}
    }
    assert answer["failure"]["parts"] == {"p": "inf"}
    assert answer["error"]["traceback"] == ["a", "b"]
    assert (answer["against"]["here"], answer["against"]["there"]) == ("nan", {"1": "type"})
    assert answer["status"] == "failed"
    assert {"notes", "written", "seed", "run_id"} <= answer.keys()


def test_a_plain_answer_leaves_out_what_did_not_happen():
    assert not {"failure", "error", "against"} & result().to_json().keys()


@pytest.mark.parametrize("value", [None, True, 0, -1.5, "é", [1, [2.0]], {"a": None}])
def test_plain_values_are_themselves_in_json(value):
    assert jsonable(value) == value


# words for values


@pytest.mark.parametrize(
    ("value", "word"),
    [
        (0.1 + 0.2, "0.3"),
        (12.0, "12"),
        (100.0, "100"),
        (1234.5678, "1234.568"),
        (999999.9999, "1000000"),
        (123456.789, "123456.789"),
        (1234567.5, "1234567.5"),
        (1e9, "1e+09"),
        (-0.0, "0"),
        (-0.0001, "0"),
        (-0.25, "-0.25"),
        (math.nan, "nan"),
        (-math.inf, "-inf"),
        (7, "7"),
        (1 << 5000, "int"),
        (True, "True"),
        (None, "None"),
        ("a\nb", r"'a\nb'"),
        (Point(1.0, 2.5), "(1, 2.5)"),
        ((1.0,), "(1)"),
        ([1.0, "a", [0.25]], "[1, 'a', [0.25]]"),
        ({"a": 1.0, 2: 0.0001}, "{'a': 1, 2: 0}"),
    ],
)
def test_a_value_is_shown_short_and_rounded(value, word):
    assert shown(value) == word


def test_a_table_has_a_line_a_frame_and_a_column_a_value():
    rows = {10: {"a": 1.0, "b\n + 1": "x"}, 20: {"b\n + 1": 2, "c": None}}

    assert list(table(rows)) == [
        "frame  a  b + 1     c",
        "   10  1    'x'",
        "   20         2  None",
    ]
    assert list(table({})) == list(table({1: {}})) == []


@pytest.mark.parametrize("name", ["assert_", "print", "assignments"])
def test_one_text_stands_for_several_and_a_list_for_a_tuple(name):
    assert getattr(RunRequest(**{name: "a.x"}), name) == ("a.x",)
    assert getattr(RunRequest(**{name: ["a.x", "b"]}), name) == ("a.x", "b")


@pytest.mark.parametrize("name", RunRequest.__dataclass_fields__)
@pytest.mark.parametrize("value", [3.5, [1.5], {"a": 1}, b"x", object()])
def test_a_part_of_another_kind_is_refused_by_its_name(name, value):
    with pytest.raises(ArgumentError, match=rf"^{name.rstrip('_')}: must be ") as refused:
        RunRequest(**{name: value})
    assert refused.value.argument == name.rstrip("_")


def test_paths_may_be_paths():
    request = RunRequest(game=Path("a"), record=Path("b.movie"))
    assert (request.game, request.record) == ("a", "b.movie")


def test_a_run_without_a_state_tells_no_hash():
    last = result(state_hash="").text().splitlines()[-1]
    assert last == "scene ledge, seed 3, build b8a1, run-1"
