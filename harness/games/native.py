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

from harness.contract import MOST_STATE_VALUES
from harness.errors import ConfigError, HarnessError
from harness.games.folder import Build, GameFolder, read_folder
from harness.games.modules import GameModules, is_inside
from harness.values.run import ErrorInfo

HEADLESS = {
    "SDL_VIDEODRIVER": "dummy",
    "SDL_AUDIODRIVER": "dummy",
    "PYGAME_HIDE_SUPPORT_PROMPT": "1",
}


MOST_UNRAISED = 10


class GameRaised(HarnessError):
    """The game's own code failed; ``info`` says what and where."""

    def __init__(self, info: ErrorInfo) -> None:
        self.info = info
        super().__init__(str(info))


class GameExit(HarnessError):
    """The game ended itself with ``status``, as a program would."""

    def __init__(self, status: int) -> None:
        self.status = status
        super().__init__(f"the game ended itself with status {status}")


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
        self._files = Build(path)
        self._modules = GameModules(path)
        self._random: object = None
        self._numpy: object = None
        self._depth = 0

    def refresh(self) -> bool:
        """Load the game, or load it again when its files have changed; says whether it did.

        Raises:
            GameRaised: its import failed.
            ConfigError: its harness.yaml or its class does not fit.
        """
        build = self._files.now()
        if build == self.build and self.instance is not None:
            return False
        self.folder = read_folder(self.path)
        if self.build:
            self._modules.drop()
        self.instance, self.owner, self.build = None, None, build
        with self.active(), self.guarded(0):
            self.instance = self._made()
        return True

    def reset(self, scene: str, seed: int) -> None:
        """Begin a scene; must be called while ``active``."""
        random.seed(seed)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(seed)
        self.unraised.clear()
        self.notes.clear()
        with self.guarded(0):
            self.instance.reset(scene, seed)
            self._calm_threads()
        self._check_state()
        self.uses_numpy = any(_names_numpy(module) for module in self._modules.loaded())

    @property
    def space(self) -> Any:
        """The game's pymunk space, or None."""
        return getattr(self.instance, "space", None)

    def names(self) -> dict[str, Any]:
        """The names that the game adds to expressions."""
        names = getattr(self.instance, "names", None)
        return dict(names()) if callable(names) else {}

    def random_states(self) -> list[Any]:
        """The state of each generator that the game can reach: Python's, numpy's, its own."""
        states: list[Any] = [random.getstate()]
        rng = getattr(self.instance, "rng", None)
        if isinstance(rng, random.Random):
            states.append(rng.getstate())
        if self.uses_numpy:
            kind, keys, *rest = sys.modules["numpy"].random.get_state()
            states.append([kind, keys.tolist(), *map(float, rest)])
        return states

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
                stack.enter_context(self._own_random())
                stack.enter_context(self._caught_unraisable())
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
            raise GameExit(exit_status(error.code)) from None
        except Exception as error:
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
        summary = traceback.extract_tb(error.__traceback__)
        ours = [entry for entry in summary if is_inside(entry.filename, self.path)]
        places = [(self._relative(e.filename), e.lineno or 0, e.name, e.line or "") for e in ours]
        if (
            isinstance(error, SyntaxError)
            and error.filename
            and is_inside(error.filename, self.path)
        ):
            places.append(
                (self._relative(error.filename), error.lineno or 0, "", (error.text or "").strip())
            )
        file, line = places[-1][:2] if places else ("", 0)
        lines = tuple(
            f"{f}:{n}: {name}: {text}" if name else f"{f}:{n}: {text}"
            for f, n, name, text in places
        )
        message = error.msg if isinstance(error, SyntaxError) else _safe_text(error)
        return ErrorInfo(type(error).__name__, message, frame, file, line, lines)

    def _relative(self, file: str) -> str:
        return Path(file).resolve().relative_to(self.path).as_posix()

    def _made(self) -> Any:
        try:
            factory: Callable[[], Any] = self._modules.load(self.folder.entry)
        except AttributeError as error:
            if is_inside(_last_file(error), self.path):
                raise
            raise ConfigError(f"{self.path / 'harness.yaml'}: entry: {error}") from None
        except ModuleNotFoundError as error:
            wanted = self.folder.entry.partition(":")[0].split(".")[-1]
            if (error.name or "").split(".")[-1] != wanted:
                raise
            raise ConfigError(
                f"{self.path / 'harness.yaml'}: entry: no module {wanted!r} in {self.path}"
            ) from None
        game = factory()
        missing = [
            n
            for n in ("reset", "step", "state", "entities")
            if not callable(getattr(game, n, None))
        ]
        if missing:
            raise ConfigError(f"{self.folder.entry} is no game: it has no {', no '.join(missing)}")
        return game

    def _check_state(self) -> None:
        with self.guarded(0):
            state = self.instance.state()
        if not isinstance(state, tuple):
            raise ConfigError(
                f"{self.folder.entry}: state() must give a tuple, not {type(state).__name__}"
            )
        if len(state) > MOST_STATE_VALUES:
            raise ConfigError(
                f"{self.folder.entry}: state() gives {len(state)} values, and at most"
                f" {MOST_STATE_VALUES} are hashed each frame; what entities hold is hashed at marks"
            )

    def _calm_threads(self) -> None:
        space = self.space
        if space is not None and getattr(space, "threaded", False) and space.threads != 1:
            space.threads = 1
            self.notes.append(
                "Space(threaded=True) is run with one thread: more give other results each time"
            )

    @contextmanager
    def _own_random(self) -> Iterator[None]:
        theirs = random.getstate()
        numpy = sys.modules.get("numpy")
        their_numpy = numpy.random.get_state() if numpy else None
        if self._random is not None:
            random.setstate(self._random)  # type: ignore[arg-type]
        if numpy and self._numpy is not None:
            numpy.random.set_state(self._numpy)
        try:
            yield
        finally:
            self._random = random.getstate()
            random.setstate(theirs)
            if numpy:
                self._numpy = numpy.random.get_state()
                numpy.random.set_state(their_numpy)

    @contextmanager
    def _caught_unraisable(self) -> Iterator[None]:
        before = sys.unraisablehook

        def keep(unraisable: Any) -> None:
            error = unraisable.exc_value
            info = self.error_info(error, 0) if error is not None else None
            if info is None or not info.file:
                before(unraisable)  # not the game's: somebody else's object, collected just now
            elif len(self.unraised) < MOST_UNRAISED:
                self.unraised.append(info)

        sys.unraisablehook = keep
        try:
            yield
        finally:
            sys.unraisablehook = before


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


def _names_numpy(module: ModuleType) -> bool:
    return any(
        isinstance(value, ModuleType) and value.__name__.partition(".")[0] == "numpy"
        for value in list(vars(module).values())
    )


def _last_file(error: BaseException) -> str:
    entries = traceback.extract_tb(error.__traceback__)
    return entries[-1].filename if entries else ""


def _safe_text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # the game's own __str__ may fail too
        return "(its text cannot be shown)"
