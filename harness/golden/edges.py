"""Which pixels of a difference lie on edges that are smoothed.

A pixel is taken for one where it lies on a slope between a darker and a brighter side, and each
side is an even patch in both pictures (V. Vysniauskas, Anti-aliased pixel and intensity slope
detector, 2009). It is asked after a comparison failed, and decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.golden.compare import PictureDifference, differing
from harness.values.picture import Picture
from harness.values.sight import Box

MOST_PIXELS = 8_000
"""More of them than this are no matter of edges, and would take a second to look at."""

Pixel = tuple[int, int]


def smoothed(
    actual: Picture,
    golden: Picture,
    found: PictureDifference,
    distance: int = 0,
    masks: Sequence[Box] = (),
) -> int:
    """Count the pixels that differ on smoothed edges; 0 where there are too many to look at."""
    if found.box is None or found.pixels > MOST_PIXELS:
        return 0
    left, top, right, _ = found.box
    across = right - left
    marks = differing(actual, golden, found.box, distance, masks)
    places = ((left + n % across, top + n // across) for n, mark in enumerate(marks) if mark)
    return sum(
        _on_slope(actual, golden, place) or _on_slope(golden, actual, place) for place in places
    )


def _on_slope(picture: Picture, other: Picture, place: Pixel) -> bool:
    """Whether a pixel lies between a darker and a brighter patch that both pictures have."""
    here = _brightness(picture, place)
    slopes = [(_brightness(picture, near) - here, near) for near in _around(picture, place)]
    if sum(not slope for slope, _ in slopes) + (len(slopes) < 8) > 2:
        return False
    (fall, darkest), (rise, brightest) = min(slopes), max(slopes)
    if fall >= 0 or rise <= 0:
        return False
    return any(_even(picture, end) and _even(other, end) for end in (darkest, brightest))


def _even(picture: Picture, place: Pixel) -> bool:
    """Whether three or more pixels around one have its colour."""
    colour = _colour(picture, place)
    same = sum(_colour(picture, near) == colour for near in _around(picture, place))
    return same + (place[0] in (0, picture.width - 1) or place[1] in (0, picture.height - 1)) > 2


def _around(picture: Picture, place: Pixel) -> Iterator[Pixel]:
    for y in range(max(0, place[1] - 1), min(picture.height, place[1] + 2)):
        for x in range(max(0, place[0] - 1), min(picture.width, place[0] + 2)):
            if (x, y) != place:
                yield x, y


def _colour(picture: Picture, place: Pixel) -> bytes:
    start = (place[1] * picture.width + place[0]) * 3
    return picture.pixels[start : start + 3]


def _brightness(picture: Picture, place: Pixel) -> int:
    red, green, blue = _colour(picture, place)
    return 299 * red + 587 * green + 114 * blue
