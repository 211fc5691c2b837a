"""What a server does not show cannot be called."""

import pytest

from harness import tools as _registers_the_tools  # noqa: F401
from harness.errors import ArgumentError, UnknownName
from harness.registry import REGISTRY, Registry
from harness.serve.shown import shown

from .client import HANDSHAKES, ROOT, call, request

GAME = ROOT / "tests" / "walker"


def names(**options):
    return list(shown(REGISTRY, **options).tools)


def test_read_only_shows_what_changes_and_runs_nothing():
    assert set(names(read_only=True)) == {
        "scene_list", "scene_get", "scene_diff", "api", "events", "help", "describe",
        "capabilities",
    }  # fmt: skip
    for name in names(read_only=True):
        tool = REGISTRY.find(name)
        assert (tool.reads_only, tool.runs_game_code, tool.destructive) == (True, False, False)


def test_allow_narrows_and_never_widens():
    assert names(allow=["game_run"]) == ["game_run"]
    assert names(allow=["game_run", "scene_list"], read_only=True) == ["scene_list"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"allow": ["game_run"], "read_only": True}, "allow: leaves no tool to serve; with"
         " read-only there are: "),
        ({"allow": ["api"], "toolset": "scene"}, "allow: leaves no tool to serve; with toolset"
         " scene there are: scene_list, scene_get, scene_edit, scene_diff"),
        ({"toolset": "play", "read_only": True}, "read-only: leaves no tool to serve; with toolset"
         " play there are: game_run"),
    ],
)  # fmt: skip
def test_a_choice_that_leaves_nothing_is_refused_with_what_there_is(options, words):
    with pytest.raises(ArgumentError, match=words):
        names(**options)


def test_a_choice_that_leaves_nothing_stops_the_start(harness_process):
    done = harness_process("mcp", GAME, "--read-only", "--allow", "game_run")
    assert done.returncode == 2
    assert done.stderr.startswith("harness: allow: leaves no tool to serve; with read-only there")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"allow": ["game_rnu"]}, "no tool named 'game_rnu'; the registry has: game_run"),
        ({"toolset": "plya"}, "no toolset named 'plya'; this server has: play"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(options, words):
    with pytest.raises(UnknownName, match=words):
        names(**options)


def test_a_toolset_of_its_own_is_served_only_by_name():
    registry = Registry()

    @registry.tool(toolset="play")
    def one(play: object) -> None:
        """Play."""

    @registry.tool(toolset="world")
    def other(desk: object) -> None:
        """Look at the world."""

    assert list(shown(registry).tools) == ["one"]
    assert list(shown(registry, toolset="world").tools) == ["other"]


def test_an_unknown_name_stops_the_start(harness_process):
    done = harness_process("mcp", GAME, "--allow", "game_rnu")
    assert done.returncode == 2
    assert done.stderr.startswith("harness: no tool named 'game_rnu'")


def test_what_is_not_shown_is_refused_as_if_it_did_not_exist(piped):
    server = piped(GAME, "--allow", "game_query").open(HANDSHAKES[0])
    listed = server.ask(request(1, "tools/list"))["result"]["tools"]
    assert [tool["name"] for tool in listed] == ["game_query"]
    error = server.ask(call(2, "game_run"))["error"]
    assert error["message"] == "no tool named 'game_run'; this server has: game_query"


def test_a_number_where_a_list_goes_is_told_what_takes_a_number():
    with pytest.raises(ArgumentError, match="a list of whole numbers, not 60; frame takes one"):
        REGISTRY.find("game_shot").checked({"frames": 60})
