"""The one YAML reader: duplicate keys are refused, only true and false are booleans, lines are kept."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness.errors import ConfigError


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
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise ConfigError(f"no file at {path}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read {path}: {error}") from None
    return parse_documents(text, str(path))


def parse_documents(text: str, name: str) -> list[Any]:
    """Read all YAML documents of a text; ``name`` is what messages call it.

    Raises:
        ConfigError: it is no YAML that this reader takes, with the line.
    """
    import yaml

    try:
        return list(yaml.load_all(text, _loader()))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{name}, line {mark.line + 1}" if mark else name
        raise ConfigError(f"{place}: {error.problem or error.context}") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ConfigError(f"{name}: {error or type(error).__name__}") from None


@functools.cache
def _loader() -> Any:
    import yaml

    class Loader(yaml.SafeLoader):
        """YAML 1.2's core schema, strict."""

        yaml_implicit_resolvers: dict[str, Any] = {}

    def mapping(loader: Any, node: Any) -> Mapped:
        found = Mapped()
        lines: dict[Any, int] = {}
        for key_node, value_node in node.value:
            key = loader.construct_object(key_node, deep=True)
            if not isinstance(key, str | int | float | bool | None):
                raise yaml.MarkedYAMLError(
                    problem="a key must be plain text", problem_mark=key_node.start_mark
                )
            if key in found:
                raise yaml.MarkedYAMLError(
                    problem=f"the key {key!r} is there twice", problem_mark=key_node.start_mark
                )
            lines[key] = key_node.start_mark.line + 1
            found[key] = loader.construct_object(value_node, deep=True)
        found.line, found.lines = node.start_mark.line + 1, lines
        return found

    def sequence(loader: Any, node: Any) -> Listed:
        found = Listed(loader.construct_object(item, deep=True) for item in node.value)
        found.line = node.start_mark.line + 1
        found.lines = tuple(item.start_mark.line + 1 for item in node.value)
        return found

    def number(loader: Any, node: Any) -> float:
        value = float(node.value.replace(".inf", "inf").replace(".nan", "nan"))
        if not math.isfinite(value):
            raise yaml.MarkedYAMLError(
                problem="a number must be finite", problem_mark=node.start_mark
            )
        return value

    def whole(loader: Any, node: Any) -> int:
        return int(node.value, 0 if node.value.lstrip("+-")[:2].lower() in ("0x", "0o") else 10)

    Loader.add_constructor("tag:yaml.org,2002:map", mapping)
    Loader.add_constructor("tag:yaml.org,2002:seq", sequence)
    Loader.add_constructor("tag:yaml.org,2002:float", number)
    Loader.add_constructor("tag:yaml.org,2002:int", whole)
    for kind, pattern, first in (
        ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
        ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
        ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+0123456789."),
        ("float", r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)", "-+."),
        ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ):
        Loader.add_implicit_resolver(
            f"tag:yaml.org,2002:{kind}", re.compile(f"^(?:{pattern})$"), list(first)
        )
    return Loader
