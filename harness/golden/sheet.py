"""Pictures put together: a film strip with its frame numbers, a sheet of golden, actual, diff."""

from __future__ import annotations

from collections.abc import Sequence

from harness.values.picture import Picture

STRIP_WIDTH = 640
_GAP = 4
_BAR = 18
_PAPER = (40, 38, 48)
_INK = (240, 236, 224)
_SCALE = 2
_LEAST_WIDTH = 120
_WIDE, _HIGH = 3, 5

_GLYPHS = {
    "0": "75557", "1": "26227", "2": "71747", "3": "71717", "4": "55711", "5": "74717",
    "6": "74757", "7": "71122", "8": "75757", "9": "75717", "a": "75755", "c": "74447",
    "d": "65556", "e": "74647", "f": "74644", "g": "74557", "i": "72227", "l": "44447",
    "n": "65555", "o": "75557", "t": "72222", "u": "55557", "r": "75655", "m": "57755",
}  # fmt: skip
"""Letters of 3 by 5 dots, a row each: 4, 2 and 1 are its dots from left to right."""


class Canvas:
    """Paper that pictures and words are put on."""

    def __init__(self, width: int, height: int) -> None:
        self.size = width, height
        self._pixels = bytearray(bytes(_PAPER) * (width * height))

    def paste(self, picture: Picture, left: int, top: int) -> None:
        """Put a picture at a place; it must fit."""
        stride, wide = self.size[0] * 3, picture.width * 3
        for row in range(picture.height):
            start = (top + row) * stride + left * 3
            self._pixels[start : start + wide] = picture.rows(row, row + 1)

    def write(self, text: str, left: int, top: int) -> None:
        """Write a word of the letters that there are; what does not fit is left out."""
        for place, letter in enumerate(text):
            for y, row in enumerate(_GLYPHS.get(letter, "00000")):
                for x in range(_WIDE):
                    if int(row) >> (_WIDE - 1 - x) & 1:
                        self._dot(left + (place * (_WIDE + 1) + x) * _SCALE, top + y * _SCALE)

    def _dot(self, left: int, top: int) -> None:
        width = min(_SCALE, self.size[0] - left)
        for row in range(top, top + _SCALE):
            if width > 0:
                start = (row * self.size[0] + left) * 3
                self._pixels[start : start + width * 3] = bytes(_INK) * width

    def picture(self) -> Picture:
        """What is on it."""
        return Picture(self.size, bytes(self._pixels))


def columns(count: int) -> int:
    """How many pictures stand side by side: few enough to be seen."""
    return min(4, next(n for n in range(1, count + 1) if n * n >= count))


def cell_width(count: int, width: int = STRIP_WIDTH) -> int:
    """How wide each picture of a strip is."""
    across = columns(count)
    return max(1, (width - _GAP * (across + 1)) // across)


def strip(pictures: Sequence[tuple[str, Picture]], across: int | None = None) -> Picture:
    """Put pictures side by side, in rows, each under its number or word."""
    across = across or columns(len(pictures))
    wide = max(picture.width for _, picture in pictures)
    high = max(picture.height for _, picture in pictures)
    down = -(-len(pictures) // across)
    paper = Canvas(across * (wide + _GAP) + _GAP, down * (high + _BAR) + _GAP)
    for index, (words, picture) in enumerate(pictures):
        left, top = index % across * (wide + _GAP) + _GAP, index // across * (high + _BAR)
        paper.write(words, left, top + (_BAR - _HIGH * _SCALE) // 2)
        paper.paste(picture, left, top + _BAR)
    return paper.picture()


def sheet(golden: Picture, actual: Picture, diff: Picture) -> Picture:
    """Put the three side by side, those of a tiny window larger than they are."""
    times = max(1, -(-_LEAST_WIDTH // max(golden.width, actual.width)))
    words = ("golden", "actual", "diff")
    pictures = [_enlarged(picture, times) for picture in (golden, actual, diff)]
    return strip(list(zip(words, pictures, strict=True)), across=3)


def _enlarged(picture: Picture, times: int) -> Picture:
    """Each pixel as a square of some pixels."""
    if times == 1:
        return picture
    rows = []
    for top in range(picture.height):
        row = picture.rows(top, top + 1)
        wide = b"".join(row[at : at + 3] * times for at in range(0, len(row), 3))
        rows.append(wide * times)
    return Picture((picture.width * times, picture.height * times), b"".join(rows))
