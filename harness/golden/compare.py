"""What differs between two pictures: how many pixels, where, and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from harness.errors import MissingDependency
from harness.values.picture import Picture
from harness.values.sight import Box

_RED = (255, 0, 64)
_FRAME = (255, 200, 0)


@dataclass(frozen=True, slots=True)
class PictureDifference:
    """How two pictures differ; ``box`` is left, top, right, bottom, the last two not in it."""

    pixels: int
    total: int
    box: tuple[int, int, int, int] | None = None
    largest: int = 0
    sizes: tuple[tuple[int, int], tuple[int, int]] | None = None

    @property
    def share(self) -> float:
        """The share of pixels that differ; all of them where the sizes do."""
        return 1.0 if self.sizes is not None else self.pixels / self.total


def difference(
    actual: Picture, golden: Picture, distance: int = 0, masks: Sequence[Box] = ()
) -> PictureDifference:
    """Compare two pictures; a pixel differs where a channel does by more than ``distance``."""
    total = actual.width * actual.height
    if actual.size != golden.size:
        return PictureDifference(total, total, sizes=(golden.size, actual.size))
    band = _differing_rows(actual, golden)
    if band is None:
        return PictureDifference(0, total)
    top = band[0]
    apart = _apart(actual, golden, band, masks)
    found = _over(apart, distance).getbbox()
    if found is None:
        return PictureDifference(0, total)
    counts = apart.crop(found).histogram()
    largest = max(value for value, count in enumerate(counts) if count)
    return PictureDifference(
        sum(counts[distance + 1 :]), total, (found[0], found[1] + top, found[2], found[3] + top),
        largest,
    )  # fmt: skip


def differing(
    actual: Picture,
    golden: Picture,
    box: tuple[int, int, int, int],
    distance: int = 0,
    masks: Sequence[Box] = (),
) -> bytes:
    """A byte for each pixel of a box of the two, row by row: 0 where they do not differ."""
    left, top, right, bottom = box
    apart = _apart(actual, golden, (top, bottom), masks)
    marks: bytes = _over(apart, distance).crop((left, 0, right, bottom - top)).tobytes()
    return marks


def diff_picture(
    actual: Picture, golden: Picture, distance: int = 0, masks: Sequence[Box] = ()
) -> Picture:
    """The golden in grey, what differs in red, and a frame around all of that."""
    _, draw = pillow()
    pale = _image(golden).convert("L").point([128 + value // 3 for value in range(256)])
    seen = pale.convert("RGB")
    if actual.size == golden.size:
        apart = _apart(actual, golden, (0, golden.height), masks)
        over = _over(apart, distance)
        seen.paste(_RED, mask=over)
        found = over.getbbox()
        if found is not None:
            left, top, right, bottom = found
            draw.Draw(seen).rectangle((left - 3, top - 3, right + 2, bottom + 2), outline=_FRAME)
    return Picture(seen.size, seen.tobytes())


def pillow() -> tuple[Any, Any]:
    """Pillow's Image and ImageDraw.

    Raises:
        MissingDependency: it is not installed.
    """
    try:
        from PIL import Image, ImageDraw
    except ImportError:
        raise MissingDependency("pillow", "comparing with a golden", "golden") from None
    return Image, ImageDraw


def _differing_rows(actual: Picture, golden: Picture) -> tuple[int, int] | None:
    """The first row that differs and the one after the last."""
    stride, here, there = actual.width * 3, actual.pixels, golden.pixels
    if here == there:
        return None
    starts = range(0, len(here), stride)  # slices of bytes compare far sooner than memoryviews
    first = next(s for s in starts if here[s : s + stride] != there[s : s + stride])
    last = next(s for s in reversed(starts) if here[s : s + stride] != there[s : s + stride])
    return first // stride, last // stride + 1


def _apart(actual: Picture, golden: Picture, band: tuple[int, int], masks: Sequence[Box]) -> Any:
    """How far each pixel of some rows is off, in the channel where it is most; 0 under masks."""
    from PIL import ImageChops

    top, bottom = band
    apart = ImageChops.difference(_image(actual, top, bottom), _image(golden, top, bottom))
    red, green, blue = apart.split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    for mask in masks:
        corner = (int(mask.x // 1), int(mask.y // 1) - top)
        end = (-int(-(mask.x + mask.width) // 1), -int(-(mask.y + mask.height) // 1) - top)
        if end > corner and end[1] > corner[1]:
            most.paste(0, (*corner, *end))
    return most


def _over(apart: Any, distance: int) -> Any:
    """White where a pixel is off by more than the distance, else black."""
    return apart.point([0] * (distance + 1) + [255] * (255 - distance))


def _image(picture: Picture, top: int = 0, bottom: int | None = None) -> Any:
    images, _ = pillow()
    bottom = picture.height if bottom is None else bottom
    rows = memoryview(picture.pixels)[top * picture.width * 3 : bottom * picture.width * 3]
    return images.frombuffer("RGB", (picture.width, bottom - top), rows, "raw", "RGB", 0, 1)
