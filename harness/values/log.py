"""What a surface has logged: a bounded history, each entry with a number that never comes again."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

Level = Literal["debug", "info", "warning", "error"]
LEVELS: tuple[Level, ...] = get_args(Level)

MOST_ENTRIES = 1024
"""Older entries are dropped."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One message; ``id`` counts from 1."""

    id: int
    level: Level
    text: str


class Log:
    """The last messages of one surface; any thread may add and read."""

    def __init__(self, most: int = MOST_ENTRIES) -> None:
        self._entries: deque[Entry] = deque(maxlen=most)
        self._lock = threading.Lock()
        self._last = 0

    def __iter__(self) -> Iterator[Entry]:
        with self._lock:
            return iter(list(self._entries))

    @property
    def last(self) -> int:
        """The id of the newest entry that there ever was; 0 before the first."""
        return self._last

    def add(self, level: Level, text: str) -> Entry:
        """Log a message."""
        with self._lock:
            self._last += 1
            entry = Entry(self._last, level, text)
            self._entries.append(entry)
        return entry
