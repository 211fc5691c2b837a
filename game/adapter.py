"""The one module shaped for the playtest harness: Crate and Door as its `Game`."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import pymunk

from .entities import Entity
from .game import FOLDER, Game
from .inputs import Inputs

if TYPE_CHECKING:
    import pygame

    from .sprites import Painter


class CrateGame:
    """The game as the harness meets it; pygame is first imported when something is drawn."""

    game: Game

    def __init__(self) -> None:
        self._painter: Painter | None = None

    def reset(self, scene: str, seed: int) -> None:
        """Start a scene afresh."""
        known = sorted(path.stem for path in FOLDER.glob("*.yaml"))
        if scene not in known:
            raise ValueError(f"no scene named {scene!r}; this game has: {', '.join(known)}")
        self.game = Game(scene, seed)

    def step(self, inputs: Inputs) -> None:
        """Advance one frame."""
        self.game.step(inputs)

    def draw(self, surface: pygame.Surface, camera: str | None = None) -> None:
        """Draw the game as it is; nothing of it changes."""
        if self._painter is None:
            from .sprites import Painter

            self._painter = Painter()
        self._painter.draw(self.game, surface, camera)

    def state(self) -> tuple[Any, ...]:
        """Say all that decides the next frame besides the bodies and the generator."""
        game, world, player = self.game, self.game.world, self.game.world.player
        return (
            game.scene,
            game.status,
            game.chosen,
            world.frame,
            world.ending_frame,
            world.lives,
            world.thrown,
            tuple(world.camera.position),
            (player.alive, player.grounded, player.pushing, player.heading, player.facing),
            (player.ground.name if player.ground else "", player.carry, player.walked),
            (*player.spawn, player.held_frames, player.asked_frame, player.stood_frame),
            (player.dropped_frame, player.landed_frame, player.hurt_frame),
            tuple(stone.landed for stone in world.stones),
            tuple((npc.speech, npc.speech_frame, npc.told, npc.facing) for npc in world.npcs),
            tuple((guard.state, guard.leg, guard.arrived_frame) for guard in world.guards),
            tuple(
                (guard.suspicion, guard.sees, *(guard.last_known or ())) for guard in world.guards
            ),
            _bits(flag.reached for flag in world.checkpoints),
            _bits(plate.pressed for plate in world.plates),
            _bits(door.open for door in world.doors),
            _bits(coin.taken for coin in world.coins),
        )

    def entities(self) -> list[Entity]:
        """List the live entities."""
        return self.game.entities

    @property
    def space(self) -> pymunk.Space:
        """The physics."""
        return self.game.space

    @property
    def rng(self) -> random.Random:
        """The generator that decides all chance in the rules."""
        return self.game.world.rng

    def names(self) -> dict[str, Any]:
        """Name what expressions can read besides the entities."""
        return {"game": self.game, "coins": self.game.coins}


def _bits(flags: Iterable[bool]) -> str:
    return "".join("1" if flag else "0" for flag in flags)
