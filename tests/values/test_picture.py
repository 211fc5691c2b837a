"""Pictures as values, and the PNG that they become."""

import io
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.errors import RequestError
from harness.values.picture import Picture
from harness.values.sight import Box

RED, BLUE = bytes([200, 10, 10]), bytes([10, 10, 200])


def noise(width, height, seed=0):
    return Picture((width, height), random.Random(seed).randbytes(width * height * 3))


def test_pictures_are_equal_when_size_and_pixels_are():
    assert noise(4, 3) == noise(4, 3)
    assert noise(4, 3) != noise(4, 3, seed=1)
    assert Picture((2, 1), RED * 2) != Picture((1, 2), RED * 2)
    assert Picture((1, 1), RED, {"a": Box(0, 0, 1, 1)}) == Picture((1, 1), RED)
    assert noise(4, 3) != "a picture"
    assert hash(noise(4, 3)) == hash(noise(4, 3))


def test_the_hash_is_of_size_and_pixels():
    assert noise(4, 3).hash == noise(4, 3).hash
    assert Picture((2, 1), RED * 2).hash != Picture((1, 2), RED * 2).hash
    assert len(noise(4, 3).hash) == 16
    assert repr(Picture((2, 1), RED * 2)).startswith("<picture 2x1 ")


@pytest.mark.parametrize(("size", "length"), [((2, 2), 11), ((0, 1), 0), ((1, -1), 3)])
def test_pixels_that_do_not_fill_the_size_are_refused(size, length):
    with pytest.raises(ValueError, match="bytes are no"):
        Picture(size, bytes(length))


def test_one_colour_is_blank():
    assert Picture((3, 2), RED * 6).blank
    assert not Picture((3, 2), RED * 5 + BLUE).blank


@given(st.integers(1, 20), st.integers(1, 20), st.data())
def test_the_share_that_changed_is_counted_pixel_by_pixel(width, height, data):
    one = noise(width, height)
    changed = data.draw(st.sets(st.integers(0, width * height - 1)))
    pixels = bytearray(one.pixels)
    for place in changed:
        channel = data.draw(st.integers(0, 2))
        pixels[place * 3 + channel] ^= data.draw(st.integers(1, 255))
    other = Picture((width, height), bytes(pixels))

    assert other.share_changed(one) == len(changed) / (width * height)
    assert other.share_changed(noise(width + 1, height)) == 1


@pytest.mark.parametrize("size", [(1, 1), (7, 3), (160, 90), (1, 50)])
def test_the_png_holds_the_same_pixels(size, tmp_path):
    images = pytest.importorskip("PIL.Image")
    picture = noise(*size)
    with images.open(io.BytesIO(picture.to_png())) as image:
        image.verify()
    with images.open(picture.write(tmp_path / "a.png")) as image:
        assert (image.mode, image.size, image.tobytes()) == ("RGB", size, picture.pixels)


def test_a_png_is_written_the_same_each_time_and_whole(tmp_path):
    assert noise(9, 9).to_png() == noise(9, 9).to_png()
    with pytest.raises(RequestError, match="cannot write"):
        noise(9, 9).write(tmp_path / "nowhere" / "a.png")
    assert list(tmp_path.iterdir()) == []


def test_in_view_is_what_has_a_pixel_in_the_picture():
    boxes = {"in": Box(1, 1, 2, 2), "edge": Box(-5, 0, 5, 5), "out": Box(10, 0, 5, 5)}
    assert Picture((10, 10), RED * 100, boxes).in_view == ("in", "edge")
