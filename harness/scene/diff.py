"""What differs between two states of a scene, property by property."""

from __future__ import annotations

from typing import Any

from harness.scene.answers import Change, Named, SceneDiff
from harness.scene.draft import same
from harness.scene.layout import Entry, Scene

_ABSENT = object()


def difference(before: Scene, after: Scene, against: str, notes: tuple[str, ...] = ()) -> SceneDiff:
    """Compare two scenes: entities are matched by their ids, else by their paths."""
    by_id = {one.id: one for one in before.entries if one.id is not None}
    by_path = {one.path: one for one in before.entries}
    pairs: list[tuple[Entry, Entry]] = []
    added: list[Named] = []
    for entry in after.entries:
        found = by_id.get(entry.id) if entry.id is not None else None
        alike = by_path.get(entry.path)
        if found is None and alike is not None and None in (alike.id, entry.id):
            found = alike
        if found is None:
            added.append(named(entry))
        else:
            pairs.append((found, entry))
    kept = {id(old) for old, _ in pairs}
    changed = [
        (named(new), rows)
        for old, new in [(before.root, after.root), *pairs]
        if (rows := _rows(old, new))
    ]
    return SceneDiff(
        after.name,
        after.file,
        against,
        tuple(added),
        tuple(named(one) for one in before.entries if id(one) not in kept),
        tuple(changed),
        notes,
    )


def named(entry: Entry) -> Named:
    """Which entity it is, as an answer has it."""
    return Named(entry.id, entry.name, entry.path, entry.kind)


def _rows(old: Entry, new: Entry) -> tuple[Change, ...]:
    before, after = old.properties, new.properties
    keys = [*before, *(key for key in after if key not in before)]
    rows = [_row(str(key), before.get(key, _ABSENT), after.get(key, _ABSENT)) for key in keys]
    if old.nested and new.nested and _above(old) != _above(new):
        rows.append(Change("parent", _above(old), _above(new)))
    return tuple(row for row in rows if row is not None)


def _above(entry: Entry) -> str:
    return entry.parent.path if entry.parent is not None else ""


def _row(key: str, before: Any, after: Any) -> Change | None:
    if before is _ABSENT:
        return Change(key, None, after, was_there=False)
    if after is _ABSENT:
        return Change(key, before, None, is_there=False)
    return None if same(before, after) else Change(key, before, after)
