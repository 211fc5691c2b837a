"""What is wrong in scene files: ids, parents, kinds, and assets that they name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from harness.check.files import ASSETS, GameFiles
from harness.check.problems import Problem, refused
from harness.errors import ConfigError, UnknownName
from harness.games.folder import CONFIG, GameFolder
from harness.scene.kinds import ALWAYS, Kinds, kinds_of
from harness.scene.layout import Entry, Scene, inside, scene_of

_MOST_LINES = 8
_MERGED = "<<"
"""What a reader of YAML 1.1 puts in place of this key is not known here."""


def problems_of(folder: GameFolder, files: GameFiles) -> Iterator[Problem]:
    """Check the file of every scene that has one."""
    try:
        kinds = kinds_of(folder)
    except ConfigError as error:
        yield refused(error, CONFIG, folder.path / CONFIG, "declare it in one of these ways")
        kinds = Kinds()
    for name, file in scene_files(folder).items():
        path = folder.path / file
        if not path.is_file():  # what is wrong with harness.yaml tells it
            continue
        try:
            scene = scene_of(inside(folder, file), name, file)
        except ConfigError as error:
            yield refused(error, file, path, "correct the line, or the one before it")
        else:
            yield from _of(scene, kinds, files)


def scene_files(folder: GameFolder) -> dict[str, str]:
    """The files of those scenes that have one, by the scene's name."""
    scenes = folder.config.get("scenes")
    files = scenes.items() if isinstance(scenes, Mapping) else ()
    return {str(name): file for name, file in files if isinstance(file, str)}


def _of(scene: Scene, kinds: Kinds, files: GameFiles) -> Iterator[Problem]:
    for orphan in scene.orphans:
        yield Problem(scene.file, orphan.line, str(orphan), orphan.way_out)
    for kind, fix in (("id", "give each id once"), ("path", "give each a name of its own")):
        alike: dict[Any, list[Entry]] = {}
        for entry in scene.entries:
            alike.setdefault(getattr(entry, kind), []).append(entry)
        for value, entries in alike.items():
            if len(entries) > 1 and value is not None:
                yield _twice(scene, kind, value, entries, fix)
    names = [entry.name for entry in scene.entries]
    for entry in scene.entries:
        yield from _declared(scene, entry, kinds, names)
        yield from _assets(scene, entry, files)


def _twice(scene: Scene, kind: str, value: Any, entries: list[Entry], fix: str) -> Problem:
    *others, last = entries
    lines = ", ".join(str(entry.line) for entry in others[:_MOST_LINES])
    what = f"{last}: {len(entries)} objects have the {kind} {value!r}, on lines {lines} and this"
    if len(others) > _MOST_LINES:
        what = what.removesuffix(" and this") + ", ... and this"
    return Problem(scene.file, last.line, what, fix)


def _declared(scene: Scene, entry: Entry, kinds: Kinds, names: list[str]) -> Iterator[Problem]:
    """What does not fit what harness.yaml declares of kinds."""
    if not kinds.declared or _MERGED in entry.data:
        return
    for key, value in entry.properties.items():
        line = _line(entry, key)
        try:
            wanted = kinds.wanted(entry.kind, str(key))
        except UnknownName as unknown:
            fix = f"write one of these, or declare it under kinds in {CONFIG}"
            yield Problem(scene.file, line, f"{entry}: {unknown}", fix)
            if entry.kind not in kinds.declared:
                return
            continue
        if key not in ALWAYS and not wanted.takes(value, names):
            what = f"{entry}: {key}: {wanted.misfit(value, names)}"
            yield Problem(
                scene.file, line, what, f"write such a value, or change kinds in {CONFIG}"
            )


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
