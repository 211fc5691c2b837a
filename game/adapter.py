"""The one module shaped for the playtest harness: Crate and Door as its `Game`."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pymunk

from .entities import KINDS, Entity
from .level import read_level
from .world import Inputs, World

if TYPE_CHECKING:
    import pygame

    from .sprites import Painter

LEVELS = Path(__file__).parent / "levels"


class CrateGame:
    """The game as the harness meets it; pygame is first imported when something is drawn."""

    world: World

    def __init__(self) -> None:
        self._painter: Painter | None = None

    def reset(self, scene: str, seed: int) -> None:
        """Start a level afresh."""
        known = sorted(path.stem for path in LEVELS.glob("*.yaml"))
        if scene not in known:
            raise ValueError(f"no scene named {scene!r}; this game has: {', '.join(known)}")
        self.world = World(read_level(LEVELS / f"{scene}.yaml", KINDS), seed)

    def step(self, inputs: Inputs) -> None:
        """Advance one frame."""
        self.world.step(inputs)

    def draw(self, surface: pygame.Surface, camera: str | None = None) -> None:
        """Draw the world as it is; nothing of it changes."""
        if self._painter is None:
            from .sprites import Painter

            self._painter = Painter()
        self._painter.draw(self.world, surface, camera)

    def state(self) -> tuple[int | float | str | bool | None, ...]:
        """Say all that decides the next frame besides the bodies and the generator."""
        world, player = self.world, self.world.player
        return (
            world.frame,
            world.status,
            world.status_frame,
            player.alive,
            player.grounded,
            player.pushing,
            player.heading,
            player.facing,
            player.walked,
            player.landed_frame,
            _bits(plate.pressed for plate in world.plates),
            _bits(door.open for door in world.doors),
            _bits(coin.taken for coin in world.coins),
        )

    def entities(self) -> list[Entity]:
        """List the live entities."""
        return self.world.entities

    @property
    def space(self) -> pymunk.Space:
        """The physics."""
        return self.world.space

    @property
    def rng(self) -> random.Random:
        """The generator that decides all chance in the rules."""
        return self.world.rng

    def names(self) -> dict[str, Any]:
        """Name what expressions can read besides the entities."""
        return {"game": self.world, "coins": self.world.coins}


def _bits(flags: Iterable[bool]) -> str:
    return "".join("1" if flag else "0" for flag in flags)
