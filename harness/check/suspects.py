"""Calls that make two runs differ, as far as the game's files show them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

from harness.check.scripts import syntax

_MOST = 6
_CLOCKS = frozenset(
    (
        "time.time", "time.monotonic", "time.perf_counter", "time.process_time",
        "time.thread_time", "time.clock_gettime", "time.strftime", "time.localtime",
        "time.gmtime", "time.ctime", "time.asctime", "datetime.datetime.now",
        "datetime.datetime.utcnow", "datetime.datetime.today", "datetime.date.today",
        "pygame.time.get_ticks", "os.urandom", "os.getpid", "os.listdir", "os.scandir",
        "os.walk", "os.times", "uuid.uuid1", "uuid.uuid4", "glob.glob", "glob.iglob",
        "random.SystemRandom", "threading.get_ident", "id", "hash",
    )
)  # fmt: skip
_UNSEEDED = frozenset(
    ("random.Random", "numpy.random.default_rng", "numpy.random.RandomState", "random.seed")
)
_WHOLE = ("secrets.",)
"""Modules of which any call makes two runs differ."""


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
    if tree is None:
        return
    meant = _imported(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _is_suspect(node, meant):
            yield node.lineno, f"{ast.unparse(node.func)}()"
        elif isinstance(node, ast.For | ast.comprehension) and _is_set(node.iter):
            yield node.iter.lineno, "goes through a set in no order"


def _imported(tree: ast.AST) -> dict[str, str]:
    """What the names that a file imports stand for."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update({one.asname: one.name for one in node.names if one.asname})
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.update(
                {one.asname or one.name: f"{node.module}.{one.name}" for one in node.names}
            )
    return found


def _is_suspect(node: ast.Call, meant: Mapping[str, str]) -> bool:
    try:
        first, dot, rest = ast.unparse(node.func).partition(".")
    except RecursionError:
        return False
    called = f"{meant.get(first, first)}{dot}{rest}"
    if called in _UNSEEDED:
        return not node.args and not node.keywords
    return called.removesuffix("_ns") in _CLOCKS or called.startswith(_WHOLE)


def _is_set(node: ast.expr) -> bool:
    if isinstance(node, ast.Set | ast.SetComp):
        return True
    return isinstance(node, ast.Call) and ast.unparse(node.func) in ("set", "frozenset")
