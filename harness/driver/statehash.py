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
import operator
import re
import struct
import sys
from collections.abc import Callable, Sequence
from typing import Any
from zlib import crc32

from harness.driver.plain import SCALARS, Named, is_point, scalar
from harness.driver.trees import Trees, leaves
from harness.games.loaded import LoadedGame

_HIGH_BYTE = 7 if sys.byteorder == "little" else 0
# Version 2 writes no back-references, which would depend on who else holds an object.
_MARSHAL_VERSION = 2
_MOTION = ("POSITION", "ANGLE", "VELOCITY", "ANGULAR_VELOCITY")
_PUSHES = ("FORCE", "TORQUE")
_VECTORS = frozenset(("POSITION", "VELOCITY", "FORCE"))


class NotFinite(Exception):
    """A body's position, velocity or angle is no number; ``body`` counts from 0 in the space."""

    def __init__(self, body: int, values: tuple[float, ...]) -> None:
        self.body = body
        self.values = values


class NotPlaced(Exception):
    """A value that says where the game stands is no number."""


_NANS = (b"\xf8\x7f", b"\xf8\xff")
_INFINITIES = (b"\xf0\x7f", b"\xf0\xff")
_PLACE = re.compile(r"\.(x|y|vx|vy|pos|position|cent(er|re)|vel|velocity|angle|rotation)(\[\d\])?$")
"""What places an entity. NaN and infinity elsewhere may be meant: no best time yet, no limit."""


def frame_hasher(game: LoadedGame) -> tuple[Callable[[], bytes], Callable[[], bytes]]:
    """Make two functions: one hashes a frame as 8 bytes, one gives the bytes that it hashes.

    A frame is its bodies and ``state()``. Its hash is a checksum of all and one of the bodies: what
    guards against nobody needs no cryptography, and this is a fifth of blake2b's time. Both
    functions raise NotFinite for a body with NaN or infinity in it.
    """
    state, dumps = game.instance.state, marshal.dumps
    nan, minus_nan = _NANS
    bodies = _present_bodies(game, _MOTION)

    def read() -> tuple[bytes, bytes]:
        data = bodies()
        high = data[_HIGH_BYTE::8]
        # An exponent of all ones shows in the high byte; the rare huge number is looked at twice.
        if b"\x7f" in high or b"\xff" in high:
            _check_finite(data)
        values = state()
        try:
            said = dumps(values, _MARSHAL_VERSION)
        except ValueError:
            said = dumps(_plain_state(values), _MARSHAL_VERSION)
        # How marshal writes every NaN that arithmetic makes, and a few numbers besides.
        if nan in said or minus_nan in said:
            _check_state(values, "state()")
        return data, said

    def hash_frame() -> bytes:
        data, values = read()
        bodies_sum = crc32(data)
        # All of it comes first: a movie's trail keeps the first two bytes.
        return (crc32(values, bodies_sum) << 32 | bodies_sum).to_bytes(8, "big")

    return hash_frame, lambda: b"".join(read())


def _check_state(value: Any, place: str) -> None:
    if isinstance(value, float) and value != value:
        raise NotPlaced(f"{place} is nan")
    if isinstance(value, list | tuple):
        for index, part in enumerate(value):
            _check_state(part, f"{place}[{index}]")


def _check_entities(found: Sequence[tuple[str, Any]]) -> None:
    for path, tree in found:
        for place, value in leaves(path, tree):
            numbers = value if isinstance(value, tuple) else (value,)
            for number in numbers:
                wrong = isinstance(number, float) and not math.isfinite(number)
                if wrong and _PLACE.search(place, len(path)):
                    shown = tuple(value) if isinstance(value, tuple) else value
                    raise NotPlaced(f"{place} is {shown}")


def _present_bodies(game: LoadedGame, wanted: Sequence[str]) -> Callable[[], bytes]:
    """Read the spaces that the game has now: it may make a new one for its next level."""
    present_spaces = game.spaces
    spaces: tuple[Any, ...] = ()
    read = _no_bodies

    def read_present() -> bytes:
        nonlocal spaces, read
        present = present_spaces()
        if present != spaces:
            spaces, readers = present, [body_reader(space, wanted) for space in present]
            read = readers[0] if len(readers) == 1 else _joined(readers)
            if not game.declared:
                read = _in_any_order(read, sum(2 if name in _VECTORS else 1 for name in wanted))
        return read()

    return read_present


def _in_any_order(read: Callable[[], bytes], numbers: int) -> Callable[[], bytes]:
    """Bodies sorted by what they hold.

    Programs remove what they find in sets, and the order in which pymunk has the rest follows from
    that: it is no difference as long as nothing comes of it.
    """
    size = numbers * struct.calcsize("d")

    def read_sorted() -> bytes:
        data = read()
        return b"".join(sorted(data[at : at + size] for at in range(0, len(data), size)))

    return read_sorted


def _joined(readers: Sequence[Callable[[], bytes]]) -> Callable[[], bytes]:
    return lambda: b"".join(read() for read in readers)


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


def body_reader(space: Any, wanted: Sequence[str] = _MOTION) -> Callable[[], bytes]:
    """Make the function that copies some fields of all bodies, their motion unless told.

    pymunk calls its batch module experimental: where it is not there, attributes are walked.
    """
    if space is None:
        return _no_bodies
    _ = space.static_body  # made when it is first asked for: looking at it must not be a change
    try:
        from pymunk import batch

        fields = functools.reduce(operator.or_, (batch.BodyFields[name] for name in wanted))
        buffer = batch.Buffer()
        batch.get_space_bodies(space, fields, buffer)
    except (ImportError, AttributeError, TypeError, KeyError):
        return lambda: walked_bodies(space, wanted)

    def read_bodies() -> bytes:
        buffer.clear()
        batch.get_space_bodies(space, fields, buffer)
        return bytes(buffer.float_buf())

    try:
        quick = _prepared_reader(batch, space, fields, buffer)
        return quick if quick() == read_bodies() else read_bodies
    except (AttributeError, TypeError):
        return read_bodies


def _prepared_reader(batch: Any, space: Any, fields: Any, buffer: Any) -> Callable[[], bytes]:
    """What ``get_space_bodies`` does, with its request made once: 1.5 us less each frame.

    It stands on names that pymunk keeps to itself, so it is used only where it gives the same.
    """
    ffi, lib, floats = batch.ffi, batch.lib, buffer._float_arr
    request = ffi.new("pmBatchedData *")
    request.fields, request.floatArray, request.intArray = fields.value, floats, buffer._int_arr
    iterate, each = ffi.addressof(lib, "pmSpaceBodyGetIteratorFuncBatched"), lib.cpSpaceEachBody
    size, view = ffi.sizeof("cpFloat"), ffi.buffer

    def read_bodies() -> bytes:
        floats.num = 0
        # The space itself is held: without it, its memory would be gone.
        each(space._space, iterate, request)
        return bytes(view(floats.arr, size * floats.num))

    return read_bodies


def walked_bodies(space: Any, wanted: Sequence[str] = _MOTION) -> bytes:
    """Copy what ``body_reader`` copies, attribute by attribute.

    The order is another one (batch gives dynamic bodies first and sleeping ones last), so hashes
    by the one way are not to be compared with hashes by the other.
    """
    numbers: list[float] = []
    for body in (*space.bodies, space.static_body):
        for name in wanted:
            value = getattr(body, name.lower())
            numbers.extend((value,) if isinstance(value, int | float) else value)
    return struct.pack(f"={len(numbers)}d", *numbers)


def _check_finite(data: bytes) -> None:
    numbers = memoryview(data).cast("d")
    for index in range(0, len(numbers), 6):
        values = tuple(numbers[index : index + 6])
        if not all(map(math.isfinite, values)):
            raise NotFinite(index // 6, values)


def state_hasher(game: LoadedGame) -> Callable[[bytes, Named, dict[str, Any]], str]:
    """Make the function that hashes the whole state as 16 hex digits.

    It takes the frame's bytes, and covers besides what every entity holds and every generator.
    """
    pushes = _present_bodies(game, _PUSHES)

    def hash_state(frame: bytes, named: Named, entities: dict[str, Any]) -> str:
        bodies = list(game.space.bodies) if game.space is not None else []
        # What the frame's hash holds of a body is not read again, one attribute at a time.
        trees = Trees(named, {id(body): f"Body {number}" for number, body in enumerate(bodies)})
        found = [(path, trees.of(entity)) for path, entity in entities.items()]
        said = [found, pushes(), [body.mass for body in bodies], game.random_states()]
        whole = hashlib.blake2b(frame, digest_size=8)
        told = marshal.dumps(said, _MARSHAL_VERSION)
        if any(sign in told for sign in (*_NANS, *_INFINITIES)):
            _check_entities(found)
        whole.update(told)
        whole.update(game.picture())
        return whole.hexdigest()

    return hash_state


def entity_values(named: Named, entities: dict[str, Any]) -> dict[str, Any]:
    """Everything that the entities hold, as scalars by path: ``player.health``."""
    trees = Trees(named)
    return dict(
        leaf for path, entity in entities.items() for leaf in leaves(path, trees.of(entity))
    )
