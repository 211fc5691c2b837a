"""What differs between two states of a scene, property by property."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from harness.scene.answers import Change, Named, SceneDiff
from harness.scene.draft import same
from harness.scene.layout import Entry, Scene

_ABSENT = object()


def difference(before: Scene, after: Scene, against: str, notes: tuple[str, ...] = ()) -> SceneDiff:
    """Compare two scenes: entities are matched by the ids that are theirs alone, else by paths."""
    old_ids, new_ids = _by_own_id(before), _by_own_id(after)
    by_id = {id(new_ids[key]): old for key, old in old_ids.items() if key in new_ids}
    known = set(map(id, by_id.values()))
    by_path = {place: one for place, one in _numbered(before) if id(one) not in known}
    pairs: list[tuple[Entry, Entry]] = []
    added: list[Named] = []
    for place, entry in _numbered(after):
        found = by_id.get(id(entry))
        alike = by_path.get(place) if found is None else None
        if alike is not None and (alike.id not in old_ids or entry.id not in new_ids):
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


def _by_own_id(scene: Scene) -> dict[Any, Entry]:
    """The entities by the ids that nobody else of the scene has."""
    counts = Counter(one.id for one in scene.entries)
    return {one.id: one for one in scene.entries if one.id is not None and counts[one.id] == 1}


def _numbered(scene: Scene) -> Iterator[tuple[tuple[str, int], Entry]]:
    """The entities by their paths; those of one path are told apart by their order."""
    seen: Counter[str] = Counter()
    for one in scene.entries:
        path = one.path
        yield (path, seen[path]), one
        seen[path] += 1


def named(entry: Entry) -> Named:
    """Which entity it is, as an answer has it."""
    return Named(entry.id, entry.name, entry.path, entry.kind)


def _rows(old: Entry, new: Entry) -> tuple[Change, ...]:
    before, after = old.properties, new.properties
    keys = [] if same(before, after) else [*before, *(key for key in after if key not in before)]
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
