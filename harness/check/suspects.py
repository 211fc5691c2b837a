"""Calls that make two runs differ, as far as the game's files show them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from harness.check.scripts import syntax

_MOST = 6
_CLOCKS = frozenset(
    (
        "time.time", "time.time_ns", "time.monotonic", "time.perf_counter", "time.process_time",
        "datetime.now", "datetime.utcnow", "datetime.today", "datetime.datetime.now",
        "date.today", "datetime.date.today", "pygame.time.get_ticks", "os.urandom", "os.getpid",
        "uuid.uuid1", "uuid.uuid4", "secrets.randbelow", "secrets.choice", "os.listdir",
        "glob.glob", "random.SystemRandom", "time.strftime", "time.localtime",
    )
)  # fmt: skip
_UNSEEDED = frozenset(("random.Random", "numpy.random.default_rng", "np.random.default_rng"))


def suspects(folder: Path, names: list[str]) -> str:
    """What to look at first, in words; nothing where the files show nothing."""
    found = [f"{name}:{line} {what}" for name in names for line, what in _in(folder / name, name)]
    if not found:
        return (
            "look for a clock, an unseeded generator, the order of a set, or state that a reset"
            " leaves behind"
        )
    more = f" and {len(found) - _MOST} more" if len(found) > _MOST else ""
    return f"look first at {'; '.join(found[:_MOST])}{more}"


def _in(path: Path, name: str) -> Iterator[tuple[int, str]]:
    tree = syntax(path, name)[0]
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Call) and _is_suspect(node):
            yield node.lineno, f"{ast.unparse(node.func)}()"
        elif isinstance(node, ast.For) and _is_set(node.iter):
            yield node.lineno, "goes through a set in no order"


def _is_suspect(node: ast.Call) -> bool:
    try:
        called = ast.unparse(node.func)
    except RecursionError:
        return False
    if called in _UNSEEDED:
        return not node.args and not node.keywords
    return called in _CLOCKS or called in ("id", "hash")


def _is_set(node: ast.expr) -> bool:
    if isinstance(node, ast.Set | ast.SetComp):
        return True
    return isinstance(node, ast.Call) and ast.unparse(node.func) in ("set", "frozenset")
