"""The world: a level come to life, stepped by its systems at a fixed timestep."""

from __future__ import annotations

import random
from typing import Protocol, TypeVar

import pymunk
from pymunk import Vec2d

from . import rules
from .entities import KINDS, Coin, Crate, Door, Entity, Piece, Plate, Player
from .level import Level, LevelError
from .particles import Particles
from .systems import SYSTEMS

Kind = TypeVar("Kind", bound=Entity)
BORDER = 20.0


class Inputs(Protocol):
    """What the world reads of a frame's input: the buttons' names."""

    @property
    def held(self) -> frozenset[str]:
        """The buttons that are down."""

    @property
    def pressed(self) -> frozenset[str]:
        """The buttons that went down in this frame."""


class World:
    """One play of one level; `status` is playing, won or lost."""

    def __init__(self, level: Level, seed: int) -> None:
        self.level = level
        self.rng = random.Random(seed)
        self.particles = Particles(random.Random(seed + 1))
        self.frame = 0
        self.status = "playing"
        self.status_frame = 0
        self.cues: list[tuple[str, float, float]] = []
        """What could be heard in the last step: a name and the place it came from."""
        self.entities = [KINDS[spec.kind](spec) for spec in level.objects]
        self.player = self._only(Player)
        self.crates = self._all(Crate)
        self.plates = self._all(Plate)
        self.doors = self._all(Door)
        self.coins = self._all(Coin)
        self.pieces = self._all(Piece)
        self.weights = [piece for piece in self.pieces if "weight" in piece.tags]
        self.owners: dict[pymunk.Shape | None, Piece] = {
            shape: piece for piece in self.pieces for shape in piece.shapes
        }
        self.space = pymunk.Space()
        self._connect()
        self._fill_space()
        self._settle()

    @property
    def coins_taken(self) -> int:
        """How many coins the player has."""
        return len([coin for coin in self.coins if coin.taken])

    def step(self, inputs: Inputs) -> None:
        """Advance one frame."""
        self.frame += 1
        self.cues.clear()
        for system in SYSTEMS:
            system(self, inputs)

    def touching(self, piece: Piece) -> list[Piece]:
        """List the pieces that overlap a piece now, sensors included, in order of their ids."""
        hits = self.space.shape_query(piece.shape)
        others = [self.owners[hit.shape] for hit in hits if hit.shape in self.owners]
        return sorted(others, key=lambda other: other.id)

    def cue(self, name: str, source: Entity) -> None:
        """Note something that can be heard, and where."""
        x, y = source.position
        self.cues.append((name, x, y + source.size[1] / 2))

    def finish(self, status: str) -> None:
        """End the play as won or lost."""
        self.status = status
        self.status_frame = self.frame
        self.cue(status, self.player)

    def _all(self, kind: type[Kind]) -> list[Kind]:
        return [entity for entity in self.entities if isinstance(entity, kind)]

    def _only(self, kind: type[Kind]) -> Kind:
        found = self._all(kind)
        if len(found) != 1:
            raise LevelError(f"a level has one {kind.__name__.lower()}, this one {len(found)}")
        return found[0]

    def _connect(self) -> None:
        names = {
            spec.name: entity
            for spec, entity in zip(self.level.objects, self.entities, strict=True)
        }
        for door in self.doors:
            plates = [names[name] for name in door.opened_by]
            door.plates = tuple(plate for plate in plates if isinstance(plate, Plate))
        for entity in self.entities:
            entity.prepare(self.rng)

    def _fill_space(self) -> None:
        self.space.gravity = 0, rules.GRAVITY
        self.space.collision_slop = rules.SLOP
        for piece in self.pieces:
            self.space.add(*piece.bodies())
        width, height = self.level.size
        for x in (-BORDER, width + BORDER):
            top, bottom = (x, -height), (x, 2 * height)
            self.space.add(pymunk.Segment(self.space.static_body, top, bottom, BORDER))

    def _settle(self) -> None:
        """Sink what has weight into its floor as deep as it rests there.

        At a distance of exactly nothing, one rounding error would be a fall.
        """
        for piece in self.weights:
            piece.body.position += Vec2d(0, rules.SLOP)
        floor = [piece for piece in self.touching(self.player) if not piece.sensor]
        self.player.grounded = any(piece.position.y > self.player.position.y for piece in floor)
