"""Tools for scene files: list, read, edit and compare what a scene holds before anything runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

from harness.errors import ArgumentError
from harness.games.folder import GameFolder, read_folder
from harness.registry import REGISTRY, Describe
from harness.scene import tree
from harness.scene.adding import added
from harness.scene.answers import SceneDiff, SceneObject, SceneTree
from harness.scene.copying import copied
from harness.scene.diff import difference
from harness.scene.draft import Edited, write_edited
from harness.scene.edit import removed, set_properties
from harness.scene.kinds import Kinds
from harness.scene.layout import Scene, inside, read_scene, scene_of
from harness.tools.desk import Desk

SceneName = Annotated[str | None, Describe("the scene's name; the game's first unless given")]
Which = Describe("#id, unique name, or path such as Level/Gate/Door; / is the scene itself")


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
    depth: Annotated[
        int | None, Describe("levels of the tree to list: 1 is the outermost alone", 1)
    ] = None,
) -> SceneTree:
    """List the objects in a scene's file as a tree: id, name, kind, position.

    Use it first, to find out what a level holds and what things are called. It reads the file and
    runs nothing. Example: scene="yard", depth=2.
    """
    folder = read_folder(desk.path)
    return tree.listed(read_scene(folder, scene), folder.scenes, limit, depth)


@REGISTRY.tool(toolset="scene", reads_only=True, idempotent=True, answers_when_crashed=True)
def scene_get(desk: Desk, *, object: Annotated[str, Which], scene: SceneName = None) -> SceneObject:
    """Tell every property of one object in a scene's file, and the line it stands on.

    Use it before an edit. What becomes of the object in play is told by game_query.
    Example: object="#14".
    """
    found = read_scene(read_folder(desk.path), scene)
    return tree.told(found, found.find(object))


@REGISTRY.tool(toolset="scene", destructive=True)
def scene_edit(
    desk: Desk,
    *,
    action: Annotated[
        Literal["set", "add", "remove"], Describe("set properties, add an object, or remove one")
    ],
    object: Annotated[
        str | None, Describe("set, remove: #id, unique name or path; add: the new object's name")
    ] = None,
    assignments: Annotated[
        str | list[str] | None,
        Describe(
            "key=value with YAML values: 'position=[120, 300]', 'position.x=120', 'lines[0]=Hi'"
        ),
    ] = None,
    from_: Annotated[
        str | None, Describe("add: copy this object with all below it, with ids of its own")
    ] = None,
    parent: Annotated[
        str | None, Describe("add: the object that it belongs to; set: move it there")
    ] = None,
    scene: SceneName = None,
    confirm: Annotated[
        bool, Describe("remove: must be true, as all below the object goes with it")
    ] = False,
) -> SceneDiff:
    """Change a scene's file: set properties, add an object or a copy, remove one. Saved at once.

    Only the lines that must change do; comments and ids stay; a wrong assignment changes nothing.
    Values must be of the type that the game declares or that stands there. Then prove it with
    game_run. Examples: action="set", object="Door", assignments=["position.y=250"]; action="add",
    from="Coin", object="Coin2", assignments=["position=[200, 180]"].
    """
    folder = read_folder(desk.path)
    found = read_scene(folder, scene)
    given = [assignments] if isinstance(assignments, str) else assignments or []
    _check_fits(action, object, given, from_, parent, confirm)
    kinds = Kinds(folder.config.get("kinds"))
    edited = _edited(found, kinds, action, object, given, from_, parent)
    write_edited(found, edited)
    return difference(found, edited.scene, "", edited.notes)


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
    if action == "remove" and (assignments or parent is not None):
        raise ArgumentError("assignments" if assignments else "parent", "is not for remove")
    if action == "remove" and not confirm:
        raise ArgumentError("confirm", "must be true to remove an object and all below it")
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
        return removed(scene, entry)
    return set_properties(scene, kinds, entry, assignments, parent)


@REGISTRY.tool(toolset="scene", reads_only=True, idempotent=True, answers_when_crashed=True)
def scene_diff(
    desk: Desk,
    *,
    against: Annotated[
        str, Describe("an earlier file of the scene, inside the game's folder", file="read")
    ],
    scene: SceneName = None,
) -> SceneDiff:
    """Tell what differs between a scene's file and an earlier copy of it, property by property.

    Use it to see what edits have done since the copy was made. Example:
    against="levels/ledge.before.yaml".
    """
    folder = read_folder(desk.path)
    found = read_scene(folder, scene)
    path = _earlier(desk, folder, against)
    shown = os.path.relpath(path, folder.path).replace(os.sep, "/")
    return difference(scene_of(path, found.name, shown), found, shown)


def _earlier(desk: Desk, folder: GameFolder, against: str) -> Path:
    """The earlier file: as the caller's paths go, or as seen from the game's folder."""
    for base in (desk.base, folder.path):
        path = (base / against).resolve()
        if path.is_relative_to(folder.root.resolve()) and path.is_file():
            return path
    inside(folder, against)
    raise ArgumentError("against", f"no file at {against} in the game's folder")
