"""How a program is begun: as ``python main.py`` would, ``python -m package``, or by pygame-zero."""

from __future__ import annotations

import importlib
import importlib.machinery
import linecache
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import CodeType, ModuleType

from harness.games.files import OwnFiles
from harness.games.script.reach import working_folder
from harness.games.script.sources import read_sources


class Workplace:
    """Where a program runs: a copy of its own files, or these themselves.

    Its code is compiled under the names of the user's files, so that every traceback names those.
    """

    def __init__(self, own: Path, copy: Path | None = None) -> None:
        self.own = own
        self.copy = copy or own
        self.start = self.copy
        """The folder that the program is started in, from which it may name a file."""

    def there(self, file: Path) -> Path:
        """Where one of the user's files is to be found by the program."""
        return self.copy / file.relative_to(self.own)

    def user_file(self, file: str) -> str:
        """The user's file that one of the program's is a copy of; other paths as they are.

        What a program compiles itself has the name that it gives, which may begin anywhere.
        """
        try:
            place = Path(os.path.normpath(self.start / file))
            return str(self.own / place.relative_to(self.copy))
        except ValueError:
            return file

    def for_user(self, text: str) -> str:
        """A text, with the user's folder in it wherever it says where the copy is."""
        for told in (str, lambda path: repr(str(path))[1:-1]):
            text = text.replace(told(self.copy), told(self.own))
        return text


class _Loader(importlib.machinery.SourceFileLoader):
    """Compiles the present source, under the name of the user's file."""

    def __init__(self, name: str, path: str, place: Workplace) -> None:
        super().__init__(name, path)
        self._place = place

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(path), self._place.user_file(path))
        return code


class _Finder:
    """Finds the program's own modules."""

    def __init__(self, place: Workplace) -> None:
        self._place = place
        self._own = OwnFiles(place.copy)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name in sys.builtin_module_names:  # these go before any file
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or not isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            return None
        if spec.origin is None or self._own.relative(spec.origin) is None:
            return None
        spec.loader = _Loader(spec.name, spec.origin, self._place)
        return spec


class Entry:
    """One program, ready to be begun in this process, over and over."""

    def __init__(self, script: Path, place: Workplace) -> None:
        self.script = script
        self.place = place
        self.arguments: tuple[str, ...] = ()
        """What it is given on its command line."""
        self.main = ModuleType("__main__")
        self._own = OwnFiles(place.own)
        self._finder = _Finder(place)
        self._path: list[str] | None = None
        """What Python's path was before the program."""
        self._known: dict[str, bool] = {}
        self._before: frozenset[str] = frozenset()
        """The modules that were there before the program."""

    def prepare(self) -> dict[str, ModuleType]:
        """Make the process ready; gives the modules that stand in while the program runs."""
        file = self.place.there(self.script)
        self.main = ModuleType("__main__")
        self.main.__file__ = str(file)
        sources = read_sources(self.script)
        root = sources.root
        if root == self.place.own.parent:
            root = self.place.copy.parent
        elif root.is_relative_to(self.place.own):
            root = self.place.there(root)
        self.main.__package__ = ".".join(sources.package) or None
        self._path = list(sys.path)
        others = [self._copied(path) for path in sys.path if not _is_our_tree(path)]
        # At the end are the folders above that are its own too: an IDE puts them on the path.
        above = [folder for folder in file.parents[1:] if folder.is_relative_to(self.place.copy)]
        # What is run as a module has the folder beside its package on the path, and not its own.
        first, last = (root, file.parent) if sources.is_module else (file.parent, root)
        sys.path[:] = dict.fromkeys(map(str, (first, *others, last, *above)))
        sys.meta_path.insert(0, self._finder)
        self.place.start = self.place.there(working_folder(self.script))
        os.chdir(self.place.start)
        self._shadow()
        importlib.invalidate_caches()
        self._before = frozenset(sys.modules)
        return {"__main__": self.main}

    def _copied(self, path: str) -> str:
        """A folder of Python's path; one of the user's own is its copy, which is what is run."""
        try:
            there = self.place.there(Path(path).resolve()) if path else None
        except ValueError:
            return path
        return str(there) if there is not None and there.is_dir() else path

    def _shadow(self) -> None:
        """Let the program's own modules go before others of that name, imported by us."""
        folder = self.place.there(self.script).parent
        for top in OwnFiles(folder).tops():
            modules = (folder / f"{top}.py", folder / top / "__init__.py")
            shadows = top in sys.modules and any(file.is_file() for file in modules)
            if shadows and top not in _FIRST and top not in _LIBRARIES:
                for name in [n for n in sys.modules if n == top or n.startswith(f"{top}.")]:
                    del sys.modules[name]

    def clear(self) -> None:
        """Forget what the program has imported, its own and libraries, which keep things too."""
        compiled = {_top(name) for name, file in _files() if file.endswith(_COMPILED)}
        for name, file in _files():
            top = _top(name)
            kept = name in self._before or top in compiled or top in sys.stdlib_module_names
            if name != "__main__" and top != "harness" and (self.is_own(file) or not kept):
                del sys.modules[name]
        if self._path is not None:
            sys.path[:] = self._path
        if self._finder in sys.meta_path:
            sys.meta_path.remove(self._finder)
        linecache.checkcache()

    def is_own(self, file: str) -> bool:
        """Whether a file, as code or a module names it, is the program's own."""
        known = self._known.get(file)
        if known is None:
            known = self._own.relative(self.place.user_file(file)) is not None
            self._known[file] = known
        return known

    def run(self) -> None:
        """Run the program to its end."""
        file = self.place.there(self.script)
        sys.argv = [str(file), *self.arguments]
        if read_sources(self.script).zero:
            self._run_zero(file)
        else:
            exec(self._code(file), vars(self.main))

    def _code(self, file: Path) -> CodeType:
        loader = _Loader("__main__", str(file), self.place)
        self.main.__loader__ = loader
        return loader.get_code("__main__")

    def _run_zero(self, file: Path) -> None:
        """As pygame-zero's own runner does it."""
        runner = importlib.import_module("pgzero.runner")
        self.main.__name__ = file.stem
        sys.modules[file.stem] = self.main
        sys._pgzrun = True  # type: ignore[attr-defined]
        runner.prepare_mod(self.main)
        exec(self._code(file), vars(self.main))
        runner.run_mod(self.main)


_FIRST = frozenset(
    (*sys.builtin_module_names, "os", "io", "abc", "codecs", "site", "stat", "harness")
)
"""Modules that a bare Python has imported before any program's folder is on its path."""


_OUR_TREE = Path(__file__).resolve().parents[3]


def _is_our_tree(path: str) -> bool:
    """Whether a path leads to the harness alone: what else lies there is none of the program's."""
    return path != "" and Path(path).resolve() == _OUR_TREE and _OUR_TREE.name != "site-packages"


_COMPILED = tuple(importlib.machinery.EXTENSION_SUFFIXES)


def _files() -> list[tuple[str, str]]:
    """Each loaded module that has a file, with that."""
    found = [(name, getattr(module, "__file__", None)) for name, module in sys.modules.items()]
    return [(name, file) for name, file in found if isinstance(file, str)]


def _top(name: str) -> str:
    return name.partition(".")[0]


_LIBRARIES = ("pygame", "pymunk", "numpy", "greenlet")
