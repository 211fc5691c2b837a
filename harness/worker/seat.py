"""Where a play is at present: its family, its slot on the page, the process that plays for it."""

from __future__ import annotations

import builtins
import pickle
from pathlib import Path
from typing import Any

from harness.driver.driver import CANCEL, FRAME
from harness.errors import HarnessError, RequestError
from harness.games.folder import read_folder
from harness.playtest.logged import Line
from harness.values.log import MOST_ENTRIES
from harness.values.movie import Mark
from harness.worker import pool
from harness.worker.family import LOADING, START_LIMIT, Family
from harness.worker.member import Member, WorkerLost
from harness.worker.reel import Tail
from harness.worker.words import Answer, Fork, Start


class Seat:
    """Asks the process that plays, and says what it answered; knows nothing of savestates."""

    def __init__(
        self,
        game: Path,
        forks: bool,
        memory: int | None,
        budget: float,
        total: float | None,
        hash_seed: str,
    ) -> None:
        self.game = game
        self.forks = forks
        self.family: Family | None = None
        self.member: Member | None = None
        self.build = ""
        self.logged: list[Line] = []
        self._slot = 0
        self._memory = memory
        self._budget, self._total = budget, total
        self._hash_seed = hash_seed
        self._loading: float | None = None
        self._busy = False
        self._leaving: Member | None = None
        self._from: Member | None = None
        self._again: tuple[Member, Fork] | None = None

    def sit(self, build: str) -> None:
        """Join a family of that build.

        Raises:
            WorkerLost: the game's import hung, or ended the process.
        """
        if self.family is not None:
            return
        self.build = build
        program = read_folder(self.game).script is not None
        self._loading = max(self._budget, LOADING) if program else None
        family = None
        if self.forks and pool.forkable(self.game, build):
            family = pool.joined(self.game, build, self._memory, self._budget)
        if family is not None:
            self._slot = family.slot()
        self.family = family or Family(self.game, self._memory, False, self._hash_seed)

    def stay(self, build: str) -> bool:
        """Whether the next play may begin in the same family."""
        family = self.family
        return family is not None and family.forks and not family.closed and build == self.build

    def leave(self) -> None:
        """End the process that plays, and let go of the family."""
        family = self.family
        self.stand_up()
        self.family = self._from = self._again = None
        if family is not None and family.forks:
            family.leave(self._slot)
            pool.left(family)
        elif family is not None:
            family.close()

    def stand_up(self) -> None:
        """End the process that plays."""
        self._end_the_last()
        if self.member is not None:
            self.member.end()
            self.member = None

    def _meanwhile(self) -> None:
        """While somebody plays: end who played before, and have the next fork made.

        Whoever began twice at the same place is likely to begin there again.
        """
        self._end_the_last()
        if self._again is not None and self.family is not None:
            again, self._again = self._again, None
            self.family.order(*again)

    def _end_the_last(self) -> None:
        if self._leaving is not None:
            self._leaving.end()
            self._leaving = None

    def begin(self, start: Start) -> None:
        """Have a process that has played nothing.

        Raises:
            WorkerLost: the family is dead.
        """
        assert self.family is not None
        if self.family.forks:
            self.go_on(self.family.root, Fork(start=start))
            return
        self._clear()
        self.member = root = self.family.root
        limit = pool.import_budget(self.game, self._budget)
        self._answer(self.family.ask(root, ("warm",), limit, START_LIMIT + self._budget))
        self._answer(self.family.ask(root, ("begin", start, 0), START_LIMIT))

    def go_on(self, member: Member, wanted: Fork) -> Tail | str | None:
        """Play on from where a process stands.

        Gives what was played, as far as it was asked; or why it cannot be left standing.
        """
        assert self.family is not None
        self._end_the_last()
        self._clear()
        wanted = wanted.at(self._slot)
        found, answer = self.family.fork(member, wanted)
        self._answer(answer)
        if found is None:
            return str(answer.value)
        if member is not self.member:
            self._leaving, self.member = self.member, None
            self._again = (member, wanted) if self._from is member else None
            self._from = member
        self.member = found
        tail: Tail | None = answer.value
        return tail

    def _clear(self) -> None:
        assert self.family is not None
        self.family.page.clear(self._slot)

    # asking

    def act(self, name: str, *args: Any, **kwargs: Any) -> Answer:
        """Ask the process that plays.

        Raises:
            WorkerLost: it hung, or is gone.
            HarnessError: what it answered.
        """
        assert self.member is not None
        return self._asked(self.member, name, args, kwargs)

    def ask(self, member: Member, name: str) -> Any:
        """Ask a process that stands still."""
        return self._asked(member, name, (), {}).value

    def _asked(
        self, member: Member, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Answer:
        assert self.family is not None
        self._busy = True
        try:
            message = ("act", name, args, kwargs)
            answer = self.family.ask(
                member, message, self._budget, self._total, self._meanwhile, self._loading
            )
            return self._answer(answer)
        except pickle.PicklingError as error:
            raise RequestError(f"{name}: {error}; isolate in-process to hand over any") from None
        except WorkerLost:
            if member is self.member:
                self.member = None
            raise
        finally:
            self._busy = False
            if self.family is not None:
                self.family.page.beat(self._slot)[CANCEL] = 0

    def _answer(self, answer: Answer) -> Answer:
        self.logged = [*self.logged, *answer.logged][-MOST_ENTRIES:]
        if answer.kind == "raise":
            raise answer.value
        if answer.kind == "broken":
            name, message, trace = answer.value
            kind = getattr(builtins, name, RuntimeError)
            raise kind(message) from RuntimeError(f"in the worker:\n{trace}")
        return answer

    def reached(self) -> int:
        """The frame that is finished, as the process that plays writes it down."""
        family = self.family
        return 0 if family is None else max(0, family.page.beat(self._slot)[FRAME])

    def cancel(self) -> None:
        """Wish that what is being played ends at its next frame."""
        if self._busy and self.family is not None:
            self.family.page.beat(self._slot)[CANCEL] = 1


def values_of(seat: Seat, member: Member) -> tuple[Mark | None, dict[str, Any]]:
    """A savestate's mark and values, as far as its process can still say them."""
    try:
        closing, values = seat.ask(member, "values")
    except HarnessError:
        return None, {}
    return closing, values
