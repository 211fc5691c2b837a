"""Reads a level file and checks it, so that the world can trust every line of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml


class LevelError(ValueError):
    """A level file that cannot be played; the text names the file, the line and the reason."""


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_number, value))


def _is_number(value: Any) -> bool:
    """Say whether it is a number that a place can have: NaN is in no range."""
    return type(value) in (int, float) and -1e6 < value < 1e6


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


CHECKS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "whole": ("a whole number from 1", lambda value: type(value) is int and value >= 1),
    "pair": ("a pair of numbers", _is_pair),
    "size": ("a pair of numbers above 0", lambda value: _is_pair(value) and min(value) > 0),
    "range": ("a pair of numbers in order", lambda pair: _is_pair(pair) and pair[0] < pair[1]),
    "text": ("a text", lambda value: isinstance(value, str)),
    "word": ("a word", lambda value: isinstance(value, str) and value.isidentifier()),
    "texts": ("a list of texts", _are_texts),
    "list": ("a list of objects", lambda value: isinstance(value, list)),
}
"""What a key may take: in words, and as a check."""

LEVEL_KEYS = {"title": "text", "size": "size", "lives": "whole", "objects": "list"}
OBJECT_KEYS = {"id": "whole", "name": "word", "kind": "word", "parent": "word", "position": "pair"}
DEFAULTS = {"lives": 3, "parent": "", "size": (0.0, 0.0), "lines": (), "opened_by": ()}
"""The keys that may be left out; all others are needed, and so is the size of a box."""

Kinds = Mapping[str, Mapping[str, str]]
"""Each kind of object: the keys that it has beside those of every object, and what they take."""


@dataclass(frozen=True)
class Spec:
    """One object as the level file describes it; `path` leads to it from the root."""

    id: int
    name: str
    kind: str
    path: str
    position: tuple[float, float]
    size: tuple[float, float]
    more: Mapping[str, Any]
    """The keys of its kind, defaults filled in."""


@dataclass(frozen=True)
class Level:
    """A whole level: its title, its size in pixels, and its objects in order of the file."""

    title: str
    size: tuple[float, float]
    lives: int
    objects: tuple[Spec, ...]


class _Block(dict[str, Any]):
    """A mapping of the file, and the lines of its keys."""

    lines: Mapping[str, int]


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Reads YAML with lines, and with no key given twice."""


def _block(loader: Any, node: Any) -> _Block:
    block = _Block(loader.construct_mapping(node, deep=True))
    block.lines = {key.value: key.start_mark.line + 1 for key, _ in node.value}
    if len(block) < len(node.value):
        raise _refusal(block, "a key is given twice")
    return block


_Loader.add_constructor("tag:yaml.org,2002:map", _block)


def _refusal(block: _Block, reason: str, key: str = "") -> LevelError:
    """Say what is wrong in a block: in the line of a key, else in its first."""
    name = f"{block['name']}: " if isinstance(block.get("name"), str) else ""
    line = block.lines.get(key, min(block.lines.values(), default=1))
    return LevelError(f"line {line}: {name}{reason}")


def read_level(path: Path, kinds: Kinds) -> Level:
    """Read a level file whose objects are of the given kinds."""
    try:
        return _level(yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader), kinds)
    except LevelError as error:
        raise LevelError(f"{path.name}, {error}") from None
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise LevelError(f"{path.name}: {error}") from error


def _level(document: Any, kinds: Kinds) -> Level:
    values = _checked(document, LEVEL_KEYS)
    specs: dict[str, Spec] = {}
    for block in values["objects"]:
        spec = _spec(block, specs, kinds)
        specs[spec.name] = spec
    for block in values["objects"]:
        for name in block.get("opened_by", ()):
            if name not in specs or specs[name].kind != "plate":
                raise _refusal(block, f"opened_by names no plate: {name!r}", "opened_by")
    if [spec.kind for spec in specs.values()].count("player") != 1:
        raise _refusal(document, "a level has one player")
    return Level(values["title"], values["size"], values["lives"], tuple(specs.values()))


def _spec(block: Any, earlier: Mapping[str, Spec], kinds: Kinds) -> Spec:
    kind = block.get("kind") if isinstance(block, _Block) else None
    if isinstance(block, _Block) and kind not in list(kinds):
        raise _refusal(block, f"kind is one of {', '.join(kinds)}, not {kind!r}", "kind")
    values = _checked(block, {**OBJECT_KEYS, **kinds.get(str(kind), {})})
    name, parent = values["name"], values["parent"]
    if name.lower() in [known.lower() for known in earlier]:
        raise _refusal(block, "the name is taken", "name")
    if values["id"] in [spec.id for spec in earlier.values()]:
        raise _refusal(block, f"the id {values['id']} is taken", "id")
    if parent and parent not in earlier:
        raise _refusal(block, f"no object {parent!r} above to be parent", "parent")
    path = f"{earlier[parent].path}/{name}" if parent else name
    return Spec(values["id"], name, str(kind), path, values["position"], values["size"], values)


def _checked(block: Any, keys: Mapping[str, str]) -> dict[str, Any]:
    """Give the values of a block, each of which fits its key, defaults filled in."""
    if not isinstance(block, _Block):
        raise LevelError(f"line 1: a level is a mapping, and so is each object, not {block!r}")
    for name in block:
        if name not in keys:
            raise _refusal(block, f"no key {name!r}; there are: {', '.join(keys)}", name)
    for name, check in keys.items():
        takes, fits = CHECKS[check]
        if name in block and not fits(block[name]):
            raise _refusal(block, f"{name} is {takes}, not {block[name]!r}", name)
        if name not in block and (name not in DEFAULTS or check == "size"):
            raise _refusal(block, f"{name} is missing: {takes}")
    return {name: _frozen(block.get(name, DEFAULTS.get(name))) for name in keys}


def _frozen(value: Any) -> Any:
    """Give a pair or a list of texts as a tuple, and whole numbers in a pair as floats."""
    if _is_pair(value):
        return float(value[0]), float(value[1])
    return tuple(value) if isinstance(value, list) else value
