"""The one YAML reader: strict, and it keeps lines.

It reads the core schema of YAML 1.2: duplicate keys are refused, and only true and false are
booleans.
"""

from __future__ import annotations

import copy
import functools
import gc
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.errors import ConfigError
from harness.values.files import read_file, reason
from harness.values.numbers import number, whole

_MOST_BITS = 1024
"""A longer whole number could not be shown in a message."""

_KEYS = (str, int, float, bool, type(None))
_ANCHOR = re.compile(r"(?<![^\s\[{,:])[&*]\S")
"""Where an anchor or an alias may stand; a text may hold the like."""


class Mapped(dict[Any, Any]):
    """A mapping that knows the lines it was written on (the first line is 1)."""

    line: int = 1
    lines: Mapping[Any, int] = {}


class Listed(list[Any]):
    """A list that knows the lines its items were written on."""

    line: int = 1
    lines: tuple[int, ...] = ()


def read_document(path: Path) -> Any:
    """Read a file that holds one YAML document.

    Raises:
        ConfigError: it cannot be read, with the line.
    """
    documents = read_documents(path)
    if len(documents) > 1:
        raise ConfigError(f"{path}: holds {len(documents)} documents, and one is needed")
    return documents[0] if documents else None


def read_documents(path: Path) -> list[Any]:
    """Read all YAML documents of a file.

    Raises:
        ConfigError: it cannot be read, with the line.
    """
    try:
        text = read_file(path).decode("utf-8-sig")
    except FileNotFoundError:
        raise ConfigError(f"no file at {path}") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ConfigError(f"{path}, line {line}: is not text in UTF-8") from None
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot read {path}: {reason(error)}") from None
    return parse_documents(text, str(path))


def parse_documents(text: str, name: str) -> list[Any]:
    """Read all YAML documents of a text; ``name`` is what messages call it.

    Raises:
        ConfigError: it is no YAML that this reader takes, with the line.
    """
    import yaml

    with _refusals(text, name):
        return list(yaml.load_all(text, _loader()))


@dataclass(frozen=True, slots=True)
class Composed:
    """One document with the nodes it was read from; their marks are places in ``text``.

    ``anchored`` are the places of its anchors and aliases. A node that stands for an alias has
    ``alias`` set, and the alias's own marks.
    """

    text: str
    node: Any
    value: Any
    anchored: tuple[int, ...]


def composed(text: str, name: str) -> Composed:
    """Read the one document of a text, and keep its nodes.

    Raises:
        ConfigError: it is no YAML that this reader takes, with the line, or not one document.
    """
    found = _composed_in_c(text)
    if found is not None:
        return found
    with _refusals(text, name):
        loader = _composer()(text)
        node = loader.get_single_node()
        if node is None:
            raise ConfigError(f"{name}: is empty")
        return Composed(text, node, loader.construct_document(node), tuple(loader.anchored))


def _composed_in_c(text: str) -> Composed | None:
    """Read a plain document ten times faster; None of one that is best read by the other reader.

    That one keeps anchors, counts a byte order mark, and has the words for what is wrong.
    """
    import yaml

    if _ANCHOR.search(text) or text[:1] == "\ufeff" or not yaml.__with_libyaml__:
        return None
    loader = _plain_loader()(text)
    try:
        with collecting_later():
            node = loader.get_single_node()
            if node is None:
                return None
            return Composed(text, node, loader.construct_object(node), ())
    except (_Refused, yaml.YAMLError, RecursionError):
        return None
    finally:
        loader.dispose()


@contextmanager
def collecting_later() -> Iterator[None]:
    """Make many objects that all stay, without a search for garbage among them meanwhile."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@contextmanager
def _refusals(text: str, name: str) -> Iterator[None]:
    import yaml

    try:
        yield
    except _Refused as refused:
        raise ConfigError(f"{name}, line {refused.line}: {refused}") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{name}, line {mark.line + 1}" if mark else name
        problem = str(error.problem or error.context)
        problem = "a tab stands where YAML wants blanks" if "'\\t'" in problem else problem
        raise ConfigError(f"{place}: {problem}") from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise ConfigError(f"{name}, line {line}: holds a character that YAML forbids") from None
    except RecursionError:
        raise ConfigError(f"{name}: is nested too deeply") from None


class _Refused(Exception):
    def __init__(self, node: Any, problem: str) -> None:
        self.line = _line(node)
        super().__init__(problem)


def _line(node: Any) -> int:
    line: int = node.start_mark.line
    return line + 1


@functools.cache
def _loader(base: Any = None) -> Any:
    import yaml

    class Loader(base or yaml.SafeLoader):  # type: ignore[misc]
        """YAML 1.2's core schema, strict; it knows no tag but those below."""

    Loader.yaml_implicit_resolvers = {}
    Loader.yaml_constructors = {None: yaml.SafeLoader.construct_undefined}
    for kind, (construct, pattern, first) in _KINDS.items():
        tag = f"tag:yaml.org,2002:{kind}"
        Loader.add_constructor(tag, construct)
        if pattern:
            Loader.add_implicit_resolver(tag, re.compile(f"(?:{pattern})$"), list(first))
    return Loader


@functools.cache
def _plain_loader() -> Any:
    import yaml

    class PlainLoader(_loader(yaml.CSafeLoader)):  # type: ignore[misc]
        """Of a document without aliases no node is met twice, so that none need be remembered.

        What a text means is: most stand in a document many times.
        """

        def __init__(self, text: str) -> None:
            super().__init__(text)
            self.tags: dict[str, Any] = {}
            self.scalars: dict[tuple[Any, str], Any] = {}

        def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
            if kind is not yaml.ScalarNode or not implicit[0]:
                return super().resolve(kind, value, implicit)
            tag = self.tags.get(value)
            if tag is None:
                tag = self.tags[value] = super().resolve(kind, value, implicit)
            return tag

        def construct_object(self, node: Any, deep: bool = False) -> Any:
            plain = node.__class__ is yaml.ScalarNode
            if plain and (node.tag, node.value) in self.scalars:
                return self.scalars[node.tag, node.value]
            construct = self.yaml_constructors.get(node.tag) or self.yaml_constructors[None]
            value = construct(self, node)
            if plain:
                self.scalars[node.tag, node.value] = value
            return value

    return PlainLoader


@functools.cache
def _composer() -> Any:
    import yaml

    class Composer(_loader()):  # type: ignore[misc]
        """Keeps where anchors and aliases stand."""

        def __init__(self, text: str) -> None:
            super().__init__(text)
            self.anchored: list[int] = []

        def compose_node(self, parent: Any, index: Any) -> Any:
            event = self.peek_event()
            if getattr(event, "anchor", None) is not None:
                self.anchored.append(event.start_mark.index)
            node = super().compose_node(parent, index)
            if isinstance(event, yaml.AliasEvent):
                node = copy.copy(node)
                node.start_mark, node.end_mark, node.alias = event.start_mark, event.end_mark, True
            return node

    return Composer


def _mapping(loader: Any, node: Any) -> Mapped:
    found, lines = Mapped(), {}
    construct = loader.construct_object
    if node.id != "mapping":
        raise _Refused(node, "is no mapping")
    for key_node, value_node in node.value:
        key = construct(key_node, True)
        if key.__class__ not in _KEYS:
            raise _Refused(key_node, "a key must be plain text")
        if key in found:
            raise _Refused(key_node, f"the key {key!r} is there twice")
        lines[key] = key_node.start_mark.line + 1
        found[key] = construct(value_node, True)
    found.line, found.lines = _line(node), lines
    return found


def _sequence(loader: Any, node: Any) -> Listed:
    if node.id != "sequence":
        raise _Refused(node, "is no list")
    construct = loader.construct_object
    found = Listed([construct(item, True) for item in node.value])
    found.line = _line(node)
    found.lines = tuple([item.start_mark.line + 1 for item in node.value])
    return found


def _text(loader: Any, node: Any) -> str:
    return str(loader.construct_scalar(node))


def _bool(loader: Any, node: Any) -> bool:
    word = _text(loader, node).lower()
    if word not in ("true", "false"):
        raise _Refused(node, f"{word!r} is neither true nor false")
    return word == "true"


def _int(loader: Any, node: Any) -> int:
    text = _text(loader, node)
    base = {"0x": 16, "0o": 8}.get(text[:2])
    try:
        value = int(text[2:], base) if base else whole(text)
    except ValueError:
        value = None
    if value is None or value.bit_length() > _MOST_BITS:
        raise _Refused(node, f"{_cut(text)!r} is no whole number")
    return value


def _float(loader: Any, node: Any) -> float:
    text = _text(loader, node)
    value = number(text)
    if value is None:
        raise _Refused(node, f"a number must be finite, and {_cut(text)!r} is not")
    return value


def _null(loader: Any, node: Any) -> None:
    _text(loader, node)


def _cut(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."


_KINDS: dict[str, tuple[Any, str, Any]] = {
    "map": (_mapping, "", ""),
    "seq": (_sequence, "", ""),
    "str": (_text, "", ""),
    "bool": (_bool, "true|True|TRUE|false|False|FALSE", "tTfF"),
    "int": (_int, "[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
    "float": (
        _float,
        r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?"
        r"|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)",
        "-+.0123456789",
    ),
    "null": (_null, "~|null|Null|NULL|", ["~", "n", "N", ""]),
}
