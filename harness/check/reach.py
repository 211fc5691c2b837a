"""Which scripts a program is made of: those that its first one imports, and what these import."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from harness.check.files import GameFiles
from harness.check.scripts import syntax

_UNKNOWN = ("import_module", "__import__", "exec", "run_path", "walk_packages", "iter_modules")


def reached(start: Path, files: GameFiles) -> list[str]:
    """The scripts of a program by name; all there are, where imports are put together as it runs.

    A folder of small programs holds many that have nothing to do with each other.
    """
    first = files.shown(start)  # which may have no suffix
    every = sorted({*files.ending(".py", ".pyw"), first})
    known, found, ahead = set(every), set(), [first]
    while ahead:
        name = ahead.pop()
        if name in found or name not in known:
            continue
        found.add(name)
        tree = syntax(files.path / name, name)[0]
        for node in ast.walk(tree) if tree is not None else ():
            if isinstance(node, ast.Call) and _called(node) in _UNKNOWN:
                return every
            for folder, module in _imported(node, files, name):
                ahead += _files_of(folder, module, files)
    return sorted(found)


def _called(node: ast.Call) -> str:
    return str(getattr(node.func, "attr", None) or getattr(node.func, "id", ""))


def _imported(node: ast.AST, files: GameFiles, name: str) -> Iterator[tuple[Path, str]]:
    """The modules that a statement names, each with the folder that it is looked for in."""
    here = (files.path / name).parent
    if isinstance(node, ast.Import):
        bases, modules = (files.imports, files.path, here), [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        above = here
        for _ in range(node.level - 1):
            above = above.parent
        bases = (above, above, above) if node.level else (files.imports, files.path, here)
        module = node.module or ""
        modules = [module, *(f"{module}.{alias.name}".strip(".") for alias in node.names)]
    else:
        return
    yield from ((base, module) for base in dict.fromkeys(bases) for module in modules if module)


def _files_of(folder: Path, module: str, files: GameFiles) -> Iterator[str]:
    parts = module.split(".")
    for length in range(1, len(parts) + 1):
        path = folder.joinpath(*parts[:length])
        yield files.shown(path.with_name(f"{path.name}.py"))
        yield files.shown(path / "__init__.py")
