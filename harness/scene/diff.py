"""What differs between two states of a scene, property by property."""

from __future__ import annotations

from typing import Any

from harness.scene.answers import Change, Named, SceneDiff
from harness.scene.draft import same
from harness.scene.layout import Entry, Scene

_ABSENT = object()


def difference(before: Scene, after: Scene, against: str, notes: tuple[str, ...] = ()) -> SceneDiff:
    """Compare two scenes: entities are matched by their ids, else by their paths."""
    earlier, pairs = list(before.entries), []
    added = []
    for entry in after.entries:
        found = next((one for one in earlier if _is_same(one, entry)), None)
        if found is None:
            added.append(named(entry))
        else:
            earlier.remove(found)
            pairs.append((found, entry))
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
        tuple(map(named, earlier)),
        tuple(changed),
        notes,
    )


def named(entry: Entry) -> Named:
    """Which entity it is, as an answer has it."""
    return Named(entry.id, entry.name, entry.path, entry.kind)


def _is_same(one: Entry, other: Entry) -> bool:
    if one.id is not None and other.id is not None:
        return bool(one.id == other.id)
    return one.path == other.path


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
