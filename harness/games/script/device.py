"""The real mixer on no device, which decodes sounds and never plays one."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from typing import Any

from harness.games.script.runtime import Patches

_BUFFER = 64
"""Samples at a time: closing waits until two buffers would have been played."""

_ARGUMENTS = ("frequency", "size", "channels", "buffer", "devicename", "allowedchanges")

_FLOAT = 32


class Device:
    """pygame's own mixer, opened when something is to be decoded.

    It has a thread, which a forked process has not; so it is closed before each fork, and opened
    again by whoever needs it next.
    """

    def __init__(self) -> None:
        self._format: dict[str, int] = {}
        self._init: Callable[..., Any] = _nothing
        self._quit: Callable[[], Any] = _nothing
        self._get_init: Callable[[], Any] = _nothing
        self._clear: Callable[..., Any] = _nothing

    def install(self, mixer: Any, patches: Patches) -> None:
        """Take the real functions, which others replace."""
        self._init = patches.original(mixer, "init")
        self._quit = patches.original(mixer, "quit")
        self._get_init = patches.original(mixer, "get_init")
        import pygame

        self._clear = patches.original(pygame.event, "clear")
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(before=self.close)

    def start(self, *args: Any, **keywords: Any) -> tuple[int, int, int]:
        """Open it as a program wants it; gives the frequency, format and channels it has."""
        self.close()
        wanted = {**dict(zip(_ARGUMENTS, args, strict=False)), **keywords, "buffer": _BUFFER}
        wanted.pop("devicename", None)
        self._init(*args[len(_ARGUMENTS) :], **wanted)
        self._hush()
        found: tuple[int, int, int] = self._get_init()
        # It calls floating point -32, and wants it called 32.
        size = abs(found[1]) if abs(found[1]) == _FLOAT else found[1]
        self._format = {"frequency": found[0], "size": size, "channels": found[2]}
        return found

    def open(self) -> None:
        """Open it again, as it was, if it was closed."""
        if self._format and self._get_init() is None:
            self._init(**self._format, buffer=_BUFFER)
            self._hush()

    def _hush(self) -> None:
        """Take the events of audio devices that have come: it is opened when we want it."""
        import pygame

        with contextlib.suppress(pygame.error):  # there is no display yet, and nobody looks
            self._clear((pygame.AUDIODEVICEADDED, pygame.AUDIODEVICEREMOVED), pump=False)

    def close(self) -> None:
        """Close it for now."""
        if self._get_init() is not None:
            self._quit()

    def stop(self) -> None:
        """Close it for good."""
        self._format.clear()
        self.close()


def _nothing(*_: Any, **__: Any) -> Any:
    return None
