"""Edges that were smoothed otherwise are told from what moved or changed."""

import pytest

from harness.golden import edges
from harness.golden.compare import difference
from harness.golden.edges import smoothed
from harness.golden.golden import Golden
from harness.golden.store import Store
from harness.values.picture import Picture
from harness.values.sight import Box

pytest.importorskip("PIL")


def columns(*greys, height=8):
    """A picture whose columns have these greys."""
    return Picture((len(greys), height), b"".join(bytes([grey] * 3) for grey in greys) * height)


def count(actual, golden, distance=0, masks=()):
    return smoothed(actual, golden, difference(actual, golden, distance, masks), distance, masks)


SOFT = columns(0, 0, 0, 128, 255, 255, 255)
SOFTER = columns(0, 0, 0, 100, 255, 255, 255)
HARD = columns(0, 0, 0, 0, 255, 255, 255)
RAISED = columns(3, 3, 3, 131, 255, 255, 255)


def test_an_edge_that_is_smoothed_otherwise_is_one():
    assert count(SOFT, SOFTER) == 8
    assert count(SOFT, HARD) == count(HARD, SOFT) == 8


def test_a_hard_edge_that_moved_and_another_colour_are_none():
    assert count(columns(0, 0, 0, 0, 255, 255), columns(0, 0, 0, 255, 255, 255)) == 0
    assert count(columns(9, 9, 9, 9), columns(9, 9, 12, 9)) == 0
    assert count(RAISED, SOFT) == 8, "the flat side is another colour, its edge is still one"


def test_what_is_masked_or_within_the_distance_is_not_counted():
    assert count(SOFT, SOFTER, masks=[Box(0, 0, 7, 5)]) == 3
    assert count(SOFT, SOFTER, distance=28) == 0


def test_equal_pictures_and_other_sizes_have_none():
    assert count(SOFT, SOFT) == 0
    assert count(SOFT, columns(0, 1)) == 0


def test_a_difference_of_very_many_pixels_is_not_looked_at(monkeypatch):
    monkeypatch.setattr(edges, "MOST_PIXELS", 7)
    assert count(SOFT, SOFTER) == 0


def test_the_message_says_how_many_lie_on_edges(tmp_path):
    pytest.importorskip("pygame")
    folder = tmp_path / "goldens"
    folder.mkdir()
    SOFT.write(folder / "edge.png")
    all_of_them, some = Golden(Store(folder), "edge"), Golden(Store(folder), "edge")
    assert all_of_them != SOFTER
    assert "  all of them lie on smoothed edges" in all_of_them.told
    assert some != RAISED
    assert "  8 of them lie on smoothed edges" in some.told
    other = Golden(Store(folder), "edge")
    assert columns(9, 9, 9, 128, 255, 255, 255) != other
    assert not any("edges" in line for line in other.told)
