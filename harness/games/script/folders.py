"""Where a program runs: a copy of its folder, one that it shares until it writes.

Copying takes longer than most runs. So all runs of a build look at one copy, through a link in
their own write folder; before a program writes into it, the link gives way to a copy of its own.
What it is told of paths is always that one link, which means the same in every process of a run.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from harness.games.script.imports import Imports
from harness.games.script.runtime import Patches, Runtime
from harness.games.script.scratch import copied

SHARED = "files"
"""The copy that all look at, beside the write folders."""

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

_CHANGES = frozenset(
    (
        "os.mkdir",
        "os.remove",
        "os.rename",
        "os.rmdir",
        "os.link",
        "os.symlink",
        "os.truncate",
        "os.chmod",
        "os.chown",
        "os.utime",
        "sqlite3.connect",
    )
)
"""Audit events of what changes a file or a folder, each with the paths first."""


_STARTS = frozenset(("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn"))
"""Audit events of other programs, which may write wherever this one does."""


class Folders:
    """The folder that a program runs in, and the order in which folders are listed."""

    def __init__(self, runtime: Runtime, imports: Imports) -> None:
        self._runtime = runtime
        self._home: Path | None = None
        self._link = Path()
        self._shared: Path | None = None
        self._audits = False
        self._real: dict[str, Callable[..., Any]] = {}

    def install(self, patches: Patches) -> None:
        """Replace what lists folders, what says where one is, and what writes pictures."""
        import pygame

        for owner, name, value in (
            (os, "listdir", self._listdir),
            (os, "scandir", self._scandir),
            (os, "getcwd", lambda: self._told("getcwd")),
            (os, "getcwdb", lambda: os.fsencode(os.getcwd())),
            (os.path, "realpath", lambda *given, **how: self._told("realpath", *given, **how)),
        ):
            self._real[name] = patches.original(owner, name)
            patches.put(owner, name, value)
        for name in ("save", "save_extended"):  # of which Python is told nothing
            patches.put(pygame.image, name, self._saving(patches.original(pygame.image, name)))

    def begin(self) -> None:
        """Nothing is kept but the copy."""

    def share(self, own: Path, home: Path | None, build: str) -> None:
        """Make the copy that all runs of a build look at; those who come later find it made.

        Raises:
            ConfigError: the folder cannot be copied.
        """
        if home is not None and home.is_symlink():
            self._shared_copy(own, home, build)

    def _shared_copy(self, own: Path, home: Path, build: str) -> Path:
        shared = home.parent / SHARED / build / _name(own)
        return shared if shared.is_dir() else copied(own, shared)

    def settle(self, own: Path, home: Path | None, build: str) -> Path:
        """Have a fresh copy of a program's folder in ``home``; gives where the program finds it.

        Without a home, which is where it may write, it is the program's own folder.

        Raises:
            ConfigError: the folder cannot be copied.
        """
        again = self._home is not None
        self._home, self._shared = home, None
        if home is None:
            return own
        if again:  # an earlier run of this process has written there
            _empty(home)
        self._link = home / _name(own)
        if not home.is_symlink():  # no other process will ever look at it
            return copied(own, self._link)
        shared = self._shared_copy(own, home, build)
        self._link.symlink_to(shared, target_is_directory=True)
        self._shared = shared
        self._audit()
        return self._link

    def seen(self, path: str) -> str:
        """A path as the program is told of it, which leads to the same in every process."""
        places = [] if self._home is None else [(self._real["realpath"](self._home), self._home)]
        if self._shared is not None:
            places.append((str(self._shared), self._link))
        for place, told in places:
            if path == place or path.startswith(place + os.sep):
                return str(told) + path[len(place) :]
        return path

    # writing

    def _audit(self) -> None:
        if not self._audits:
            self._audits = True
            sys.addaudithook(self._heard)

    def _heard(self, event: str, given: tuple[Any, ...]) -> None:
        if self._shared is None or not self._runtime.playing:
            return
        if event in _STARTS:
            self.part()
        elif event == "open":
            flags = given[2]
            if isinstance(flags, int) and flags & _WRITES:
                self._writes(given[0])
        elif event in _CHANGES:
            for path in given[:2]:
                self._writes(path)

    def part(self) -> None:
        """Have a copy of one's own before another process may write in the shared one."""
        if self._shared is not None:
            self._part(str(self._link))

    def _writes(self, path: Any) -> None:
        """Have a copy of one's own before a file in the shared one is written."""
        if self._shared is None or not isinstance(path, str | bytes | os.PathLike):
            return
        link = str(self._link)
        if os.path.abspath(os.fsdecode(path)).startswith(link + os.sep):
            self._part(link)

    def _part(self, link: str) -> None:
        shared, self._shared = self._shared, None
        assert shared is not None
        here = self._real["getcwd"]()
        inside = os.path.relpath(here, shared) if Path(here).is_relative_to(shared) else None
        made = f"{link}.part"
        copied(shared, Path(made))
        os.unlink(link)
        os.rename(made, link)
        if inside is not None:
            os.chdir(os.path.join(link, inside))

    def _saving(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def save(surface: Any, file: Any, *more: Any) -> Any:
            if self._runtime.playing:
                self._writes(file)
            return real(surface, file, *more)

        return save

    # what the program is told

    def _told(self, name: str, *given: Any, **how: Any) -> Any:
        found = self._real[name](*given, **how)
        if not self._runtime.playing:
            return found
        if isinstance(found, bytes):
            return os.fsencode(self.seen(os.fsdecode(found)))
        return self.seen(found)

    def _listdir(self, path: Any = None) -> Any:
        return sorted(self._real["listdir"](path))

    def _scandir(self, path: Any = None) -> Any:
        entries = self._real["scandir"](path)
        return _Sorted(entries) if self._runtime.playing else entries


class _Sorted:
    """What ``os.scandir`` gives, by name."""

    def __init__(self, entries: Any) -> None:
        with entries:
            self._entries: Iterator[Any] = iter(sorted(entries, key=lambda entry: entry.name))

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return next(self._entries)

    def close(self) -> None:
        """Give no more."""
        self._entries = iter(())

    def __enter__(self) -> _Sorted:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _name(own: Path) -> str:
    return own.name or "game"


def _empty(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink()
