"""Every kind of object that a level file may hold, and the keys it has of its own."""

from __future__ import annotations

from . import characters, entities
from .entities import Entity, Piece

BOX = {"size": "size"}

KINDS: dict[str, tuple[type[Entity], dict[str, str]]] = {
    "group": (Entity, {"size": "pair"}),
    "hall": (Entity, BOX),
    "sign": (entities.Sign, {**BOX, "text": "text"}),
    "ground": (Piece, BOX),
    "wall": (Piece, BOX),
    "player": (characters.Player, BOX),
    "npc": (characters.Npc, {**BOX, "lines": "texts"}),
    "guard": (characters.Guard, {**BOX, "lines": "texts", "patrol": "range", "leash": "range"}),
    "crate": (entities.Crate, BOX),
    "plate": (entities.Plate, BOX),
    "door": (entities.Door, {**BOX, "opened_by": "texts"}),
    "platform": (entities.Platform, {**BOX, "to": "pair", "period": "whole"}),
    "beam": (entities.Beam, BOX),
    "coin": (entities.Coin, BOX),
    "spikes": (entities.Spikes, BOX),
    "checkpoint": (entities.Checkpoint, BOX),
    "exit": (entities.Exit, BOX),
}
KEYS = {kind: keys for kind, (_, keys) in KINDS.items()}
