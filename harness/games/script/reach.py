"""How far a program reaches: the folder of its own files, and that in which it finds them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from harness.games.script.sources import Sources, read_sources

_CONTAINERS = frozenset(("src", "source", "code", "scripts", "bin"))
_MOST_UP = 2


def working_folder(script: Path) -> Path:
    """The folder in which a program finds its files: its own, or one above it.

    Its own is what most are run in. One that is run from above has paths that lead somewhere from
    there alone, or is run by ``python -m`` beside its package.
    """
    sources = read_sources(script)
    own = script.parent
    if sources.is_module and not _is_installed(script):
        between = list(script.parents)[: len(sources.package)]
        if _reached(sources, sources.root, between):
            own = sources.root
    folders = list(dict.fromkeys((own, script.parent, *_above(script.parent))))
    found = [sum(os.path.exists(folder / path) for path in sources.paths) for folder in folders]
    return own if found[0] else folders[found.index(max(found))]


def own_folder(script: Path) -> Path:
    """The folder of a program's own files: its own, or one above it that it reaches into.

    A program in a package belongs to the package, and one in ``src`` to the folder above. What
    lies further up may be anybody's: it is taken where the program says ``..``, or is in a
    package, and names or imports something that is there and not below. One that is installed has
    only its own.
    """
    folder = script.parent
    if _is_installed(script):
        return folder
    sources = read_sources(script)
    upward = sources.upward + len(sources.package)
    if sources.package:
        folder = script.parents[len(sources.package) - 1]
    if folder.name.lower() in _CONTAINERS:
        folder = next(iter(_above(folder)), folder)
    below = [script.parent]
    for above in _above(script.parent)[:upward]:
        if above != folder and folder.is_relative_to(above) and _reached(sources, above, below):
            folder = above
        below.append(above)
    working = working_folder(script)
    return folder if working.is_relative_to(folder) else working


def _is_installed(script: Path) -> bool:
    return any(parent.name.endswith("-packages") for parent in script.parents)


def _above(folder: Path) -> list[Path]:
    """The next folders above one; those that hold everything are nobody's game."""
    found = []
    for above in list(folder.parents)[:_MOST_UP]:
        if above in (Path.home(), Path(above.anchor)):
            break
        found.append(above)
    return found


def _reached(sources: Sources, above: Path, below: list[Path]) -> bool:
    """Whether a program names or imports what is in a folder, and in none of those below it."""
    modules = sources.imports - sys.stdlib_module_names
    wanted = [*sources.names, *modules, *(f"{module}.py" for module in modules)]
    inside = {folder.name for folder in below}
    return any(
        name not in inside
        and os.path.exists(above / name)
        and not any(os.path.exists(folder / name) for folder in below)
        for name in wanted
    )
