"""The game's own modules: compiled from the files as they are, dropped when those change."""

from __future__ import annotations

import importlib
import importlib.machinery
import linecache
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from harness.errors import UnknownName
from harness.games.files import OwnFiles


class _FreshLoader(importlib.machinery.SourceFileLoader):
    """Compiles a module from its source each time.

    A cached .pyc is trusted by size and modification time, which an edit can leave as they were.
    """

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(path), path)
        return code


class _Finder:
    """Finds the modules that lie in the game's folder, and nothing else."""

    def __init__(self, own: OwnFiles) -> None:
        self.own = own

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or not isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            return None
        if spec.origin is None or self.own.relative(spec.origin) is None:
            return None
        spec.loader = _FreshLoader(spec.name, spec.origin)
        return spec


class GameModules:
    """The modules of one game's folder, among those of the process."""

    def __init__(self, own: OwnFiles) -> None:
        self._own = own
        folder = own.folder
        # A folder that is a package is imported as one, so that its relative imports work.
        self.package = folder.name if (folder / "__init__.py").is_file() else ""
        self.import_root = str(folder.parent if self.package else folder)
        self._finder = _Finder(own)
        self._recognised: dict[str, ModuleType] = {}
        self._stash: dict[str, ModuleType] = {}

    def load(self, entry: str) -> Any:
        """Import what ``module:Class`` names; call it while ``importable``.

        Raises:
            UnknownName: there is no such module or class.
        """
        name, _, class_name = entry.partition(":")
        if self.package and name.split(".")[0] != self.package:
            name = f"{self.package}.{name}"
        importlib.invalidate_caches()
        try:
            module = importlib.import_module(name)
        except ModuleNotFoundError as error:
            self.drop()
            if not f"{name}.".startswith(f"{error.name}."):
                raise
            known, folder = self._own.tops(), self._own.folder.name
            raise UnknownName("module", entry.partition(":")[0], known, folder) from None
        except BaseException:
            self.drop()
            raise
        if not hasattr(module, class_name):
            classes = [n for n, value in vars(module).items() if isinstance(value, type)]
            raise UnknownName("class", class_name, classes, Path(str(module.__file__)).name)
        return getattr(module, class_name)

    def loaded(self) -> list[ModuleType]:
        """The modules of the process that lie in the game's folder, tests left out."""
        return [module for module in list(sys.modules.values()) if self._is_ours(module)]

    def drop(self) -> None:
        """Forget the game's modules, so that the next import reads the files again."""
        for name, module in list(sys.modules.items()):
            if self._is_ours(module):
                del sys.modules[name]
        self._recognised.clear()
        self._stash.clear()
        importlib.invalidate_caches()
        linecache.checkcache()

    @contextmanager
    def importable(self) -> Iterator[None]:
        """Let imports find the game's modules first, as they would if it were run by itself.

        Modules of the same names that belong to others, a test's helper or another game, are set
        aside meanwhile.
        """
        aside = self._set_strangers_aside()
        sys.modules.update(self._stash)
        sys.path.insert(0, self.import_root)
        sys.meta_path.insert(0, self._finder)
        try:
            yield
        finally:
            sys.meta_path.remove(self._finder)
            if self.import_root in sys.path:
                sys.path.remove(self.import_root)
            self._stash = _taken_out({_top(name) for name in aside})
            sys.modules.update(aside)

    def _set_strangers_aside(self) -> dict[str, ModuleType]:
        strangers = set()
        for top in self._tops():
            module = sys.modules.get(top)
            if module is None or self._recognised.get(top) is module:
                continue
            if self._is_ours(module):
                self._recognised[top] = module
            elif top not in sys.stdlib_module_names:
                strangers.add(top)
        return _taken_out(strangers)

    def _tops(self) -> list[str]:
        return [self.package] if self.package else self._own.tops()

    def _is_ours(self, module: ModuleType | None) -> bool:
        if getattr(module, "__name__", "") == "__main__":
            return False
        file = getattr(module, "__file__", None)
        places = [file] if isinstance(file, str) else list(getattr(module, "__path__", ()))
        return any(self._own.relative(str(place)) is not None for place in places)


def _top(name: str) -> str:
    return name.partition(".")[0]


def _taken_out(tops: set[str]) -> dict[str, ModuleType]:
    if not tops:
        return {}
    return {name: sys.modules.pop(name) for name in list(sys.modules) if _top(name) in tops}
