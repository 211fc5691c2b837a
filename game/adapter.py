"""The one module shaped for the playtest harness: Crate and Door as its `Game`."""

import random
from functools import cached_property
from typing import Any

from .entities import Entity
from .game import Game
from .inputs import Inputs


class CrateGame:
    """The game as the harness meets it: one object, reset and stepped over and over."""

    def reset(self, scene: str, seed: int) -> None:
        """Start a scene afresh."""
        self.game = Game(scene, seed)
        self.space, self.cameras = self.game.space, ("main", "overview")

    def step(self, inputs: Inputs) -> None:
        """Advance one frame."""
        self.game.step(inputs)

    def draw(self, surface: Any, camera: str | None = None) -> None:
        """Draw the game as it is on a surface of pygame; nothing of the play changes."""
        self._painter.draw(self.game, surface, camera)

    def view(self, camera: str | None = None) -> Any:
        """Say which part of the level a camera shows: x, y, width and height."""
        return self._painter.view(self.game, camera)

    @cached_property
    def _painter(self) -> Any:
        """What draws; pygame is first imported here, so that playing alone never waits for it."""
        from .sprites import Painter

        return Painter()

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
            (player.grounded, player.pushing, player.heading, player.facing),
            (player.ground.name if player.ground else "", player.carry, player.walked),
            (*player.spawn, player.held_frames, player.asked_frame, player.stood_frame),
            (player.dropped_frame, player.landed_frame, player.hurt_frame),
            tuple((npc.speech, npc.speech_frame, npc.told, npc.facing) for npc in world.npcs),
            tuple((guard.sees, guard.leg, guard.arrived_frame) for guard in world.guards),
            tuple((guard.suspicion, *(guard.last_known or ())) for guard in world.guards),
            " ".join(entity.state for entity in world.entities if entity.states),
        )

    def entities(self) -> list[Entity]:
        """List the live entities."""
        return self.game.world.entities

    @property
    def rng(self) -> random.Random:
        """The generator that decides all chance in the rules."""
        return self.game.world.rng

    def names(self) -> dict[str, Any]:
        """Name what expressions can read besides the entities."""
        return {"game": self.game, "coins": self.game.coins}
