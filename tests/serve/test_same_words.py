"""A wrong call is refused in the same words by a fixture, a command and an agent's server."""

import json
import os
import subprocess
import sys

import pytest

from harness import cli

from .client import HANDSHAKES, ROOT, request

pytest.importorskip("pymunk")
GAME = ROOT / "game"

WRONG = {
    "a scene": ("game_run", {"scene": "ledg"}, "run --scene ledg",
        "no scene named 'ledg'; this game has: ledge"),
    "a seed": ("game_run", {"seed": -1}, "run --seed=-1", "seed: must be at least 0, not -1"),
    "no seed": ("game_run", {"seed": "x"}, "run --seed x", "seed: must be a whole number, not 'x'"),
    "no frames": ("game_run", {"frames": "0"}, "run --frames 0", "frames: must be at least 1, not"),
    "half a frame": ("game_run", {"frames": "1.5"}, "run --frames 1.5",
        "frames: must be a whole number, not '1.5'"),
    "a button": ("game_run", {"input": "jmup@3"}, "run --input jmup@3", "no button or key named"),
    "a span": ("game_run", {"input": "right@9-3"}, "run --input right@9-3",
        "right@9-3: ends before it starts"),
    "a frame": ("game_run", {"input": "right@"}, "run --input right@",
        "cannot read 'right@'; write NAME@FRAME"),
    "a key": ("game_run", {"input": "key:nokey@1"}, "run --input key:nokey@1",
        "no button or key named 'key:nokey'"),
    "brackets": ("game_run", {"input": "click(3@1"}, "run --input click(3@1",
        "unclosed bracket in 'click(3@1'"),
    "half an expression": ("game_run", {"until": "1 +"}, ["run", "--until", "1 +"],
        "cannot read '1 +': invalid syntax"),
    "a statement": ("game_run", {"until": "x = 3"}, ["run", "--until", "x = 3"],
        "'x = 3' is a statement"),
    "an entity": ("game_run", {"until": "plyer.hp"}, "run --until plyer.hp",
        "no name 'plyer'; this game has: player"),
    "a property": ("game_run", {"print": "player.hpp"}, "run --print player.hpp",
        "cannot evaluate 'player.hpp'"),
    "a check": ("game_run", {"assert": "import os"}, ["run", "--assert", "import os"],
        "'import os' is a statement"),
    "a run": ("game_run", {"against": "nope"}, "run --against nope",
        "no run or movie named 'nope'"),
    "no movie": ("game_run", {"record": "a.txt"}, "run --record a.txt",
        "record: a movie's name ends in .movie"),
    "every": ("game_run", {"every": 0}, "run --every 0", "every: must be at least 1, not"),
    "shots": ("game_run", {"shots": [999]}, "run --shots 999",
        "shots: must be frames of the run, 0 to 60"),
    "no shots": ("game_run", {"shots": ["x"]}, "run --shots x",
        "shots: must be a list of whole numbers"),
    "no assignment": ("game_run", {"assignments": "player.x"}, "run --assign player.x",
        "assignments: must be name=value"),
    "who is assigned": ("game_run", {"assignments": "nobody.x=1"}, "run --assign nobody.x=1",
        "no name 'nobody'; this game has: bank"),
    "an object": ("game_query", {"action": "inspect", "object": "plyer"},
        "query inspect plyer", "no entity named 'plyer'; this game has: player"),
    "where from": ("game_query", {"action": "raycast", "from": "player"},
        "query raycast player", "to: is required by raycast"),
    "an action": ("game_query", {"action": "see"}, "query see",
        "action: must be 'inspect' or 'raycast'"),
    "a radius": ("game_query", {"action": "overlap", "at": "1,1", "radius": -1},
        "query overlap 1,1 --radius=-1", "radius: must be at least 0, not"),
    "a point": ("game_query", {"action": "at", "at": "1;1"}, "query at 1;1",
        "no entity named '1;1'"),
    "a span of frames of a shot": ("game_shot", {"frames": [60]}, "shot --frames 60",
        "frames: is for a strip; one frame is asked for as frame"),
    "a frame of a shot": ("game_shot", {"frame": -1}, "shot --frame=-1",
        "frame: must be at least 0, not -1"),
    "two times": ("game_shot", {"at": 1, "frame": 3}, "shot --at 1 --frame 3",
        "at: takes the place of frame"),
    "a camera": ("game_shot", {"camera": "nope"}, "shot --camera nope",
        "no camera named 'nope'; this game has: main"),
    "a golden": ("game_shot", {"tolerance": 2, "golden": "x"}, "shot --golden x --tolerance 2",
        "tolerance: must be at most 1, not 2.0"),
    "variants": ("game_branch", {"inputs": ["right@1", "jmup@1"]},
        "branch --input right@1 --input jmup@1",
        "inputs: variant 2: no button or key named 'jmup'"),
    "many variants": ("game_branch", {"inputs": ["right@1"] * 65},
        "branch" + " --input right@1" * 65,
        "inputs: takes 1 to 64 variants, not 65"),
    "a scene's object": ("scene_get", {"object": "Dor"}, "scene get Dor", "no object named 'Dor'"),
    "a removal": ("scene_edit", {"action": "remove", "object": "Door"}, "scene remove Door",
        "confirm: must be true to remove"),
    "an earlier scene": ("scene_diff", {"against": "no.yaml"}, "scene diff no.yaml",
        "against: no file at 'no.yaml'"),
    "a name": ("api", {"name": "Plyer"}, "api --name Plyer",
        "no name 'Plyer'; the api has: Player"),
    "a tool": ("describe", {"tool": "game_rnu"}, "describe game_rnu",
        "no tool named 'game_rnu'; this server has: game_run"),
    "depth": ("scene_list", {"depth": 0}, "scene list --depth 0",
        "depth: must be at least 1, not 0"),
}  # fmt: skip

FIXTURES = """
import json
from pathlib import Path

from harness.errors import HarnessError


def test_all(tools):
    told = {}
    for name, (tool, given) in json.loads(Path("wrong.json").read_text()).items():
        try:
            getattr(tools, tool)(**given)
        except HarnessError as error:
            told[name] = str(error)
    Path("told.json").write_text(json.dumps(told))
"""


@pytest.fixture(scope="module")
def in_pytest(tmp_path_factory):
    """What the tools say in a test, of every wrong call."""
    folder = tmp_path_factory.mktemp("words")
    (folder / "test_wrong.py").write_text(FIXTURES, encoding="utf-8")
    asked = {name: (tool, given) for name, (tool, given, *_) in WRONG.items()}
    (folder / "wrong.json").write_text(json.dumps(asked), encoding="utf-8")
    words = ["-q", "--game", str(GAME), "--isolation", "auto", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words], cwd=folder, check=False,
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads((folder / "told.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def server(shared_piped):
    """The server of an agent."""
    return shared_piped(GAME).open(HANDSHAKES[0])


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_call_is_told_in_the_same_words_everywhere(
    in_pytest, server, tmp_path, monkeypatch, capfd, name
):
    tool, given, words, told = WRONG[name]
    monkeypatch.chdir(tmp_path)
    words = words.split() if isinstance(words, str) else words
    game = [] if tool == "describe" else [str(GAME)]
    assert cli.main([words[0], *game, *words[1:]]) == 2
    command = capfd.readouterr().err.removeprefix("harness: ").rstrip("\n")
    result = server.ask(request(name, "tools/call", name=tool, arguments=given))["result"]
    assert result["isError"]
    agent = result["content"][0]["text"]
    assert command.startswith(told)
    assert in_pytest[name] == agent == command
    assert len(agent.splitlines()) <= 2
