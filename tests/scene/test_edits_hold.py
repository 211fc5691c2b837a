"""Whatever a scene file looks like, an edit does what it says and touches nothing else."""

import os
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from harness.documents import composed
from harness.errors import ArgumentError, RequestError
from harness.scene.adding import added
from harness.scene.copying import copied
from harness.scene.draft import same
from harness.scene.edit import set_properties
from harness.scene.kinds import Kinds
from harness.scene.layout import parsed, scene_of
from harness.scene.removing import properties_removed, removed
from harness.scene.splice import end_of
from harness.scene.writing import written

ROOT = Path(__file__).parents[2]
SCENES = sorted(ROOT.glob("**/levels/*.yaml"))
KINDS = Kinds()
EXAMPLES = int(os.environ.get("SCENE_EXAMPLES", "40"))

words = st.sampled_from(
    ["Door", "plate", "über", "a b", "yes", "12", "# no", "x: y", "'", '"', "日本"]
)
numbers = st.integers(-999, 999) | st.floats(-1e6, 1e6, allow_nan=False).map(lambda n: round(n, 3))
values = st.one_of(
    words, numbers, st.booleans(), st.none(),
    st.lists(numbers, min_size=2, max_size=2), st.lists(words, max_size=3),
    st.dictionaries(st.sampled_from(["mass", "b c"]), numbers, max_size=2),
)  # fmt: skip
properties = st.dictionaries(st.sampled_from(["position", "text", "to", "on"]), values, max_size=3)
COMMENTS = ["# of the door", "#: {", "#"]


class Writer:
    """Writes the same tree in many styles."""

    def __init__(self, draw):
        self.draw = draw
        self.count = 0
        self.flow = draw(st.sampled_from(["flow", "block", "mixed"]))
        self.layout = draw(st.sampled_from(["flat", "nested"]))
        self.dash = draw(st.sampled_from(["- ", "-   "]))
        self.indentless = draw(st.booleans())

    def comment(self):
        return self.draw(st.sampled_from(["", "", f"  {COMMENTS[0]}", f" {COMMENTS[1]}"]))

    def between(self, indent):
        lines = self.draw(st.lists(st.sampled_from(["", *COMMENTS]), max_size=2))
        return [f"{' ' * indent}{line}" if line else "" for line in lines]

    def entity(self, parent):
        self.count += 1
        data = {"id": self.count, "name": f"Entity{self.count}", "kind": "door"}
        if parent is not None and self.layout == "flat":
            data["parent"] = parent
        return {**data, **self.draw(properties)}

    def tree(self, depth):
        entity = self.entity(None)
        found = [(entity, [])]
        if depth:
            for _ in range(self.draw(st.integers(0, 2))):
                for child, below in self.tree(depth - 1):
                    found[0][1].append((child, below))
        return found

    def lines(self, tree, indent, parent=None):
        for entity, below in tree:
            yield from self.between(indent)
            data = dict(entity)
            if parent is not None and self.layout == "flat":
                data["parent"] = parent
            nested = below if self.layout == "nested" else []
            if self.is_flow(nested):
                flowing = {**data, **({"children": plain(nested)} if nested else {})}
                yield f"{' ' * indent}{self.dash}{written(flowing)}{self.comment()}"
            else:
                inner = indent + len(self.dash)
                before = f"{' ' * indent}{self.dash}"
                for key, value in data.items():
                    yield f"{before}{key}: {self.value(value, inner)}{self.comment()}"
                    before = " " * inner
                if nested:
                    yield f"{before}children:"
                    yield from self.lines(nested, inner if self.indentless else inner + 2)
            if self.layout == "flat":
                yield from self.lines(below, indent, entity["name"])

    def is_flow(self, nested):
        return self.flow == "flow" or (self.flow == "mixed" and self.draw(st.booleans()))

    def value(self, value, indent):
        if isinstance(value, str) and self.draw(st.booleans()) and value.strip():
            return "'" + value.replace("'", "''") + "'"
        if isinstance(value, list) and value and self.draw(st.booleans()):
            return "".join(f"\n{' ' * indent}- {written(item)}" for item in value)
        return written(value)


def plain(tree):
    return [{**e, **({"children": plain(b)} if b else {})} for e, b in tree]


@st.composite
def scene_texts(draw):
    writer = Writer(draw)
    tree = [found for _ in range(draw(st.integers(1, 3))) for found in writer.tree(2)]
    indent = draw(st.sampled_from([0, 2, 4]))
    lines = [*draw(st.sampled_from([[], ["title: A  # b"], ["# the top", "lives: 3", ""]]))]
    lines += ["objects:", *writer.lines(tree, indent)]
    lines += draw(st.sampled_from([[], ["", "# the end"], ["music: a.ogg"]]))
    text = "\n".join(lines) + draw(st.sampled_from(["\n", ""]))
    text = text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))
    return draw(st.sampled_from(["", "\ufeff"])) + text


def scene(text):
    return parsed(text, Path("levels/a.yaml"), "a", "levels/a.yaml")


def cut_out(longer, shorter):
    """Whether one text is the other with one piece taken out."""
    start = 0
    while start < len(shorter) and longer[start] == shorter[start]:
        start += 1
    return longer.endswith(shorter[start:])


def outside(found, entry):
    """What stands on the lines above an entity, and below what it says itself."""
    lines = found.document.text.splitlines(keepends=True)
    above = "".join(lines[: entry.line - 1])
    following = [e.line for e in found.entries if e.line > entry.line]
    below = "".join(lines[following[0] - 1 :]) if following else ""
    return above, below


@given(scene_texts())
@settings(max_examples=EXAMPLES, deadline=None)
def test_the_fast_reader_finds_the_same_places(text):
    def places(document):
        def walk(node):
            yield node.id, node.start_mark.index, end_of(text, node), node.start_mark.column
            for part in node.value if node.id != "scalar" else ():
                for one in part if isinstance(part, tuple) else [part]:
                    yield from walk(one)

        return list(walk(document.node))

    text = text.removeprefix("\ufeff")
    fast = composed(text, "a")
    slow = composed(f"{text}\n# &a", "a")
    assert places(fast) == places(slow)
    assert same(fast.value, slow.value)


@given(scene_texts(), st.data())
@settings(max_examples=EXAMPLES, deadline=None)
def test_a_property_is_set_and_no_other_line_is_touched(text, data):
    found = scene(text)
    entry = data.draw(st.sampled_from(found.entries))
    key = data.draw(st.sampled_from(["position", "text", "on", "speed"]))
    value = data.draw(values)
    try:
        new = set_properties(found, KINDS, entry, [f"{key}={written(value)}"]).scene
    except ArgumentError:
        return  # of another type than what stands there
    except RequestError as refusal:
        if "comments in what would be replaced" not in str(refusal):
            raise
        return
    twin = next(e for e in new.entries if e.id == entry.id)
    assert twin.data[key] == value or isinstance(twin.data[key], str)
    assert [e.path for e in new.entries] == [e.path for e in found.entries]
    for one, other in zip(found.entries, new.entries, strict=True):
        if one is not entry:
            assert same(one.properties, other.properties)
    above, below = outside(found, entry)
    assert new.document.text.startswith(above)
    assert new.document.text.endswith(below)


@given(scene_texts(), st.data())
@settings(max_examples=EXAMPLES, deadline=None)
def test_a_property_is_removed_and_no_other_line_is_touched(text, data):
    found = scene(text)
    entry = data.draw(st.sampled_from(found.entries))
    keys = [key for key in entry.properties if key not in ("id", "name")]
    gone = data.draw(st.lists(st.sampled_from(keys), min_size=1, unique=True))
    new = properties_removed(found, entry, gone).scene
    twin = next(e for e in new.entries if e.id == entry.id)
    assert list(twin.properties) == [key for key in entry.properties if key not in gone]
    above, below = outside(found, entry)
    assert new.document.text.startswith(above)
    assert new.document.text.endswith(below)


@given(scene_texts(), st.data())
@settings(max_examples=EXAMPLES, deadline=None)
def test_a_copy_is_put_in_and_nothing_else_changes(text, data):
    found = scene(text)
    entry = data.draw(st.sampled_from(found.entries))
    new = copied(found, KINDS, entry, None, [], None).scene
    tree = list(entry.tree())
    assert len(new.entries) == len(found.entries) + len(tree)
    assert cut_out(new.document.text, text)
    ids = [e.id for e in new.entries]
    assert len(set(ids)) == len(ids)
    assert {e.id for e in found.entries} < set(ids)
    twin = next(e for e in new.entries if e.path not in [o.path for o in found.entries])
    assert len(list(twin.tree())) == len(tree)
    own = {"id", "name", "parent"}
    for one, other in zip(tree, twin.tree(), strict=True):
        kept = [{k: v for k, v in e.properties.items() if k not in own} for e in (one, other)]
        assert same(*kept)


@given(scene_texts(), st.data())
@settings(max_examples=EXAMPLES, deadline=None)
def test_an_object_is_added_below_any_parent(text, data):
    found = scene(text)
    parent = data.draw(st.sampled_from([None, *found.entries]))
    name = parent.path if parent is not None else None
    new = added(found, KINDS, "New", ["kind=coin", "position=[1, 2]"], name).scene
    (entry,) = [e for e in new.entries if e.name == "New"]
    assert entry.path == (f"{name}/New" if name else "New")
    assert entry.id == max(e.id for e in found.entries) + 1
    assert cut_out(new.document.text, text)


@given(scene_texts(), st.data())
@settings(max_examples=EXAMPLES, deadline=None)
def test_an_object_is_removed_with_all_below_it_and_no_comment_between(text, data):
    found = scene(text)
    entry = data.draw(st.sampled_from(found.entries))
    new = removed(found, entry).scene
    gone = {e.id for e in entry.tree()}
    assert [e.id for e in new.entries] == [e.id for e in found.entries if e.id not in gone]
    if not entry.children:
        left = [line for line in text.splitlines() if line.strip().startswith("#")]
        inside = found.document.text[entry.node.start_mark.index : entry.node.end_mark.index]
        assume("#" not in inside)
        assert [
            line for line in new.document.text.splitlines() if line.strip().startswith("#")
        ] == left


@given(scene_texts(), st.data())
@settings(max_examples=EXAMPLES, deadline=None)
def test_what_was_added_and_removed_again_leaves_the_file_as_it_was(text, data):
    found = scene(text)
    entry = data.draw(st.sampled_from(found.entries))
    new = copied(found, KINDS, entry, None, [], None).scene
    known = {e.path for e in found.entries}
    twin = next(e for e in new.entries if e.path not in known)
    back = removed(new, twin).scene.document.text
    assert back == text or back.rstrip() == text.rstrip()


@pytest.mark.parametrize("path", SCENES, ids=[path.stem for path in SCENES])
def test_every_scene_of_the_repository_can_be_edited(path):
    found = scene_of(path, path.stem, path.name)
    text = found.document.text
    for entry in found.entries[:: max(1, len(found.entries) // 12)]:
        lines = text.splitlines()
        new = set_properties(found, KINDS, entry, ["position=[3, 4.5]"]).scene.document.text
        differ = [(a, b) for a, b in zip(lines, new.splitlines(), strict=True) if a != b]
        assert len(differ) == 1
        copy = copied(found, KINDS, entry, None, [], None).scene
        assert cut_out(copy.document.text, text)
        twin = next(e for e in copy.entries if e.path not in {o.path for o in found.entries})
        assert removed(copy, twin).scene.document.text == text
