"""Hashes of a game's state: a cheap one each frame, a whole one at marks.

pymunk.batch copies all bodies at once (50 to 98 times faster than walking attributes); body ids are
left out, they come from a counter of the process.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import marshal
import math
import struct
import sys
from collections.abc import Callable
from typing import Any
from zlib import crc32

from harness.driver.plain import SCALARS, Named, is_point, scalar
from harness.driver.trees import Trees, leaves
from harness.games.native import NativeGame

_HIGH_BYTE = 7 if sys.byteorder == "little" else 0
# Version 2 writes no back-references, which would depend on who else holds an object.
_MARSHAL_VERSION = 2


class NotFinite(Exception):
    """A body's position, velocity or angle is no number; ``body`` counts from 0 in the space."""

    def __init__(self, body: int, values: tuple[float, ...]) -> None:
        self.body = body
        self.values = values


def frame_hasher(game: NativeGame) -> tuple[Callable[[], bytes], Callable[[], bytes]]:
    """Make two functions: one hashes a frame as 8 bytes, one gives the bytes that it hashes.

    A frame is its bodies and ``state()``. Its hash is a checksum of all and one of the bodies: what
    guards against nobody needs no cryptography, and this is a fifth of blake2b's time. Both
    functions raise NotFinite for a body with NaN or infinity in it.
    """
    instance, dumps = game.instance, marshal.dumps
    state = instance.state
    space, bodies = None, _no_bodies

    def read_bodies() -> bytes:
        nonlocal space, bodies
        present = getattr(instance, "space", None)
        if present is not space:  # a game may make a new one for its next level
            space, bodies = present, body_reader(present)
        data = bodies()
        high = data[_HIGH_BYTE::8]
        # An exponent of all ones shows in the high byte; the rare huge number is looked at twice.
        if b"\x7f" in high or b"\xff" in high:
            _check_finite(data)
        return data

    def read_state() -> bytes:
        values = state()
        try:
            return dumps(values, _MARSHAL_VERSION)
        except ValueError:
            return marshal.dumps(_plain_state(values), _MARSHAL_VERSION)

    def hash_frame() -> bytes:
        bodies_sum = crc32(read_bodies())
        # All of it comes first: a movie's trail keeps the first two bytes.
        return (crc32(read_state(), bodies_sum) << 32 | bodies_sum).to_bytes(8, "big")

    return hash_frame, lambda: read_bodies() + read_state()


def _no_bodies() -> bytes:
    return b""


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


def state_hash(game: NativeGame, frame: bytes, named: Named, entities: dict[str, Any]) -> str:
    """Hash the whole state as 16 hex digits: the frame, every entity's values, every generator."""
    whole = hashlib.blake2b(frame, digest_size=8)
    bodies = list(game.space.bodies) if game.space is not None else []
    # What the frame's hash holds of a body is not read again, one attribute at a time.
    trees = Trees(named, {id(body): f"Body {number}" for number, body in enumerate(bodies)})
    found = [(path, trees.of(entity)) for path, entity in entities.items()]
    said = [found, _pushed(game.space), [body.mass for body in bodies], game.random_states()]
    whole.update(marshal.dumps(said, _MARSHAL_VERSION))
    return whole.hexdigest()


def _pushed(space: Any) -> bytes:
    """The forces on all bodies, which are no part of a frame's hash."""
    if space is None:
        return b""
    try:
        from pymunk import batch

        buffer = _mark_buffer()
        buffer.clear()
        batch.get_space_bodies(space, batch.BodyFields.FORCE | batch.BodyFields.TORQUE, buffer)
        return bytes(buffer.float_buf())
    except (ImportError, AttributeError, TypeError):
        bodies = (*space.bodies, space.static_body)
        return repr([(*body.force, body.torque) for body in bodies]).encode()


@functools.cache
def _mark_buffer() -> Any:
    """One buffer for all: pymunk gives the memory of a buffer back to nobody."""
    from pymunk import batch

    return batch.Buffer()


def entity_values(named: Named, entities: dict[str, Any]) -> dict[str, Any]:
    """Everything that the entities hold, as scalars by path: ``player.health``."""
    trees = Trees(named)
    return dict(
        leaf for path, entity in entities.items() for leaf in leaves(path, trees.of(entity))
    )
