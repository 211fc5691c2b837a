"""The package that a program lies in, which it may import by name, as ``python -m`` lets it."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

_MOST_UP = 2


def package_of(script: Path, tree: ast.Module) -> tuple[tuple[str, ...], bool]:
    """The folders with an ``__init__.py`` that a program lies in, or those that it names by dots.

    Also whether there are dots.
    """
    dots = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            dots = max(dots, node.level)
    names: list[str] = []
    for folder in script.parents:
        if len(names) >= dots and not (folder / "__init__.py").is_file():
            break
        names.insert(0, folder.name)
    return tuple(names) if all(name.isidentifier() for name in names) else (), bool(dots)


def from_above(
    script: Path, package: tuple[str, ...], name: str
) -> tuple[tuple[str, ...], list[Path]] | None:
    """The package that a name makes of a program, which is not found beside it, and its files.

    A folder needs no ``__init__.py`` to be one, where the program imports by its name.
    """
    head = name.partition(".")[0]
    if head in sys.stdlib_module_names or head == "pygame":
        return None
    if package:
        found = list(local_files(script.parents[len(package)], name))
        return (package, found) if found else None
    for above in range(1, min(_MOST_UP + 1, len(script.parents))):
        chain = script.parts[-above - 1 : -1]
        if chain[0] == head:
            found = list(local_files(script.parents[above], name))
            if found:
                return chain, found
    return None


def local_files(folder: Path, name: str) -> Iterator[Path]:
    """The files that a module of that name is in a folder."""
    place = folder.joinpath(*name.split("."))
    for file in (place.with_name(f"{place.name}.py"), place / "__init__.py"):
        if file.is_file():
            yield file
