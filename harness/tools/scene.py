"""Tools for scene files: list, read, edit and compare what a scene holds before anything runs."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from harness.documents import collecting_later
from harness.errors import ArgumentError
from harness.games.folder import GameFolder, read_folder
from harness.registry import REGISTRY, Describe
from harness.scene import tree
from harness.scene.adding import added
from harness.scene.answers import SceneDiff, SceneObject, SceneTree
from harness.scene.copying import copied
from harness.scene.diff import difference
from harness.scene.draft import Edited, write_edited
from harness.scene.edit import set_properties
from harness.scene.kinds import Kinds, kinds_of
from harness.scene.layout import Scene, inside, read_scene, scene_of
from harness.scene.removing import properties_removed, removed
from harness.tools.desk import Desk
from harness.tools.mentions import mentioned

SceneName = Annotated[str | None, Describe("the first")]
_MOST_GONE = 4
_MOST_BESIDE = 12
Which = Describe("#id, unique name, or path as Level/Gate/Door; / is the scene itself")


@REGISTRY.tool(
    toolset="scene",
    reads_only=True,
    idempotent=True,
    answers_when_crashed=True,
    narrow="give depth=1 or a smaller limit, then scene_get single objects",
)
def scene_list(
    desk: Desk,
    *,
    scene: SceneName = None,
    limit: Annotated[int, Describe("objects to list; 0 lists all", 0)] = 50,
    depth: Annotated[int | None, Describe("levels of the tree; 1 lists the outermost", 1)] = None,
) -> SceneTree:
    """List the objects in a scene's file as a tree: id, name, kind, position.

    Use it first, to learn what things are called. Example: depth=2.
    """
    folder = read_folder(desk.path)
    return tree.listed(read_scene(folder, scene), folder.scenes, limit, depth)


@REGISTRY.tool(toolset="scene", reads_only=True, idempotent=True, answers_when_crashed=True)
def scene_get(desk: Desk, *, object: Annotated[str, Which], scene: SceneName = None) -> SceneObject:
    """Tell every property of one object in a scene's file, and the line it stands on.

    Use it before an edit. Example: object="#14".
    """
    found = read_scene(read_folder(desk.path), scene)
    return tree.told(found, found.find(object))


@REGISTRY.tool(toolset="scene", destructive=True)
def scene_edit(
    desk: Desk,
    *,
    action: Annotated[Literal["set", "add", "remove"], Describe("what to do")],
    object: Annotated[
        str | None, Describe("set, remove: as in scene_get; add: the new name")
    ] = None,
    assignments: Annotated[
        str | list[str] | None,
        Describe("'position=[1, 2]', 'position.x=120'; with remove: 'speed'"),
    ] = None,
    from_: Annotated[str | None, Describe("add: copy this object and all below it")] = None,
    parent: Annotated[str | None, Describe("add, set: the object to belong to")] = None,
    scene: SceneName = None,
    confirm: Annotated[bool, Describe("remove: must be true; all below it goes too")] = False,
) -> SceneDiff:
    """Change a scene's file: set properties, add an object or a copy, remove one. Saved at once.

    Other lines, comments and ids stay; one wrong assignment changes nothing. Then game_check.
    Example: action="add", from="Coin", object="Coin2", assignments=["position=[200, 180]"].
    """
    given = [assignments] if isinstance(assignments, str) else assignments or []
    _check_fits(action, object, given, from_, parent, confirm)
    with collecting_later():  # what is read for it is gone again when garbage is looked for
        return _written(read_folder(desk.path), scene, (action, object, given, from_, parent))


def _written(folder: GameFolder, scene: str | None, wanted: tuple[Any, ...]) -> SceneDiff:
    found = read_scene(folder, scene)
    edited = _edited(found, kinds_of(folder), *wanted)
    write_edited(found, edited)
    answer = difference(found, edited.scene, "", edited.notes)
    left = _names(edited.scene)
    gone = [name for name in _names(found) if name not in left]
    told = [note for name in gone[:_MOST_GONE] for note in mentioned(folder, name)]
    return replace(answer, notes=(*answer.notes, *told))


def _names(scene: Scene) -> dict[str, None]:
    return dict.fromkeys(entry.name for entry in scene.entries if entry.data.get("name"))


def _check_fits(
    action: str,
    object: str | None,
    assignments: list[str],
    from_: str | None,
    parent: str | None,
    confirm: bool,
) -> None:
    """Refuse what the action does not take, and ask for what it needs."""
    if action != "add" and object is None:
        raise ArgumentError("object", f"is required by {action}")
    if action == "add" and object is None and from_ is None and not assignments:
        raise ArgumentError("object", "is required by add: the new object's name")
    if from_ is not None and action != "add":
        raise ArgumentError("from", f"is for add, not for {action}")
    if action == "set" and not assignments and parent is None:
        raise ArgumentError("assignments", "is required by set, as in position=[120, 300]")
    if action == "remove" and parent is not None:
        raise ArgumentError("parent", "is not for remove")
    if action == "remove" and not confirm:
        what = "properties" if assignments else "an object and all below it"
        raise ArgumentError("confirm", f"must be true to remove {what}")
    if action != "remove" and confirm:
        raise ArgumentError("confirm", f"is for remove, not for {action}")


def _edited(
    scene: Scene,
    kinds: Kinds,
    action: str,
    object: str | None,
    assignments: list[str],
    from_: str | None,
    parent: str | None,
) -> Edited:
    if action == "add" and from_ is None:
        return added(scene, kinds, object, assignments, parent)
    if action == "add":
        return copied(scene, kinds, scene.find(str(from_)), object, assignments, parent)
    entry = scene.find(str(object))
    if action == "remove":
        return (
            properties_removed(scene, entry, assignments) if assignments else removed(scene, entry)
        )
    return set_properties(scene, kinds, entry, assignments, parent)


@REGISTRY.tool(toolset="scene", reads_only=True, idempotent=True, answers_when_crashed=True)
def scene_diff(
    desk: Desk,
    *,
    against: Annotated[str, Describe("an earlier file of it, in the game's folder", file="read")],
    scene: SceneName = None,
) -> SceneDiff:
    """Tell what differs between a scene's file and an earlier copy of it, property by property.

    Example: against="levels/ledge.before.yaml".
    """
    folder = read_folder(desk.path)
    found = read_scene(folder, scene)
    path = _earlier(desk, folder, found, against)
    shown = os.path.relpath(path, folder.path).replace(os.sep, "/")
    return difference(scene_of(path, found.name, shown), found, shown)


def _earlier(desk: Desk, folder: GameFolder, scene: Scene, against: str) -> Path:
    """The earlier file: as the caller's paths go, or as seen from the game's folder."""
    with suppress(OSError, ValueError, RuntimeError):  # no file has such a name
        for base in (desk.base, folder.path):
            path = (base / against).resolve()
            if path.is_relative_to(folder.root.resolve()) and path.is_file():
                return path
        inside(folder, against)
    there = ", ".join(one for one in _beside(folder, scene) if one != scene.file)
    has = f"; beside {scene.file} is {there}" if there else "; copy the scene's file before an edit"
    raise ArgumentError("against", f"no file at {against!r} in the game's folder{has}")


def _beside(folder: GameFolder, scene: Scene) -> list[str]:
    """The files beside a scene's that may be earlier copies of it, as the game names them."""
    files = sorted(scene.path.parent.glob(f"*{scene.path.suffix}"))[:_MOST_BESIDE]
    return [os.path.relpath(file, folder.path).replace(os.sep, "/") for file in files]
