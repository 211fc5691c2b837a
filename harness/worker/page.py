"""A page of memory that a play and its processes share: heartbeats, and wishes to stop."""

from __future__ import annotations

import mmap
from pathlib import Path

from harness.driver.driver import CANCEL, FRAME

SLOTS = 256
_WORDS = 2
_WORD = 8


class Page:
    """Each slot is the beat of the one process that plays there, as a driver keeps it."""

    def __init__(self, file: Path) -> None:
        with open(file, "r+b") as handle:
            self._map = mmap.mmap(handle.fileno(), SLOTS * _WORDS * _WORD)
        self._words = memoryview(self._map).cast("q")

    @staticmethod
    def write(file: Path) -> None:
        """Make the file of a page."""
        file.write_bytes(bytes(SLOTS * _WORDS * _WORD))

    def beat(self, slot: int) -> memoryview:
        """The words of a slot."""
        return self._words[slot * _WORDS : (slot + 1) * _WORDS]

    def clear(self, slot: int) -> None:
        """Make a slot ready for a process that has played nothing."""
        beat = self.beat(slot)
        beat[FRAME], beat[CANCEL] = -1, 0
        beat.release()
