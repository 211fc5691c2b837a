"""The world: a level come to life. What happens in it, step by step, is in systems.py."""

import random
from typing import NamedTuple, TypeVar

import pymunk
from pymunk import Vec2d

from . import entities, rules
from .camera import Camera
from .characters import Guard, Npc, Player, Stone
from .entities import Entity, Piece
from .level import KINDS, Level
from .particles import Particles

Kind = TypeVar("Kind", bound=Entity)
BORDER = 20.0


class Cue(NamedTuple):
    """Something that could be heard, and the place it came from."""

    name: str
    x: float
    y: float


class World:
    """One play of one level, in an empty space; `ending` is won or lost once it is over."""

    def __init__(self, level: Level, seed: int, space: pymunk.Space) -> None:
        self.level = level
        self.space = space
        self.rng = random.Random(seed)
        self.particles = Particles(random.Random(seed + 1))
        self.frame = 0
        self.ending, self.ending_frame = "", 0
        self.lives = level.lives
        self.thrown = 0
        self.cues: list[Cue] = []  # what could be heard in the last step
        self.entities = [KINDS[spec.kind][0](spec) for spec in level.objects]
        self._sort()
        self._connect()
        self._fill_space()
        self._settle()
        self.camera = Camera(level.size, self.player.position)

    @property
    def in_control(self) -> bool:
        """Whether the player does what the buttons say."""
        return not self.ending and self.player.alive

    def touching(self, piece: Piece) -> list[Piece]:
        """List the pieces that overlap a piece now, sensors included, in order of their ids."""
        shapes = [hit.shape for hit in self.space.shape_query(piece.shape)]
        others = [self.owners[shape] for shape in shapes if shape in self.owners]
        return sorted(others, key=lambda other: other.id)

    def leaning(self, piece: Piece) -> list[tuple[Vec2d, Piece | None]]:
        """List what a piece leans on, each with the normal towards it; None is the border.

        The callback only collects, for pymunk swallows whatever is raised in one.
        """
        found: list[tuple[Vec2d, pymunk.Shape]] = []
        piece.body.each_arbiter(lambda contact: found.append((contact.normal, contact.shapes[1])))
        return [(normal, self.owners.get(shape)) for normal, shape in found]

    def cue(self, name: str, source: Entity) -> None:
        """Note something that can be heard, and where."""
        x, y = source.position
        self.cues.append(Cue(name, x, y + source.size[1] / 2))

    def hurt(self) -> None:
        """Take a life from the player, who is thrown up; after the last one all is lost."""
        player = self.player
        player.alive, player.hurt_frame, player.ground = False, self.frame, None
        player.body.velocity = 0, -rules.HURT_SPEED
        self.lives -= 1
        if self.lives:
            self.cue("hurt", player)
        else:
            self.finish("lost")

    def finish(self, ending: str) -> None:
        """End the play as won or lost."""
        self.ending, self.ending_frame = ending, self.frame
        self.cue(ending, self.player)

    def throw(self, way: tuple[float, float]) -> None:
        """Let a stone fly from the player's hand."""
        self.thrown += 1
        hand = self.player.position - Vec2d(0, self.player.size[1] / 4)
        stone = Stone(self._highest_id + self.thrown, self.thrown, hand, self.frame)
        stone.body.velocity = Vec2d(*way) * rules.STONE_SPEED
        self.space.add(*stone.bodies())
        self.owners[stone.shape] = stone
        self.stones.append(stone)
        self.entities = [*self.entities, stone]
        self.cue("throw", stone)

    def remove(self, stone: Stone) -> None:
        """Take a stone out of the world."""
        self.space.remove(*stone.bodies())
        del self.owners[stone.shape]
        self.stones.remove(stone)
        self.entities = [entity for entity in self.entities if entity is not stone]

    def _all(self, kind: type[Kind]) -> list[Kind]:
        return [entity for entity in self.entities if isinstance(entity, kind)]

    def _sort(self) -> None:
        """List the entities by what the systems do with them."""
        self.player = self._all(Player)[0]
        self.plates, self.doors = self._all(entities.Plate), self._all(entities.Door)
        self.platforms, self.beams = self._all(entities.Platform), self._all(entities.Beam)
        self.coins, self.checkpoints = self._all(entities.Coin), self._all(entities.Checkpoint)
        self.npcs, self.guards = self._all(Npc), self._all(Guard)
        self.stones: list[Stone] = []
        pieces = self._all(Piece)
        self.weights = [piece for piece in pieces if "weight" in piece.tags]
        self.owners: dict[pymunk.Shape | None, Piece] = {piece.shape: piece for piece in pieces}
        self._highest_id = max(entity.id for entity in self.entities)

    def _connect(self) -> None:
        plates = {plate.path.rpartition("/")[2]: plate for plate in self.plates}
        for door in self.doors:
            door.plates = tuple(plates[name] for name in door.opened_by)
        for entity in self.entities:
            entity.prepare(self.rng)

    def _fill_space(self) -> None:
        self.space.gravity = 0, rules.GRAVITY
        self.space.collision_slop = rules.SLOP
        width, height = self.level.size
        for x in (-BORDER, width + BORDER):
            top, bottom = (x, -height), (x, 2 * height)
            self.space.add(pymunk.Segment(self.space.static_body, top, bottom, BORDER))
        for piece in self.owners.values():
            self.space.add(*piece.bodies())

    def _settle(self) -> None:
        """Sink what has weight into its floor as deep as it rests there.

        At a distance of exactly nothing, one rounding error would be a fall.
        """
        for piece in self.weights:
            piece.body.position += Vec2d(0, rules.SLOP)
        floor = [piece for piece in self.touching(self.player) if not piece.sensor]
        player = self.player
        player.grounded = any(piece.position.y > player.position.y for piece in floor)
        player.spawn = player.position
        player.stood_frame = 0 if player.grounded else rules.NEVER
