"""Hashes of a game's state: a cheap one each frame, a whole one at marks.

pymunk.batch copies all bodies at once (50 to 98 times faster than walking attributes); body ids are
left out, they come from a counter of the process.
"""

from __future__ import annotations

import enum
import hashlib
import marshal
import math
import struct
import sys
from collections.abc import Callable
from typing import Any

from harness.driver.plain import SCALARS, Named, Walk, is_point, scalar
from harness.games.native import NativeGame
from harness.values.sight import Point

_HIGH_BYTE = 7 if sys.byteorder == "little" else 0
# Version 2 writes no back-references, which would depend on who else holds an object.
_MARSHAL_VERSION = 2


class NotFinite(Exception):
    """A body's position, velocity or angle is no number; ``body`` counts from 0 in the space."""

    def __init__(self, body: int, values: tuple[float, ...]) -> None:
        self.body = body
        self.values = values


def frame_hasher(game: NativeGame) -> Callable[[], bytes]:
    """Make the function that hashes a frame: its bodies and ``state()``, as 8 bytes.

    The function raises NotFinite for a body with NaN or infinity in it.
    """
    instance, blake2b, dumps = game.instance, hashlib.blake2b, marshal.dumps
    state = instance.state
    space, bodies = None, _no_bodies

    def hash_frame() -> bytes:
        nonlocal space, bodies
        present = getattr(instance, "space", None)
        if present is not space:  # a game may make a new one for its next level
            space, bodies = present, body_reader(present)
        data = bodies()
        high = data[_HIGH_BYTE::8]
        # An exponent of all ones shows in the high byte; the rare huge number is looked at twice.
        if b"\x7f" in high or b"\xff" in high:
            _check_finite(data)
        values = state()
        try:
            data += dumps(values, _MARSHAL_VERSION)
        except ValueError:
            data += _state_bytes(values)
        return blake2b(data, digest_size=8).digest()

    return hash_frame


def _no_bodies() -> bytes:
    return b""


def _state_bytes(values: tuple[Any, ...]) -> bytes:
    try:
        return marshal.dumps(values, _MARSHAL_VERSION)
    except ValueError:
        return marshal.dumps(_plain_state(values), _MARSHAL_VERSION)


def _plain_state(value: Any) -> Any:
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, SCALARS):
        return scalar(value)
    if isinstance(value, list | tuple) or is_point(value):
        return tuple(_plain_state(item) for item in value)
    raise TypeError(
        f"state() holds a {type(value).__name__}; only numbers, text, booleans and None are hashed"
    )


def body_reader(space: Any) -> Callable[[], bytes]:
    """Make the function that copies position, angle, velocity and spin of all bodies.

    pymunk calls its batch module experimental: where it is not there, attributes are walked.
    """
    if space is None:
        return _no_bodies
    _ = space.static_body  # made when it is first asked for: looking at it must not be a change
    try:
        from pymunk import batch

        fields = batch.BodyFields
        wanted = fields.POSITION | fields.ANGLE | fields.VELOCITY | fields.ANGULAR_VELOCITY
        buffer, read = batch.Buffer(), batch.get_space_bodies
        read(space, wanted, buffer)
    except (ImportError, AttributeError, TypeError):
        return lambda: walked_bodies(space)

    def read_bodies() -> bytes:
        buffer.clear()
        read(space, wanted, buffer)
        return bytes(buffer.float_buf())

    return read_bodies


def walked_bodies(space: Any) -> bytes:
    """Copy what ``body_reader`` copies, attribute by attribute, in the order of the space."""
    numbers: list[float] = []
    for body in (*space.bodies, space.static_body):
        numbers += (*body.position, body.angle, *body.velocity, body.angular_velocity)
    return struct.pack(f"={len(numbers)}d", *numbers)


def _check_finite(data: bytes) -> None:
    numbers = memoryview(data).cast("d")
    for index in range(0, len(numbers), 6):
        values = tuple(numbers[index : index + 6])
        if not all(map(math.isfinite, values)):
            raise NotFinite(index // 6, values)


def state_hash(game: NativeGame, frame_hash: bytes, named: Named, entities: dict[str, Any]) -> str:
    """Hash the whole state as 16 hex digits: the frame, every entity's values, every generator."""
    whole = hashlib.blake2b(frame_hash, digest_size=8)
    leaves = [
        (path, tuple(value) if type(value) is Point else value)
        for path, value in entity_values(named, entities)
    ]
    whole.update(marshal.dumps(leaves, _MARSHAL_VERSION))
    whole.update(repr(game.random_states()).encode())
    return whole.hexdigest()


def entity_values(named: Named, entities: dict[str, Any]) -> list[tuple[str, Any]]:
    """Everything that the entities hold, as (``player.health``, scalar) pairs."""
    walk = Walk(named)
    for path, entity in entities.items():
        walk.enter(path, entity)
    return walk.leaves
