"""Entities that are added to a scene file, written like those around them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness.errors import ArgumentError
from harness.scene.assignments import assigned, child
from harness.scene.draft import Draft, Edited
from harness.scene.edit import (
    list_of,
    new_value,
    others,
    place_of,
    reference,
    unusual,
)
from harness.scene.kinds import Kinds
from harness.scene.layout import KIND_KEYS, LISTS, SCENE, Entry, Scene, is_entities
from harness.scene.splice import (
    items_added,
    key_added,
    newline_of,
    pairs_added,
    replaced,
    start_of,
)
from harness.scene.writing import written

_FIRST = ("id", "name", *KIND_KEYS, "parent")


def added(
    scene: Scene, kinds: Kinds, name: str | None, texts: Sequence[str], parent: str | None
) -> Edited:
    """Add an entity with these properties.

    Raises:
        RequestError: one of them does not fit; nothing is changed then.
    """
    draft = Draft(scene)
    below = parent_of(scene, parent)
    data = _properties(scene, kinds, name, texts, below)
    notes = _lacking(scene, data)
    for key in data:
        if key not in _FIRST:
            notes += unusual(scene, _kind(data), key, None)
    _place(draft, below, _ordered(scene, data))
    return draft.done(notes)


def parent_of(scene: Scene, wanted: str | None) -> Entry | None:
    """The parent that is asked for; None of the scene itself."""
    found = scene.find(wanted) if wanted is not None else None
    return found if found is not None and found.label != SCENE else None


def _properties(
    scene: Scene, kinds: Kinds, name: str | None, texts: Sequence[str], below: Entry | None
) -> dict[str, Any]:
    given = {one.key: one for one in assigned([f"name={name}", *texts] if name else texts, {})}
    if "name" not in given:
        raise ArgumentError("object", "is required: the name of the new object")
    if "parent" in given:
        raise ArgumentError("parent", "is an argument of its own")
    data: dict[str, Any] = {}
    kind = next((given[key].text for key in KIND_KEYS if key in given), "")
    for key, one in given.items():
        if key in LISTS:
            raise ArgumentError(key, "are objects: add them one by one, with parent")
        data[key] = new_value(scene, kinds, kind, one, None)
    _give_id(scene, data)
    if below is not None and not nests(scene, below):
        data["parent"] = reference(scene, below)
    return data


def _give_id(scene: Scene, data: dict[str, Any]) -> None:
    taken = [entry.id for entry in scene.entries if entry.id is not None]
    if "id" in data and data["id"] in taken:
        raise ArgumentError("id", f"{data['id']} is taken by {scene.find('#' + str(data['id']))}")
    if "id" not in data and taken:
        data["id"] = next(free_ids(scene))


def free_ids(scene: Scene) -> Iterator[int]:
    """Ids that no entity has, above all that there are."""
    taken = [entry.id for entry in scene.entries if isinstance(entry.id, int)]
    at = max(taken, default=0)
    while True:
        at += 1
        yield at


def _kind(data: Mapping[str, Any]) -> str:
    return str(next((data[key] for key in KIND_KEYS if key in data), ""))


def _lacking(scene: Scene, data: Mapping[str, Any]) -> list[str]:
    """Note what all others of its kind have."""
    kind = _kind(data)
    known = others(scene, kind, None)
    lacks = [
        key
        for key in (known[0] if known else {})
        if key not in data and key not in LISTS and all(key in other for other in known)
    ]
    return [f"every other {kind or 'object'} has {', '.join(lacks)}"] if lacks else []


def _ordered(scene: Scene, data: dict[str, Any]) -> dict[str, Any]:
    """Properties in the order in which the first entity of the file has them."""
    like = list(scene.entries[0].data) if scene.entries else list(_FIRST)
    like = [*like, *(key for key in _FIRST if key not in like)]
    return dict(sorted(data.items(), key=lambda item: _rank(like, item[0])))


def _rank(like: list[str], key: str) -> int:
    return like.index(key) if key in like and key in _FIRST else len(like)


def nests(scene: Scene, parent: Entry) -> bool:
    """Whether children stand inside of a parent, rather than beside it."""
    if any(is_entities(parent.data.get(key)) and parent.data[key] for key in LISTS):
        return True
    return any(entry.nested for entry in scene.entries) and "parent" not in parent.data


# where it goes


def _place(draft: Draft, below: Entry | None, data: dict[str, Any]) -> None:
    """Write a new entity behind the last that belongs to its parent."""
    scene = draft.scene
    if below is not None and nests(scene, below) and not below.children:
        first_child(draft, below, data)
        return
    beside = last_beside(scene, below, None)
    if beside is None:
        _first_of_all(draft, data)
        return
    if beside.called is not None:
        item = _named_item(draft.text, beside, data, scene.in_json)
        draft.cut(pairs_added(draft.text, beside.holder, beside.called, [item]))
        insert(draft, beside, [by_name(data)])
        return
    item = _item(draft.text, beside, data, scene.in_json)
    draft.cut(items_added(draft.text, beside.holder, beside.node, [item]))
    insert(draft, beside, [(None, data)])


def by_name(data: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """An entity as it stands under its name.

    Raises:
        ArgumentError: it has none.
    """
    if "name" not in data:
        raise ArgumentError("object", "is required: the objects of this file stand by name")
    return str(data["name"]), {key: value for key, value in data.items() if key != "name"}


def insert(draft: Draft, beside: Entry, items: Sequence[tuple[str | None, Any]]) -> None:
    """Put entities with their names behind another in what the text must say.

    Raises:
        ArgumentError: they stand by name, and one is taken.
    """
    listed = draft.twin(list_of(draft.scene, beside))
    if beside.called is None:
        at = place_of(draft.scene, beside) + 1
        listed[at:at] = [data for _, data in items]
        return
    for name, data in items:
        if name in listed:
            raise ArgumentError("name", f"{name!r} is taken")
        listed[name] = data


def last_beside(scene: Scene, below: Entry | None, source: Entry | None) -> Entry | None:
    """The entity behind whose lines a new one goes."""
    if below is not None and nests(scene, below):
        return below.children[-1]
    near = source if source is not None else below
    top = [entry for entry in scene.entries if not entry.nested]
    if near is None or near.nested:
        return top[-1] if top else None
    tree = [entry for entry in near.tree() if entry.holder is near.holder]
    return max(tree, key=lambda entry: start_of(entry.node))


def first_child(draft: Draft, below: Entry, data: dict[str, Any]) -> None:
    """Write the first entity into a parent that has none."""
    scene = draft.scene
    key = below.key.value if below.key is not None and below.nested else "children"
    key = next((one for one in LISTS if is_entities(below.data.get(one))), key)
    named = isinstance(below.data.get(key, {} if below.called is not None else []), dict)
    value = dict([by_name(data)]) if named else [data]
    if key in below.data:
        found_key, found = child(below.node, key)
        draft.cut(replaced(draft.text, found_key, found, value, scene.in_json))
    else:
        draft.cut(key_added(draft.text, below.node, [(key, value)], scene.in_json))
    draft.twin(below.data)[key] = value


def _first_of_all(draft: Draft, data: dict[str, Any]) -> None:
    scene = draft.scene
    value = scene.document.value
    if isinstance(value, list):
        draft.cut(replaced(draft.text, None, scene.document.node, [data], scene.in_json))
        draft.twin(value)[:] = [data]
        return
    key = next(key for key in LISTS if is_entities(value.get(key)))
    found_key, found = child(scene.document.node, key)
    listed = dict([by_name(data)]) if isinstance(value[key], dict) else [data]
    draft.cut(replaced(draft.text, found_key, found, listed, scene.in_json))
    draft.twin(value)[key] = listed


def _named_item(text: str, like: Entry, data: Mapping[str, Any], in_json: bool) -> str:
    """A new entity under its name, in the style of the one before it."""
    name, held = by_name(data)
    begin = f"{written(name, in_json)}:"
    step = int(like.node.start_mark.column) - int(like.called.start_mark.column)
    if like.node.flow_style or like.holder.flow_style or not held or step <= 0:
        return f"{begin} {written(held, in_json)}"
    indent = newline_of(text) + " " * int(like.node.start_mark.column)
    return begin + "".join(
        f"{indent}{written(key)}: {written(value)}" for key, value in held.items()
    )


def _item(text: str, like: Entry, data: Mapping[str, Any], in_json: bool) -> str:
    """A new entity in the style of the one before it."""
    if like.node.flow_style or like.holder.flow_style or not data:
        return written(data, in_json)
    indent = newline_of(text) + " " * int(like.node.start_mark.column)
    return indent.join(f"{written(key)}: {written(value)}" for key, value in data.items())
