"""Nothing that a user can write is left out of the docs, and no link of theirs leads nowhere."""

import argparse
import inspect
import re
from pathlib import Path

import pytest

import harness
from harness import cli, errors, scenario, tools  # noqa: F401 - importing tools registers them
from harness.games import config
from harness.playtest.bots import BotView
from harness.playtest.names import RESERVED
from harness.playtest.play import Playtest
from harness.registry import REGISTRY
from harness.values import run
from harness.values.events import KINDS
from harness.values.gestures import GESTURES
from harness.values.keys import MOUSE_BUTTONS, PAD_AXES, PAD_BUTTONS
from harness.values.movie import HEADER_KEYS

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = [
    ROOT / name for name in ("README.md", "CONTRIBUTING.md", "AGENTS.md", "CHANGELOG.md")
] + sorted(DOCS.glob("*.md"))


def code_of(page):
    """Everything that a page writes as code: in back-ticks, and in its blocks."""
    text = (DOCS / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```[^\n]*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return "\n".join([*re.findall(r"`([^`\n]+)`", text), *blocks])


def untold(names, page):
    code = code_of(page)
    return [name for name in names if not re.search(rf"(?<![\w-]){re.escape(name)}(?!\w)", code)]


def parsers():
    for action in cli._parser()._actions:
        if isinstance(action, argparse._SubParsersAction):
            return action.choices
    return {}


def verbs():
    return [name for name in vars(Playtest) if not name.startswith("_")]


def test_every_command_and_option_of_the_command_line_is_told():
    words = [f"harness {name}" for name in parsers()]
    for parser in parsers().values():
        words += [word for action in parser._actions for word in action.option_strings]
    words = sorted(set(words) - {"-h", "--help"})

    assert len(words) > 10
    assert untold(words, "command-line.md") == []


def test_every_exit_status_is_told():
    statuses = [cli.HELD, cli.FAILED, cli.WRONG, cli.INTERRUPTED]

    page = (DOCS / "command-line.md").read_text(encoding="utf-8")
    assert [status for status in statuses if f"| {status} |" not in page] == []


def test_every_tool_and_argument_is_told():
    for tool in REGISTRY:
        assert untold([tool.name], "scenarios.md") == []
        assert untold([argument.python for argument in tool.arguments], "scenarios.md") == []


def test_every_verb_of_play_and_its_arguments_are_told():
    words = verbs()
    for verb in verbs():
        member = vars(Playtest)[verb]
        if callable(member):
            words += [name for name in inspect.signature(member).parameters if name != "self"]

    assert untold(words, "scenarios.md") == []


def test_every_step_and_key_of_a_yaml_scenario_is_told():
    blocks = re.findall(
        r"^```yaml.*?\n(.*?)^```",
        (DOCS / "scenarios.md").read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )
    shown = [verb for verb in scenario.VERBS if any(f"  - {verb}" in block for block in blocks)]

    assert shown == list(scenario.VERBS)
    assert untold([*scenario.VERBS, *scenario._KEYS, "expect"], "scenarios.md") == []


def test_every_option_marker_fixture_and_ini_key_is_told(pytester):
    printed = pytester.runpytest("--help").stdout.str()
    options = re.findall(r"(?<!\S)--(?:game|golden)[\w-]*", printed)
    markers = re.findall(
        r"^@pytest.mark.(game|movie)\(", pytester.runpytest("--markers").stdout.str(), re.M
    )
    fixtures = ["play", "tools", "game_dir", "game_golden", *(tool.name for tool in REGISTRY)]

    assert {"--game", "--game-seed", "--game-repeat", "--game-output"} <= set(options)
    assert sorted(set(markers)) == ["game", "movie"]
    markers = [f"@pytest.mark.{marker}" for marker in markers]
    assert untold([*options, *markers, *fixtures, "game"], "scenarios.md") == []


def test_every_key_of_harness_yaml_is_told():
    assert untold(config.KEYS, "your-own-game.md") == []


def test_every_attribute_of_a_result_is_told():
    fields = [*run.RunResult.__dataclass_fields__, "passed"]

    assert untold(fields, "scenarios.md") == []


def test_every_kind_of_input_is_told():
    words = [*KINDS, *GESTURES, *(f"mouse:{name}" for name in MOUSE_BUTTONS)]
    words += [f"pad:{name}" for name in PAD_BUTTONS]
    words += [f"play.{name}" for name in vars(BotView) if not name.startswith("_")]

    assert untold(words, "input.md") == []
    assert untold(PAD_AXES, "your-own-game.md") == []


def test_every_name_of_an_expression_is_told():
    assert untold(RESERVED, "expressions.md") == []


def test_every_line_of_a_movie_header_is_told():
    assert untold([f"{key}=" for key in HEADER_KEYS if key], "movies-and-replay.md") == []


def test_every_verdict_is_told():
    from harness.replay import _MEANING

    assert untold(_MEANING, "movies-and-replay.md") == []


def test_every_public_name_and_every_error_is_told():
    names = [
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, errors.HarnessError)
    ]

    assert untold([*harness.__all__, *names], "python.md") == []
    assert untold(run.RunRequest.__dataclass_fields__, "python.md") == []


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_every_link_leads_somewhere(page):
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"{page.name}: {target}"
        if anchor:
            assert anchor in anchors(file), f"{page.name}: {target}"


def anchors(page):
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_no_page_uses_a_word_that_means_something_else_elsewhere(page):
    text = page.read_text(encoding="utf-8")
    if page.name == "AGENTS.md":  # it lists them
        return

    for word in ("snapshot", "desync", "seamless", "robust", "powerful"):
        assert word not in text.lower(), word
    assert not re.search(r"\bsessions?\b", text.lower())
