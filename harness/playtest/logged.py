"""What a game logs through `logging` while it is played, whatever becomes of it otherwise."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from harness.games.files import OwnFiles
from harness.values.log import Level

_MOST = 1024
_LEVELS: tuple[tuple[int, Level], ...] = ((40, "error"), (30, "warning"), (20, "info"))

Line = tuple[Level, str]
"""A level and a message's first line, led by the place in the game that it speaks of."""


class Logged:
    """The newest messages of one play, until somebody takes them."""

    def __init__(self, own: OwnFiles) -> None:
        self._own = own
        self._lines: deque[Line] = deque(maxlen=_MOST)
        self._depth = 0

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Keep what is logged meanwhile. Handlers and levels stay the game's own affair."""
        import logging

        if self._depth:
            yield
            return
        before, self._depth = logging.getLogRecordFactory(), 1

        def keep(*args: Any, **kwargs: Any) -> Any:
            record = before(*args, **kwargs)
            self._keep(record)
            return record

        logging.setLogRecordFactory(keep)
        try:
            yield
        finally:
            self._depth = 0
            if logging.getLogRecordFactory() is keep:
                logging.setLogRecordFactory(before)

    @contextmanager
    def told_already(self) -> Iterator[None]:
        """Forget what is logged meanwhile: it is what was logged before, played again."""
        before = list(self._lines)
        try:
            yield
        finally:
            self._lines.clear()
            self._lines.extend(before)

    def taken(self) -> list[Line]:
        """Give what is there, and forget it."""
        lines = list(self._lines)
        self._lines.clear()
        return lines

    def _keep(self, record: Any) -> None:
        try:
            message = str(record.getMessage())
        except Exception:  # the game's own objects may fail to be written
            message = str(record.msg)
        first = next(iter(message.splitlines()), "")
        level: Level = next((word for least, word in _LEVELS if record.levelno >= least), "debug")
        place = self._place(record)
        self._lines.append((level, f"{place}: {first}" if place else first))

    def _place(self, record: Any) -> str:
        """The innermost place in the game of its traceback, else the place that logged."""
        places = [(record.pathname, record.lineno)]
        trace = record.exc_info[2] if isinstance(record.exc_info, tuple) else None
        while trace is not None:
            places.append((trace.tb_frame.f_code.co_filename, trace.tb_lineno))
            trace = trace.tb_next
        own = [(file, line) for path, line in places if (file := self._own.relative(path))]
        return f"{own[-1][0]}:{own[-1][1]}" if own else ""
