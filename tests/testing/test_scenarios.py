"""YAML scenarios as tests of a session."""

import re

import pytest

WALKS = """\
scenario: it walks
steps:
  - hold: {buttons: right, frames: 7}
  - expect: {walker.x: 7}
"""
SECOND = """\
---
# The file's second play.
scenario: it waits
seed: 7
scene: park
steps:
  - step: 20
  - expect:
      - walker.x == 0
      - walker.health > 2 and game.scene == 'street'
"""


def test_each_document_is_a_test_of_its_own_name(project):
    project.write("tests/a.scenario.yaml", WALKS + SECOND.replace("street", "park"))
    project.write("tests/test_a.py", "def test_it(play):\n    assert play.frame == 0\n")
    listed = project.output("--collect-only", "-q")
    assert "tests/a.scenario.yaml::it walks" in listed
    assert "tests/a.scenario.yaml::it waits" in listed
    project.passes(passed=3)
    project.passes("-k", "waits", passed=1, deselected=2)
    project.passes("-k", "walks or test_it", passed=2, deselected=1)
    project.passes("tests/a.scenario.yaml::it waits", passed=1)
    project.passes("tests/a.scenario.yaml", passed=2)


def test_a_failure_reads_without_knowing_any_python(project):
    project.write("tests/a.scenario.yaml", WALKS.replace("walker.x: 7", "walker.x + 1: 7") + SECOND)
    output = project.output()
    assert re.search(r"^_+ it walks _+$", output, re.MULTILINE)
    assert (
        "\ntests/a.scenario.yaml:4: expected walker.x + 1 to be 7 at frame 7, and it is 8\n"
        "  walker.x = 7\n" in output
    )
    assert (
        "\ntests/a.scenario.yaml:12: expected walker.health > 2 and game.scene == 'street'"
        " at frame 20, and it is False\n  walker.health = 3\n  game.scene = 'park'\n" in output
    )
    assert "FAILED tests/a.scenario.yaml::it walks - tests/a.scenario.yaml:4" in output
    assert ".py" not in re.sub(r"pytest-\S+|\S+\.ini", "", output.split("FAILURES")[1])
    assert (
        output.count("replay it: harness replay game game-results/tests-a.scenario.yaml-it-") == 2
    )


def test_what_a_verb_raises_is_told_with_its_line(project):
    project.write(
        "a.scenario.yaml",
        """\
scenario: it trips
steps:
  - step: 3
  - tap: trip
---
scenario: it never comes
steps:
  - until: {value: walker.x > 9, within: 5, holding: [right]}
---
scenario: it has no such name
steps:
  - expect: {wlaker.x: 3}
---
scenario: it has no such button
steps:
  - hold: rihgt
---
scenario: it has no such savestate
steps:
  - load: there
---
scenario: it has no such scene
scene: prak
steps:
  - step: 3
""",
    )
    output = project.output()
    assert "a.scenario.yaml:4: the game failed: walker.py:37: ValueError: tripped" in output
    assert "a.scenario.yaml:8: walker.x > 9 never became True between frame 0 and frame 5" in output
    assert "  walker.x = 5" in output
    assert re.search(r"a.scenario.yaml:12: expect: no name 'wlaker'; .* has: walker", output)
    assert re.search(r"a.scenario.yaml:16: hold: .*'rihgt'.*right", output)
    assert "a.scenario.yaml:20: load: no savestate named 'there'" in output
    assert re.search(
        r"a.scenario.yaml:\d+: no scene named 'prak'; this game has: park, street", output
    )
    assert "Traceback" not in output
    assert "/harness/" not in output


def test_a_scenario_names_its_own_game_scene_and_seed(project):
    project.add_game("other/game of mine")
    project.write(
        "tests/a.scenario.yaml",
        """\
scenario: elsewhere
game: ../other/game of mine
scene: park
seed: 12
steps:
  - expect: {game.scene: park, seed: 12}
---
scenario: here
steps:
  - expect: {game.scene: street, seed: 4}
""",
    )
    project.passes("--game-seed=4", passed=2)


def test_mistakes_fail_the_file_and_not_the_session(project):
    project.write("a.scenario.yaml", WALKS.replace("hold", "hodl"))
    project.write("b.scenario.yaml", WALKS)
    project.write("test_a.py", "def test_it(play):\n    pass\n")
    output = project.output("--continue-on-collection-errors")
    assert re.search(
        r"a.scenario.yaml, line 3: no verb named 'hodl'; a scenario has: hold, ", output
    )
    assert "2 passed, 1 error" in output
    assert "Traceback" not in output
    assert ".py:" not in output.split("ERRORS")[1].split("short test summary")[0]


def test_fixtures_that_are_used_everywhere_are_no_matter(project):
    project.write(
        "conftest.py",
        "import pytest\n@pytest.fixture(autouse=True)\ndef around(request):\n    yield\n",
    )
    project.write("a.scenario.yaml", WALKS)
    project.passes(passed=1)


def test_a_scenario_that_is_gone_when_it_is_played_is_told(project):
    project.write("a.scenario.yaml", WALKS)
    project.write(
        "conftest.py",
        "def pytest_collection_finish(session):\n"
        "    with open('a.scenario.yaml', 'w') as file:\n"
        "        file.write('scenario: other\\nsteps: [step]\\n')\n",
    )
    output = project.output()
    assert "no scenario named 'it walks'; a.scenario.yaml has: other" in output
    assert "Traceback" not in output


@pytest.mark.parametrize(
    "name", ["a.scenario.yml", "scenario.yaml", "a.yaml", "a.scenario.yaml.txt"]
)
def test_other_files_are_left_alone(project, name):
    project.write(name, ":\n\t- [")
    assert project.run().ret == pytest.ExitCode.NO_TESTS_COLLECTED
