"""Processes that stand at a reset's frame 0, for runs that begin there again and again."""

from __future__ import annotations

from collections import Counter

from harness.playtest.standing import Standing
from harness.worker.member import Member

MOST = 8
"""First frames that stand as processes; the one that was wanted longest ago gives way."""

_WORTH_IT = 2
"""How often a first frame must be wanted: a sweep over seeds wants each of them once."""

_MOST_WISHES = 1000

Key = tuple[str | None, int]


class FirstFrames:
    """First frames of one family, by scene and seed."""

    def __init__(self) -> None:
        self._wanted: Counter[Key] = Counter()
        self._there: dict[Key, tuple[Member, Standing]] = {}

    def find(self, key: Key) -> tuple[Member, Standing] | None:
        """The process that stands at a first frame, if one does."""
        found = self._there.pop(key, None)
        if found is not None:
            self._there[key] = found
        return found

    def is_due(self, key: Key) -> bool:
        """Count a wish; says whether a process is to stand there from now on."""
        if len(self._wanted) > _MOST_WISHES:
            self._wanted.clear()
        self._wanted[key] += 1
        return self._wanted[key] == _WORTH_IT

    def put(self, key: Key, member: Member, standing: Standing) -> None:
        """Keep a process at a first frame."""
        self._there[key] = member, standing
        if len(self._there) > MOST:
            self.forget(next(iter(self._there)))

    def forget(self, key: Key) -> None:
        """End the process that stands at a first frame."""
        member, _ = self._there.pop(key)
        member.end()
        self._wanted.pop(key, None)
