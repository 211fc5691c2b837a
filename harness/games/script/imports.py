"""What is to be done to a module as soon as a program imports it, since nobody else needs it."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from harness.games.script.runtime import Patches

After = Callable[[Any, Patches], None]


def _nothing() -> None:
    pass


class Imports:
    """Acts on modules: at once where they are loaded, else when they come to be."""

    def __init__(self) -> None:
        self._known: dict[str, list[tuple[After, Callable[[], None]]]] = {}
        self._looking: set[str] = set()
        self._patches = Patches()

    def when(self, name: str, after: After, before: Callable[[], None] = _nothing) -> None:
        """Have ``after`` done to the module of that name, before the program sees it.

        ``before`` is called when it is about to be loaded, and not where it is loaded already.
        """
        self._known.setdefault(name, []).append((after, before))

    def install(self, patches: Patches) -> None:
        """Act on what is loaded, and look out for the rest."""
        self._patches = patches
        for name in self._known:
            module = sys.modules.get(name)
            if isinstance(module, ModuleType):
                self.loaded(module, name)
        # Replaced as any attribute is, so that it is undone with them.
        patches.put(sys, "meta_path", [self, *sys.meta_path])

    def begin(self) -> None:
        """Nothing is kept."""

    def loading(self, name: str) -> None:
        """Note that a module is about to be loaded."""
        for _, before in self._known[name]:
            before()

    def loaded(self, module: ModuleType, name: str) -> None:
        """Do what is to be done to a module."""
        for after, _ in self._known[name]:
            after(module, self._patches)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module as ever, with a loader that acts on it once it is loaded."""
        if name not in self._known or name in self._looking:
            return None
        self._looking.add(name)
        try:
            spec = importlib.util.find_spec(name)
        except (ImportError, ValueError):
            return None
        finally:
            self._looking.discard(name)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, self)  # type: ignore[assignment]
        return spec


class _Loader:
    """A loader, with what is done before and after it."""

    def __init__(self, loader: Any, imports: Imports) -> None:
        self._loader = loader
        self._imports = imports

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        module: ModuleType | None = self._loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        self._imports.loading(module.__name__)
        self._loader.exec_module(module)
        self._imports.loaded(module, module.__name__)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)
