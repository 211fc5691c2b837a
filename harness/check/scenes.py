"""What is wrong in scene files: ids, parents, kinds, and assets that they name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from harness.check.files import ASSETS, GameFiles
from harness.check.problems import Problem, refused
from harness.errors import ConfigError, UnknownName
from harness.games.folder import CONFIG, GameFolder
from harness.scene.kinds import ALWAYS, Kinds, kinds_of
from harness.scene.layout import Entry, Scene, inside, scene_of


def problems_of(folder: GameFolder, files: GameFiles) -> Iterator[Problem]:
    """Check the file of every scene that has one."""
    try:
        kinds = kinds_of(folder)
    except ConfigError as error:
        yield refused(error, CONFIG, folder.path / CONFIG)
        kinds = Kinds()
    for name, file in scene_files(folder).items():
        try:
            scene = scene_of(inside(folder, file), name, file)
        except ConfigError as error:
            yield refused(error, file, folder.path / file)
        else:
            yield from _of(scene, kinds, files)


def scene_files(folder: GameFolder) -> dict[str, str]:
    """The files of those scenes that have one, by the scene's name."""
    scenes = folder.config.get("scenes")
    return dict(scenes) if isinstance(scenes, Mapping) else {}


def _of(scene: Scene, kinds: Kinds, files: GameFiles) -> Iterator[Problem]:
    for orphan in scene.orphans:
        yield Problem(
            scene.file, orphan.line, str(orphan), "name an object of this scene, or remove parent"
        )
    for kind in ("id", "path"):
        values = [getattr(entry, kind) for entry in scene.entries]
        last = dict(zip(values, scene.entries, strict=True))
        for value, count in Counter(values).items():
            if count > 1 and value is not None:
                entry = last[value]
                what = f"{entry}: {count} objects have the {kind} {value!r}"
                yield Problem(scene.file, entry.line, what, f"give each {kind} once")
    names = [entry.name for entry in scene.entries]
    for entry in scene.entries:
        yield from _declared(scene, entry, kinds, names)
        yield from _assets(scene, entry, files)


def _declared(scene: Scene, entry: Entry, kinds: Kinds, names: list[str]) -> Iterator[Problem]:
    """What does not fit what harness.yaml declares of kinds."""
    if not kinds.declared:
        return
    for key, value in entry.properties.items():
        line = _line(entry, key)
        try:
            wanted = kinds.wanted(entry.kind, str(key))
        except UnknownName as unknown:
            yield Problem(scene.file, line, f"{entry}: {unknown}", f"or declare it in {CONFIG}")
            if entry.kind not in kinds.declared:
                return
            continue
        if key not in ALWAYS and not wanted.takes(value, names):
            yield Problem(scene.file, line, f"{entry}: {key} must be {wanted}, not {value!r}")


def _assets(scene: Scene, entry: Entry, files: GameFiles) -> Iterator[Problem]:
    for key, value in entry.properties.items():
        for text in _texts(value):
            if not text.lower().endswith(ASSETS) or "\n" in text:
                continue
            problem = files.asset(text, Path(scene.path).parent)
            if problem is not None:
                what = f"{entry}: {key}: {problem}"
                yield Problem(scene.file, _line(entry, key), what, "name a file that is there")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)


def _line(entry: Entry, key: Any) -> int:
    return int(getattr(entry.data, "lines", {}).get(key, entry.line))
