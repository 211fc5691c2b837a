"""Edits of scene files, before and after."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import ArgumentError, HarnessError
from harness.scene.adding import added
from harness.scene.copying import copied
from harness.scene.diff import difference
from harness.scene.edit import set_properties
from harness.scene.kinds import Kinds
from harness.scene.layout import parsed
from harness.scene.removing import properties_removed, removed
from harness.scene.tree import listed

NESTED = """\
# a cave
objects:
  - name: Cave
    id: 1
    children:
      - name: Bat    # it sleeps
        id: 2
        lines:
          - Hello
          - "there"
        said: |
          one
          two

      # the way out
      - {name: Exit, id: 3}
music: a.ogg
"""
JSON = """\
{
  "layers": [
    {
      "name": "Ground",
      "objects": [
        {"id": 1, "name": "Spawn", "x": 10, "y": 20},
        {"id": 2, "name": "Coin", "x": 30, "y": 20}
      ]
    }
  ]
}
"""
FLOW = "objects: [{id: 1, name: A}, {id: 2, name: B}, {id: 3, name: C}]"


def scene(text, file="levels/cave.yaml"):
    return parsed(text, Path(file), "cave", file)


def edit(text, action, name, *assignments, file="levels/cave.yaml", parent=None, kinds=None):
    found, kinds = scene(text, file), Kinds(kinds)
    if action == "set":
        edited = set_properties(found, kinds, found.find(name), assignments, parent)
    elif action == "add":
        edited = added(found, kinds, name, assignments, parent)
    elif action == "remove" and assignments:
        edited = properties_removed(found, found.find(name), assignments)
    elif action == "copy":
        edited = copied(found, kinds, found.find(name), None, assignments, parent)
    else:
        edited = removed(found, found.find(name))
    return edited.scene.document.text


def changed(before, after):
    """The lines that are no more, and those that are new."""
    old, new = before.splitlines(), after.splitlines()
    return [x for x in old if x not in new], [x for x in new if x not in old]


@pytest.mark.parametrize(
    ("assignment", "old", "new"),
    [
        ("name=Batty", "      - name: Bat    # it sleeps", "      - name: Batty    # it sleeps"),
        ("lines[1]=you", '          - "there"', '          - "you"'),
        ("lines[0]=yes", "          - Hello", '          - "yes"'),
        ("speed=1e-7", None, "        speed: 1.0e-07"),
    ],
)
def test_one_line_changes(assignment, old, new):
    gone, come = changed(NESTED, edit(NESTED, "set", "Bat", assignment))
    assert (gone, come) == ([old] if old else [], [new])


def test_a_block_of_text_and_a_list_in_lines_are_replaced_whole():
    after = edit(NESTED, "set", "Bat", "said=nothing", "lines=[Bye]")
    assert "        lines: [Bye]\n        said: nothing\n\n      # the way out\n" in after


def test_a_property_goes_before_the_children():
    after = edit(NESTED, "set", "Cave", "dark=true")
    assert after == NESTED.replace("    id: 1\n", "    id: 1\n    dark: true\n")


def test_the_scene_itself_has_properties():
    assert edit(NESTED, "set", "/", "music=b.ogg") == NESTED.replace("a.ogg", "b.ogg")


@pytest.mark.parametrize(
    ("action", "name", "assignments", "after"),
    [
        ("set", "B", ["name=D"], FLOW.replace("B", "D")),
        ("set", "B", ["x=1"], FLOW.replace("B}", "B, x: 1}")),
        ("remove", "A", [], FLOW.replace("{id: 1, name: A}, ", "")),
        ("remove", "B", [], FLOW.replace("{id: 2, name: B}, ", "")),
        ("remove", "C", [], FLOW.replace(", {id: 3, name: C}", "")),
        ("copy", "C", [], FLOW.replace("C}]", "C}, {id: 4, name: C2}]")),
        ("copy", "A", ["x=1"], FLOW.replace("A},", "A}, {id: 4, name: A2, x: 1},")),
        ("add", "D", ["on=true"], FLOW.replace("C}]", 'C}, {id: 4, name: D, "on": true}]')),
    ],
)
def test_a_list_on_one_line_is_edited(action, name, assignments, after):
    assert edit(FLOW, action, name, *assignments) == after


@pytest.mark.parametrize(
    ("action", "name", "assignments", "old", "new"),
    [
        ("set", "Coin", ["x=5"], '"name": "Coin", "x": 30', '"name": "Coin", "x": 5'),
        ("set", "Coin", ["on=true"], '30, "y": 20', '30, "y": 20, "on": true'),
        ("copy", "Coin", [], '30, "y": 20}',
         '30, "y": 20},\n        {"id": 3, "name": "Coin2", "x": 30, "y": 20}'),
        ("remove", "Coin", [], ',\n        {"id": 2, "name": "Coin", "x": 30, "y": 20}', ""),
        ("remove", "Spawn", [], '        {"id": 1, "name": "Spawn", "x": 10, "y": 20},\n', ""),
    ],
)  # fmt: skip
def test_a_file_in_json_stays_json(action, name, assignments, old, new):
    import json

    after = edit(JSON, action, name, *assignments, file="levels/cave.json")
    assert after == JSON.replace(old, new)
    json.loads(after)


def test_a_file_in_json_takes_a_new_object_on_a_layer():
    import json

    after = edit(JSON, "add", "Door", "text=a", file="levels/cave.json", parent="Ground")
    (layer,) = json.loads(after)["layers"]
    assert layer["objects"][2] == {"id": 3, "name": "Door", "text": "a"}


def test_the_first_and_the_last_object_come_and_go():
    empty = edit("a: 1\nobjects:\n  - name: A # one\n# end", "remove", "A")
    assert empty == "a: 1\nobjects: []\n# end"
    assert edit(empty, "add", "B", "x=1") == "a: 1\nobjects: [{name: B, x: 1}]\n# end"
    assert edit("[]", "add", "B") == "[{name: B}]"
    assert edit("- name: A\n", "remove", "A") == "[]\n"
    assert edit("- name: A", "copy", "A") == "- name: A\n- name: A2"


def test_line_ends_and_a_byte_order_mark_stay():
    text = "\ufeffobjects:\r\n- name: Ä\r\n  x: 1"
    after = edit(text, "set", "Ä", "y=2")
    assert after == "\ufeffobjects:\r\n- name: Ä\r\n  x: 1\r\n  y: 2"
    assert edit(after, "copy", "Ä") == f"{after}\r\n- name: Ä2\r\n  x: 1\r\n  y: 2"


def test_children_stand_in_their_parent_or_name_it_as_the_others_do():
    after = edit(NESTED, "add", "Worm", "kind=worm", parent="Cave")
    assert "      - {name: Exit, id: 3}\n      - {name: Worm, id: 4, kind: worm}\nmusic" in after
    after = edit(NESTED, "add", "Wing", parent="Bat")
    assert scene(after).find("Cave/Bat/Wing").id == 4
    flat = "objects:\n- name: A\n- name: B\n  parent: A\n- name: C\n"
    after = edit(flat, "add", "D", parent="B")
    assert after == flat.replace("parent: A\n", "parent: A\n- name: D\n  parent: B\n")
    assert edit(flat, "set", "C", parent="B") == flat + "  parent: B\n"
    assert edit(flat, "set", "B", "parent=C") == flat.replace("parent: A", "parent: C")


def test_a_copy_of_a_tree_has_names_and_ids_of_its_own():
    found = scene(edit(NESTED, "copy", "Cave"))
    assert [str(entry) for entry in found.entries] == [
        "#1 Cave", "#2 Cave/Bat", "#3 Cave/Exit", "#4 Cave2", "#5 Cave2/Bat2", "#6 Cave2/Exit2",
    ]  # fmt: skip


def test_a_renamed_parent_is_named_anew_by_its_children():
    flat = "objects:\n- name: A\n- name: B\n  parent: A\n- name: C\n  parent: A/B\n"
    after = edit(flat, "set", "A", "name=Z")
    assert after == flat.replace("A", "Z")


def refusal(*given, **more):
    with pytest.raises(HarnessError) as refused:
        edit(*given, **more)
    return str(refused.value)


@pytest.mark.parametrize(
    ("action", "name", "assignments", "words"),
    [
        ("set", "Bat", ["id=9"], "id: stays what it is"),
        ("set", "Bat", ["lines=3"], "lines: must be a list, each text, not 3"),
        ("set", "Bat", ["lines[2]=x"], "lines[2]: there are [0] to [1]"),
        ("set", "Bat", ["lines.z=x"], "lines.z: there are [0] to [1]"),
        ("set", "Bat", ["name.x=x"], "name.x: there are no parts in 'Bat'"),
        ("set", "Bat", ["nothing"], "assignments: must be key=value, as in position=[120, 300]"),
        ("set", "Bat", ["x=1", "x=2"], "assignments: x is given twice"),
        ("set", "Bat", ["lines[0]=a", "lines=[]"], "assignments: lines is given twice"),
        (
            "set",
            "Bat",
            ["x="],
            'assignments: x: has no value; an empty text is x="", and remove removes',
        ),
        ("set", "Bat", ["x=[1"], "x: must be a value of YAML's, not [1"),
        ("set", "Bat", ["name=Exit"], "name: 'Exit' is taken by #3 Cave/Exit"),
        ("set", "Bat", ["name=a/b"], "name: must be a line of text without / and #"),
        ("set", "Bat", ["parent=Exit"], "parent: objects of this file stand inside"),
        ("set", "Cave", ["children=[]"], "children: are objects: add and remove them one by one"),
        ("set", "Bart", ["x=1"], "no object named 'Bart'; scene cave has: Bat, Cave, Exit"),
        ("set", "#7", ["x=1"], "no object named '#7'"),
        ("add", "Bat", ["id=2"], "id: 2 is taken by #2 Cave/Bat"),
        ("add", "Cave", [], "name: 'Cave' is taken by #1 Cave"),
        ("add", None, ["x=1"], "object: is required: the name of the new object"),
        ("remove", "/", [], "object: must be an object of the scene, which itself stays"),
        ("copy", "/", [], "from: must be an object of the scene"),
    ],
)
def test_a_wrong_edit_is_refused_in_words(action, name, assignments, words):
    assert refusal(NESTED, action, name, *assignments).startswith(words)


def test_an_ambiguous_name_lists_the_candidates():
    text = "- {name: A, id: 1}\n- {name: A, id: 2}\n- {name: B, children: [{name: A}]}\n"
    assert refusal(text, "set", "A", "x=1") == (
        "'A' names 3 objects: #1 A, #2 A, B/A; give an id or a path"
    )
    assert "{name: A, id: 2, x: 1}" in edit(text, "set", "#2", "x=1")
    assert "{name: A, x: 1}" in edit(text, "set", "B/A", "x=1")


def test_what_an_anchor_stands_for_is_left_to_a_person():
    text = "objects:\n- name: A\n  at: &here [1, 2]\n- name: B\n  at: *here\n  x: 1\n"
    words = "levels/cave.yaml, line {}: an anchor or alias of YAML stands there; edit this"
    assert refusal(text, "set", "A", "at=[3, 4]").startswith(words.format(3))
    assert refusal(text, "set", "B", "at=[3, 4]").startswith(words.format(5))
    assert refusal(text, "remove", "A").startswith(words.format(3))
    assert refusal(text, "copy", "B").startswith(words.format(5))
    assert refusal(text, "set", "A", "at.x=3").endswith("edit it by hand")
    assert edit(text, "set", "B", "x=2") == text.replace("x: 1", "x: 2")


def test_comments_in_what_would_be_replaced_are_kept_by_refusing():
    text = "- name: A\n  at:\n    - 1 # right\n    - 2\n"
    assert "there are comments in what would be replaced" in refusal(text, "set", "A", "at=[3, 4]")
    assert edit(text, "set", "A", "at.x=3") == text.replace("1 #", "3 #")


KINDS = {
    "door": {"size": "point", "opened_by": ["name"], "facing": ["left", "right"], "speed": "whole"},
    "wall": None,
}


@pytest.mark.parametrize(
    ("assignment", "words"),
    [
        ("size=3", "size: must be two numbers, as in [120, 300], not 3"),
        ("opened_by=[C]", "opened_by: no object named 'C'; the scene has: A, B"),
        ("opened_by=3", "opened_by: must be a list, each the name of an object in the scene"),
        ("facing=up", "facing: must be 'left' or 'right', not up"),
        ("speed=1.5", "speed: must be a whole number, not 1.5"),
        ("sped=1", "no property named 'sped'; door has: speed,"),
        ("kind=door2", "no kind named 'door2'; harness.yaml has: door, wall"),
    ],
)
def test_what_the_game_declares_decides(assignment, words):
    text = "- {name: A, kind: door}\n- {name: B}\n"
    if assignment.startswith("kind"):
        assert refusal(text, "add", "D", assignment, kinds=KINDS).startswith(words)
        assert refusal(text, "set", "A", assignment, kinds=KINDS).startswith(words)
    else:
        assert refusal(text, "set", "A", assignment, kinds=KINDS).startswith(words)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("#ff0000", "#ff0000"), ("a # b", "a # b"), ("a: b", "a: b"), ("12", "12"),
        ("null", "null"), ('"12"', "12"), ("'it''s'", "it's"), ('"a\\nb"', "a\nb"), ("[x", "[x"),
        ("a\nb", "a\nb"), ("yes", "yes"), ('""', ""), ("a\u2028b", "a\u2028b"), ("*a", "*a"),
    ],
)  # fmt: skip
def test_where_a_text_stands_a_text_is_put(text, value):
    after = edit("- {name: A, text: x, y: 1}\n", "set", "A", f"text={text}")
    assert scene(after).find("A").data == {"name": "A", "text": value, "y": 1}


@given(st.text(min_size=1))
@settings(max_examples=60, deadline=None)
def test_any_text_can_be_put_where_one_stands(text):
    try:
        after = edit("- name: A\n  text: x  # y\n", "set", "A", f"text={text}")
    except ArgumentError as refused:
        hidden = "surrogates" in str(refused) or "has no value" in str(refused)
        if not hidden:
            raise
        return
    found = scene(after).find("A").data["text"]
    assert found == text.strip() or text.strip()[0] in "\"'"
    assert "# y" in after


def test_a_colour_is_no_comment_where_nothing_stands_yet():
    assert edit("- name: A\n", "set", "A", "color=#ff0000") == '- name: A\n  color: "#ff0000"\n'


def test_a_star_declares_what_every_kind_may_have():
    kinds = {"*": {"position": "point"}, "door": None}
    text = "- {name: A, kind: door}\n"
    assert "position: [1, 2]" in edit(text, "set", "A", "position=1,2", kinds=kinds)
    assert refusal(text, "set", "A", "position=1", kinds=kinds).startswith("position: must be two")


def test_what_fits_the_declaration_is_taken():
    text = "- {name: A, kind: door}\n- {name: B}\n"
    after = edit(
        text, "set", "A", "size=12, 60", "opened_by=[B]", "facing=left", "speed=2", kinds=KINDS
    )
    assert "size: [12, 60], opened_by: [B], facing: left, speed: 2}" in after


@pytest.mark.parametrize(
    ("kinds", "words"),
    [
        ([], "kinds: must map each kind to its properties"),
        ({"a": 1}, "kinds: a: must map its properties"),
        ({"a": {"b": "pont"}}, "kinds: a.b: must be any, text,"),
    ],
)
def test_a_declaration_that_says_nothing_is_refused(kinds, words):
    with pytest.raises(HarnessError) as refused:
        Kinds(kinds)
    assert str(refused.value).startswith(words)


def test_what_is_no_scene_file_is_refused():
    for text in ("a: 1", "- 1", "x", "objects: [1]"):
        with pytest.raises(HarnessError) as refused:
            scene(text)
        assert str(refused.value).startswith("levels/cave.yaml: is no scene file: it needs")


def test_reading_a_text_that_looks_like_an_anchor_is_the_same_in_both_readers():
    for said in ("Tom & Jerry", "5 * 3", "a&b", "*", "&"):
        assert scene(f"- {{name: A, said: '{said}'}}").find("A").data["said"] == said
    assert scene("- {name: A, said: Tom & Jerry}").document.anchored == ()
    for text in ("- &a {name: A}", "- {name: &b A}", "- {name: A, x: [1,&c 2]}", '- {"name":&d A}'):
        assert len(scene(text).document.anchored) == 1


def test_a_parent_that_was_not_there_before_an_edit_does_not_forbid_it():
    text = "- {name: A, parent: Nobody}\n- {name: B}\n"
    assert "{name: Neu}" in edit(text, "add", "Neu")
    assert "{name: C}" in edit(text, "set", "B", "name=C")
    assert "Nobody" in edit(text, "remove", "B")
    with pytest.raises(HarnessError, match="Nobody"):  # a copy would be one more
        edit(text, "copy", "A")


def test_entities_that_stand_below_each_other_a_thousand_deep_are_listed_and_edited():
    rows = [f"- {{name: E{i}{f', parent: E{i - 1}' if i else ''}}}" for i in range(1500)]
    found = scene("\n".join(rows))
    assert listed(found).objects[-1].depth == 1500
    assert listed(found, depth=2).left_out == 1498
    assert edit("\n".join(rows), "remove", "E1") == "- {name: E0}\n"
    assert "parent: New" in edit("\n".join(rows), "set", "E0", "name=New")


def test_what_an_alias_stands_for_is_not_changed_along():
    text = "- {id: 1, name: A, x: &x {y: 1}}\n- {id: 2, name: B, x: *x}\n- {name: C, like: 3}\n"
    assert "like: 4" in edit(text, "set", "C", "like=4")
    with pytest.raises(HarnessError, match="would change elsewhere, too; edit it by hand"):
        edit(text, "set", "A", "x.y=2")


@pytest.mark.parametrize(
    "text",
    [
        "- {id: 1, name: A}\n- {id: 1, name: B}\n",
        "- {id: 1, name: A}\n- {id: 1, name: A}\n",
        "- {name: A}\n- {name: A}\n",
    ],
)
def test_the_answer_of_an_edit_tells_alike_entities_apart(text):
    found = scene(text)
    new = set_properties(found, Kinds(), found.entries[0], ["speed=3"]).scene
    told = difference(found, new, "")
    assert (told.added, told.removed) == ((), ())
    [(one, rows)] = told.changed
    assert (one.name, [str(row) for row in rows]) == ("A", ["speed: 3, new"])


def test_many_objects_without_their_parents_are_told_in_short():
    found = scene("\n".join(f"- {{name: E{i}, parent: No{i}}}" for i in range(300)))
    notes = listed(found).notes
    assert len(notes) == 11
    assert notes[-1] == "290 more such lines; game_check lists all"


TOWN = """\
gravity: 9
objects:
  # the hero
  Player:   # asleep
    kind: player
    position: [1, 2]  # here
    body:
      mass: 2
  Door: {kind: door, size: [1, 2]}
  Plate:
    kind: plate
    parent: Door
"""
NAMED_JSON = '{"nodes": {\n  "A": {"x": 1},\n  "B": {"x": 2}\n}}\n'


def test_entities_may_stand_by_their_names():
    rows = listed(scene(TOWN)).objects
    assert [(r.depth, r.entity.path, r.entity.kind) for r in rows] == [
        (1, "Player", "player"), (1, "Door", "door"), (2, "Door/Plate", "plate"),
    ]  # fmt: skip
    assert scene(TOWN).find("Player").line == 4
    assert listed(scene("objects: {}")).count == 0


@pytest.mark.parametrize(
    ("wanted", "old", "new"),
    [
        (("set", "Player", "position.x=3"), ["    position: [1, 2]  # here"],
         ["    position: [3, 2]  # here"]),
        (("set", "Door", "name=Gate"),
         ["  Door: {kind: door, size: [1, 2]}", "    parent: Door"],
         ["  Gate: {kind: door, size: [1, 2]}", "    parent: Gate"]),
        (("add", "Neu", "kind=door", "size=3,4"), [],
         ["  Neu:", "    kind: door", "    size: [3, 4]"]),
        (("copy", "Player"), [], ["  Player2:   # asleep"]),
        (("copy", "Door"), [],
         ["  Door2: {kind: door, size: [1, 2]}", "  Plate2:", "    parent: Door2"]),
        (("remove", "Door"),
         ["  Door: {kind: door, size: [1, 2]}", "  Plate:", "    kind: plate", "    parent: Door"],
         []),
        (("remove", "Player", "position"), ["    position: [1, 2]  # here"], []),
        (("remove", "Player", "body.mass"), ["    body:", "      mass: 2"], ["    body: {}"]),
        (("remove", "Door", "kind="), ["  Door: {kind: door, size: [1, 2]}"],
         ["  Door: {size: [1, 2]}"]),
        (("remove", "/", "gravity"), ["gravity: 9"], []),
    ],
)  # fmt: skip
def test_entities_that_stand_by_their_names_are_edited(wanted, old, new):
    assert changed(TOWN, edit(TOWN, *wanted)) == (old, new)


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (("set", "Player", "name=Door"), "name: 'Door' is taken by Door"),
        (("add", "Door", "kind=x"), "name: 'Door' is taken by Door"),
        (("add", "Plate", "kind=x"), "'Plate' is taken"),
        (("remove", "Player", "colour"), "no property named 'colour'; Player has: body"),
        (("remove", "Player", "position.x"), "set position as a whole"),
        (("remove", "Player", "kind=player"), "of remove are properties alone, as in speed"),
        (("remove", "Player", "kind", "position", "body"), "line 5: there are comments in what"),
        (("remove", "/", "objects"), "are objects: add and remove them one by one"),
        (("set", "Player", "kind="), 'an empty text is kind="", and remove removes'),
    ],
)
def test_what_cannot_be_edited_by_name_is_refused_in_words(wanted, said):
    with pytest.raises(HarnessError, match=said):
        edit(TOWN, *wanted)


@pytest.mark.parametrize(
    ("wanted", "after"),
    [
        (("set", "A", "name=C"), '{"nodes": {\n  "C": {"x": 1},\n  "B": {"x": 2}\n}}\n'),
        (("remove", "B"), '{"nodes": {\n  "A": {"x": 1}\n}}\n'),
        (("add", "N", "x=3"),
         '{"nodes": {\n  "A": {"x": 1},\n  "B": {"x": 2},\n  "N": {"x": 3}\n}}\n'),
        (("copy", "A"),
         '{"nodes": {\n  "A": {"x": 1},\n  "A2": {"x": 1},\n  "B": {"x": 2}\n}}\n'),
        (("remove", "A", "x"), '{"nodes": {\n  "A": {},\n  "B": {"x": 2}\n}}\n'),
    ],
)  # fmt: skip
def test_entities_by_name_in_json_are_edited(wanted, after):
    assert edit(NAMED_JSON, *wanted, file="a.json") == after


def test_children_by_name_are_added_and_copied_by_name():
    text = "objects:\n  Cave:\n    children:\n      Bat: {kind: bat}\n  Exit:\n    kind: exit\n"
    assert "      Neu: {kind: x}\n" in edit(text, "add", "Neu", "kind=x", parent="Cave")
    assert edit(text, "add", "Neu", parent="Exit").endswith("    children: {Neu: {}}\n")
    copy = edit(text, "copy", "Cave")
    assert "  Cave2:\n    children:\n      Bat2: {kind: bat}\n" in copy


def test_the_first_property_behind_a_dash_makes_room_for_the_next():
    text = "- name: A\n  # slow\n  speed: 3\n- speed: 2\n  name: B\n"
    assert edit(text, "remove", "A", "name") == "- # slow\n  speed: 3\n- speed: 2\n  name: B\n"
    assert edit(text, "remove", "B", "speed") == "- name: A\n  # slow\n  speed: 3\n- name: B\n"
