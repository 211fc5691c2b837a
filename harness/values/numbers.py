"""Numbers as JSON and people write them: finite, in plain digits, never True or False."""

from __future__ import annotations

import math
import re
from typing import Any

_NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_WHOLE = re.compile(r"[-+]?[0-9]+")
_MOST_DIGITS = 300


def number(value: Any) -> float | None:
    """Give the finite number that a value is, or that a text writes; None where there is none."""
    if isinstance(value, str):
        value = value.strip()
        if not _NUMBER.fullmatch(value):
            return None
    elif isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None


def whole(value: Any) -> int | None:
    """Give the whole number that a value is, or that a text writes; None where there is none."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and _WHOLE.fullmatch(value.strip()):
        return int(value) if len(value) <= _MOST_DIGITS else None
    found = number(value)
    return int(found) if found is not None and found.is_integer() else None


def rounded(value: float) -> str:
    """Write a number short: at most three decimals, and no zeros that say nothing."""
    if abs(value) >= 1e9:
        return f"{value:.6g}"
    text = f"{value:.3f}".rstrip("0").removesuffix(".")
    return text if text != "-0" else "0"
