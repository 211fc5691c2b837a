"""What a tool is given to act on: a play of the game, or the desk that it lies on."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.errors import RunError
from harness.playtest.protocol import Play
from harness.registry import REGISTRY, Tool
from harness.tools.confine import confine
from harness.values.log import Log
from harness.values.run import ErrorInfo


@dataclass(slots=True)
class Desk:
    """One surface's view of one game: its files, a play of it, and what was logged on the way.

    ``path`` is the game, ``base`` the folder that paths in arguments are relative to, ``root`` the
    one that they must stay in (None where any file may be named), ``shown`` gives the tools that
    the surface shows, ``opened`` a play. Where ``may_play`` is false no code of the game may run.
    """

    path: Path
    base: Path
    opened: Callable[[], Play]
    root: Path | None = None
    shown: Callable[[], Sequence[Tool]] = lambda: list(REGISTRY)
    log: Log = field(default_factory=Log)
    may_play: bool = True
    _play: Play | None = None
    _turn: threading.RLock = field(default_factory=threading.RLock)

    @contextmanager
    def playing(self) -> Iterator[Play]:
        """Have the play of this desk, which is opened when it is first asked for.

        Of several threads one has it at a time.
        """
        with self._turn:
            if self._play is None:
                self._play = self.opened()
            yield self._play

    @property
    def reached(self) -> int:
        """The frame that is finished of what is being played; for another thread."""
        play = self._play
        return 0 if play is None else play.reached

    def confine(self, tool: Tool, keywords: Mapping[str, Any]) -> None:
        """Refuse paths that lead out of the root, where there is one.

        Raises:
            ArgumentError: one does.
        """
        if self.root is not None:
            confine(tool, keywords, self.base, self.root)

    def cancel(self) -> None:
        """End what is being played at its next frame; for another thread or a signal handler."""
        if self._play is not None:
            self._play.cancel()

    def close(self) -> None:
        """Let go of the play."""
        if self._play is not None:
            self._play.close()
            self._play = None


def called(tool: Tool, desk: Desk, keywords: Mapping[str, Any]) -> Any:
    """Call a tool, with keywords as ``Tool.checked`` gives them, on what it acts on.

    What the game did wrong is logged, whoever asked.
    """
    desk.confine(tool, keywords)
    try:
        if tool.acts_on == "desk":
            answer = tool.function(desk, **keywords)
        else:
            with desk.playing() as play, _game_logs_to(desk.log, play):
                answer = tool.function(play, **keywords)
    except RunError as error:
        _log(desk.log, error.run)
        raise
    _log(desk.log, answer)
    return answer


@contextmanager
def _game_logs_to(log: Log, play: Play) -> Iterator[None]:
    try:
        yield
    finally:
        for level, text in play.logged():
            log.add(level, text)


def _log(log: Log, answer: Any) -> None:
    with suppress(AttributeError):
        for note in answer.notes:
            log.add("warning", str(note))
    error = getattr(answer, "error", None)
    if isinstance(error, ErrorInfo):
        log.add("error", str(error))
