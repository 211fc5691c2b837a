"""What is asked of a run after each frame: asserts, until, and the values to print."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from harness.driver.driver import Driver
from harness.expressions import Expression, first_false, raising
from harness.games.loaded import GameExit
from harness.playtest.names import Names
from harness.values.run import Failure, shown


class Checks:
    """The compiled expressions of one run, evaluated on the frames of one driver.

    The names of a program come as it goes: an assert is looked at from where its names are there,
    and what is printed has no value before.
    """

    def __init__(
        self,
        driver: Driver,
        asserts: Sequence[Expression] = (),
        until: Expression | None = None,
        prints: Sequence[Expression] = (),
        every: int = 1,
        more: str = "frames",
    ) -> None:
        self.names = Names(driver)
        self._waiting: list[Expression] = []
        if driver.game.declared:
            self.names.require([*asserts, *prints])
        else:
            self._waiting = [one for one in asserts if one.missing(self.names.space)]
        self.notes: list[str] = []
        self.start = driver.frame
        self.rows: dict[int, dict[str, Any]] = {}
        self.failure: Failure | None = None
        self.held = False
        self._driver = driver
        self._all_asserts = list(asserts)
        self._take_up_asserts()
        self._prints = [(expression, expression.bind(self.names.space)) for expression in prints]
        self._until = until
        self._until_bound = until.bind(self.names.space) if until else None
        self._until_ready = until is not None and not until.missing(self.names.space)
        self._until_came = self._until_ready
        self._last_until: Any = None
        self._every = every
        self._more = more
        self._first = self._at_start()

    def look(self, frame: int) -> bool:
        """Check one frame; True when the run is to stop here."""
        if self.names.update(frame) and self._until is not None:
            self._until_ready = not self._until.missing(self.names.space)
            self._until_came = self._until_came or self._until_ready
        count = frame - self.start
        if self._waiting:
            self._wait(count)
        expression: Expression | None = None
        try:
            failed = self._first_false()
            if failed < len(self._asserts):
                self.failure = self._explained("assert", self._asserts[failed], count)
                return True
            if self._until_ready:
                expression = self._until
                self._last_until = value = self._until_bound()  # type: ignore[misc]
                if value:
                    self.held = True
                    return True
        except (Exception, SystemExit) as error:
            asked = expression or self._asserts[raising(error)]
            gone = self.names.gone(error)
            if expression is not None or not gone:
                self._refuse(asked, error)
            self.failure = self._lost(asked, gone, count)
            return True
        if self._prints and count % self._every == 0:
            self._print(count)
        return False

    def _take_up_asserts(self) -> None:
        self._asserts = [one for one in self._all_asserts if one not in self._waiting]
        self._first_false = first_false(self._asserts, self.names.space)

    def _wait(self, count: int) -> None:
        """Look at an assert from here on when its names have come."""
        came = [one for one in self._waiting if not one.missing(self.names.space)]
        if came:
            self._waiting = [one for one in self._waiting if one not in came]
            self._take_up_asserts()
            for one in came:
                since = f"from frame {count} on, where its names are there"
                self.notes.append(f"assert {one.source} was looked at {since}")

    @property
    def wanted(self) -> bool:
        """Whether there is anything to look at after each frame."""
        return bool(self._asserts or self._prints or self._until)

    def finish(self) -> None:
        """Print the last frame, and fail an ``until`` that never held.

        Raises:
            UnknownName: ``until`` waited for a name that never came.
        """
        count = self._driver.frame - self.start
        with self._driver.game.guarded(self._driver.frame):
            self.names.update(self._driver.frame)
        if self._prints and count not in self.rows:
            self._print(count)
        for expression in [*self._waiting, *(one for one, _ in self._prints)]:
            told = any(expression.source in row for row in self.rows.values())
            if not told and (expression in self._waiting or self._absent(expression)):
                self.names.require([expression])
        if self._until is None or self.held or self.failure is not None:
            return
        if not self._until_came:
            for name in self._until.missing(self.names.space):
                raise self.names.unknown(name)
        self.failure = self._never(count)

    def left_open(self, ended: GameExit) -> Failure | None:
        """What fails because the game ended itself: an assert before, or an ``until``."""
        count = self._driver.frame - self.start
        if self.failure is None and self._waiting:
            source = self._waiting[0].source
            message = ended.told(f" after frame {count}, before assert {source} had its names")
            return Failure("assert", source, count, (), message)
        if self._until is None or self.held or self.failure is not None:
            return self.failure
        source = self._until.source
        message = ended.told(f" after frame {count}, before {source} held")
        return Failure("until", source, count, (), message)

    def again(self) -> None:
        """Evaluate everything once more, to see whether looking changes the game."""
        again: list[tuple[Expression | None, Callable[[], Any]]] = [*self._prints]
        if self._until_ready and self._until_bound is not None:
            again.append((self._until, self._until_bound))
        try:
            self._first_false()
        except (Exception, SystemExit) as error:
            if not self.names.gone(error):
                self._refuse(self._asserts[raising(error)], error)
        for expression, function in again:
            try:
                function()
            except (Exception, SystemExit) as error:
                if not self.names.gone(error) and not self._absent(expression):
                    self._refuse(expression, error)

    def unmoved(self) -> bool:
        """Whether no printed value ever differed from what it was at the start."""
        return bool(self._prints) and all(
            name in self._first and value == self._first[name]
            for row in self.rows.values()
            for name, value in row.items()
        )

    def _at_start(self) -> dict[str, Any]:
        first = {}
        for expression, function in self._prints:
            try:
                first[expression.source] = self.names.plain(function())
            except (Exception, SystemExit):  # a value may not exist before the first step
                continue
        return first

    def _print(self, count: int) -> None:
        row = {}
        for expression, function in self._prints:
            try:
                row[expression.source] = self.names.plain(function())
            except (Exception, SystemExit) as error:
                if not self._absent(expression):
                    self._refuse(expression, error)
        self.rows[count] = row

    def _absent(self, expression: Expression | None) -> bool:
        """Whether a program has not what an expression names, in this frame."""
        if expression is None or self._driver.game.declared:
            return False
        return bool(expression.missing(self.names.space))

    def _refuse(self, expression: Expression | None, error: BaseException) -> NoReturn:
        assert expression is not None
        raise self.names.refusal(expression, error) from None

    def _explained(self, kind: Any, expression: Expression, count: int) -> Failure:
        parts = self._parts(expression)
        since = f" (frame {self._driver.frame} since reset)" if self.start else ""
        lines = [f"assert {expression.source} did not hold at frame {count}{since}"]
        lines += [f"  {part} = {shown(value)}" for part, value in parts]
        return Failure(kind, expression.source, count, parts, "\n".join(lines))

    def _lost(self, expression: Expression, gone: str, count: int) -> Failure:
        """The failure of an assert on an entity that is there no more."""
        since = f" (frame {self._driver.frame} since reset)" if self.start else ""
        message = f"assert {expression.source} did not hold at frame {count}{since}"
        told = f"{message}\n  {gone} is no longer there"
        return Failure("assert", expression.source, count, (), told)

    def _parts(self, expression: Expression) -> tuple[tuple[str, Any], ...]:
        return tuple(
            (part, self.names.plain(value)) for part, value in expression.parts(self.names.space)
        )

    def _never(self, count: int) -> Failure:
        assert self._until is not None
        source, end = self._until.source, self.start + count
        last = shown(self.names.plain(self._last_until))
        parts = self._parts(self._until)
        lines = [
            f"{source} never became True between frame {self.start} and frame {end};"
            f" last value {last}",
            *(f"  {part} = {shown(value)}" for part, value in parts if part != source),
            f"  it was given {count} frames; raise {self._more} to give it more",
        ]
        return Failure("until", source, count, parts, "\n".join(lines))


Look = Callable[[int], bool]
