"""The whole game as a small state machine around one world: title, playing, paused, won, lost."""

from collections.abc import Callable
from pathlib import Path

import pymunk

from .entities import Coin, Piece
from .inputs import Inputs
from .level import read_level
from .systems import step
from .world import World

FOLDER = Path(__file__).parent / "levels"
TITLE = "title"
LEVELS = ("ledge", "yard", "watch", "works")  # the levels in the order in which one plays them

RESTING = ("paused", "won", "lost")  # one may leave
MOVING = ("playing", "won", "lost")  # the world goes on after the end, with nobody in control


class Game:
    """One run of the game; `status` is title, playing, paused, won or lost.

    Chance has one source: each start of a level makes its generator anew from the seed. So a level
    that is started again goes as it went the first time, and as it goes when it is the first scene.
    The space and the list of coins are kept, and filled anew, for whoever looks at them.
    """

    world: World

    def __init__(self, scene: str, seed: int) -> None:
        self.seed = seed
        self.space = pymunk.Space()
        self.coins: list[Coin] = []
        self.start(scene)

    def start(self, scene: str) -> None:
        """Begin a scene anew."""
        self.space.remove(*self.space.shapes, *self.space.bodies)
        self.scene = scene
        self.status = "title" if scene == TITLE else "playing"
        self.chosen = LEVELS.index(scene) if scene in LEVELS else 0  # the one that the title shows
        self.world = World(read_level(FOLDER / f"{scene}.yaml"), self.seed, self.space)
        self.camera, self.cues = self.world.camera, self.world.cues
        self.coins[:] = self.world.coins

    def step(self, inputs: Inputs) -> None:
        """Advance one frame; in the frame in which the status is changed by a button, no more."""
        self.cues.clear()
        for (status, button), change in CHANGES.items():
            if status == self.status and button in inputs.pressed:
                change(self)
                return
        if self.status in MOVING:
            step(self.world, inputs)
            self.status = self.world.ending or self.status

    def choose(self, step: int) -> None:
        """Show the next level or the one before in the title."""
        self.chosen = (self.chosen + step) % len(LEVELS)

    def go_on(self) -> None:
        """Play the level after this one; after the last comes the title."""
        self.start((*LEVELS, TITLE)[self.chosen + 1])

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
        return len([coin for coin in self.coins if coin.taken])

    def touching(self, piece: Piece) -> list[Piece]:
        """List the pieces that overlap a piece now."""
        return self.world.touching(piece)


CHANGES: dict[tuple[str, str], Callable[[Game], None]] = {
    ("title", "left"): lambda game: game.choose(-1),
    ("title", "right"): lambda game: game.choose(1),
    ("title", "confirm"): lambda game: game.start(LEVELS[game.chosen]),
    ("playing", "pause"): lambda game: game.be("paused"),
    ("paused", "pause"): lambda game: game.be("playing"),
    ("paused", "confirm"): lambda game: game.be("playing"),
    ("won", "confirm"): lambda game: game.go_on(),
    ("lost", "confirm"): lambda game: game.start(game.scene),
    ("playing", "restart"): lambda game: game.start(game.scene),
    **{(status, "restart"): lambda game: game.start(game.scene) for status in RESTING},
    **{(status, "leave"): lambda game: game.start(TITLE) for status in RESTING},
}
"""What a button does in a status; nothing else changes the status but the world's own ending."""
