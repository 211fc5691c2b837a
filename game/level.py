"""Reads a level file and checks it, so that the world can trust every line of it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
KEYS = ("id", "name", "kind", "parent", "position", "size", "opened_by")


class LevelError(ValueError):
    """A level file that cannot be played; the text names the file, the object and the reason."""


@dataclass(frozen=True)
class Spec:
    """One object as the level file describes it; `path` leads to it from the root."""

    id: int
    name: str
    kind: str
    path: str
    position: tuple[float, float]
    size: tuple[float, float]
    opened_by: tuple[str, ...]


@dataclass(frozen=True)
class Level:
    """A whole level: its title, its size in pixels, and its objects in order of the file."""

    title: str
    size: tuple[float, float]
    objects: tuple[Spec, ...]


def read_level(path: Path, kinds: Collection[str]) -> Level:
    """Read a level file whose objects are of the given kinds."""
    try:
        document = yaml.load(path.read_text(encoding="utf-8"), Loader=LOADER)
        return _level(document, kinds)
    except (OSError, yaml.YAMLError, LevelError) as error:
        raise LevelError(f"{path.name}: {error}") from error


def _level(document: object, kinds: Collection[str]) -> Level:
    if not isinstance(document, dict) or not isinstance(document.get("objects"), list):
        raise LevelError("a level is a mapping with title, size and a list of objects")
    specs: dict[str, Spec] = {}
    for entry in document["objects"]:
        spec = _spec(entry, specs, kinds)
        specs[spec.name] = spec
    for spec in specs.values():
        for name in spec.opened_by:
            if name not in specs or specs[name].kind != "plate":
                raise LevelError(f"{spec.name}: opened_by names no plate: {name!r}")
    size = _pair(document, "size", "the level")
    return Level(str(document.get("title", "")), size, tuple(specs.values()))


def _spec(entry: object, earlier: dict[str, Spec], kinds: Collection[str]) -> Spec:
    name = entry.get("name") if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or not isinstance(name, str) or not name.isidentifier():
        raise LevelError(f"an object needs a name made of letters and digits: {entry!r}")
    parent = entry.get("parent")
    taken = [spec.name.lower() for spec in earlier.values()]
    problems = (
        (name.lower() in taken, "the name is taken"),
        (set(entry) - set(KEYS), f"knows only the keys {', '.join(KEYS)}"),
        (type(entry.get("id")) is not int or entry["id"] < 1, "the id is a whole number from 1"),
        (any(entry.get("id") == spec.id for spec in earlier.values()), "the id is taken"),
        (entry.get("kind") not in list(kinds), f"kind is one of {', '.join(sorted(kinds))}"),
        (
            parent is not None and parent not in list(earlier),
            f"no object {parent!r} above to be parent",
        ),
    )
    for wrong, reason in problems:
        if wrong:
            raise LevelError(f"{name}: {reason}")
    return Spec(
        id=entry["id"],
        name=name,
        kind=entry["kind"],
        path=f"{earlier[parent].path}/{name}" if parent else name,
        position=_pair(entry, "position", name),
        size=_pair(entry, "size", name) if "size" in entry else (0.0, 0.0),
        opened_by=tuple(entry.get("opened_by", ())),
    )


def _pair(entry: dict[str, Any], key: str, owner: str) -> tuple[float, float]:
    pair = entry.get(key)
    if not isinstance(pair, list) or [type(each) in (int, float) for each in pair] != [True, True]:
        raise LevelError(f"{owner}: {key} is a pair of numbers, not {pair!r}")
    return float(pair[0]), float(pair[1])
