"""What an adapter must look like: each method and answer, refused with its own file and line."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from harness.contract import MOST_STATE_VALUES
from harness.errors import ConfigError

_NEEDED: dict[str, tuple[str, ...]] = {
    "reset": ("scene", "seed"),
    "step": ("inputs",),
    "state": (),
    "entities": (),
}
_OPTIONAL: dict[str, tuple[str, ...]] = {"names": (), "draw": ("surface",), "view": ()}


class AdapterError(TypeError):
    """An answer of an adapter that is of another shape; ``method`` is what gave it."""

    def __init__(self, method: Any, problem: str) -> None:
        self.method = method
        super().__init__(problem)


def check_methods(game: Any, entry: str) -> None:
    """Refuse a class that lacks a method, or whose method could not be called.

    Raises:
        ConfigError: it is no game.
        AdapterError: a method of it is.
    """
    missing = [name for name in _NEEDED if not callable(getattr(game, name, None))]
    if missing:
        raise ConfigError(f"{entry} is no game: it has no {', no '.join(missing)}")
    faults: list[AdapterError] = []
    for name, takes in {**_NEEDED, **_OPTIONAL}.items():
        try:
            _check_method(name, getattr(game, name, None), takes)
        except AdapterError as fault:
            faults.append(fault)
    if faults:
        raise AdapterError(faults[0].method, "; ".join(map(str, faults)))


def _check_method(name: str, method: Callable[..., Any] | None, takes: tuple[str, ...]) -> None:
    if method is None:
        return
    if not callable(method):
        raise AdapterError(None, f"{name} must be a method, not an attribute")
    if inspect.iscoroutinefunction(method) or inspect.isasyncgenfunction(method):
        raise AdapterError(method, f"{name}() is async, and must have done all when it returns")
    if name in ("reset", "step", "draw") and inspect.isgeneratorfunction(method):
        raise AdapterError(method, f"{name}() has a yield, so that calling it does nothing")
    try:
        signature = inspect.signature(method)
    except (TypeError, ValueError):  # a builtin does not say
        return
    try:
        signature.bind(*takes)
    except TypeError:
        asked = ", ".join(takes) or "nothing"
        raise AdapterError(method, f"{name} must take {asked}, not {signature}") from None


def check_answers(game: Any) -> None:
    """Refuse what a game answers after a reset, where it is of another shape.

    Raises:
        AdapterError: with what it must be.
    """
    state = game.state()
    if not isinstance(state, tuple):
        problem = f"state() must give a tuple, not {type(state).__name__}"
        raise AdapterError(game.state, problem)
    if len(state) > MOST_STATE_VALUES:
        raise AdapterError(
            game.state,
            f"state() gives {len(state)} values, and at most {MOST_STATE_VALUES} are hashed each"
            " frame; what entities hold is hashed at marks",
        )
    listed(game.entities, game.entities())
    named(game)
    cameras = getattr(game, "cameras", ())
    if isinstance(cameras, str) or not all(isinstance(name, str) for name in cameras):
        raise AdapterError(game.reset, f"cameras must be names, not {cameras!r}")
    space = getattr(game, "space", None)
    if space is not None and not (hasattr(space, "bodies") and hasattr(space, "static_body")):
        raise AdapterError(
            game.reset, f"space must be a pymunk.Space or None, not {type(space).__name__}"
        )


def listed(method: Any, answer: Any) -> Any:
    """What ``entities()`` gave, as a list, a tuple or a mapping.

    Raises:
        AdapterError: it is nothing that holds entities.
    """
    if isinstance(answer, list | tuple | Mapping):
        return answer
    if isinstance(answer, Iterable) and not isinstance(answer, str | bytes):
        return list(answer)
    kind = type(answer).__name__
    raise AdapterError(method, f"entities() must give a list or a mapping, not {kind}")


def named(game: Any) -> dict[str, Any]:
    """What ``names()`` gives; nothing where a game has none.

    Raises:
        AdapterError: it is no mapping of names.
    """
    method = getattr(game, "names", None)
    if method is None:
        return {}
    answer = method()
    if isinstance(answer, Mapping) and all(isinstance(name, str) for name in answer):
        return dict(answer)
    raise AdapterError(method, f"names() must give a mapping from names, not {_kind(answer)}")


def seen(method: Callable[[], Any], answer: Any) -> tuple[float, float, float, float]:
    """What ``view()`` gave: x, y, width and height of a part of the world.

    Raises:
        AdapterError: it is none.
    """
    try:
        x, y, width, height = map(float, answer)
    except (TypeError, ValueError):
        width = height = x = y = math.nan
    if not all(map(math.isfinite, (x, y, width, height))) or width <= 0 or height <= 0:
        raise AdapterError(method, f"view() must give x, y, width and height, not {answer!r}")
    return x, y, width, height


def place_of(method: Any) -> tuple[str, int]:
    """The file and the line where a method is written; empty where that is not known."""
    code = getattr(inspect.unwrap(getattr(method, "__func__", method)), "__code__", None)
    return ("", 0) if code is None else (code.co_filename, code.co_firstlineno)


def _kind(answer: Any) -> str:
    if isinstance(answer, Mapping):
        wrong = next(type(key).__name__ for key in answer if not isinstance(key, str))
        return f"from {wrong}"
    return type(answer).__name__
