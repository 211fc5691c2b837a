"""Reads a level file and checks it, so that the world can trust every line of it."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from . import characters, entities
from .entities import Entity, Piece, Spec
from .rules import Pair

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the one in C is ten times faster

KINDS: dict[str, tuple[type[Entity], tuple[str, ...]]] = {
    "group": (Entity, ()),
    "hall": (Entity, ("size",)),
    "sign": (entities.Sign, ("size", "text")),
    "ground": (Piece, ("size",)),
    "wall": (Piece, ("size",)),
    "player": (characters.Player, ("size",)),
    "npc": (characters.Npc, ("size", "lines")),
    "guard": (characters.Guard, ("size", "lines", "patrol", "leash")),
    "crate": (entities.Crate, ("size",)),
    "plate": (entities.Plate, ("size",)),
    "door": (entities.Door, ("size", "opened_by")),
    "platform": (entities.Platform, ("size", "to", "period")),
    "beam": (entities.Beam, ("size",)),
    "coin": (entities.Coin, ("size",)),
    "spikes": (entities.Spikes, ("size",)),
    "checkpoint": (entities.Checkpoint, ("size",)),
    "exit": (entities.Exit, ("size",)),
}
"""Every kind of object that a level may hold: its class, and the keys it has of its own."""

LEVEL_KEYS = ("title", "size", "lives", "objects")
OBJECT_KEYS = ("id", "name", "kind", "parent", "position")
DEFAULTS = {"lives": 3, "parent": "", "lines": [], "opened_by": []}
"""The keys that may be left out; all others are needed."""


class LevelError(ValueError):
    """A level file that cannot be played; the text names the file, the object and the reason."""


@dataclass(frozen=True)
class Level:
    """A whole level: its title, its size in pixels, and its objects in order of the file."""

    title: str
    size: Pair
    lives: int
    objects: tuple[Spec, ...]


def _pair(value: Any) -> Pair:
    first, second = map(float, value)
    if not (abs(first) < 1e6 and abs(second) < 1e6):  # NaN is in no range
        raise ValueError("no place is so far away")
    return first, second


READERS: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("id", "lives", "period"), int),
    **dict.fromkeys(("name", "kind", "parent", "title", "text"), str),
    **dict.fromkeys(("position", "size", "to", "patrol", "leash"), _pair),
    **dict.fromkeys(("lines", "opened_by"), tuple),
    "objects": list,
}
"""What reads the value of a key, and refuses what cannot be one."""


def read_level(path: Path) -> Level:
    """Read a level file."""
    try:
        return _level(yaml.load(path.read_text(encoding="utf-8"), Loader=LOADER))
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise LevelError(f"{path.name}: {error}") from error


def _level(document: Any) -> Level:
    values = _read(document, LEVEL_KEYS)
    specs: dict[str, Spec] = {}
    for block in values["objects"]:
        spec = _spec(block, specs)
        specs[spec.name] = spec
    for spec in specs.values():
        for name in spec.more.get("opened_by", ()):
            if name not in specs or specs[name].kind != "plate":
                raise LevelError(f"{spec.name}: opened_by names no plate: {name!r}")
    if [spec.kind for spec in specs.values()].count("player") != 1:
        raise LevelError("a level has one player")
    return Level(values["title"], values["size"], values["lives"], tuple(specs.values()))


def _spec(block: Any, earlier: Mapping[str, Spec]) -> Spec:
    if not isinstance(block, dict) or block.get("kind") not in list(KINDS):
        raise LevelError(f"the kind of an object is one of {', '.join(KINDS)}, not in {block!r}")
    kind, own = block["kind"], KINDS[block["kind"]][1]
    values = _read(block, (*OBJECT_KEYS, *own))
    name, number, parent = values["name"], values["id"], values["parent"]
    if min(values.get("size", (1, 1))) <= 0:
        raise LevelError(f"{name}: a size is above 0")
    if any(spec.name.lower() == name.lower() or spec.id == number for spec in earlier.values()):
        raise LevelError(f"{name}: the name or the id {number} is taken")
    if parent and parent not in earlier:
        raise LevelError(f"{name}: no object {parent!r} above to be parent")
    path = f"{earlier[parent].path}/{name}" if parent else name
    more = {key: values[key] for key in own if key != "size"}
    return Spec(number, name, kind, path, values["position"], values.get("size", (0.0, 0.0)), more)


def _read(block: Any, keys: Collection[str]) -> dict[str, Any]:
    """Read the values of a block, defaults filled in."""
    if not isinstance(block, dict):
        raise LevelError(f"a level is a mapping, not {block!r}")
    name, values = block.get("name", "the level"), {}
    for key in block:
        if key not in keys:
            raise LevelError(f"{name}: no key {key!r}; there are: {', '.join(keys)}")
    for key in keys:
        if key not in block and key not in DEFAULTS:
            raise LevelError(f"{name}: {key} is missing")
        value = block.get(key, DEFAULTS.get(key))
        try:
            values[key] = READERS[key](value)
        except (TypeError, ValueError) as error:
            raise LevelError(f"{name}: {key} cannot be {value!r}: {error}") from error
    return values
