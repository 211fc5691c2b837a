"""An agent that knows only what the tools say of themselves finds a bug, proves it and keeps it."""

import re
import shutil

import pytest

from .client import HANDSHAKES, ROOT, call, request

HEALTHY = 'pressed = any("weight" in piece.tags for piece in world.touching(plate))'
STUCK = f"pressed = plate.pressed or {HEALTHY.removeprefix('pressed = ')}"


@pytest.fixture
def game(tmp_path):
    """The reference game; ``game(stuck=True)`` plants the bug: the plate does not release."""
    pytest.importorskip("pygame")

    def copy(stuck):
        folder = tmp_path / ("stuck" if stuck else "healthy")
        shutil.copytree(ROOT / "game", folder, ignore=shutil.ignore_patterns("__pycache__"))
        systems = folder / "systems.py"
        source = systems.read_text(encoding="utf-8")
        assert HEALTHY in source
        if stuck:
            systems.write_text(source.replace(HEALTHY, STUCK), encoding="utf-8")
        return folder

    return copy


class Agent:
    """Calls tools, and counts."""

    def __init__(self, server):
        self.server, self.calls = server.open(HANDSHAKES[0]), 0

    def __call__(self, tool, **arguments):
        self.calls += 1
        result = self.server.ask(call(self.calls, tool, **arguments))["result"]
        return result, result["content"][0]["text"]


ONTO = "right@1-110, jump@40+10"
OFF = "right@1-44, jump@15+10"


def hunt(agent):
    """What an agent does who is told: the door stays open when the player leaves the plate."""
    _, tree = agent("scene_list")
    names = re.findall(r"#\d+ (\w+) \((?:plate|door)\)", tree)
    plate, door = (name.lower() for name in names)
    stood, _ = agent("game_run", frames=160, seed=3, input=ONTO, print=f"{plate}.pressed",
                     save="on the plate")  # fmt: skip
    assert stood["structuredContent"]["frames"]["160"] == {f"{plate}.pressed": True}
    _, touching = agent("game_query", action="contacts", object=plate, frames=100, input=OFF,
                        start="on the plate")  # fmt: skip
    assert "player" not in touching.lower()
    return agent("game_run", frames=240, start="on the plate", input=OFF,
                 until=f"not {plate}.pressed and not {door}.open", print=f"{plate}.pressed",
                 record="plate-stuck.movie")  # fmt: skip


def test_an_agent_finds_a_plate_that_does_not_release_in_six_calls(piped, game, harness_process):
    folder = game(stuck=True)
    agent = Agent(piped(folder))
    result, words = hunt(agent)
    assert result["isError"]
    assert result["structuredContent"]["status"] == "failed"
    assert "plate.pressed" in words
    assert agent.calls <= 6
    replayed = harness_process("replay", folder, folder / "plate-stuck.movie")
    assert (replayed.returncode, replayed.stdout[:5]) == (0, "same:")


def test_the_same_hunt_finds_nothing_in_the_healthy_game(piped, game):
    result, _ = hunt(Agent(piped(game(stuck=False))))
    assert result["isError"] is False
    assert result["structuredContent"]["stopped"] == "until"


def test_a_tool_that_the_descriptions_name_is_there(piped, game):
    server = piped(game(stuck=False)).open(HANDSHAKES[0])
    tools = server.ask(request(1, "tools/list"))["result"]["tools"]
    names = {tool["name"] for tool in tools}
    for tool in tools:
        named = re.findall(r"\b(?:game|scene)_[a-z]+\b", tool["description"])
        assert set(named) <= names, tool["name"]
