"""Every kind of object that a level file may hold, and the keys it has of its own."""

from __future__ import annotations

from .characters import Guard, Npc, Player
from .entities import (
    Beam,
    Checkpoint,
    Coin,
    Crate,
    Door,
    Entity,
    Exit,
    Piece,
    Plate,
    Platform,
    Sign,
    Spikes,
)
from .level import PAIR, PLATES, RANGE, SIZE, TEXT, TEXTS, WHOLE, Key

BOX = {"size": SIZE}
LINES = TEXTS.optional(())

KINDS: dict[str, tuple[type[Entity], dict[str, Key]]] = {
    "group": (Entity, {"size": PAIR.optional((0.0, 0.0))}),
    "hall": (Entity, BOX),
    "sign": (Sign, {**BOX, "text": TEXT}),
    "ground": (Piece, BOX),
    "wall": (Piece, BOX),
    "player": (Player, BOX),
    "npc": (Npc, {**BOX, "lines": LINES}),
    "guard": (Guard, {**BOX, "lines": LINES, "patrol": RANGE, "leash": RANGE}),
    "crate": (Crate, BOX),
    "plate": (Plate, BOX),
    "door": (Door, {**BOX, "opened_by": PLATES.optional(())}),
    "platform": (Platform, {**BOX, "to": PAIR, "period": WHOLE}),
    "beam": (Beam, BOX),
    "coin": (Coin, BOX),
    "spikes": (Spikes, BOX),
    "checkpoint": (Checkpoint, BOX),
    "exit": (Exit, BOX),
}
KEYS = {kind: keys for kind, (_, keys) in KINDS.items()}
