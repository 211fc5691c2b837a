"""Values that are set from outside: the path to them, and what is put there."""

from __future__ import annotations

import ast
import cmath
import math
import re
from collections.abc import Mapping
from typing import Any

from harness.driver.plain import SCALARS, is_point, is_row, scalar
from harness.errors import ArgumentError, UnknownName

_A_PATH = "must be a path such as player.health"


_NO_NUMBER = re.compile(r"[-+]?(nan|inf(inity)?)", re.IGNORECASE)


def _is_finite(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, complex):
        return cmath.isfinite(value)
    if isinstance(value, Mapping):
        value = [*value.keys(), *value.values()]
    parts = value if isinstance(value, list | tuple | set | frozenset) else ()
    return all(map(_is_finite, parts))


def literal(text: str) -> Any:
    """The value that a text says: a Python literal, true or false, else the text itself."""
    words = {"true": True, "false": False, "none": None, "null": None}
    if text.lower() in words:
        return words[text.lower()]
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return text


def written(value: Any) -> str:
    """A value as the text that ``literal`` reads it back from.

    Raises:
        ArgumentError: it is nothing that a movie can keep.
    """
    kept = scalar(value) if isinstance(value, SCALARS) else value
    kept = tuple(kept) if is_point(kept) or is_row(kept) else kept
    text = repr(kept)
    if literal(text) != kept:
        raise ArgumentError("value", f"must be a finite, plain value to be kept, not {text}")
    return text


def set_path(names: dict[str, Any], target: str, value: Any) -> None:
    """Set ``name.attribute[key]...`` among ``names``.

    Raises:
        ArgumentError: the target is no path, or what it names cannot be set.
    """
    owner, last = _owner(names, target)
    try:
        if isinstance(last, str):
            if not hasattr(owner, last):
                raise ArgumentError(target, f"{type(owner).__name__} has no {last!r} to set")
            setattr(owner, last, _like(getattr(owner, last), value))
        else:
            owner[last[0]] = _like(_at(owner, last[0]), value)
    except (AttributeError, TypeError, KeyError, IndexError, ValueError, AssertionError) as error:
        why = " ".join(str(error).split()) or type(error).__name__
        raise ArgumentError(target, f"cannot be set to {value!r}: {why}") from None


def _like(present: Any, value: Any) -> Any:
    """Numbers that take the place of a vector, a rectangle or a colour become one."""
    row = is_point(present) or is_row(present)
    if row and isinstance(value, tuple | list) and len(value) == len(present):
        return type(present)(*value)
    return value


def _at(owner: Any, key: Any) -> Any:
    try:
        return owner[key]
    except (KeyError, IndexError, TypeError):
        return None


def _owner(names: dict[str, Any], target: str) -> tuple[Any, Any]:
    try:
        node: ast.expr = ast.parse(target, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ArgumentError(_cut(target), _A_PATH) from None
    if isinstance(node, ast.Name) and node.id not in names:
        raise UnknownName("name", node.id, names)
    if not isinstance(node, ast.Attribute | ast.Subscript):
        raise ArgumentError(_cut(target), _A_PATH)
    owner = _walked(names, node.value, target)
    if isinstance(node, ast.Attribute):
        return owner, node.attr
    return owner, (_key(node.slice, target),)


def _walked(names: dict[str, Any], node: ast.expr, target: str) -> Any:
    if isinstance(node, ast.Name):
        if node.id not in names:
            raise UnknownName("name", node.id, names)
        return names[node.id]
    try:
        if isinstance(node, ast.Attribute):
            return getattr(_walked(names, node.value, target), node.attr)
        if isinstance(node, ast.Subscript):
            return _walked(names, node.value, target)[_key(node.slice, target)]
    except (AttributeError, TypeError, KeyError, IndexError) as error:
        raise ArgumentError(target, str(error) or type(error).__name__) from None
    raise ArgumentError(_cut(target), _A_PATH)


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else f"{line[:77]}..."


def _key(node: ast.expr, target: str) -> Any:
    try:
        return ast.literal_eval(node)
    except ValueError:
        raise ArgumentError(target, "an index must be a literal") from None


def parsed_assignment(text: str) -> tuple[str, str]:
    """Split ``player.health=3`` into its target and its value.

    Raises:
        ArgumentError: there is no = in it.
    """
    target, equals, value = text.partition("=")
    if not equals or not target.strip() or not value.strip():
        raise ArgumentError(
            "assignments", f"must be name=value, as in player.health=3, not {text!r}"
        )
    said = literal(value.strip())
    if not _is_finite(said) or (said == value.strip() and _NO_NUMBER.fullmatch(said)):
        raise ArgumentError(
            "assignments", f"a number must be finite, not {_cut(value)}; a text has quotes"
        )
    return target.strip(), value.strip()
