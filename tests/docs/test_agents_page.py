"""What the page of agents shows can be typed and called."""

import json
import re
import shlex
from pathlib import Path

import pytest

from harness import cli
from harness import tools as _registers_the_tools  # noqa: F401
from harness.registry import REGISTRY
from harness.serve.answers import CODES

PAGE = (Path(__file__).parents[2] / "docs" / "agents.md").read_text(encoding="utf-8")
COMMANDS = sorted(set(re.findall(r"harness mcp game[^`#\n]*", PAGE)))
CALLS = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_one(command):
    _, *words = shlex.split(command)
    assert cli._parser().parse_args(words).game == "game"


def test_every_call_has_arguments_that_its_tool_takes():
    calls = [call for call in CALLS if "arguments" in call]
    assert calls
    for call in calls:
        assert REGISTRY.find(call["name"]).checked(call["arguments"], over_mcp=True)


def test_every_tool_is_told():
    assert [tool.name for tool in REGISTRY if f"`{tool.name}`" not in PAGE] == []


def test_every_code_of_a_refusal_is_told():
    told = {
        code
        for row in re.findall(r"^  \| (`.*?) \|", PAGE, re.MULTILINE)
        for code in re.findall(r"`(\w+)`", row)
    }
    assert told == {code for _, code, _ in CODES} | {"tool_broken", "queue_full", "not_begun"}
