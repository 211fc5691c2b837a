"""Each rule of the game is held by a scenario: broken in a copy of the game, it is seen.

The rules, what breaks each and who sees it are in breaks.yaml.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BREAKS = yaml.safe_load((HERE / "breaks.yaml").read_text(encoding="utf-8"))
PROCESSES = 2
COSMETICS = [
    ("pictures.py", "#b98450", "#50b984"),
    ("drawings.py", '"r": "#d8574f"', '"r": "#4f57d8"'),
    ("particles.py", '"jump": ("dust", 5, 40.0)', '"jump": ("spark", 50, 90.0)'),
    ("particles.py", '"coin": ("spark", 16, 110.0)', '"coin": ("dust", 1, 20.0)'),
    ("overlays.py", "OUCH!", "OH NO!"),
    ("sounds.py", '"jump": (300, 620, 0.10)', '"jump": (100, 820, 0.20)'),
]
"""Changes for the eye and the ear alone, which no scenario may mind."""


def changed(folder, changes):
    """Copy the game and change it; each old text must be there exactly once."""
    game = folder / "game"
    shutil.copytree(ROOT / "game", game, ignore=shutil.ignore_patterns("__pycache__"))
    for file, old, new in changes:
        text = (game / file).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{file} has {text.count(old)} times {old!r}"
        (game / file).write_text(text.replace(old, new), encoding="utf-8")
    return str(game)


def started(work):
    """Start a process that plays scenarios on copies of the game."""
    process = subprocess.Popen(
        [sys.executable, str(HERE / "held.py")],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    process.stdin.write(json.dumps(work))
    process.stdin.close()
    process.stdin = None
    return process


def outcomes(works):
    """Play several lists of scenarios at once, and give what became of each scenario."""
    processes = [started(work) for work in works]
    answers = []
    for process in processes:
        out, err = process.communicate(timeout=240)
        assert process.returncode == 0, err
        answers.append(json.loads(out))
    return answers


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """What became of each broken rule's scenario, by the rule."""
    work = []
    for entry in BREAKS:
        change = (entry["file"], entry["old"], entry["new"])
        game = changed(tmp_path_factory.mktemp("broken"), [change])
        work.append((game, [f"scenarios/{entry['holder']}"]))
    answers = outcomes([work[start::PROCESSES] for start in range(PROCESSES)])
    return {
        entry["rule"]: answers[number % PROCESSES][number // PROCESSES]
        for number, entry in enumerate(BREAKS)
    }


@pytest.mark.parametrize("entry", BREAKS, ids=[entry["rule"] for entry in BREAKS])
def test_a_broken_rule_is_seen(seen, entry):
    answer = seen[entry["rule"]]
    assert answer, f"{entry['holder']} was not played"

    failures = [text for text in answer.values() if text != "passed"]
    assert failures, f"unheld: {entry['rule']}; {entry['holder']} passes without it"
    for failure in failures:
        assert "GameError" not in failure, failure
        assert "AssertionError" in failure or "RunFailed" in failure or "expected" in failure


def test_every_rule_has_a_name_of_its_own_and_changes_the_code():
    assert len({entry["rule"] for entry in BREAKS}) == len(BREAKS) > 30
    assert all(entry["old"] != entry["new"] for entry in BREAKS)


def test_the_broken_rule_that_the_docs_show_is_one_of_them():
    page = (ROOT / "docs" / "worked-example.md").read_text(encoding="utf-8")
    shown = page.partition("```text\n")[2].partition("```")[0]

    assert yaml.safe_load(shown)[0] in BREAKS


def test_changes_for_the_eye_and_the_ear_fail_only_the_goldens(tmp_path):
    """So the scenarios that see the broken rules pass where none is broken, too."""
    game = changed(tmp_path, COSMETICS)
    files = sorted((ROOT / "scenarios").glob("test_*.py"))
    files += sorted((ROOT / "scenarios").glob("*.scenario.yaml"))
    nodes = [f"scenarios/{file.name}" for file in files]
    halves = [[(game, nodes[start::PROCESSES])] for start in range(PROCESSES)]
    answers = [answer for (answer,) in outcomes(halves)]

    assert all(answers)
    failed = {node: text for answer in answers for node, text in answer.items() if text != "passed"}
    assert {node.partition("::")[0] for node in failed} == {"scenarios/test_looks.py"}, failed
