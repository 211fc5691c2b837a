"""What was found in a game that declares no entities."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Found:
    """A thing of the game. ``name`` is the end of its ``path``; its ``kind`` is its class.

    ``way`` are the paths that lead to it, its own the last.
    """

    thing: Any
    name: str
    path: str
    kind: str
    way: tuple[str, ...] = ()


@dataclass(slots=True)
class Discovery:
    """The things of one moment, nearest to the game's top first; ``cut`` says what was left out."""

    found: list[Found] = field(default_factory=list)
    cut: str = ""
    bound: Any = None
    """What whoever names the things makes of them, so that it is forgotten with them."""
