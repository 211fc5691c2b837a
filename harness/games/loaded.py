"""What every loaded game is to those above it, and how its errors are told."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from harness.errors import HarnessError, printable
from harness.games.files import OwnFiles
from harness.games.folder import GameFolder
from harness.games.found import Discovery, Found
from harness.games.watch import GameHung
from harness.values.run import ErrorInfo

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


class LoadedGame:
    """One game, loaded. ``owner`` is whoever's state it is in.

    ``instance`` is what is stepped: it has ``step(inputs)``, ``state()`` and ``entities()``, and
    may have ``draw`` and ``view``.
    """

    declared = True
    """Whether the game declares its entities: they are hashed, and names are bound as they come."""

    state_names: tuple[str, ...] = ()
    """What the values of ``state()`` are called, where it is not the game that gives them."""

    def __init__(self, path: Path, folder: GameFolder) -> None:
        self.path = path
        self.folder = folder
        self.build = ""
        self.owner: object = None
        self.instance: Any = None
        self.notes: list[str] = []
        self.discovery: Discovery | None = None
        self.unraised: list[ErrorInfo] = []
        self.relieve: Callable[[], None] = _nothing
        """Called when memory ran out, before anything is told of it."""
        self.home: Path | None = None
        """Where the game may write, if it has a folder of its own for that."""
        self._own = OwnFiles(folder.own)

    def refresh(self) -> bool:
        """Load the game, or load it again when its files have changed; says whether it did.

        Raises:
            GameRaised: its import failed.
            ConfigError: its harness.yaml or its class does not fit.
        """
        raise NotImplementedError

    def reset(self, scene: str, seed: int) -> None:
        """Begin a scene; must be called while ``active``."""
        raise NotImplementedError

    def active(self) -> AbstractContextManager[None]:
        """Swap the process over to the game: its random state, imports and error hook."""
        raise NotImplementedError

    @property
    def space(self) -> Any:
        """The game's pymunk space, or None."""
        return getattr(self.instance, "space", None)

    def spaces(self) -> tuple[Any, ...]:
        """The spaces whose bodies are part of a frame's hash."""
        space = getattr(self.instance, "space", None)
        return (space,) if space is not None else ()

    def names(self) -> dict[str, Any]:
        """The names that the game adds to expressions."""
        return {}

    def namespace(self, elsewhere: Callable[[str], Any]) -> dict[str, Any]:
        """What expressions are evaluated in, before anything is added to it.

        ``elsewhere`` gives the one entity of a name, or raises KeyError.
        """
        return {}

    def assign(self, name: str, value: Any) -> bool:
        """Set a bare name, where a game has such names; says whether it has.

        Raises:
            ArgumentError: it has that name, and it cannot be set.
        """
        return False

    def known(self) -> dict[str, Any]:
        """What of the namespace is worth telling."""
        return {}

    def modules(self) -> list[ModuleType]:
        """The game's own modules, as far as they are loaded."""
        return []

    def random_states(self) -> list[Any]:
        """The state of each generator that the game can reach."""
        return []

    def discovered(self) -> Discovery:
        """What is found in a game that declares no entities; the same until it moves on."""
        if self.discovery is None:
            self.discovery = self.discover()
        return self.discovery

    def discover(self) -> Discovery:
        """Look for the things of a game that declares none."""
        return Discovery()

    def forget(self) -> None:
        """Let go of what was found: a thing that somebody saw must not live any longer for it."""
        self.discovery = None

    def followed(self, known: Found) -> Any:
        """What is now where a thing was found before; None where it is no longer that."""
        return None

    def shareable(self) -> frozenset[int]:
        """Open descriptors that forks of this process may share."""
        return frozenset()

    def surface(self) -> Any:
        """What the window of a program shows, a surface; None while it has none."""
        return None

    def picture(self) -> bytes:
        """What is on the screen, where that is part of the game's state."""
        return b""

    def numbers(self) -> dict[str, Any]:
        """The names of a program that are numbers."""
        return {}

    def seen(self) -> Any:
        """What can be seen of a program beside its state, to be compared: picture and numbers."""
        return None

    def seconds(self, frame: int) -> float:
        """The game's time at the present ``frame``."""
        return frame / self.folder.tick_rate

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
            if (file := self.relative(entry.filename)) is not None
        ]
        blamed = self.blamed(error)
        if blamed is not None:
            places.append((*blamed, str(error)))
        message = _exit_text(error) if isinstance(error, SystemExit) else _safe_text(error)
        if isinstance(error, SyntaxError):
            message = error.msg
            broken = self.relative(error.filename or "")
            if broken is not None:
                places.append((broken, error.lineno or 0, printable(error.text or "").strip()))
        file, line = places[-1][:2] if places else ("", 0)
        message = self.for_user(message)
        lines = [f"{file}:{line}: {self.for_user(text)}" for file, line, text in places]
        if len(lines) > _MOST_PLACES:
            half = _MOST_PLACES // 2
            lines[half:-half] = [f"... {len(lines) - 2 * half} more"]
        kind = "Hung" if isinstance(error, GameHung) else type(error).__name__
        return ErrorInfo(kind, message, frame, file, line, tuple(lines))

    def relative(self, file: str) -> str | None:
        """One of the game's own files, as a traceback names it, seen from its folder."""
        return self._own.relative(file)

    def for_user(self, text: str) -> str:
        """A text of the game's, with the user's own paths in place of those that it runs in."""
        return text

    def blamed(self, error: BaseException) -> tuple[str, int] | None:
        """The game's file and line that an error is about, where none of its code was running."""
        return None

    @contextmanager
    def caught_unraisable(self) -> Iterator[None]:
        """Keep the errors that the game's callbacks swallow."""
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


def exit_status(code: object) -> int:
    """The process status that ``sys.exit(code)`` would give."""
    if code is None:
        return 0
    return code if isinstance(code, int) else 1


def _exit_text(error: SystemExit) -> str:
    """What ``sys.exit(code)`` would print, else the status itself."""
    code = error.code
    return _safe_text(error) if isinstance(code, str) and code else str(exit_status(code))


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
