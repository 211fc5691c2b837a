"""What expressions see: entities, the game's own names, find, rays, and the frame."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from harness.driver.driver import Driver
from harness.driver.plain import plain
from harness.errors import (
    ExpressionError,
    HarnessError,
    RequestError,
    UnknownName,
    nearest_first,
    printable,
    shortened,
)
from harness.expressions import Expression
from harness.games.loaded import GameRaised
from harness.query.world import World

RESERVED = ("find", "find_all", "frame", "time", "seed", "raycast", "overlap", "math", "Vec2d")


class Names:
    """The namespace of one play, kept up to date as frames pass and entities come and go."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._entities = driver.entities
        self.space = driver.game.namespace(self._entities.unique_one)
        self._live = not driver.game.declared
        self._bound: list[str] = []
        self._ever: set[str] = set()
        self._fixed = self._fixed_names()
        with driver.game.guarded(driver.frame):
            given = driver.game.names()
            self._given = {n: value for n, value in given.items() if n not in RESERVED}
            self._bind()
            self.update(driver.frame)

    def update(self, frame: int) -> bool:
        """Bring the names up to ``frame``; says whether any may have come or gone."""
        space = self.space
        space["frame"] = frame
        space["time"] = self._driver.game.seconds(frame)
        if self._live:
            return True
        changed = self._entities.refresh()
        if changed:
            self._bind()
        return changed

    def _bind(self) -> None:
        if self._live:
            self.space.update(self._fixed)
            return
        for name in self._bound:
            del self.space[name]
        unique = self._entities.unique
        self._bound = [n for n in unique if n.isidentifier() and n not in RESERVED]
        self._ever.update(self._bound)
        self.space.update(self._given)
        self.space.update((name, unique[name]) for name in self._bound)
        self.space.update(self._fixed)

    def _fixed_names(self) -> dict[str, Any]:
        entities, world = self._entities, World(self._driver)

        def raycast(start: Any, end: Any, length: float | None = None) -> Any:
            return world.raycast(start, end, length)

        def overlap(at: Any, radius: float = 0.0) -> Any:
            return world.overlap(at, radius)

        from pymunk import Vec2d

        return {
            "find": entities.find,
            "find_all": entities.find_all,
            "seed": self._driver.seed,
            "raycast": raycast,
            "overlap": overlap,
            "math": math,
            "Vec2d": Vec2d,
        }

    def known(self) -> list[str]:
        """The names to suggest: entities and the game's own."""
        return list(self.there())

    def there(self) -> dict[str, Any]:
        """What can be used by name: what a program has, the game's own names, its entities."""
        there = {**self._driver.game.known(), **self.space, **self._entities.unique}
        return {
            name: value
            for name, value in there.items()
            if name not in RESERVED and name.isidentifier() and not name.startswith("__")
        }

    def require(self, expressions: Iterable[Expression]) -> None:
        """Refuse expressions that use a name which is not there.

        Raises:
            UnknownName: with those that are, nearest first.
        """
        for expression in expressions:
            for name in expression.missing(self.space):
                raise self.unknown(name)

    def unknown(self, name: str) -> RequestError:
        """Say why a name cannot be used: nothing has it, or several entities do."""
        try:
            self._entities.find(name)
        except UnknownName:
            pass
        except RequestError as several:
            return several
        return UnknownName("name", name, self.known())

    def gone(self, error: BaseException) -> str:
        """The name of an entity that was there and is missed now; empty where none is."""
        name = error.name if isinstance(error, NameError) else None
        return name if name in self._ever and name not in self.space else ""

    def plain(self, value: Any) -> Any:
        """A value as it is printed: plain, the same in every process."""
        return plain(value, self._entities.named)

    def evaluator(self, expression: Expression) -> Callable[[], Any]:
        """Make the function that gives an expression's value, or says why it cannot."""
        function = expression.bind(self.space)

        def evaluate() -> Any:
            try:
                return function()
            except (Exception, SystemExit) as error:
                raise self.refusal(expression, error) from None

        return evaluate

    def refusal(self, expression: Expression, error: BaseException) -> HarnessError:
        """Say why an expression could not be evaluated, with the names that are there."""
        if isinstance(error, HarnessError):
            return error
        frame = self._driver.frame
        info = self._driver.game.error_info(error, frame)
        if info.file:
            return GameRaised(info)
        if isinstance(error, NameError) and error.name:
            return self.unknown(error.name)
        place = f"cannot evaluate {expression.source!r} at frame {frame}"
        if isinstance(error, AttributeError) and error.name and error.obj is not None:
            has = [name for name in dir(error.obj) if not name.startswith("_")]
            kind = type(error.obj).__name__
            there = shortened(nearest_first(error.name, has))
            return ExpressionError(f"{place}: {kind} has no {error.name!r}; it has: {there}")
        if isinstance(error, SystemExit):
            return ExpressionError(f"{place}: it would end the game")
        why = printable(" ".join(f"{type(error).__name__}: {error}".split()))
        return ExpressionError(f"{place}: {why}")
