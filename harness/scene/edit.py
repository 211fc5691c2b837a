"""Properties that are set in a scene file."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from harness.errors import ArgumentError, RequestError
from harness.scene.assignments import Assignment, assigned, child, walked
from harness.scene.draft import Draft, Edited, same
from harness.scene.kinds import Kinds, read, standing
from harness.scene.layout import KIND_KEYS, LISTS, SCENE, Entry, Scene, is_entities
from harness.scene.splice import key_added, replaced

# set


def set_properties(
    scene: Scene, kinds: Kinds, entry: Entry, texts: Sequence[str], parent: str | None = None
) -> Edited:
    """Set properties of one entity.

    Raises:
        RequestError: one of them does not fit; nothing is changed then.
    """
    draft = Draft(scene)
    notes: list[str] = []
    assignments = assigned(texts, entry.data)
    added: list[tuple[str, Any]] = []
    for one in assignments:
        check_key(entry, one)
        if one.way == ("parent",) and entry.label != SCENE:
            parent = _one_parent(parent, one.text)
        elif one.way == ("name",) and is_key(entry):
            _rekey(draft, entry, _name(scene, one, entry))
        elif one.way[0] not in entry.data:
            added.append((one.key, new_value(scene, kinds, entry.kind, one, entry)))
            notes += unusual(scene, entry.kind, one.key, entry)
        else:
            _replace(draft, kinds, entry, one)
    if parent is not None:
        added += _moved(draft, entry, scene.find(parent))
    if added:
        draft.cut(key_added(draft.text, entry.node, added, scene.in_json, LISTS))
        draft.twin(entry.data).update(added)
    notes += _renamed(draft, entry, next((o for o in assignments if o.way == ("name",)), None))
    return draft.done(notes)


def check_key(entry: Entry, one: Assignment) -> None:
    """Refuse a property that no assignment may touch.

    Raises:
        ArgumentError: it is one.
    """
    if one.key == "id":
        raise ArgumentError(
            "id", "stays what it is; add with from makes a copy with an id of its own"
        )
    if one.key in LISTS and is_entities(entry.data.get(one.key, [])):
        raise ArgumentError(one.key, "are objects: add and remove them one by one")
    if entry.node is None:
        raise ArgumentError("object", "the scene is a list, and has no properties of its own")


def _one_parent(given: str | None, text: str) -> str:
    if given is not None and given != text:
        raise ArgumentError("parent", f"is given twice, as {given!r} and as {text!r}")
    return text


def new_value(scene: Scene, kinds: Kinds, kind: str, one: Assignment, but: Entry | None) -> Any:
    """The value of a property that an entity gets, fitting what others of its kind have.

    Raises:
        ArgumentError, UnknownName: it does not fit.
    """
    if len(one.way) > 1:
        raise ArgumentError(str(one), f"there is no {one.key} yet: set it as a whole")
    if one.way == ("name",):
        return _name(scene, one, but)
    wanted = kinds.wanted(kind, one.key, others(scene, kind, but))
    return read(one.key, one.text, wanted, [entry.name for entry in scene.entries])


def others(scene: Scene, kind: str, but: Entry | None) -> list[Mapping[str, Any]]:
    """What the other entities of a kind hold."""
    return [entry.data for entry in scene.entries if entry.kind == kind and entry is not but]


def unusual(scene: Scene, kind: str, key: str, but: Entry | None) -> Iterator[str]:
    """Notes that no other of a kind has such a property: it may be misspelt."""
    known = {name for data in others(scene, kind, but) for name in data}
    if known and key not in known and key not in ("name", "parent"):
        yield f"no other {kind or 'object'} in this scene has {key!r}"


def _name(scene: Scene, one: Assignment, but: Entry | None) -> str:
    name = str(read("name", one.text, standing(""), ()))
    if not name.strip() or not name.isprintable() or "/" in name or name.startswith("#"):
        raise ArgumentError("name", f"must be a line of text without / and #, not {name!r}")
    parent = but.parent if but is not None else None
    for entry in scene.entries:
        beside = but is not None and entry.holder is but.holder and but.called is not None
        if entry is not but and entry.name == name and (entry.parent is parent or beside):
            raise ArgumentError("name", f"{name!r} is taken by {entry}")
    return name


def _replace(draft: Draft, kinds: Kinds, entry: Entry, one: Assignment) -> None:
    scene = draft.scene
    data, node, place = walked(entry.data, entry.node, one)
    if isinstance(data, Mapping) and place not in data:
        value = read(str(one), one.text, standing(None), ())
        draft.cut(key_added(draft.text, node, [(str(place), value)], scene.in_json))
        draft.twin(data)[place] = value
        return
    if one.way == ("name",):
        value = _name(scene, one, entry)
    else:
        wanted = standing(data[place])
        if len(one.way) == 1 and entry.label != SCENE:
            nearest = [entry.data, *others(scene, entry.kind, entry)]
            wanted = kinds.wanted(entry.kind, one.key, nearest)
        value = read(str(one), one.text, wanted, [other.name for other in scene.entries])
    if same(data[place], value):
        return
    if one.way[0] in KIND_KEYS and kinds.declared:
        kinds.wanted(str(value), "name")  # refuses a kind that is not declared
    key, old = child(node, place)
    if old.id != "scalar" and not old.flow_style:
        keep_comments(draft, old)
    draft.cut(replaced(draft.text, key, old, value, scene.in_json))
    draft.twin(data)[place] = value


def keep_comments(draft: Draft, node: Any) -> None:
    """Refuse to write over a block that holds comments."""
    lines = draft.text[node.start_mark.index : node.end_mark.index].splitlines()
    if any(line.lstrip().startswith("#") or " #" in line for line in lines):
        line = int(node.start_mark.line) + 1
        raise RequestError(
            f"{draft.scene.file}, line {line}: there are comments in what would be replaced;"
            " set its parts one by one"
        )


def _moved(draft: Draft, entry: Entry, parent: Entry) -> list[tuple[str, Any]]:
    """Give an entity another parent; gives the key to add where it names none so far."""
    if entry.label == SCENE or parent.label == SCENE:
        raise ArgumentError("parent", "must be an object of the scene")
    if parent in entry.tree():
        raise ArgumentError("parent", f"{parent} is the object itself, or below it")
    if entry.nested:
        raise ArgumentError(
            "parent", "objects of this file stand inside of their parents;"
            " add with from and parent, then remove this one"
        )  # fmt: skip
    value = reference(draft.scene, parent)
    if "parent" not in entry.data:
        return [("parent", value)]
    if entry.parent is not parent:
        key, old = child(entry.node, "parent")
        draft.cut(replaced(draft.text, key, old, value, draft.scene.in_json))
        draft.twin(entry.data)["parent"] = value
    return []


def reference(scene: Scene, parent: Entry) -> Any:
    """How others name a parent: by its name, or by its id where the name is not unique."""
    if len(scene.matches(parent.name)) == 1:
        return parent.name
    return parent.id if isinstance(parent.id, int) else parent.path


def _renamed(draft: Draft, entry: Entry, one: Assignment | None) -> Iterator[str]:
    """Let those that name a renamed entity as their parent name it so; notes what else names it."""
    unnamed = not entry.data.get("name") and not is_key(entry)
    if one is None or unnamed or entry.label == SCENE:
        return
    old, new = entry.name, _name(draft.scene, one, entry)
    below = set(entry.tree())
    for other in draft.scene.entries:
        asked = other.data.get("parent")
        if other.parent in below and isinstance(asked, str) and not other.nested:
            parts = [new if part == old else part for part in asked.split("/")]
            if "/".join(parts) != asked and draft.twin(other.data)["parent"] == asked:
                key, node = child(other.node, "parent")
                value = "/".join(parts)
                draft.cut(replaced(draft.text, key, node, value, draft.scene.in_json))
                draft.twin(other.data)["parent"] = value
    if old != new:
        yield from mentions(draft.scene, [old], [entry])


def is_key(entry: Entry) -> bool:
    """Whether an entity is called what it stands under, and not by a property."""
    return entry.called is not None and "name" not in entry.data


def _rekey(draft: Draft, entry: Entry, name: str) -> None:
    """Let an entity stand under another name."""
    draft.cut(replaced(draft.text, None, entry.called, name, draft.scene.in_json))
    mapping = draft.twin(list_of(draft.scene, entry))
    mapping[name] = mapping.pop(place_of(draft.scene, entry))


def mentions(scene: Scene, names: Sequence[str], but: Collection[Entry]) -> Iterator[str]:
    """Notes where names stand as values of other entities' properties."""
    wanted = frozenset(names)
    for entry in scene.entries:
        if entry in but:
            continue
        for key, value in entry.properties.items():
            found = value if isinstance(value, list) else [value]
            if key not in ("name", "parent", *KIND_KEYS):
                for name in dict.fromkeys(one for one in found if isinstance(one, str)):
                    if name in wanted:
                        line = getattr(entry.data, "lines", {}).get(key, entry.line)
                        yield f"{entry}: {key} on line {line} names {name}, which is gone"


def list_of(scene: Scene, entry: Entry) -> Any:
    """What the scene's data has the entity in: a list, or a mapping by name."""
    owner = entry.parent.data if entry.nested and entry.parent is not None else scene.document.value
    return owner if isinstance(owner, list) else owner[entry.key.value]


def place_of(scene: Scene, entry: Entry) -> Any:
    """The key, or the index, under which an entity stands there."""
    listed = list_of(scene, entry)
    places = listed.items() if isinstance(listed, dict) else enumerate(listed)
    return next(place for place, item in places if item is entry.data)
