"""Reads PNG files as pictures, and says what is wrong with those that are none."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path
from typing import Any

from harness.errors import GoldenError
from harness.golden.compare import pillow
from harness.values.files import read_file, reason, shown_path
from harness.values.picture import Picture

_PNG = b"\x89PNG\r\n\x1a\n"
_HEADER = struct.Struct(">8s4x4sII5s4xI4s")
_FORM = bytes([8, 2, 0, 0, 0])  # 8 bits a channel, RGB, not interlaced
_MOST_PIXELS = 1 << 26
UPDATE = "  run with --golden-update to approve"


def read_png(path: Path) -> Picture:
    """Read a PNG as a picture: grey and palettes as the RGB that they show.

    Raises:
        GoldenError: it is none, or not whole; has 16 bits a channel; or is not opaque.
    """
    try:
        data = read_file(path)
    except OSError as error:
        raise GoldenError(f"{shown_path(path)}: cannot be read: {reason(error)}", path) from None
    if not data.startswith(_PNG):
        raise broken(path, "is no PNG")
    problem = _damage(data)
    if problem:
        raise broken(path, f"is not whole: {problem}")
    width, height = struct.unpack_from(">II", data, 16)
    if width * height > _MOST_PIXELS:
        problem = f"says that it is {width}x{height} pixels large, more than any picture of a game"
        raise broken(path, problem)
    if data[24] == 16:
        problem = "has 16 bits a channel; pictures of a game have 8"
        raise broken(path, problem)
    return _as_written(data) or _decoded(path, data)


def broken(path: Path, problem: str) -> GoldenError:
    """What is wrong with a golden's file; approving it anew writes another."""
    return GoldenError(f"{shown_path(path)}: {problem}\n{UPDATE} anew", path)


def png_width(path: Path) -> int | None:
    """How wide a PNG says that it is; None of what is none."""
    try:
        with path.open("rb") as file:
            start = file.read(24)
    except OSError:
        return None
    wide = int.from_bytes(start[16:20], "big")
    return wide if len(start) == 24 and start.startswith(_PNG) and wide else None


def _damage(data: bytes) -> str:
    """What is wrong with the parts of a PNG; Pillow lets a part of the pixels be missing."""
    start = len(_PNG)
    while start + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, start)
        end = start + 12 + length
        if end > len(data):
            break
        if zlib.crc32(data[start + 4 : end - 4]) != int.from_bytes(data[end - 4 : end], "big"):
            return f"its part at byte {start} is damaged"
        if data[start + 4 : start + 8] == b"IEND":
            return "" if start > len(_PNG) else "it has no header"
        start = end
    return "the file ends too early"


def _as_written(data: bytes) -> Picture | None:
    """The picture of a file as ``Picture.to_png`` writes it, sooner than Pillow gives it."""
    end = _HEADER.size
    signature, kind, width, height, form, length, body = _HEADER.unpack_from(data.ljust(end))
    whole = end + length + 16 == len(data)
    as_ours = (signature, kind, form, body) == (_PNG, b"IHDR", _FORM, b"IDAT")
    if not as_ours or not whole or not height:
        return None
    line = width * 3 + 1
    reader = zlib.decompressobj()
    try:
        lines = memoryview(reader.decompress(memoryview(data)[end:-16], height * line))
    except (zlib.error, OverflowError, MemoryError):
        return None
    # Each line begins with its filter: here that is none.
    if not width or len(lines) != height * line or not reader.eof or any(lines[::line]):
        return None
    rows = [lines[start + 1 : start + line] for start in range(0, len(lines), line)]
    return Picture((width, height), b"".join(rows))


def _decoded(path: Path, data: bytes) -> Picture:
    images, _ = pillow()
    too_much = images.DecompressionBombError, images.DecompressionBombWarning, MemoryError
    try:
        with images.open(io.BytesIO(data), formats=("PNG",)) as image:
            image.load()
            if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
                image = _opaque(path, image.convert("RGBA"))
            whole = image if image.mode == "RGB" else image.convert("RGB")
            return Picture(image.size, whole.tobytes())
    except too_much:
        raise broken(path, "is too large to be a picture of a game") from None
    except (OSError, SyntaxError, ValueError, EOFError, struct.error, zlib.error) as error:
        why = " ".join(str(error).split()) or type(error).__name__
        raise broken(path, f"is not a whole PNG: {why}") from None


def _opaque(path: Path, image: Any) -> Any:
    if image.getchannel("A").getextrema() != (255, 255):
        problem = "is transparent in places; pictures of a game are not"
        raise broken(path, problem)
    return image
