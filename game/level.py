"""Reads a level file and checks it, so that the world can trust every line of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import yaml

REQUIRED = object()
"""The default of a key that has none."""


class LevelError(ValueError):
    """A level file that cannot be played; the text names the file, the line and the reason."""


class Key(NamedTuple):
    """One key of a level file: what it takes, in words and as a check, and its default."""

    takes: str
    fits: Callable[[Any], bool]
    default: Any = REQUIRED

    def optional(self, default: object) -> Key:
        """Give the same key with a default."""
        return self._replace(default=default)


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < 1e6


def _is_pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_number, value))


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


WHOLE = Key("a whole number from 1", lambda value: type(value) is int and value >= 1)
PAIR = Key("a pair of numbers", _is_pair)
SIZE = Key("a pair of numbers above 0", lambda value: _is_pair(value) and min(value) > 0)
RANGE = Key("a pair of numbers in order", lambda value: _is_pair(value) and value[0] < value[1])
TEXT = Key("a text", lambda value: isinstance(value, str))
WORD = Key("a word of letters and digits", lambda value: TEXT.fits(value) and value.isidentifier())
TEXTS = Key("a list of texts", _are_texts)
PLATES = Key("a list of the names of plates", _are_texts)

LEVEL_KEYS = {
    "title": TEXT,
    "size": SIZE,
    "lives": WHOLE.optional(3),
    "objects": Key("a list of objects", lambda value: isinstance(value, list)),
}
OBJECT_KEYS = {
    "id": WHOLE,
    "name": WORD,
    "kind": WORD,
    "parent": WORD.optional(""),
    "position": PAIR,
}
Kinds = Mapping[str, Mapping[str, Key]]
"""Each kind of object, with the keys that it has beside those of every object."""


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
    """A mapping of the file, and the line it begins in."""

    line = 0


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Reads YAML with lines, and with no key given twice."""


def _block(loader: Any, node: Any) -> _Block:
    block = _Block(loader.construct_mapping(node, deep=True))
    block.line = node.start_mark.line + 1
    if len(block) < len(node.value):
        raise _refusal(block, "a key is given twice")
    return block


_Loader.add_constructor("tag:yaml.org,2002:map", _block)


def _refusal(block: _Block, reason: str) -> LevelError:
    name = f"{block['name']}: " if isinstance(block.get("name"), str) else ""
    return LevelError(f"line {block.line}: {name}{reason}")


def read_level(path: Path, kinds: Kinds) -> Level:
    """Read a level file whose objects are of the given kinds."""
    try:
        document = yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)
        return _level(document, kinds)
    except LevelError as error:
        raise LevelError(f"{path.name}, {error}") from None
    except (OSError, yaml.YAMLError) as error:
        raise LevelError(f"{path.name}: {error}") from error


def _level(document: object, kinds: Kinds) -> Level:
    if not isinstance(document, _Block):
        raise LevelError("line 1: a level is a mapping with title, size and a list of objects")
    values = _checked(document, LEVEL_KEYS)
    blocks: dict[str, _Block] = {}
    specs: dict[str, Spec] = {}
    for block in values["objects"]:
        spec = _spec(block, specs, kinds)
        specs[spec.name], blocks[spec.name] = spec, block
    for spec in specs.values():
        for name in spec.more.get("opened_by", ()):
            if name not in specs or specs[name].kind != "plate":
                raise _refusal(blocks[spec.name], f"opened_by names no plate: {name!r}")
    if [spec.kind for spec in specs.values()].count("player") != 1:
        raise _refusal(document, "a level has one player")
    return Level(values["title"], values["size"], values["lives"], tuple(specs.values()))


def _spec(block: object, earlier: Mapping[str, Spec], kinds: Kinds) -> Spec:
    if not isinstance(block, _Block):
        raise LevelError(f"line 1: an object is a mapping with id, name and kind, not {block!r}")
    if block.get("kind") not in list(kinds):
        raise _refusal(block, f"kind is one of {', '.join(kinds)}, not {block.get('kind')!r}")
    own = kinds[block["kind"]]
    values = _checked(block, {**OBJECT_KEYS, **own})
    name, parent = values["name"], values["parent"]
    if name.lower() in [known.lower() for known in earlier]:
        raise _refusal(block, "the name is taken")
    if values["id"] in [spec.id for spec in earlier.values()]:
        raise _refusal(block, f"the id {values['id']} is taken")
    if parent and parent not in earlier:
        raise _refusal(block, f"no object {parent!r} above to be parent")
    path = f"{earlier[parent].path}/{name}" if parent else name
    more = {key: values[key] for key in own}
    return Spec(values["id"], name, values["kind"], path, values["position"], more["size"], more)


def _checked(block: _Block, keys: Mapping[str, Key]) -> dict[str, Any]:
    """Give the values of a block, each of which fits its key, defaults filled in."""
    for name in block:
        if name not in keys:
            raise _refusal(block, f"no key {name!r}; there are: {', '.join(keys)}")
    for name, key in keys.items():
        if name in block and not key.fits(block[name]):
            raise _refusal(block, f"{name} is {key.takes}, not {block[name]!r}")
        if name not in block and key.default is REQUIRED:
            raise _refusal(block, f"{name} is missing: {key.takes}")
    return {name: _frozen(block.get(name, key.default)) for name, key in keys.items()}


def _frozen(value: Any) -> Any:
    """Give a list as a tuple, with floats for whole numbers in it: nobody can change a level."""
    if isinstance(value, list):
        return tuple(float(item) if type(item) is int else item for item in value)
    return value
