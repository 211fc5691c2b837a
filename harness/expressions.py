"""Python expressions over a game: compiled once, evaluated each frame, explained when they fail."""

from __future__ import annotations

import ast
import builtins
import symtable
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import CodeType
from typing import Any

from harness.errors import ExpressionError

_LONGEST = 8192
_MOST_PARTS = 12


@dataclass(frozen=True, slots=True)
class Expression:
    """One expression. ``names`` are the names that it looks up and does not bind itself."""

    source: str
    code: CodeType
    names: frozenset[str]

    def bind(self, namespace: dict[str, Any]) -> Callable[[], Any]:
        """Make a function that evaluates this in ``namespace``, which it reads anew at each call."""
        function: Callable[[], Any] = eval(self.code, namespace)
        return function

    def missing(self, namespace: Mapping[str, Any]) -> list[str]:
        """The names that neither the namespace nor Python has."""
        return sorted(n for n in self.names if n not in namespace and not hasattr(builtins, n))

    def parts(self, namespace: dict[str, Any]) -> Iterator[tuple[str, Any]]:
        """Give the expression's parts and their values, outermost first, constants left out.

        A part that raises, or that stands inside a comprehension, is left out.
        """
        tree = ast.parse(self.source, mode="eval")
        seen: set[str] = set()
        for node in _parts(tree.body):
            text = ast.unparse(node)
            if text in seen or len(seen) >= _MOST_PARTS:
                continue
            seen.add(text)
            try:
                value = eval(compile(ast.Expression(node), "<expression>", "eval"), namespace)
            except Exception:  # the explanation of a failure must not fail
                continue
            yield text, value


def compiled(source: str) -> Expression:
    """Compile one expression.

    Raises:
        ExpressionError: it is no expression, is a statement, or is too long.
    """
    text = source.strip() if isinstance(source, str) else ""
    if not text:
        raise ExpressionError(f"not an expression: {source!r}")
    if len(text) > _LONGEST:
        raise ExpressionError(f"an expression has at most {_LONGEST} characters, not {len(text)}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            tree = ast.parse(text, mode="eval")
            names = frozenset(_free_names(symtable.symtable(text, "<expression>", "eval")))
            code = compile(_as_function(tree), "<expression>", "eval")
    except SyntaxError as error:
        raise ExpressionError(_refusal(text, error)) from None
    except (ValueError, MemoryError, RecursionError) as error:
        raise ExpressionError(
            f"cannot read {_cut(text)!r}: {error or type(error).__name__}"
        ) from None
    return Expression(text, code, names)


def _as_function(tree: ast.Expression) -> ast.Expression:
    nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    function = ast.Lambda(args=nothing, body=tree.body)
    return ast.fix_missing_locations(ast.Expression(ast.copy_location(function, tree.body)))


def _free_names(table: symtable.SymbolTable, bound: frozenset[str] = frozenset()) -> Iterator[str]:
    symbols = table.get_symbols()
    here = bound | {s.get_name() for s in symbols if s.is_assigned() or s.is_parameter()}
    for symbol in symbols:
        if symbol.is_referenced() and symbol.get_name() not in here:
            yield symbol.get_name()
    for child in table.get_children():
        yield from _free_names(child, here)


def _refusal(text: str, error: SyntaxError) -> str:
    try:
        ast.parse(text, mode="exec")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return f"cannot read {_cut(text)!r}: {error.msg} (column {error.offset})"
    if "=" in text and "==" not in text:
        return f"{_cut(text)!r} is a statement, and an expression is needed; to compare, write =="
    return f"{_cut(text)!r} is a statement, and an expression is needed"


def _cut(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."


_READ = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
_SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _parts(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, _SCOPES):
        return
    if isinstance(node, _READ) and not _is_function_name(node):
        yield node
    for child in _children(node):
        yield from _parts(child)


def _children(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Attribute):
        if not isinstance(node.value, ast.Name | ast.Attribute):
            yield node.value
    elif isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute):
            yield node.func.value
        yield from node.args
        yield from (keyword.value for keyword in node.keywords)
    else:
        yield from ast.iter_child_nodes(node)


def _is_function_name(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and hasattr(builtins, node.id)
