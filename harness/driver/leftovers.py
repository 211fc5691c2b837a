"""What a reset leaves behind: values of modules, classes and the game that the next one meets."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import suppress
from types import ModuleType
from typing import Any

from harness.driver.driver import Driver
from harness.driver.plain import SCALARS
from harness.driver.trees import Trees, leaves
from harness.errors import HarnessError
from harness.values.movie import Movie
from harness.values.run import shown_apart

_LONGEST = 60
_MOST_NAMES = 3


def left_behind(driver: Driver, movie: Movie) -> str:
    """Reset, play a movie, reset again, and tell what is another then; empty where nothing is.

    The movie is played again afterwards: the driver stands at its end, as it did before.
    """
    header = movie.header
    try:
        driver.reset(header.scene, header.seed)
        before = _values(driver)
        driver.replay(movie)
        driver.reset(header.scene, header.seed)
        after = _values(driver)
    except HarnessError:  # a game that fails here has told so already
        return ""
    finally:
        with suppress(HarnessError):
            driver.replay(movie)
    found = [name for name in before if name in after and _differ(before[name], after[name])]
    if not found:
        return ""
    told = "; ".join(_told(name, before[name], after[name]) for name in found[:_MOST_NAMES])
    return f"after another reset with the same seed {told}"


def _differ(was: Any, now: Any) -> bool:
    return type(was) is not type(now) or (was != now and not (was != was and now != now))


def _told(name: str, was: Any, now: Any) -> str:
    words = shown_apart(was, now)
    if max(map(len, words)) > _LONGEST:
        return f"{name} is another"
    return f"{name} was {words[0]} and is {words[1]}"


def _values(driver: Driver) -> dict[str, Any]:
    """What the modules of the game hold, their classes, and the game object, by name."""
    game = driver.game
    trees = Trees(lambda value: None, {id(game.instance): "the game"})
    found: dict[str, Any] = {}
    for module in game.modules():
        for name, value in _held(module):
            found.update(_leaves(trees, name, value))
    kind = type(game.instance).__name__
    for name, value in vars(game.instance).items():
        found.update(_leaves(trees, f"{kind}.{name}", value))
    return found


def _leaves(trees: Trees, name: str, value: Any) -> Iterator[tuple[str, Any]]:
    return iter([(name, value)]) if isinstance(value, SCALARS) else leaves(name, trees.of(value))


def _held(module: ModuleType) -> Iterator[tuple[str, Any]]:
    for name, value in list(vars(module).items()):
        if isinstance(value, type):
            if value.__module__ == module.__name__:
                yield from _of_class(f"{module.__name__}.{name}", value)
        elif not name.startswith("__") and not callable(value) and not inspect.ismodule(value):
            yield f"{module.__name__}.{name}", value


def _of_class(name: str, kind: type) -> Iterator[tuple[str, Any]]:
    for attribute, value in list(vars(kind).items()):
        described = callable(value) or hasattr(value, "__get__")
        if not attribute.startswith("__") and not described:
            yield f"{name}.{attribute}", value
