import copy
import inspect
import pickle

import pytest

from harness import errors
from harness.errors import (
    ArgumentError,
    Divergence,
    GameError,
    HarnessError,
    InputError,
    MissingDependency,
    RequestError,
    RunFailed,
    UnknownName,
    nearest_first,
    printable,
    shortened,
)

KINDS = [
    kind
    for _, kind in inspect.getmembers(errors, inspect.isclass)
    if kind.__module__ == errors.__name__
]
SAMPLES = [
    HarnessError("x"),
    InputError("x"),
    ArgumentError("frames", "must be at least 1, not 0"),
    UnknownName("entity", "cate", ["crate", "plate"]),
    MissingDependency("mcp", "serving", "mcp"),
    RunFailed("x", {"run": 1}),
    GameError("x", None),
    Divergence("x", 45, "aa", "bb"),
]


@pytest.mark.parametrize("kind", KINDS)
def test_every_error_is_one_of_ours_and_stands_in_the_tree(kind):
    assert issubclass(kind, HarnessError)
    assert f"{kind.__name__} " in (errors.__doc__ or "") or kind is HarnessError


@pytest.mark.parametrize("error", SAMPLES, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize(
    "crossing", [lambda e: pickle.loads(pickle.dumps(e)), copy.copy, copy.deepcopy]
)
def test_an_error_survives_the_way_from_another_process(error, crossing):
    found = crossing(error)

    assert type(found) is type(error)
    assert (str(found), found.__dict__) == (str(error), error.__dict__)


def test_failed_checks_are_assertion_errors_and_mistakes_are_not():
    assert issubclass(RunFailed, AssertionError)
    assert issubclass(Divergence, AssertionError)
    assert not issubclass(RequestError, AssertionError)
    assert not issubclass(GameError, AssertionError)


def test_an_unknown_name_is_told_with_those_there_are_nearest_first():
    error = UnknownName("entity", "cate", ["player", "crate", "door"])

    assert str(error) == "no entity named 'cate'; this game has: crate, door, player"
    assert (error.name, error.known) == ("cate", ["crate", "door", "player"])


def test_where_there_are_no_names_the_message_says_none():
    assert str(UnknownName("entity", "x", [])) == "no entity named 'x'; this game has: none"


def test_many_names_and_long_names_are_cut():
    error = UnknownName("entity", "x" * 5000, [f"n{i}" for i in range(500)])

    assert str(error).endswith("and 488 more")
    assert len(str(error)) < 300
    assert shortened(["a", "b", "c"], 2) == "a, b and 1 more"


@pytest.mark.parametrize(
    ("name", "first"), [("jmup", "jump"), ("RIGHT", "right"), ("lft", "left"), ("zzz", "jump")]
)
def test_the_nearest_name_comes_first_and_else_the_alphabet(name, first):
    assert nearest_first(name, ["right", "jump", "left", "jump"])[0] == first
    assert len(nearest_first(name, ["right", "jump", "left", "jump"])) == 3


def test_a_missing_package_is_told_with_the_command_that_mends_it():
    assert "pip install 'playtest-harness[mcp]'" in str(MissingDependency("mcp", "serving", "mcp"))


def test_what_would_steer_a_terminal_is_shown_instead():
    assert printable("a\tb\nc é") == "a\tb\nc é"
    assert printable("\x1b[31mred\x07\r\x9b") == r"\x1b[31mred\x07\r\x9b"
    assert printable("\u202eback\u2066") == r"\u202eback\u2066"
