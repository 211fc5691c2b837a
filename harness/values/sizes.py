"""What a part of an expression can never work out in time: known from its constants alone."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

MOST_BITS = 1_000_000
"""Of a whole number, some 300,000 digits."""

MOST_ITEMS = 10_000_000
"""Of a text or list, and of the numbers that are gone through."""

_GOES_THROUGH = frozenset(
    ("all", "any", "bytearray", "bytes", "dict", "frozenset", "list", "max", "min", "set",
     "sorted", "sum", "tuple")
)  # fmt: skip
_SIGNS: dict[type[ast.AST], Callable[[int], int]] = {
    ast.UAdd: lambda number: number,
    ast.USub: lambda number: -number,
    ast.Invert: lambda number: ~number,
}
_PLAIN: dict[type[ast.AST], Callable[[int, int], int]] = {
    ast.Add: lambda one, other: one + other,
    ast.Sub: lambda one, other: one - other,
    ast.FloorDiv: lambda one, other: one // other,
    ast.Mod: lambda one, other: one % other,
}


class _Excess(Exception):
    """A part that is too large, in words."""


class _Items(int):
    """How many items a text or a list has."""


def excess(tree: ast.AST) -> str | None:
    """The first part that is too large to be worked out, in words; None where there is none."""
    try:
        for node in ast.walk(tree):
            if isinstance(node, ast.BinOp):
                _value(node)
            for numbers in _gone_through(node):
                if _length(numbers) > MOST_ITEMS:
                    raise _Excess(
                        f"{_shown(numbers)} goes through more than {MOST_ITEMS:,} numbers"
                    )
    except _Excess as found:
        return str(found)
    return None


def _value(node: ast.AST) -> Any:
    """A number that constants make, or how long a text or list of them is; None of all else."""
    if isinstance(node, ast.Constant):
        value = node.value
        return _Items(len(value)) if isinstance(value, str | bytes) else _number(value)
    if isinstance(node, ast.List | ast.Tuple):
        return _Items(len(node.elts))
    if isinstance(node, ast.UnaryOp) and type(node.op) in _SIGNS:
        value = _value(node.operand)
        return _SIGNS[type(node.op)](value) if _number(value) is not None else None
    if isinstance(node, ast.BinOp):
        return _both(node, _value(node.left), _value(node.right))
    return None


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, _Items) else None


def _both(node: ast.BinOp, one: Any, other: Any) -> Any:
    if one is None or other is None:
        return None
    if isinstance(one, _Items) or isinstance(other, _Items):
        return _repeated(node, one, other) if isinstance(node.op, ast.Mult) else None
    if type(node.op) in _PLAIN:
        no_number = other == 0 and isinstance(node.op, ast.FloorDiv | ast.Mod)
        return None if no_number else _PLAIN[type(node.op)](one, other)
    bits = _bits(node.op, one, other)
    if bits is None:
        return None
    if bits > MOST_BITS:
        raise _Excess(f"{_shown(node)} is a number of more than 300,000 digits")
    if isinstance(node.op, ast.Pow):
        return one**other
    return one << other if isinstance(node.op, ast.LShift) else one * other


def _bits(operator: ast.AST, one: int, other: int) -> int | None:
    """At most how long what two numbers make is; None of what is no whole number."""
    length = one.bit_length()
    if isinstance(operator, ast.Mult):
        return length + other.bit_length()
    if other < 0 or not isinstance(operator, ast.Pow | ast.LShift):
        return None
    if isinstance(operator, ast.LShift):
        return length + other if one else 0
    return length * other if length > 1 else 1


def _repeated(node: ast.BinOp, one: int, other: int) -> _Items:
    if one * other > MOST_ITEMS:
        raise _Excess(f"{_shown(node)} has more than {MOST_ITEMS:,} items")
    return _Items(one * other)


def _gone_through(node: ast.AST) -> Iterator[ast.expr]:
    """What a part goes through from end to end."""
    if isinstance(node, ast.comprehension):
        yield node.iter
    elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in _GOES_THROUGH:
        yield from node.args[:1]


def _length(node: ast.expr) -> int:
    """How many numbers a range of constants has; 0 of all else."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return 0
    ends = [_value(one) for one in node.args]
    plain = 0 < len(ends) <= 3 and all(_number(end) is not None for end in ends)
    if node.func.id != "range" or not plain or ends[2:] == [0]:
        return 0
    start, stop, step = (0, ends[0], 1) if len(ends) == 1 else (*ends, 1)[:3]
    count = (stop - start + step - (1 if step > 0 else -1)) // step
    return max(0, int(count))


def _shown(node: ast.AST) -> str:
    text = ast.unparse(node)
    return repr(text if len(text) <= 60 else f"{text[:57]}...")
