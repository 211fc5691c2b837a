"""What a scene file holds, as answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.scene.answers import Listed, SceneObject, SceneTree
from harness.scene.diff import named
from harness.scene.layout import SCENE, Entry, Scene

_MOST_NOTES = 10


def listed(
    scene: Scene, scenes: tuple[str, ...] = (), limit: int = 0, depth: int | None = None
) -> SceneTree:
    """List the entities as a tree: at most ``limit`` (0: all), and ``depth`` levels of it."""
    shown = list(_rows(scene.roots, depth))
    kept = shown[:limit] if limit else shown
    return SceneTree(
        scene.name,
        scene.file,
        len(scene.entries),
        tuple(kept),
        scenes,
        len(scene.entries) - len(kept),
        len(scene.entries) - len(shown),
        _notes(scene),
    )


def _rows(roots: list[Entry], depth: int | None) -> Iterator[Listed]:
    waiting = [(entry, 1) for entry in reversed(roots)]
    while waiting:
        entry, level = waiting.pop()
        yield Listed(named(entry), level, position_of(entry))
        if depth is None or level < depth:
            waiting += [(child, level + 1) for child in reversed(entry.children)]


def _notes(scene: Scene) -> tuple[str, ...]:
    notes = [f"line {orphan.line}: {orphan}" for orphan in scene.orphans[:_MOST_NOTES]]
    left = len(scene.orphans) - len(notes)
    return (*notes, f"{left} more such lines; game_check lists all") if left else tuple(notes)


def position_of(entry: Entry) -> Any:
    """Where an entity stands, as the file says it; None where it does not."""
    data = entry.data
    found = next((data[key] for key in ("position", "pos") if key in data), None)
    return [data["x"], data["y"]] if found is None and "x" in data and "y" in data else found


def told(scene: Scene, entry: Entry) -> SceneObject:
    """Tell everything of one entity."""
    below = scene.roots if entry.label == SCENE else entry.children
    properties = {str(key): value for key, value in entry.properties.items()}
    children = tuple(map(named, below))
    return SceneObject(scene.name, scene.file, entry.line, named(entry), properties, children)
