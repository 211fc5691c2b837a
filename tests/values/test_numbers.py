import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.values.numbers import number, whole

NO_NUMBERS = [
    "",
    " ",
    "x",
    "nan",
    "inf",
    "-inf",
    "1e999",
    "²",
    "٣",
    "1_000",
    "0x10",
    "1,5",
    "--1",
    ".",
]


@pytest.mark.parametrize("value", [*NO_NUMBERS, None, True, False, [], math.nan, math.inf, 10**400])
def test_what_is_no_finite_number_is_none(value):
    assert number(value) is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("3", 3.0),
        (" -2.5 ", -2.5),
        ("+.5", 0.5),
        ("5.", 5.0),
        ("1e3", 1000.0),
        (7, 7.0),
        (0.25, 0.25),
    ],
)
def test_a_number_or_a_numeric_text_counts_as_its_number(value, expected):
    assert number(value) == expected


@settings(deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_finite_float_is_read_back_from_its_own_writing(value):
    found = number(repr(value))

    assert repr(found) == repr(value)


@pytest.mark.parametrize("value", [*NO_NUMBERS, "1.5", 2.5, True, None, "1" * 301])
def test_what_is_no_whole_number_is_none(value):
    assert whole(value) is None


@pytest.mark.parametrize("value", [30, 30.0, "30", "30.0", "3e1", " +30"])
def test_a_whole_number_is_read_however_it_is_written(value):
    assert whole(value) == 30


def test_a_long_whole_number_keeps_all_its_digits():
    assert whole("9007199254740993") == 9007199254740993
