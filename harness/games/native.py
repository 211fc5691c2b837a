"""A native game in this process: loaded from its folder, played under its own random state."""

from __future__ import annotations

import os
import random
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from harness.errors import ConfigError, HarnessError, UnknownName, printable
from harness.games.adapter import (
    AdapterError,
    check_answers,
    check_methods,
    named,
    place_of,
)
from harness.games.ending import exits_told
from harness.games.files import OwnFiles
from harness.games.folder import CONFIG, GameFolder, read_folder
from harness.games.generators import Generators, seed_all, states
from harness.games.modules import GameModules
from harness.games.watch import GameHung
from harness.values.run import ErrorInfo

HEADLESS = {
    "SDL_VIDEODRIVER": "dummy",
    "SDL_AUDIODRIVER": "dummy",
    "PYGAME_HIDE_SUPPORT_PROMPT": "1",
}

MOST_UNRAISED = 10
_MOST_PLACES = 12
"""Lines of the game's own that an error is told with; a recursion has a thousand."""


class GameRaised(HarnessError):
    """The game's own code failed; ``info`` says what and where."""

    def __init__(self, info: ErrorInfo) -> None:
        self.info = info
        super().__init__(str(info))


class GameExit(HarnessError):
    """The game ended itself with ``status``, as a program would; ``info`` says what and where."""

    def __init__(self, status: int, info: ErrorInfo) -> None:
        self.status = status
        self.info = info
        super().__init__(self.told(""))

    def told(self, when: str) -> str:
        """Say it in words; ``when`` is a part of them."""
        info = self.info
        text = f": {info.message}" if info.message != str(self.status) else ""
        place = f" ({info.file}:{info.line})" if info.file else ""
        return f"the game ended itself with status {self.status}{when}{text}{place}"


class NativeGame:
    """One game of one folder, loaded. ``owner`` is whoever's state it is in."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.folder: GameFolder = read_folder(path)
        self.build = ""
        self.owner: object = None
        self.instance: Any = None
        self.notes: list[str] = []
        self.unraised: list[ErrorInfo] = []
        self.uses_numpy = False
        self.relieve: Callable[[], None] = _nothing
        """Called when memory ran out, before anything is told of it."""
        self._own = OwnFiles(path)
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

    @property
    def space(self) -> Any:
        """The game's pymunk space, or None."""
        return getattr(self.instance, "space", None)

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
                stack.enter_context(_headless())
                stack.enter_context(self._modules.importable())
                stack.enter_context(self._generators.swapped_in())
                stack.enter_context(self._caught_unraisable())
                stack.enter_context(exits_told())
                stack.enter_context(warnings.catch_warnings())
                # What is an error in somebody's tests must not change what the game does.
                warnings.simplefilter("default")
                yield
        finally:
            self._depth -= 1

    @contextmanager
    def guarded(self, frame: int) -> Iterator[None]:
        """Turn what the game's code raises into GameRaised or GameExit, for ``frame``."""
        try:
            yield
        except HarnessError:
            raise
        except SystemExit as error:
            raise GameExit(exit_status(error.code), self.error_info(error, frame)) from None
        except (Exception, GameHung) as error:
            if isinstance(error, MemoryError):
                self.relieve()
            raise GameRaised(self.error_info(error, frame)) from error
        if self.unraised:
            raise GameRaised(self.first_unraised(frame))

    def first_unraised(self, frame: int) -> ErrorInfo:
        """The first error that a callback swallowed, as of ``frame``."""
        info = self.unraised[0]
        self.unraised.clear()
        return ErrorInfo(info.type, info.message, frame, info.file, info.line, info.traceback)

    def error_info(self, error: BaseException, frame: int) -> ErrorInfo:
        """Tell an exception by the innermost place in the game's own files."""
        places = [
            (file, entry.lineno or 0, f"{entry.name}: {entry.line or ''}")
            for entry in traceback.extract_tb(error.__traceback__)
            if (file := self._own.relative(entry.filename)) is not None
        ]
        if isinstance(error, AdapterError) and self._place(error)[0]:
            file, line = self._place(error)
            places.append((file, line, str(error)))
        message = _exit_text(error) if isinstance(error, SystemExit) else _safe_text(error)
        if isinstance(error, SyntaxError):
            message = error.msg
            broken = self._own.relative(error.filename or "")
            if broken is not None:
                places.append((broken, error.lineno or 0, printable(error.text or "").strip()))
        file, line = places[-1][:2] if places else ("", 0)
        lines = [f"{file}:{line}: {text}" for file, line, text in places]
        if len(lines) > _MOST_PLACES:
            half = _MOST_PLACES // 2
            lines[half:-half] = [f"... {len(lines) - 2 * half} more"]
        kind = "Hung" if isinstance(error, GameHung) else type(error).__name__
        return ErrorInfo(kind, message, frame, file, line, tuple(lines))

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
            place = "{}:{}".format(*self._place(error)) if self._place(error)[0] else ""
            raise ConfigError(f"{place or self.folder.entry}: {error}") from None

    def _place(self, error: AdapterError) -> tuple[str, int]:
        """Where in the game's own files a method is that gave another shape."""
        file, line = place_of(error.method)
        return self._own.relative(file) or "", line

    def _calm_threads(self) -> None:
        space = self.space
        if space is not None and getattr(space, "threaded", False) and space.threads != 1:
            space.threads = 1
            self.notes.append(
                "Space(threaded=True) is run with one thread: more give other results each time"
            )

    @contextmanager
    def _caught_unraisable(self) -> Iterator[None]:
        before = sys.unraisablehook

        def keep(unraisable: Any) -> None:
            error = unraisable.exc_value
            info = self.error_info(error, 0) if error is not None else None
            if info is None or not (info.file or _from_pymunk(error)):
                before(unraisable)  # not the game's: somebody else's object, collected just now
            elif len(self.unraised) < MOST_UNRAISED:
                self.unraised.append(info)

        sys.unraisablehook = keep
        try:
            yield
        finally:
            sys.unraisablehook = before


def _nothing() -> None:
    pass


@contextmanager
def _headless() -> Iterator[None]:
    os.environ.update(HEADLESS)
    # Where it is installed, pygame imports it: 90 ms, and a warning under newer setuptools.
    blocked = "pkg_resources" not in sys.modules and "pygame" not in sys.modules
    if blocked:
        sys.modules["pkg_resources"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        if blocked and sys.modules.get("pkg_resources", False) is None:
            del sys.modules["pkg_resources"]


def exit_status(code: object) -> int:
    """The process status that ``sys.exit(code)`` would give."""
    if code is None:
        return 0
    return code if isinstance(code, int) else 1


def _exit_text(error: SystemExit) -> str:
    """What ``sys.exit(code)`` would print, else the status itself."""
    code = error.code
    return _safe_text(error) if isinstance(code, str) and code else str(exit_status(code))


def _names_numpy(module: ModuleType) -> bool:
    return any(
        isinstance(value, ModuleType) and value.__name__.partition(".")[0] == "numpy"
        for value in list(vars(module).values())
    )


def _from_pymunk(error: BaseException) -> bool:
    """Whether pymunk itself raised, calling a callback that does not fit."""
    modules = [
        frame.f_globals.get("__name__") for frame, _ in traceback.walk_tb(error.__traceback__)
    ]
    return bool(modules) and str(modules[-1]).partition(".")[0] == "pymunk"


def _safe_text(error: BaseException) -> str:
    try:
        return printable(str(error))
    except Exception:  # the game's own __str__ may fail too
        return "(its text cannot be shown)"
