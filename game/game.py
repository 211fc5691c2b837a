"""The whole game as a small state machine around one world: title, playing, paused, won, lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pymunk

from .camera import Camera
from .entities import Coin, Entity, Piece
from .inputs import Inputs
from .kinds import KEYS
from .level import read_level
from .world import Cue, World

FOLDER = Path(__file__).parent / "levels"
TITLE = "title"
LEVELS = ("ledge", "yard", "watch", "works")  # the levels in the order in which one plays them

STATUSES = ("title", "playing", "paused", "won", "lost")
MOVING = ("playing", "won", "lost")  # the world goes on after the end, with nobody in control


class Game:
    """One run of the game, from its first scene on; `status` is one of STATUSES.

    Chance has one source: each start of a level makes its generator anew from the seed. So a level
    that is started again goes as it went the first time, and as it goes when it is the first scene.
    The space is kept and emptied, for whoever looks at it to go on doing so.
    """

    world: World

    def __init__(self, scene: str, seed: int) -> None:
        self.seed = seed
        self.space = pymunk.Space()
        self.coins: list[Coin] = []
        self.chosen = 0  # which of the LEVELS the title shows, or is played
        self.start(scene)

    def start(self, scene: str) -> None:
        """Begin a scene anew."""
        self.space.remove(*self.space.shapes, *self.space.bodies)
        self.scene = scene
        self.status = "title" if scene == TITLE else "playing"
        self.chosen = LEVELS.index(scene) if scene in LEVELS else 0
        self.world = World(read_level(FOLDER / f"{scene}.yaml", KEYS), self.seed, self.space)
        self.coins[:] = self.world.coins

    def step(self, inputs: Inputs) -> None:
        """Advance one frame; in the frame in which the status is changed by a button, no more."""
        self.world.cues.clear()
        if inputs.pressed and self._change(inputs.pressed):
            return
        if self.status in MOVING:
            self.world.step(inputs)
            self.status = self.world.ending or self.status

    def _change(self, pressed: frozenset[str]) -> bool:
        """Do the first change of the status that a button asks for; say whether there was one."""
        for (status, button), change in CHANGES.items():
            if status == self.status and button in pressed:
                change(self)
                return True
        return False

    def choose(self, step: int) -> None:
        """Show the next level or the one before in the title."""
        self.chosen = (self.chosen + step) % len(LEVELS)

    def go_on(self) -> None:
        """Play the level after this one; after the last comes the title."""
        following = LEVELS.index(self.scene) + 1 if self.scene in LEVELS else len(LEVELS)
        self.start((*LEVELS, TITLE)[following])

    def be(self, status: str) -> None:
        """Change the status alone."""
        self.status = status

    @property
    def lives(self) -> int:
        """How many lives are left."""
        return self.world.lives

    @property
    def coins_taken(self) -> int:
        """How many coins the player has."""
        return self.world.coins_taken

    @property
    def cues(self) -> list[Cue]:
        """What could be heard in the last step: names, and the places they came from."""
        return self.world.cues

    @property
    def camera(self) -> Camera:
        """The camera that follows the player."""
        return self.world.camera

    @property
    def entities(self) -> list[Entity]:
        """The live entities: the same list while none comes or goes."""
        return self.world.entities

    def touching(self, piece: Piece) -> list[Piece]:
        """List the pieces that overlap a piece now."""
        return self.world.touching(piece)


CHANGES: dict[tuple[str, str], Callable[[Game], None]] = {
    ("title", "left"): lambda game: game.choose(-1),
    ("title", "right"): lambda game: game.choose(1),
    ("title", "confirm"): lambda game: game.start(LEVELS[game.chosen]),
    ("playing", "pause"): lambda game: game.be("paused"),
    ("playing", "restart"): lambda game: game.start(game.scene),
    ("paused", "pause"): lambda game: game.be("playing"),
    ("paused", "confirm"): lambda game: game.be("playing"),
    ("paused", "restart"): lambda game: game.start(game.scene),
    ("paused", "leave"): lambda game: game.start(TITLE),
    ("won", "confirm"): lambda game: game.go_on(),
    ("won", "restart"): lambda game: game.start(game.scene),
    ("won", "leave"): lambda game: game.start(TITLE),
    ("lost", "confirm"): lambda game: game.start(game.scene),
    ("lost", "restart"): lambda game: game.start(game.scene),
    ("lost", "leave"): lambda game: game.start(TITLE),
}
"""What a button does in a status; nothing else changes the status but the world's own ending."""
