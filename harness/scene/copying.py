"""Entities that are copied within a scene file, with all below them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from harness.errors import ArgumentError
from harness.scene.adding import (
    first_child,
    free_ids,
    insert,
    last_beside,
    nests,
    parent_of,
)
from harness.scene.assignments import child
from harness.scene.draft import Draft, Edited
from harness.scene.edit import is_key, reference, set_properties
from harness.scene.kinds import Kinds
from harness.scene.layout import LISTS, SCENE, Entry, Scene, is_entities
from harness.scene.splice import (
    Cut,
    end_of,
    items_added,
    key_added,
    pairs_added,
    replaced,
    spliced,
    start_of,
)
from harness.scene.writing import written

_NUMBERED = re.compile(r"(.*?)(\d*)")


def copied(
    scene: Scene,
    kinds: Kinds,
    source: Entry,
    name: str | None,
    texts: Sequence[str],
    parent: str | None,
) -> Edited:
    """Copy an entity and all below it, with names and ids of their own.

    Raises:
        RequestError: it cannot be done, or an assignment does not fit.
    """
    if source.label == SCENE:
        raise ArgumentError("from", "must be an object of the scene")
    if parent == SCENE and not source.nested and source.parent is not None:
        raise ArgumentError("parent", "must be an object of the scene")
    draft = Draft(scene)
    below = parent_of(scene, parent) if parent is not None else source.parent
    names = _new_names(scene, source, name)
    ids = free_ids(scene)
    changes: dict[int, dict[str, Any]] = {}
    for entry in source.tree():
        changes[id(entry)] = _changes(scene, entry, names, ids)
    if below is not None and not nests(scene, below):
        changes[id(source)]["parent"] = reference(scene, below)
    _place_copies(draft, source, below, changes, names)
    edited = draft.done()
    if not texts:
        return edited
    label = names.get(id(source), source.label)
    path = f"{below.path}/{label}" if below is not None else label
    new = next(e for e in edited.scene.entries if e.path == path)
    return set_properties(edited.scene, kinds, new, texts)


def _new_names(scene: Scene, source: Entry, name: str | None) -> dict[int, str]:
    taken = {entry.name.lower() for entry in scene.entries}
    unique = len(taken) == len(scene.entries)
    found: dict[int, str] = {}
    last: dict[str, int] = {}
    for entry in source.tree():
        if not entry.data.get("name") and not is_key(entry):
            continue
        if entry is source and name is not None:
            if name.lower() in taken and unique:
                raise ArgumentError("object", f"{name!r} is taken by {scene.find(name)}")
            found[id(entry)] = name
        elif unique or entry is source or (is_key(entry) and entry.holder is source.holder):
            found[id(entry)] = _free_name(entry.name, taken, last)
        taken.add(found.get(id(entry), entry.name).lower())
    return found


def _free_name(name: str, taken: set[str], last: dict[str, int]) -> str:
    """The next name with a number that nobody has; ``last`` holds how far each name has come."""
    base, digits = _NUMBERED.fullmatch(name).groups()  # type: ignore[union-attr]
    number = max(int(digits or 1), last.get(base, 0)) + 1
    while f"{base}{number}".lower() in taken:
        number += 1
    last[base] = number
    return f"{base}{number}"


def _changes(
    scene: Scene, entry: Entry, names: dict[int, str], ids: Iterator[int]
) -> dict[str, Any]:
    """What is other in the copy of an entity."""
    found: dict[str, Any] = {}
    if isinstance(entry.data.get("id"), int):
        found["id"] = next(ids)
    elif "id" in entry.data:
        found["id"] = f"{entry.id}-{next(ids)}"
    if id(entry) in names and not is_key(entry):
        found["name"] = names[id(entry)]
    if entry.parent is not None and not entry.nested and id(entry.parent) in names:
        found["parent"] = names[id(entry.parent)]
    return found


def _place_copies(
    draft: Draft,
    source: Entry,
    below: Entry | None,
    changes: dict[int, dict[str, Any]],
    names: dict[int, str],
) -> None:
    tree = (
        [e for e in source.tree() if e.holder is source.holder] if not source.nested else [source]
    )
    tree.sort(key=lambda entry: start_of(entry.node))
    datas = [_data(entry, changes, names) for entry in tree]
    nested = below is not None and nests(draft.scene, below)
    if below is not None and nested and not below.children:
        first_child(
            draft, below, {"name": names[id(source)], **datas[0]} if is_key(source) else datas[0]
        )
        return
    beside = last_beside(draft.scene, below, None if nested else source)
    if source.nested and below is source.parent:
        beside = source
    assert beside is not None
    if (beside.called is None) != (source.called is None):
        raise ArgumentError("parent", "lists its objects in another way than the one to copy")
    items = [_copy_text(draft, entry, beside, changes, names) for entry in tree]
    if beside.called is None:
        draft.cut(items_added(draft.text, beside.holder, beside.node, items))
    else:
        draft.cut(pairs_added(draft.text, beside.holder, beside.called, items))
    called = [names.get(id(entry)) for entry in tree]
    insert(draft, beside, list(zip(called, datas, strict=True)))


def _data(
    entry: Entry, changes: dict[int, dict[str, Any]], names: dict[int, str]
) -> dict[str, Any]:
    own = changes[id(entry)]
    data = {key: own.get(key, value) for key, value in entry.data.items()}
    data.update((key, value) for key, value in own.items() if key not in data)
    nested = [one for one in entry.children if one.nested]
    for key in [key for key in LISTS if is_entities(entry.data.get(key))]:
        own_nested = [one for one in nested if one.key.value == key]
        copies = [_data(one, changes, names) for one in own_nested]
        if isinstance(entry.data[key], dict):
            places = [names.get(id(one), str(one.called.value)) for one in own_nested]
            data[key] = dict(zip(places, copies, strict=True))
        else:
            data[key] = copies
    return data


def _copy_text(
    draft: Draft,
    entry: Entry,
    beside: Entry,
    changes: dict[int, dict[str, Any]],
    names: dict[int, str],
) -> str:
    """The text of an entity with its changes, indented for its new place."""
    text, in_json = draft.text, draft.scene.in_json
    first, of_first = entry.called or entry.node, beside.called or beside.node
    start, end = start_of(first), end_of(text, entry.node)
    if beside.holder.flow_style and not entry.node.flow_style:
        begin = f"{written(names[id(entry)], in_json)}: " if entry.called is not None else ""
        return begin + written(_data(entry, changes, names), in_json)
    draft.keep_anchors(start, end)
    cuts: list[Cut] = []
    for one in [entry, *(e for e in entry.tree() if e.nested and e is not entry)]:
        if one.called is not None and id(one) in names and is_key(one):
            cuts += replaced(text, None, one.called, names[id(one)], in_json)
        for key, value in changes[id(one)].items():
            if key in one.data:
                key_node, node = child(one.node, key)
                cuts += replaced(text, key_node, node, value, in_json)
            else:
                cuts += key_added(text, one.node, [(key, value)], in_json, LISTS)
    inside = [Cut(min(c.start, end) - start, min(c.end, end) - start, c.text) for c in cuts]
    shift = int(of_first.start_mark.column) - int(first.start_mark.column)
    return _shifted(spliced(text[start:end], inside), shift)


def _shifted(text: str, by: int) -> str:
    first, *lines = text.splitlines(keepends=True)
    if by > 0:
        lines = [" " * by + line if line.strip() else line for line in lines]
    elif by < 0:
        lines = [line[min(-by, len(line) - len(line.lstrip(" "))) :] for line in lines]
    return "".join([first, *lines])
