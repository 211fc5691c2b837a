"""A page of what a surface has logged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from harness.values.log import LEVELS, Entry, Level, Log

MOST = 32
"""Events in one answer."""

MOST_BYTES = 256
"""Of one event, in UTF-8."""


@dataclass(frozen=True, slots=True)
class Events:
    """Some events, and the cursor to go on from.

    ``more`` are newer ones that did not fit, ``dropped`` those that were overwritten before they
    were asked for; ``ahead`` says that the cursor came from another process.
    """

    cursor: int
    events: tuple[Entry, ...] = ()
    more: int = 0
    dropped: int = 0
    ahead: bool = False

    def to_json(self) -> dict[str, Any]:
        """The structured answer."""
        return {
            "cursor": self.cursor,
            "events": [
                {"id": one.id, "level": one.level, "text": _first_line(one.text)}
                for one in self.events
            ],
            "more": self.more,
            "dropped": self.dropped,
            "cursor_ahead": self.ahead,
        }

    def text(self) -> str:
        """The events in words, a line each."""
        words = [f"cursor={self.cursor}"]
        words += [f"more={self.more}"] if self.more else []
        words += [f"dropped={self.dropped}"] if self.dropped else []
        words += ["cursor_ahead"] if self.ahead else []
        lines = [_cut(f"#{one.id} {one.level} {_first_line(one.text)}") for one in self.events]
        return "\n".join([" ".join(words), *lines])


def events_since(log: Log, since: int | None, limit: int, level: Level | None) -> Events:
    """The oldest events after a cursor, or the newest of all without one."""
    entries, last = list(log), log.last
    if since is not None and since > last:
        return Events(last, ahead=True)
    wanted = [one for one in entries if level is None or _at_least(one.level, level)]
    if since is None:
        return Events(last, tuple(wanted[-limit:]))
    oldest = entries[0].id if entries else last + 1
    newer = [one for one in wanted if one.id > since]
    shown = tuple(newer[:limit])
    more = len(newer) - len(shown)
    cursor = shown[-1].id if more else last
    return Events(cursor, shown, more, max(0, oldest - since - 1))


def _at_least(level: Level, wanted: Level) -> bool:
    return LEVELS.index(level) >= LEVELS.index(wanted)


def _first_line(text: str) -> str:
    return _cut(next(iter(text.splitlines()), ""))


def _cut(text: str) -> str:
    data = text.encode("utf-8", "backslashreplace")
    if len(data) <= MOST_BYTES:
        return data.decode("utf-8")
    return data[: MOST_BYTES - 3].decode("utf-8", "ignore") + "..."
