"""scene_edit names the files that still have the name of what was renamed or removed."""

import pytest

from harness.playtest.play import Playtest
from harness.registry import REGISTRY
from harness.tools.desk import Desk, called

LEVEL = """\
objects:
  - {id: 1, name: Plate, kind: plate}
  - {id: 2, name: Door, kind: door, opened_by: [Plate]}
"""


@pytest.fixture
def edit(stub):
    """Edit the scene of a game whose files name its plate."""
    folder = stub(scenes="first")
    config = (folder / "harness.yaml").read_text(encoding="utf-8")
    files = {
        "harness.yaml": config.replace(
            "scenes: [first]", "scenes: {first: lv/first.yaml, b: lv/b.yaml}"
        ),
        "lv/first.yaml": LEVEL,
        "lv/b.yaml": LEVEL,
        "lv/before.yaml": LEVEL,
        "rules.py": "OPENS = {'Plate'}\n",
        "plates.py": "class Plate: kind = 'plate'\n",
        "scenarios/a.scenario.yaml": "scenario: the plate is shut\nsteps: [expect: plate.shut]\n",
        "scenarios/long.py": "#" * (1 << 20) + " plate",
        "scenarios/odd.py": "PLATE = '\xe9'",
        "scenarios/plate.txt": "plate",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="latin-1")

    def edited(**given):
        tool, desk = REGISTRY.find("scene_edit"), Desk(folder, folder, lambda: Playtest(folder))
        return called(tool, desk, tool.checked(given)).notes

    return edited


def test_what_else_names_a_renamed_object_is_told_scenarios_first(edit):
    inside, files = edit(action="set", object="Plate", assignments="name=Pad")
    assert inside == "#2 Door: opened_by on line 3 names Plate, which is gone"
    assert files == (
        "these files name Plate, too: scenarios/a.scenario.yaml, scenarios/odd.py, rules.py"
    )


def test_what_else_names_a_removed_object_is_told(edit):
    notes = edit(action="remove", object="Plate", confirm=True)
    assert notes[-1].startswith("these files name Plate, too: scenarios/a.scenario.yaml")


@pytest.mark.parametrize(
    "given",
    [
        {"action": "set", "object": "Door", "assignments": "name=Hatch"},
        {"action": "set", "object": "Plate", "assignments": "size=[1, 2]"},
        {"action": "add", "object": "Lid"},
    ],
)
def test_nothing_is_told_where_no_file_has_a_name_that_is_gone(edit, given):
    assert not any("these files" in note for note in edit(**given))
