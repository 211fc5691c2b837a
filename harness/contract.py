"""What a native game is: the few methods through which the harness plays it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from harness.values.inputs import InputFrame

if TYPE_CHECKING:
    import pygame
    import pymunk

MOST_STATE_VALUES = 20


@runtime_checkable
class Game(Protocol):
    """A native game. One object is reset and stepped over and over; nothing else drives it.

    Optional, and looked for by name:

    - ``space``: the ``pymunk.Space``; its bodies are then part of every frame's hash.
    - ``rng``: the game's ``random.Random``; it is part of the hash at marks.
    - ``names() -> Mapping[str, object]``: further names for expressions, asked at each reset.
    - ``draw(surface, camera=None)``: draws the present state, and never changes it.
    - ``cameras``: the names that ``draw`` takes; another is refused.
    - ``view(camera=None)``: the part of the world that a drawing shows, as x, y, width, height.
    """

    def reset(self, scene: str, seed: int) -> None:
        """Begin a scene anew: the same scene and seed give the same state, whatever ran before."""

    def step(self, inputs: InputFrame) -> None:
        """Advance by one frame of ``inputs.dt`` seconds."""

    def state(self) -> tuple[Any, ...]:
        """At most 20 plain values (numbers, text, booleans, None) that tell how the game stands."""

    def entities(self) -> Iterable[Any] | Mapping[str, Any]:
        """The game's own live objects: each with a ``name``, or a mapping from name to object.

        An ``id`` (an int that an entity keeps), a ``path`` (``Level/Gate/Door``) or a ``parent``,
        and a ``kind`` are used where there are any. Return the same list while it holds the same
        objects: names are bound again when it changes.
        """


class Drawn(Protocol):
    """A native game that can be seen."""

    def draw(self, surface: pygame.Surface, camera: str | None = None) -> None:
        """Draw the present state; ``camera`` is one of the game's own camera names."""


class Physical(Protocol):
    """A native game with physics."""

    space: pymunk.Space
