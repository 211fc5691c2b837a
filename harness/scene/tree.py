"""What a scene file holds, as answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.scene.answers import Listed, SceneObject, SceneTree
from harness.scene.diff import named
from harness.scene.layout import SCENE, Entry, Scene


def listed(
    scene: Scene, scenes: tuple[str, ...] = (), limit: int = 0, depth: int | None = None
) -> SceneTree:
    """List the entities as a tree: at most ``limit`` (0: all), and ``depth`` levels of it."""
    rows = [row for root in scene.roots for row in _rows(root, 1)]
    shown = [row for row in rows if depth is None or row.depth <= depth]
    kept = shown[:limit] if limit else shown
    return SceneTree(
        scene.name,
        scene.file,
        len(scene.entries),
        tuple(kept),
        scenes,
        len(rows) - len(kept),
        tuple(f"line {line}: {problem}" for line, problem in scene.problems),
    )


def _rows(entry: Entry, depth: int) -> Iterator[Listed]:
    yield Listed(named(entry), depth, position_of(entry))
    for child in entry.children:
        yield from _rows(child, depth + 1)


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
