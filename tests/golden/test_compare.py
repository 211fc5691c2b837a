"""What differs between two pictures, counted, boxed and masked."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.golden.compare import diff_picture, difference
from harness.golden.sheet import cell_width, columns, sheet, strip
from harness.values.picture import Picture
from harness.values.sight import Box

pytest.importorskip("PIL")


def noise(width=12, height=8, seed=0):
    return Picture((width, height), random.Random(seed).randbytes(width * height * 3))


def with_pixels(picture, changes):
    pixels = bytearray(picture.pixels)
    for (x, y), colour in changes.items():
        start = (y * picture.width + x) * 3
        pixels[start : start + 3] = bytes(colour)
    return Picture(picture.size, bytes(pixels))


def pixel(picture, x, y):
    start = (y * picture.width + x) * 3
    return tuple(picture.pixels[start : start + 3])


def test_equal_pictures_do_not_differ():
    found = difference(noise(), noise())
    assert (found.pixels, found.box, found.share, found.largest) == (0, None, 0, 0)


@pytest.mark.parametrize("place", [(0, 0), (11, 7), (5, 3)])
@pytest.mark.parametrize("channel", [0, 1, 2])
@pytest.mark.parametrize("step", [1, 3])
def test_one_channel_of_one_pixel_is_found_where_it_is(place, channel, step):
    black = Picture((12, 8), bytes(12 * 8 * 3))
    colour = [0, 0, 0]
    colour[channel] = step
    found = difference(with_pixels(black, {place: colour}), black)

    x, y = place
    assert (found.pixels, found.box, found.largest) == (1, (x, y, x + 1, y + 1), step)
    assert found.share == 1 / 96
    assert difference(with_pixels(black, {place: colour}), black, distance=step).pixels == 0
    assert difference(with_pixels(black, {place: colour}), black, distance=step - 1).pixels == 1


def by_hand(one, other, distance, masks):
    places = []
    for y in range(one.height):
        for x in range(one.width):
            masked = any(
                m.x - 1 < x < m.x + m.width and m.y - 1 < y < m.y + m.height for m in masks
            )
            pairs = zip(pixel(one, x, y), pixel(other, x, y), strict=True)
            if not masked and any(abs(a - b) > distance for a, b in pairs):
                places.append((x, y))
    return places


masks = st.lists(
    st.builds(Box, st.integers(-3, 12), st.integers(-3, 8), st.integers(0, 9), st.integers(0, 9)),
    max_size=2,
)


@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(
        st.tuples(st.integers(0, 11), st.integers(0, 7)),
        st.tuples(*[st.integers(0, 255)] * 3),
        max_size=12,
    ),
    st.integers(0, 255),
    masks,
)
def test_what_differs_is_what_a_loop_over_the_pixels_finds(changes, distance, masked):
    golden = noise()
    actual = with_pixels(golden, changes)
    found = difference(actual, golden, distance, masked)
    places = by_hand(actual, golden, distance, [m for m in masked if m.width and m.height])

    assert found.pixels == len(places)
    if places:
        xs, ys = [x for x, _ in places], [y for _, y in places]
        assert found.box == (min(xs), min(ys), max(xs) + 1, max(ys) + 1)
    else:
        assert found.box is None


def test_other_sizes_differ_as_a_whole():
    found = difference(noise(4, 4), noise(4, 5))
    assert (found.share, found.sizes) == (1.0, ((4, 5), (4, 4)))
    assert diff_picture(noise(4, 4), noise(4, 5)).size == (4, 5)


def test_the_diff_shows_what_differs_in_red():
    golden = noise(40, 30)
    diff = diff_picture(with_pixels(golden, {(20, 10): (1, 2, 3)}), golden)
    assert pixel(diff, 20, 10) == (255, 0, 64)
    assert len(set(pixel(diff, 2, 2))) == 1  # grey


def test_the_sheet_shows_the_three_side_by_side():
    golden, actual, diff = noise(130, 20), noise(130, 20, 1), noise(130, 20, 2)
    whole = sheet(golden, actual, diff)
    assert whole.width == 3 * 134 + 4
    for index, picture in enumerate((golden, actual, diff)):
        left = 4 + index * 134
        for y in range(20):
            row = whole.rows(18 + y, 19 + y)
            assert row[left * 3 : (left + 130) * 3] == picture.rows(y, y + 1)


def test_the_sheet_shows_tiny_pictures_larger():
    golden = noise(30, 20)
    whole = sheet(golden, golden, golden)
    assert whole.size == (3 * 124 + 4, 80 + 18 + 4)
    for y in range(80):
        for x in range(120):
            assert pixel(whole, 128 + x, 18 + y) == pixel(golden, x // 4, y // 4)


def test_pictures_of_other_sizes_fit_on_a_sheet():
    assert sheet(noise(30, 20), noise(50, 10), noise(30, 20)).width > 150
    assert strip([("1234567890", noise(2, 2))]).width == 10


@pytest.mark.parametrize("count", range(1, 20))
def test_a_strip_is_no_wider_than_it_may_be(count):
    width = cell_width(count)
    picture = strip([(str(n), noise(width, 5)) for n in range(count)])
    assert picture.width <= 640
    assert picture.width > 620
    assert columns(count) <= 4
