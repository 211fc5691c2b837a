"""What may stand in a property: what the game declares of a kind, else what stands there."""

from __future__ import annotations

import reprlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from harness.documents import parse_documents
from harness.errors import ArgumentError, ConfigError, UnknownName
from harness.games.folder import CONFIG, GameFolder
from harness.values.numbers import number, whole

ALWAYS = ("id", "name", "kind", "type", "class", "parent", "children", "objects", "entities")
"""Properties that every kind may have."""

EVERY = "*"
"""Stands in ``kinds`` for every kind."""

_WORDS = {
    "any": "a value of YAML's",
    "text": "text",
    "number": "a finite number",
    "whole": "a whole number",
    "boolean": "true or false",
    "point": "two numbers, as in [120, 300]",
    "name": "the name of an object in the scene",
    "list": "a list, as in [a, b]",
    "mapping": "a mapping, as in {a: 1}",
}
_UNREAD: Any = object()


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a property takes: a word of ``kinds``, for a list also what is in it."""

    word: str = "any"
    item: Wanted | None = None
    options: tuple[Any, ...] = ()

    def __str__(self) -> str:
        if self.options:
            return " or ".join(map(repr, self.options))
        if self.item is not None and self.item.word != "any":
            return f"a list, each {self.item}"
        return _WORDS[self.word]

    def takes(self, value: Any, names: Iterable[str] = ()) -> bool:
        """Whether a value, as a file has it, may stand there."""
        if self.options:
            return any(type(value) is type(option) and value == option for option in self.options)
        return bool(_TAKES[self.word](self, value, names))

    def misfit(self, value: Any, names: Collection[str], said: str = "") -> str:
        """What is wrong with a value that may not stand there; ``said`` is how it was written."""
        inside = self.item if isinstance(value, list) else None
        if inside is not None and not self.options:
            wrong = next((one for one in value if not inside.takes(one, names)), None)
            if inside.word == "name" and isinstance(wrong, str):
                return inside.misfit(wrong, names)
        if self.word == "name" and isinstance(value, str) and not self.options:
            return str(UnknownName("object", value, names, "the scene"))
        return f"must be {self}, not {said or reprlib.repr(value)}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_TAKES: dict[str, Any] = {
    "any": lambda wanted, value, names: True,
    "text": lambda wanted, value, names: isinstance(value, str),
    "number": lambda wanted, value, names: _is_number(value),
    "whole": lambda wanted, value, names: _is_number(value) and isinstance(value, int),
    "boolean": lambda wanted, value, names: isinstance(value, bool),
    "point": lambda wanted, value, names: (
        isinstance(value, list) and len(value) == 2 and all(map(_is_number, value))
    ),
    "name": lambda wanted, value, names: isinstance(value, str) and value in names,
    "list": lambda wanted, value, names: (
        isinstance(value, list)
        and (wanted.item is None or all(wanted.item.takes(item, names) for item in value))
    ),
    "mapping": lambda wanted, value, names: isinstance(value, Mapping),
}


class Kinds:
    """The kinds that harness.yaml declares, and the entities that show what it does not."""

    def __init__(self, declared: Any = None) -> None:
        self.declared = _declared(declared)
        self._every = self.declared.pop(EVERY, {})

    def wanted(self, kind: str, key: str, samples: Iterable[Mapping[str, Any]] = ()) -> Wanted:
        """What a property of a kind takes; ``samples`` are entities of it, the nearest first.

        Raises:
            UnknownName: the game declares the kind, and no such property.
        """
        if self.declared:
            if kind not in self.declared:
                raise UnknownName("kind", kind, self.declared, "harness.yaml")
            properties = {**self._every, **self.declared[kind]}
            if key in properties:
                return properties[key]
            if key not in ALWAYS:
                raise UnknownName("property", key, [*properties, *ALWAYS[:3], "parent"], kind)
        for sample in samples:
            if sample.get(key) is not None:
                return standing(sample[key])
        return Wanted()


def kinds_of(folder: GameFolder) -> Kinds:
    """What a game's harness.yaml declares.

    Raises:
        ConfigError: the declaration says nothing, with the line.
    """
    try:
        return Kinds(folder.config.get("kinds"))
    except ConfigError as error:
        line = getattr(folder.config, "lines", {}).get("kinds", 1)
        raise ConfigError(f"{folder.path / CONFIG}, line {line}: {error}") from None


def standing(value: Any) -> Wanted:
    """What may take the place of a value."""
    for word in ("boolean", "number", "text", "point", "mapping"):
        if Wanted(word).takes(value):
            return Wanted(word)
    if isinstance(value, list):
        items = {standing(item) for item in value}
        return Wanted("list", items.pop() if len(items) == 1 else None)
    return Wanted()


def read(name: str, text: str, wanted: Wanted, names: Collection[str]) -> Any:
    """The value that a text says where something is wanted.

    Raises:
        ArgumentError: it is none of these.
    """
    value = _turned(_parsed(text), text, wanted)
    if value is _UNREAD:
        raise ArgumentError(name, f"must be {wanted}, not {text}")
    if not wanted.takes(value, names):
        raise ArgumentError(name, wanted.misfit(value, names, text))
    return value


def _parsed(text: str) -> Any:
    try:
        documents = parse_documents(text, "")
    except ConfigError:
        documents = []
    if text.startswith("#") or (documents and isinstance(documents[0], str)):
        # Only quotes are YAML's affair: a colour such as #ff0000 is no comment.
        return documents[0] if text[0] in "\"'" else text
    return documents[0] if len(documents) == 1 else _UNREAD


def _turned(value: Any, text: str, wanted: Wanted) -> Any:
    """A value as what is wanted, where it can be read so."""
    if wanted.word in ("text", "name") and not wanted.options and not isinstance(value, str):
        return text
    if wanted.word in ("number", "whole") and isinstance(value, str):
        found = whole(value)
        return found if found is not None else number(value)
    if wanted.word == "whole" and isinstance(value, float):
        return whole(value)
    if wanted.word == "point" and isinstance(value, str):
        pair = [_parsed(part) for part in value.strip().strip("()").split(",")]
        return pair if all(map(_is_number, pair)) else value
    return value


def _declared(given: Any) -> dict[str, dict[str, Wanted]]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ConfigError("kinds: must map each kind to its properties, as in door: {size: point}")
    return {str(kind): _properties(kind, properties) for kind, properties in given.items()}


def _properties(kind: Any, given: Any) -> dict[str, Wanted]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ConfigError(f"kinds: {kind}: must map its properties, as in {{size: point}}")
    return {str(key): _wanted(f"{kind}.{key}", word) for key, word in given.items()}


def _wanted(place: str, given: Any) -> Wanted:
    if isinstance(given, list) and len(given) == 1:
        return Wanted("list", _wanted(place, given[0]))
    if isinstance(given, list) and given:
        return Wanted("any", options=tuple(given))
    if isinstance(given, str) and given in _WORDS:
        return Wanted(given)
    raise ConfigError(
        f"kinds: {place}: must be {', '.join(_WORDS)}, a list of one of them, as in [text],"
        f" or the values that it may have, as in [left, right]; not {given!r}"
    )
