import json
import math
from collections.abc import Callable
from typing import Annotated, Any, Literal

import pytest

from harness.errors import ArgumentError, RequestError, UnknownName
from harness.registry import REGISTRY, Describe, Registry, declared

Texts = str | list[str] | None


def game_run(
    play: object,
    *,
    frames: Annotated[int | None, Describe("how many", 1, None, 600)] = None,
    seed: Annotated[int, Describe("the seed", 0, 2**32 - 1)] = 0,
    input: Annotated[
        str | list[dict[str, Any]] | Callable[..., Any] | None, Describe("what")
    ] = None,
    assert_: Annotated[Texts, Describe("what must hold")] = None,
    shot: Annotated[bool, Describe("whether to draw")] = False,
    tolerance: Annotated[float, Describe("a share", 0, 1)] = 0.0,
    to: Annotated[Literal["text", "json"], Describe("how")] = "text",
    sizes: Annotated[list[int] | None, Describe("sizes")] = None,
) -> None:
    """Play the game.

    As long as you like.
    """


def scene_get(play: object, object: Annotated[str, Describe("which one")]) -> None:
    """Give one object."""


RUN, GET = (
    declared(game_run, runs_game_code=True),
    declared(scene_get, reads_only=True, toolset="scene"),
)


def refusal(tool=RUN, over_mcp=False, **given):
    with pytest.raises(RequestError) as refused:
        tool.checked(
            {"assert" if name == "assert_" else name: value for name, value in given.items()},
            over_mcp,
        )
    return str(refused.value)


# declaring


def test_a_tool_is_read_off_its_function():
    assert (RUN.name, RUN.function, RUN.toolset) == ("game_run", game_run, "play")
    assert RUN.description == "Play the game.\n\nAs long as you like."
    assert [a.name for a in RUN.arguments] == [
        "frames", "seed", "input", "assert", "shot", "tolerance", "to", "sizes",
    ]  # fmt: skip
    assert [a.name for a in GET.arguments if a.required] == ["object"]


def test_flags_are_those_given_and_false_otherwise():
    assert RUN.runs_game_code
    assert GET.reads_only
    assert not any((RUN.reads_only, RUN.destructive, RUN.idempotent, RUN.answers_when_crashed))
    assert not any((GET.runs_game_code, GET.answers_when_parked))
    assert GET.toolset == "scene"
    with pytest.raises(TypeError, match="flies"):
        declared(game_run, flies=True)


def undocumented(play: object) -> None: ...


def undescribed(play: object, n: int = 1) -> None:
    """Play."""


def untyped(play: object, n=1):
    """Play."""


def odd(play: object, n: Annotated[set[int] | None, Describe("some")] = None) -> None:
    """Play."""


@pytest.mark.parametrize(
    ("function", "problem"),
    [
        (undocumented, "undocumented needs a docstring"),
        (undescribed, r"undescribed\(n\) needs a description"),
        (untyped, r"untyped\(n\) needs a description"),
        (odd, r"odd\(n\): no argument can be of type set\[int\]"),
    ],
)
def test_a_tool_that_is_not_documented_is_no_tool(function, problem):
    with pytest.raises(TypeError, match=problem):
        declared(function)


# schema


def test_the_schema_is_closed_and_travels_as_json():
    schema = RUN.input_schema()

    assert json.loads(json.dumps(schema)) == schema
    assert (schema["type"], schema["additionalProperties"]) == ("object", False)
    assert "required" not in schema
    assert GET.input_schema()["required"] == ["object"]


def test_each_argument_has_its_type_bounds_default_and_description():
    properties = RUN.input_schema()["properties"]

    assert properties == {
        "frames": {"type": "integer", "minimum": 1, "maximum": 600, "description": "how many"},
        "seed": {
            "type": "integer", "minimum": 0, "maximum": 2**32 - 1, "default": 0,
            "description": "the seed",
        },
        "input": {
            "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "object"}}],
            "description": "what",
        },
        "assert": {
            "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}],
            "description": "what must hold",
        },
        "shot": {"type": "boolean", "description": "whether to draw"},
        "tolerance": {
            "type": "number", "minimum": 0, "maximum": 1, "description": "a share", "default": 0.0,
        },
        "to": {"enum": ["text", "json"], "description": "how", "default": "text"},
        "sizes": {"type": "array", "items": {"type": "integer"}, "description": "sizes"},
    }  # fmt: skip


def test_every_built_in_tool_has_a_closed_and_described_schema():
    import harness.tools  # noqa: F401

    assert "game_run" in REGISTRY
    for tool in REGISTRY:
        schema = tool.input_schema()
        json.dumps(schema)
        assert tool.description
        assert schema["additionalProperties"] is False
        assert all(argument["description"] for argument in schema["properties"].values())


# checking


def test_arguments_become_keywords_of_the_function():
    given = {"assert": ["a", "b"], "frames": "60", "input": [{"frame": 1}]}

    assert RUN.checked(given) == {"assert_": ["a", "b"], "frames": 60, "input": [{"frame": 1}]}
    assert RUN.checked({}) == {}


def test_a_fixture_may_use_the_name_that_python_allows_and_an_agent_may_not():
    assert RUN.checked({"assert_": "a"}) == {"assert_": "a"}
    with pytest.raises(UnknownName, match="no argument named 'assert_'"):
        RUN.checked({"assert_": "a"}, over_mcp=True)
    with pytest.raises(ArgumentError, match="assert: is given twice"):
        RUN.checked({"assert_": "a", "assert": "b"})


def test_none_means_the_default_of_what_is_not_required():
    assert RUN.checked({"frames": None, "seed": None}) == {"frames": None, "seed": 0}
    assert refusal(GET, object=None) == "object: must be text, not None"


def test_a_value_may_stand_on_its_bound_and_be_one_of_several_words():
    given = {"frames": 1, "seed": 2**32 - 1, "tolerance": 1, "to": "json", "shot": True}

    assert RUN.checked(given, over_mcp=True) == given
    assert RUN.checked({"seed": 0, "tolerance": 0.0}) == {"seed": 0, "tolerance": 0.0}


def test_the_bounds_are_told_with_the_way_on():
    assert refusal(frames=0) == "frames: must be at least 1, not 0"
    assert refusal(frames=601, over_mcp=True) == (
        "frames: must be at most 600, not 601; continue with save and start"
    )
    assert RUN.checked({"frames": 600}, over_mcp=True) == {"frames": 600}
    assert RUN.checked({"frames": 10**6}) == {"frames": 10**6}
    assert refusal(seed=2**32) == "seed: must be at most 4294967295, not 4294967296"
    assert refusal(seed=2**32, over_mcp=True).endswith("not 4294967296")
    assert refusal(seed=-1) == "seed: must be at least 0, not -1"
    assert refusal(tolerance=1.5) == "tolerance: must be at most 1, not 1.5"
    assert refusal(frames=10**5000, over_mcp=True).startswith(
        "frames: must be at most 600, not a number of"
    )


@pytest.mark.parametrize(("given", "taken"), [("60", 60), (60.0, 60), ("6e1", 60), (" 60 ", 60)])
def test_a_numeric_text_counts_as_its_number(given, taken):
    assert RUN.checked({"frames": given}) == {"frames": taken}
    assert RUN.checked({"tolerance": "0.5"}) == {"tolerance": 0.5}
    assert RUN.checked({"sizes": ["1", 2.0]}) == {"sizes": [1, 2]}


@pytest.mark.parametrize(
    "value", ["1e999", "NaN", "inf", math.nan, math.inf, -math.inf, True, "x", "²", [], {}, ""]
)
def test_what_is_no_finite_number_is_refused_by_the_name_of_its_argument(value):
    assert refusal(frames=value) == f"frames: must be a whole number, not {value!r}"
    assert refusal(tolerance=value) == f"tolerance: must be a finite number, not {value!r}"


def test_half_a_frame_is_refused():
    assert refusal(frames=1.5) == "frames: must be a whole number, not 1.5"
    assert refusal(frames="1.5") == "frames: must be a whole number, not '1.5'"


def test_a_number_too_large_for_a_float_is_refused():
    assert refusal(tolerance=10**400).startswith("tolerance: must be a finite number, not 1000")


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("input", 5, "input: must be text or a list of objects or a function, not 5"),
        ("input", [1], r"input: must be text or a list of objects or a function, not [1]"),
        ("assert_", [1], "assert: must be text or a list of texts, not [1]"),
        ("assert_", True, "assert: must be text or a list of texts, not True"),
        ("shot", 1, "shot: must be true or false, not 1"),
        ("shot", "true", "shot: must be true or false, not 'true'"),
        ("to", "html", "to: must be 'text' or 'json', not 'html'"),
        ("sizes", 5, "sizes: must be a list of whole numbers, not 5"),
        ("sizes", [True], "sizes: must be a list of whole numbers, not [True]"),
        ("input", {"a": "x" * 100}, "input: must be text or a list"),
    ],
)
def test_what_does_not_fit_is_refused_with_what_does(name, value, problem):
    assert refusal(**{name: value}).startswith(problem)
    assert len(refusal(**{name: value})) < 140


def test_a_function_is_taken_in_python_and_never_over_mcp():
    assert RUN.checked({"input": len}) == {"input": len}
    assert refusal(input=len, over_mcp=True).startswith(
        "input: must be text or a list of objects, not <built-in"
    )


def test_an_unknown_argument_is_refused_before_any_other_and_lists_those_there_are():
    with pytest.raises(UnknownName) as refused:
        RUN.checked({"frames": "x", "frame": 60})

    assert str(refused.value).startswith(
        "no argument named 'frame'; game_run has: frames, assert, input"
    )


def test_a_required_argument_must_be_given():
    assert refusal(GET) == "object: is required"


# the registry


def test_tools_come_in_the_order_of_their_registration_and_a_replaced_one_keeps_its_place():
    registry = Registry()
    registry.tool()(game_run)
    registry.tool(reads_only=True)(scene_get)
    replaced = registry.register(declared(game_run, destructive=True))

    assert [tool.name for tool in registry] == ["game_run", "scene_get"]
    assert registry.find("game_run") is replaced
    assert "game_run" in registry
    assert "game_walk" not in registry


def test_the_decorated_function_stays_itself():
    assert Registry().tool()(scene_get) is scene_get


def test_an_unknown_tool_is_refused_with_those_there_are():
    registry = Registry()
    registry.register(GET)

    with pytest.raises(UnknownName, match="no tool named 'scene_got'; the registry has: scene_get"):
        registry.find("scene_got")


def test_tools_may_be_registered_while_the_registry_is_read():
    registry = Registry()
    registry.register(RUN)
    for _ in registry:
        registry.register(GET)

    assert [tool.name for tool in registry] == ["game_run", "scene_get"]


# what tools act on


def test_a_tool_acts_on_what_its_first_parameter_names():
    def scene_list(desk: object) -> None:
        """List the scenes."""

    assert (RUN.acts_on, declared(scene_list).acts_on) == ("play", "desk")


def test_a_tool_that_acts_on_anything_else_is_refused():
    def stray(game: object) -> None:
        """Act on what nobody hands over."""

    with pytest.raises(TypeError, match="the tool stray acts on play or desk, not game"):
        declared(stray)
