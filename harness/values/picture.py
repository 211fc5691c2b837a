"""A picture: its size and its pixels, comparable, and written as PNG."""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from harness.values.files import Kind, write_atomically
from harness.values.sight import Box

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
PICTURE_FILE = Kind("picture", ".png", _SIGNATURE)
_DIFFERS = bytes([0]) + bytes([1]) * 255


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """What was drawn: ``size`` in pixels, ``pixels`` three bytes each (RGB), row by row.

    Two pictures are equal when these are. ``boxes`` is where the entities are in it, by name;
    ``scale`` how many of its pixels are one that the game drew.
    """

    size: tuple[int, int]
    pixels: bytes
    boxes: Mapping[str, Box] = field(default_factory=dict)
    scale: float = 1.0
    _hash: str = field(default="", init=False, repr=False)

    def __post_init__(self) -> None:
        width, height = self.size
        if width < 1 or height < 1 or len(self.pixels) != width * height * 3:
            raise ValueError(f"{len(self.pixels)} bytes are no {width}x{height} pixels of RGB")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Picture):
            return NotImplemented
        return self.size == other.size and self.pixels == other.pixels

    def __hash__(self) -> int:
        return hash((self.size, self.pixels))

    def __repr__(self) -> str:
        return f"<picture {self.width}x{self.height} {self.hash}>"

    @property
    def width(self) -> int:
        """Pixels from left to right."""
        return self.size[0]

    @property
    def height(self) -> int:
        """Pixels from top to bottom."""
        return self.size[1]

    @property
    def hash(self) -> str:
        """Its size and pixels as 16 hex digits."""
        if not self._hash:
            whole = hashlib.blake2b(f"{self.width}x{self.height}:".encode(), digest_size=8)
            whole.update(self.pixels)
            object.__setattr__(self, "_hash", whole.hexdigest())
        return self._hash

    @property
    def blank(self) -> bool:
        """Whether all of it has one colour."""
        return self.pixels == self.pixels[:3] * (self.width * self.height)

    @property
    def in_view(self) -> tuple[str, ...]:
        """The names of the entities whose boxes are in the picture."""
        frame = Box(0, 0, self.width - 1, self.height - 1)
        return tuple(name for name, box in self.boxes.items() if frame.meets(box))

    def share_changed(self, other: Picture) -> float:
        """The share of pixels that differ from another picture's; 1.0 when its size does."""
        if self.size != other.size:
            return 1.0
        if self.pixels == other.pixels:
            return 0.0
        return _differing(self.pixels, other.pixels) / (self.width * self.height)

    def rows(self, top: int, bottom: int) -> bytes:
        """The pixels of some rows."""
        return self.pixels[top * self.width * 3 : bottom * self.width * 3]

    def to_png(self) -> bytes:
        """The picture as a PNG file: RGB, 8 bits."""
        stride = self.width * 3
        pixels = memoryview(self.pixels)
        lines = b"\0".join(
            [b"", *(pixels[start : start + stride] for start in range(0, len(pixels), stride))]
        )
        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)
        parts = ((b"IHDR", header), (b"IDAT", zlib.compress(lines, 1)), (b"IEND", b""))
        return _SIGNATURE + b"".join(_chunk(kind, data) for kind, data in parts)

    def write(self, path: str | Path) -> Path:
        """Write it as a PNG file, whose name ends in ``.png``.

        Raises:
            RequestError: it ends otherwise, something else is there, or it cannot be written.
        """
        return write_atomically(PICTURE_FILE.check(path), self.to_png())


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _differing(these: bytes, those: bytes) -> int:
    """Count the pixels that differ, in whole-picture operations of the standard library."""
    bits = int.from_bytes(these, "little") ^ int.from_bytes(those, "little")
    marks = bits.to_bytes(len(these), "little").translate(_DIFFERS)
    either = 0
    for channel in range(3):
        either |= int.from_bytes(marks[channel::3], "little")
    return either.bit_count()
