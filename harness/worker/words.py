"""What is said between a play and its processes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from harness.playtest.logged import Line
from harness.playtest.standing import Standing


@dataclass(frozen=True, slots=True)
class Boot:
    """What a new process is told first: the game that it is for, and where it writes."""

    game: str
    folder: str
    memory: int | None
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Start:
    """What a process is told before it plays: for which play that is, and how it is addressed."""

    base: str
    here: str
    seed: int
    scene: str | None
    environment: dict[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Fork:
    """Another process is to go on from here, which beats at ``slot`` and writes to ``folder``.

    ``park`` keeps this state for later, and ``since`` asks what was played since a frame;
    ``notice`` has it looked first whether the game was changed. ``standing`` says what the new
    process stands at; ``ahead`` that nobody waits for it yet.
    """

    park: bool = False
    since: int | None = None
    notice: bool = False
    standing: Standing | None = None
    start: Start | None = None
    slot: int = 0
    folder: str = ""
    ahead: bool = False

    def at(self, slot: int) -> Fork:
        """The same, at a slot."""
        return replace(self, slot=slot)

    def writing_to(self, folder: str) -> Fork:
        """The same, with a folder."""
        return replace(self, folder=folder)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a request, where the play is then, and what was noticed since the last.

    ``broken`` is a fault of ours, with its traceback.
    """

    kind: Literal["ok", "raise", "broken"]
    value: Any
    frame: int = 0
    notes: tuple[str, ...] = ()
    changed_outside: int | None = None
    logged: tuple[Line, ...] = ()
