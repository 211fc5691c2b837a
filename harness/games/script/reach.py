"""How far a program reaches: the folder of its own files, and that in which it finds them."""

from __future__ import annotations

import os
import sys
from importlib.machinery import PathFinder
from pathlib import Path

from harness.games.script.sources import Sources, read_sources

_CONTAINERS = frozenset(("src", "source", "code", "scripts", "bin"))
_MOST_UP = 2

_MARKS = (".git", ".hg", ".idea", ".vscode", "pyproject.toml", "setup.py", "requirements.txt")
"""What lies in the topmost folder of a project."""


def working_folder(script: Path) -> Path:
    """The folder in which a program finds its files: its own, or one above it.

    Its own is what most are run in. One that is run from above has paths that lead somewhere from
    there alone, is run by ``python -m`` beside its package, or is in ``src`` and names a folder of
    pictures or the like that lies beside that.
    """
    sources = read_sources(script)
    own = script.parent
    if sources.is_module and not _in_packages(script):
        between = list(script.parents)[: len(sources.package)]
        if _reached(_wanted(sources, True, True), sources.root, between):
            own = sources.root
    folders = list(dict.fromkeys((own, script.parent, *_above(script.parent))))
    found = [sum(os.path.exists(folder / path) for path in sources.paths) for folder in folders]
    if any(found) or own.name.lower() not in _CONTAINERS:
        return own if found[0] else folders[found.index(max(found))]
    beside = [any(_is_data(folder / name) for name in sources.names) for folder in folders[:2]]
    return folders[1] if beside == [False, True] else own


def _is_data(path: Path) -> bool:
    """Whether a path leads to a folder without code in it."""
    return path.is_dir() and not any(path.glob("*.py"))


def own_folder(script: Path) -> Path:
    """The folder of a program's own files: its own, or one above it that it reaches into.

    A program in a package belongs to the package, and one in ``src`` to the folder above. What
    lies further up may be anybody's: it is taken where the program says ``..``, or is in a
    package, and names or imports something that is there and not below; and where it imports
    something from the folder of its project, as it can when an IDE runs it. One that is installed
    has only its own.
    """
    folder = script.parent
    if _in_packages(script):
        return folder
    sources = read_sources(script)
    upward = sources.upward + len(sources.package)
    if sources.package:
        folder = script.parents[len(sources.package) - 1]
    if folder.name.lower() in _CONTAINERS:
        folder = next(iter(_above(folder)), folder)
    below = [script.parent]
    top = _project(script.parent)
    for up, above in enumerate(_above(script.parent)):
        if above != folder and folder.is_relative_to(above):
            wanted = _wanted(sources, up < upward, top is not None and above.is_relative_to(top))
            if _reached(wanted, above, below):
                folder = above
        below.append(above)
    working = working_folder(script)
    return folder if working.is_relative_to(folder) else working


def _in_packages(script: Path) -> bool:
    return any(parent.name.endswith("-packages") for parent in script.parents)


def _above(folder: Path) -> list[Path]:
    """The next folders above one; those that hold everything are nobody's game."""
    found = []
    for above in list(folder.parents)[:_MOST_UP]:
        if above in (Path.home(), Path(above.anchor)):
            break
        found.append(above)
    return found


def _installed(module: str) -> bool:
    """Whether a module is Python's or somebody else's, so that a folder of its name is not it."""
    if module in sys.stdlib_module_names:
        return True
    try:
        spec = PathFinder.find_spec(module)
    except (ImportError, ValueError):
        return False
    return spec is not None and "-packages" in (spec.origin or "")


def _project(folder: Path) -> Path | None:
    """The nearest folder, that one or above, that is somebody's whole project."""
    told = list(filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)))
    for place in (folder, *_above(folder)):
        if str(place) in told or any((place / mark).exists() for mark in _MARKS):
            return place
    return None


def _wanted(sources: Sources, reaches: bool, ours: bool) -> list[str]:
    """What a program may find in a folder above: its modules if that is of the same project.

    An IDE has the project on Python's path, so that a program need not say ``..`` for them.
    """
    if not reaches and not ours:
        return []
    modules = [name for name in sources.imports if not _installed(name)]
    names = sources.names if reaches else ()
    return [*names, *modules, *(f"{module}.py" for module in modules)]


def _reached(wanted: list[str], above: Path, below: list[Path]) -> bool:
    """Whether something wanted is in a folder, and in none of those below it."""
    inside = {folder.name for folder in below}
    return any(
        name not in inside
        and os.path.exists(above / name)
        and not any(os.path.exists(folder / name) for folder in below)
        for name in wanted
    )
