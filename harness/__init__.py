"""A deterministic playtest harness for 2D games in Python.

``harness.open("game")`` gives one play of a game; scenarios get the same as pytest fixtures.
Everything here is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import os

    from harness.contract import Game as Game
    from harness.errors import (
        ArgumentError,
        ConfigError,
        Divergence,
        ExpressionError,
        GameError,
        GoldenError,
        HarnessError,
        InputError,
        MissingDependency,
        MovieError,
        NotForThisGame,
        ProblemsFound,
        RequestError,
        RunCancelled,
        RunError,
        RunFailed,
        UnknownName,
    )
    from harness.playtest.bots import BotView
    from harness.playtest.play import Playtest
    from harness.playtest.protocol import Play
    from harness.values.inputs import InputFrame
    from harness.values.movie import Movie
    from harness.values.movie_reader import read_movie
    from harness.values.picture import Picture
    from harness.values.run import RunRequest, RunResult
    from harness.values.sight import (
        Box,
        Contact,
        EntityView,
        Inspection,
        Point,
        RayHit,
        RayHits,
    )

__version__ = "0.1.0"

_HOMES = {
    "harness.contract": ("Game",),
    "harness.errors": (
        "ArgumentError",
        "ConfigError",
        "Divergence",
        "ExpressionError",
        "GameError",
        "GoldenError",
        "HarnessError",
        "InputError",
        "MissingDependency",
        "MovieError",
        "NotForThisGame",
        "ProblemsFound",
        "RequestError",
        "RunCancelled",
        "RunError",
        "RunFailed",
        "UnknownName",
    ),
    "harness.playtest.bots": ("BotView",),
    "harness.playtest.play": ("Playtest",),
    "harness.playtest.protocol": ("Play",),
    "harness.values.inputs": ("InputFrame",),
    "harness.values.movie": ("Movie",),
    "harness.values.movie_reader": ("read_movie",),
    "harness.values.run": ("RunRequest", "RunResult"),
    "harness.values.picture": ("Picture",),
    "harness.values.sight": (
        "Box",
        "Contact",
        "EntityView",
        "Inspection",
        "Point",
        "RayHit",
        "RayHits",
    ),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "ArgumentError",
    "BotView",
    "Box",
    "ConfigError",
    "Contact",
    "Divergence",
    "EntityView",
    "ExpressionError",
    "Game",
    "GameError",
    "GoldenError",
    "HarnessError",
    "InputError",
    "InputFrame",
    "Inspection",
    "MissingDependency",
    "Movie",
    "MovieError",
    "NotForThisGame",
    "Picture",
    "Play",
    "Playtest",
    "Point",
    "ProblemsFound",
    "RayHit",
    "RayHits",
    "RequestError",
    "RunCancelled",
    "RunError",
    "RunFailed",
    "RunRequest",
    "RunResult",
    "UnknownName",
    "open",
    "read_movie",
]


def open(
    game: str | os.PathLike[str] | None = None,
    *,
    seed: int = 0,
    scene: str | None = None,
    isolation: str | None = None,
    budget: float | None = None,
) -> Play:
    """Open a game for one play: a folder with a harness.yaml, a program, or what is found here.

    ``isolation`` is ``in-process`` (unless told, but for a program), ``fork``, ``spawn``, or
    ``auto`` for a worker of the kind that this system has; ``budget`` is the seconds that a frame
    may take.

    Raises:
        ConfigError: there is no game, or its harness.yaml does not fit.
    """
    from harness.worker.isolation import is_program, play_in, settled

    where = settled(isolation or "auto", alone=isolation is None, program=is_program(game))
    return play_in(where, game, seed=seed, scene=scene, budget=budget)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'harness' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
