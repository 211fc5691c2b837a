"""Which goldens there are, and which of them no test names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from harness.documents import read_documents
from harness.errors import ConfigError
from harness.values.files import read_file

FOLDER = "goldens"
_SKIPPED = {"__pycache__", "node_modules", "site-packages"}


def goldens_in(root: Path) -> list[Path]:
    """Every golden below a folder, hidden folders left out."""
    found = [
        path
        for path in root.rglob(f"{FOLDER}/*.png")
        if not any(
            part.startswith(".") or part in _SKIPPED for part in path.relative_to(root).parts[:-1]
        )
    ]
    return sorted(found)


def unused(root: Path) -> list[Path]:
    """The goldens that no test file beside them can mean by anything it writes.

    A name counts as written where it stands as a text, or where a text with parts filled in
    (``f"door-{n}"``) could become it. Nothing is run.
    """
    found: list[Path] = []
    patterns: dict[Path, re.Pattern[str]] = {}
    for path in goldens_in(root):
        beside = path.parents[1]
        if beside not in patterns:
            patterns[beside] = _written(beside)
        if not patterns[beside].fullmatch(path.stem.partition("@")[0]):
            found.append(path)
    return found


def _written(folder: Path) -> re.Pattern[str]:
    words: set[str] = set()
    try:
        for file in sorted(folder.glob("*.py")):
            words.update(_texts(ast.parse(read_file(file))))
        for file in sorted(folder.glob("*.scenario.yaml")):
            words.update(map(re.escape, _scalars(read_documents(file))))
    except (OSError, SyntaxError, ValueError, ConfigError):
        return re.compile(".*", re.DOTALL)  # it cannot be known
    return re.compile("|".join(sorted(words)) or "(?!)")


def _scalars(value: Any) -> Iterator[str]:
    """Each text of a document."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _scalars(list(value.values()))
    elif isinstance(value, Iterable):
        for item in value:
            yield from _scalars(item)


def _texts(tree: ast.AST) -> Iterator[str]:
    """Each text of a program as a pattern, what is filled in left open."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if 0 < len(node.value) <= 100:
                yield re.escape(node.value)
        elif isinstance(node, ast.JoinedStr):
            yield "".join(
                re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".*"
                for part in node.values
            )
