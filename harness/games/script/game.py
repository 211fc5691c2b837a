"""A script game in this process: a program that is stepped from one picture to the next."""

from __future__ import annotations

import os
import random
import shutil
import sys
import tempfile
import warnings
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from zlib import crc32

from harness.errors import ConfigError, MissingDependency
from harness.games.folder import GameFolder, read_folder
from harness.games.found import Discovery, Found
from harness.games.headless import at_home, headless
from harness.games.loaded import GameRaised, LoadedGame
from harness.games.script.discovery import discover, followed
from harness.games.script.entry import Entry, Workplace
from harness.games.script.interposed import Interposed
from harness.games.script.loops import pipes
from harness.games.script.missing import why
from harness.games.script.names import Namespace, Stack
from harness.games.script.program import Program
from harness.games.script.runtime import SECOND, Runtime
from harness.games.script.scopes import Scopes, live_scopes
from harness.games.script.sources import read_sources
from harness.games.watch import GameHung
from harness.values.inputs import InputFrame
from harness.values.run import ErrorInfo

_COMMON = frozenset(("asyncio", "numpy"))


class ScriptGame(LoadedGame):
    """One program. It is begun anew at each reset, and stepped by letting it run for a frame."""

    declared = False
    state_names = ("the program's clock, in ns", "the state of random")

    def __init__(self, path: Path, folder: GameFolder, script: Path) -> None:
        super().__init__(path, folder)
        self._script = script
        self._runtime = Runtime(folder.tick_rate)
        self._interposed: Interposed | None = None
        self._entry: Entry | None = None
        self._program: Program | None = None
        self._stack: Stack | None = None
        self._there = ""
        self._depth = self._frame = 0
        self._made: Path | None = None

    def refresh(self) -> bool:
        """Read the program's files again when they have changed; says whether they have."""
        build = self._own.build()
        if build == self.build and self.instance is not None:
            return False
        self.folder = read_folder(self.path)
        if self._interposed is None:
            with headless():
                self._interposed = self._interpose()
        self._interposed.folders.share(self._own.folder, self.home, build)
        self.owner, self.build, self.instance = None, build, self
        return True

    def _interpose(self) -> Interposed:
        try:
            import pygame  # noqa: F401
        except ImportError:
            raise MissingDependency("pygame", "playing a program", "pygame") from None
        if read_sources(self._script).zero and find_spec("pgzero") is None:
            raise ConfigError(
                f"{self._script.name} is for pygame-zero, which is not installed\n"
                "  pip install pgzero"
            )
        interposed = Interposed(self._runtime, self.folder.pads)
        interposed.install()
        # Here, so that forks find them loaded; others are the program's own to import.
        for name in sorted(read_sources(self._script).imports & _COMMON):
            with suppress(ImportError):
                import_module(name)
        return interposed

    def reset(self, scene: str, seed: int) -> None:
        """Begin the program anew, up to its first picture."""
        interposed = self._interposed
        assert interposed is not None
        self._end_the_last()
        self.unraised.clear()
        self.notes.clear()
        interposed.outside.lines = self.folder.stdin
        interposed.begin(seed)
        interposed.devices.buttons = self.folder.vocabulary.buttons
        own = self._own.folder
        copy = interposed.folders.settle(own, self.home, self.build)
        self._entry = entry = Entry(self._script, Workplace(own, copy))
        entry.arguments = self.folder.arguments
        modules = {**interposed.times.modules, **entry.prepare()}
        self._program = Program(self._runtime, entry.run, modules)
        interposed.exits.leave = self._program.leave
        self._frame = 0
        with self.guarded(0):
            self._go_on()
        surface = self.surface()
        if surface is not None:
            self.folder = replace(self.folder, size=surface.get_size())

    def _end_the_last(self) -> None:
        if self._program is None or self._entry is None:
            return
        import pygame

        self._program.stop()
        self._entry.clear()
        self._program = self._entry = None
        pygame.quit()

    def step(self, inputs: InputFrame) -> None:
        """Post what the input changes, and let the program run to the end of a frame."""
        assert self._interposed is not None
        self._interposed.devices.play(inputs)
        self._frame += 1
        self._go_on()

    def _go_on(self) -> None:
        program, interposed = self._program, self._interposed
        assert program is not None
        assert interposed is not None
        interposed.spaces.fresh_frame()
        self.forget()
        program.resume()
        if program.ended is None:
            interposed.exits.check()
        self.notes[:] = self._runtime.notes
        ended = program.ended
        if ended is not None and not isinstance(ended, Exception | SystemExit | GameHung):
            # Such as KeyboardInterrupt: it is the program's, and nobody's who drives it.
            raise GameRaised(self.error_info(ended, self._frame)) from ended
        if ended is not None:
            raise ended

    def error_info(self, error: BaseException, frame: int) -> ErrorInfo:
        """Tell an exception as ever, and why something is missing."""
        info = super().error_info(error, frame)
        reason = why(error)
        if reason is None:
            return info
        return replace(info, message=f"{info.message.rstrip('. ')}; {self.for_user(reason)}")

    # what the driver and those above it ask

    def state(self) -> tuple[Any, ...]:
        """The virtual clock, and a checksum of Python's generator."""
        return self._runtime.now, hash(random.getstate()[1]) & 0xFFFFFFFF

    def entities(self) -> tuple[Any, ...]:
        """None are declared."""
        return ()

    def discover(self) -> Discovery:
        """What is found from the program's own names, as it stands now."""
        surface = self.surface()
        size = surface.get_size() if surface is not None else None
        return discover(self._scopes(), self._owns, size)

    def forget(self) -> None:
        """Let go of what was found, and of where the program stood."""
        super().forget()
        self._stack = None

    def followed(self, known: Found) -> Any:
        """What is now where a thing was found before."""
        return followed(known, self._scopes(), self._owns)

    def _scopes(self) -> Scopes:
        stack = self.stack()
        return live_scopes(stack.frames, vars(stack.modules[0]), stack.modules)

    def _owns(self, file: str) -> bool:
        return self._entry is not None and self._entry.is_own(file)

    @property
    def space(self) -> Any:
        """The space that was stepped last."""
        return self._interposed.spaces.last if self._interposed is not None else None

    def spaces(self) -> tuple[Any, ...]:
        """The spaces that were stepped in this frame."""
        return self._interposed.spaces.stepped if self._interposed is not None else ()

    def namespace(self, elsewhere: Callable[[str], Any] | None = None) -> Namespace:
        """The program's own names, as they are at each moment; else its entities."""
        return Namespace(self.stack, elsewhere)

    def assign(self, name: str, value: Any) -> bool:
        """Set an attribute of a `self` on the stack, or a global.

        Raises:
            ArgumentError: it is a local, which nothing from outside can set.
        """
        return self.stack().assign(name, value)

    def known(self) -> dict[str, Any]:
        """The program's own names as they are now, functions and classes left out."""
        return self.namespace().there()

    def stack(self) -> Stack:
        """Where the program stands."""
        if self._stack is None:
            assert self._entry is not None
            assert self._program is not None
            self._stack = Stack(self._program.frame, self._entry.main, self._entry.is_own)
        return self._stack

    def names(self) -> dict[str, Any]:
        """None are added: they are looked up where they are."""
        return {}

    def random_states(self) -> list[Any]:
        """The state of each generator that the program shares."""
        return self._interposed.randomness.states() if self._interposed is not None else []

    def shareable(self) -> frozenset[int]:
        """Those by which event loops wake themselves."""
        return pipes(self._interposed.times.loops) if self._interposed is not None else frozenset()

    def surface(self) -> Any:
        """What the program's window shows; None while it has none."""
        return self._interposed.display.picture() if self._interposed is not None else None

    def picture(self) -> bytes:
        """A checksum of what the window shows."""
        surface = self.surface()
        if surface is None:
            return b""
        pixels = sys.modules["pygame"].image.tobytes(surface, "RGB")
        return repr((surface.get_size(), crc32(pixels))).encode()

    def seen(self) -> Any:
        """What the window shows, and the numbers that have names."""
        return self.picture(), self.numbers()

    def numbers(self) -> dict[str, Any]:
        """The program's names that are numbers."""
        return {n: value for n, value in self.known().items() if type(value) in (int, float, bool)}

    def seconds(self, frame: int) -> float:
        """The program's own clock."""
        return self._runtime.now / SECOND

    def relative(self, file: str) -> str | None:
        """One of the program's files, also one that it names from where it runs."""
        place = self._entry.place if self._entry is not None else None
        return super().relative(place.user_file(file) if place is not None and file else file)

    def for_user(self, text: str) -> str:
        """A text of the program's, with the user's folders in place of those of its run."""
        told = self._entry.place.for_user(text) if self._entry is not None else text
        return told if self.home is None else told.replace(str(self.home), "~")

    def _find_home(self) -> None:
        """Make a folder that the program may write to, where none was given."""
        if self.home is None:
            prefix = f"playtest-{os.getpid():010d}-"
            self.home = self._made = Path(tempfile.mkdtemp(prefix=prefix)).resolve()
            weakref.finalize(self, _removed, self.home, os.getpid())

    @contextmanager
    def active(self) -> Iterator[None]:
        """Swap the process over to the program."""
        if self._depth:
            yield
            return
        self._depth += 1
        self._find_home()
        here = os.getcwd()
        if self._there:
            os.chdir(self._there)
        try:
            with ExitStack() as stack:
                stack.enter_context(headless())
                if self._made is not None:
                    stack.enter_context(at_home(self._made))
                stack.enter_context(self.caught_unraisable())
                stack.enter_context(warnings.catch_warnings())
                yield
        finally:
            self._depth -= 1
            with suppress(OSError):  # the program may have removed it
                self._there = os.getcwd()
            if self._interposed is not None:
                self._there = self._interposed.folders.seen(self._there)
            os.chdir(here)


def _removed(home: Path, process: int) -> None:
    if os.getpid() == process:  # and not a fork of the program's
        shutil.rmtree(home, ignore_errors=True)
