"""Entities that are removed from a scene file, and properties that are removed from entities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.errors import ArgumentError, UnknownName
from harness.scene.assignments import Assignment, child, named_places, place_in, walked
from harness.scene.draft import Draft, Edited
from harness.scene.edit import check_key, keep_comments, list_of, mentions
from harness.scene.layout import SCENE, Entry, Scene
from harness.scene.splice import items_removed, keys_removed, replaced


def removed(scene: Scene, entry: Entry) -> Edited:
    """Remove an entity and all below it.

    Raises:
        RequestError: it cannot be done without touching other lines.
    """
    if entry.label == SCENE:
        raise ArgumentError("object", "must be an object of the scene, which itself stays")
    draft, gone = Draft(scene), dict.fromkeys(entry.tree())
    for holder in {id(one.holder): one.holder for one in gone}.values():
        items = [one for one in gone if one.holder is holder]
        inside = any(one.nested and one.parent in gone for one in items)
        if not inside:
            _take_out(draft, items)
    return draft.done(list(mentions(scene, [one.name for one in gone], gone)))


def _take_out(draft: Draft, entries: Sequence[Entry]) -> None:
    """Take entities out of the list, or the mapping, that they stand in."""
    first = entries[0]
    listed = draft.twin(list_of(draft.scene, first))
    if first.called is not None:
        _without(draft, first.key, first.holder, listed, [one.called for one in entries])
        return
    draft.cut(items_removed(draft.text, first.key, first.holder, [one.node for one in entries]))
    twins = {id(draft.twin(one.data)) for one in entries}
    listed[:] = [item for item in listed if id(item) not in twins]


def properties_removed(scene: Scene, entry: Entry, texts: Sequence[str]) -> Edited:
    """Remove properties of one entity.

    Raises:
        RequestError: one is not there or must stay, or it cannot be done; nothing is changed then.
    """
    draft = Draft(scene)
    gone: dict[int, tuple[Any, Any, Any, list[Any]]] = {}
    for one in named_places(texts, entry.data):
        check_key(entry, one)
        if one.way[0] not in entry.data:
            raise UnknownName("property", one.key, map(str, entry.data), str(entry))
        data, node, place = walked(entry.data, entry.node, one)
        if not isinstance(data, Mapping):
            raise ArgumentError(str(one), f"set {_above(one)} as a whole, without it")
        if place not in data:
            raise UnknownName("property", str(one), map(str, data), _above(one))
        keys = gone.setdefault(id(node), (_key_above(entry, one), node, data, []))[3]
        keys.append(child(node, place)[0])
    for above, node, data, keys in gone.values():
        _without(draft, above, node, draft.twin(data), keys)
    return draft.done()


def _above(one: Assignment) -> str:
    return str(Assignment(one.way[:-1], ""))


def _key_above(entry: Entry, one: Assignment) -> Any:
    """The key behind which the mapping stands that an assignment leads into."""
    key, node, data = entry.called, entry.node, entry.data
    for part in one.way[:-1]:
        place = place_in(data, part, one)
        (key, node), data = child(node, place), data[place]  # type: ignore[index]
    return key


def _without(draft: Draft, above: Any, mapping: Any, twin: Any, keys: Sequence[Any]) -> None:
    """Take keys out of a mapping; ``above`` is the key before it."""
    gone = set(map(id, keys))
    pairs = [pair for pair in mapping.value if id(pair[0]) in gone]
    places = [
        place for place, pair in zip(list(twin), mapping.value, strict=True) if id(pair[0]) in gone
    ]
    if len(pairs) == len(mapping.value):
        if not mapping.flow_style:
            keep_comments(draft, mapping)
        draft.cut(replaced(draft.text, above, mapping, {}, draft.scene.in_json))
    else:
        draft.cut(keys_removed(draft.text, mapping, pairs))
    for place in places:
        del twin[place]
