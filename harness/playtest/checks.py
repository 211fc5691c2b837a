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
    """The compiled expressions of one run, evaluated on the frames of one driver."""

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
        self.names.require([*asserts, *prints])
        self.start = driver.frame
        self.rows: dict[int, dict[str, Any]] = {}
        self.failure: Failure | None = None
        self.held = False
        self._driver = driver
        self._asserts = list(asserts)
        self._first_false = first_false(asserts, self.names.space)
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
        if self._until is None or self.held or self.failure is not None:
            return
        if not self._until_came:
            for name in self._until.missing(self.names.space):
                raise self.names.unknown(name)
        self.failure = self._never(count)

    def left_open(self, ended: GameExit) -> Failure | None:
        """What fails because the game ended itself: an assert before, or an ``until``."""
        if self._until is None or self.held or self.failure is not None:
            return self.failure
        count, source = self._driver.frame - self.start, self._until.source
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
                if not self.names.gone(error):
                    self._refuse(expression, error)

    def unmoved(self) -> bool:
        """Whether no printed value ever differed from what it was at the start."""
        return bool(self._prints) and all(
            value == self._first.get(name, value)
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
                self._refuse(expression, error)
        self.rows[count] = row

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
