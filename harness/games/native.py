"""A native game in this process: loaded from its folder, played under its own random state."""

from __future__ import annotations

import random
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from harness.errors import ConfigError, UnknownName
from harness.games.adapter import (
    AdapterError,
    check_answers,
    check_methods,
    named,
    place_of,
)
from harness.games.ending import exits_told
from harness.games.folder import CONFIG, read_folder
from harness.games.generators import Generators, seed_all, states
from harness.games.headless import headless
from harness.games.loaded import GameExit as GameExit
from harness.games.loaded import GameRaised as GameRaised
from harness.games.loaded import LoadedGame
from harness.games.modules import GameModules


class NativeGame(LoadedGame):
    """One game of one folder, loaded. ``owner`` is whoever's state it is in."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, read_folder(path))
        self.uses_numpy = False
        self._modules = GameModules(self._own)
        self._generators = Generators()
        self._depth = 0

    def refresh(self) -> bool:
        """Load the game, or load it again when its files have changed; says whether it did.

        Raises:
            GameRaised: its import failed.
            ConfigError: its harness.yaml or its class does not fit.
        """
        build = self._own.build()
        if build == self.build and self.instance is not None:
            return False
        self.folder = read_folder(self.path)
        if self.build:
            self._modules.drop()
        self.instance, self.owner, self.build = None, None, build
        with self.active(), self.guarded(0):
            seed_all(0)  # what an import draws must not depend on what ran before
            self.instance = self._made()
        return True

    def reset(self, scene: str, seed: int) -> None:
        """Begin a scene; must be called while ``active``."""
        seed_all(seed)
        self.unraised.clear()
        self.notes.clear()
        with self.guarded(0):
            self.instance.reset(scene, seed)
            self._calm_threads()
            self._fits(check_answers, self.instance)
        self.uses_numpy = "numpy" in sys.modules and any(
            _names_numpy(module) for module in self._modules.loaded()
        )

    def modules(self) -> list[ModuleType]:
        """The game's own modules, as far as they are loaded."""
        return self._modules.loaded()

    def names(self) -> dict[str, Any]:
        """The names that the game adds to expressions."""
        return named(self.instance)

    def random_states(self) -> list[Any]:
        """The state of each generator that the game can reach: Python's, numpy's, its own."""
        python, numpy = states()
        found: list[Any] = [python]
        rng = getattr(self.instance, "rng", None)
        if isinstance(rng, random.Random):
            found.append(rng.getstate())
        if self.uses_numpy and numpy is not None:
            kind, keys, *rest = numpy
            found.append([kind, keys.tolist(), *map(float, rest)])
        return found

    @contextmanager
    def active(self) -> Iterator[None]:
        """Swap the process over to the game: its random state, imports and error hook."""
        if self._depth:
            yield
            return
        self._depth += 1
        try:
            with ExitStack() as stack:
                stack.enter_context(headless())
                stack.enter_context(self._modules.importable())
                stack.enter_context(self._generators.swapped_in())
                stack.enter_context(self.caught_unraisable())
                stack.enter_context(exits_told())
                stack.enter_context(warnings.catch_warnings())
                # What is an error in somebody's tests must not change what the game does.
                warnings.simplefilter("default")
                yield
        finally:
            self._depth -= 1

    def _made(self) -> Any:
        entry = self.folder.entry
        try:
            factory: Callable[[], Any] = self._modules.load(entry)
        except UnknownName as error:
            raise ConfigError(f"{self.path / CONFIG}: entry: {error}") from None
        if not callable(factory):
            raise ConfigError(f"{self.path / CONFIG}: entry: {entry} is no class")
        game = factory()
        self._fits(check_methods, game, entry)
        return game

    def _fits(self, check: Callable[..., None], *args: Any) -> None:
        try:
            check(*args)
        except AdapterError as error:
            blamed = self.blamed(error)
            place = f"{blamed[0]}:{blamed[1]}" if blamed is not None else ""
            raise ConfigError(f"{place or self.folder.entry}: {error}") from None

    def blamed(self, error: BaseException) -> tuple[str, int] | None:
        """Where a method of the adapter is that gave another shape than it must."""
        if not isinstance(error, AdapterError):
            return None
        file, line = place_of(error.method)
        own = self._own.relative(file)
        return (own, line) if own else None

    def _calm_threads(self) -> None:
        space = self.space
        if space is not None and getattr(space, "threaded", False) and space.threads != 1:
            space.threads = 1
            self.notes.append(
                "Space(threaded=True) is run with one thread: more give other results each time"
            )


def _names_numpy(module: ModuleType) -> bool:
    return any(
        isinstance(value, ModuleType) and value.__name__.partition(".")[0] == "numpy"
        for value in list(vars(module).values())
    )
