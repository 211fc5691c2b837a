"""Python expressions over a game: compiled once, evaluated each frame, explained when they fail."""

from __future__ import annotations

import ast
import builtins
import dis
import inspect
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import CodeType
from typing import Any

from harness.errors import ExpressionError
from harness.values.sizes import excess

_LONGEST = 8192
_DEEPEST = 100
"""Python's own compiler gives up, or worse, at some hundreds or thousands of levels."""

_MOST_PARTS = 12
_MOST_TOGETHER = 40
_TOGETHER = "<asserts>"
_DULL = (inspect.isroutine, inspect.isclass, inspect.ismodule)
_STATEMENT = "is a statement, and an expression is needed"


@dataclass(frozen=True, slots=True)
class Expression:
    """One expression. ``names`` are the names that it looks up and does not bind itself."""

    source: str
    code: CodeType
    names: frozenset[str]

    def bind(self, namespace: dict[str, Any]) -> Callable[[], Any]:
        """Make a function that evaluates this in ``namespace``, as it is at each call."""
        function: Callable[[], Any] = eval(self.code, namespace)
        return function

    def missing(self, namespace: Mapping[str, Any]) -> list[str]:
        """Give the names that neither the namespace nor Python has."""
        return sorted(n for n in self.names if n not in namespace and not hasattr(builtins, n))

    def parts(self, namespace: dict[str, Any]) -> Iterator[tuple[str, Any]]:
        """Give the expression's parts and their values, outermost first, constants left out.

        A part is left out when it raises, is no more than a function, class or module, or stands
        inside a comprehension or lambda.
        """
        with _no_warnings():
            nodes = {ast.unparse(node): node for node in _parts(_parsed(self.source).body)}
        left = _MOST_PARTS
        for text, node in nodes.items():
            try:
                with _no_warnings():
                    code = compile(_as_function(node), "<expression>", "eval")
                value = eval(code, namespace)()
            except (Exception, SystemExit):  # the explanation of a failure must not fail
                continue
            if left and not any(is_dull(value) for is_dull in _DULL):
                left -= 1
                yield text, value


def compiled(source: str) -> Expression:
    """Compile one expression.

    Raises:
        ExpressionError: it is no expression, is a statement, is too long or too deep, or asks for
            a number, text or list that is too large ever to be worked out.
    """
    text = source.strip() if isinstance(source, str) else ""
    if not text:
        raise ExpressionError(f"not an expression: {source!r}")
    if len(text) > _LONGEST:
        raise ExpressionError(f"an expression has at most {_LONGEST} characters, not {len(text)}")
    try:
        with _no_warnings():
            tree = _parsed(text)
            too_much = excess(tree)
            # On its own first: within a function, yield would make a generator, which is true.
            compile(tree, "<expression>", "eval")
            code = compile(_as_function(tree.body), "<expression>", "eval")
    except SyntaxError as error:
        raise ExpressionError(_refusal(text, error)) from None
    except (MemoryError, RecursionError):
        raise ExpressionError(f"cannot read {_cut(text)!r}: it is nested too deeply") from None
    except ValueError as error:
        raise ExpressionError(f"cannot read {_cut(text)!r}: {error}") from None
    if too_much is not None:
        raise ExpressionError(f"cannot evaluate {_cut(text)!r}: {too_much}")
    return Expression(text, code, frozenset(_names(code)))


def first_false(expressions: Sequence[Expression], namespace: dict[str, Any]) -> Callable[[], int]:
    """Make a function that gives the index of the first expression that is false, else their count.

    All of them are one piece of code, a tenth of a microsecond less for each. What one raises is
    told apart by ``raising``.
    """
    trees = [_parsed(expression.source).body for expression in expressions]
    binds = any(isinstance(node, ast.NamedExpr) for tree in trees for node in ast.walk(tree))
    if binds or len(trees) > _MOST_TOGETHER:
        return _one_by_one([expression.bind(namespace) for expression in expressions])
    whole: ast.expr = ast.Constant(len(trees))
    for index, tree in reversed(list(enumerate(trees))):
        for node in ast.walk(tree):
            if isinstance(node, ast.expr):
                node.lineno = node.end_lineno = index + 1
        whole = ast.IfExp(tree, whole, ast.Constant(index))
    function: Callable[[], int] = eval(compile(_as_function(whole), _TOGETHER, "eval"), namespace)
    return function


def _one_by_one(functions: Sequence[Callable[[], Any]]) -> Callable[[], int]:
    def look() -> int:
        for index, function in enumerate(functions):
            try:
                if not function():
                    return index
            except (Exception, SystemExit) as error:
                error.add_note(f"{_TOGETHER} {index}")
                raise
        return len(functions)

    return look


def raising(error: BaseException) -> int:
    """The index of the expression in which ``first_false`` raised."""
    for note in getattr(error, "__notes__", ()):
        if note.startswith(_TOGETHER):
            return int(note.rpartition(" ")[2])
    place = error.__traceback__
    while place is not None:
        if place.tb_frame.f_code.co_filename == _TOGETHER:
            return place.tb_lineno - 1
        place = place.tb_next
    return 0


def _no_warnings() -> warnings.catch_warnings[None]:
    return warnings.catch_warnings(action="ignore")


def _parsed(text: str) -> ast.Expression:
    tree = ast.parse(text, mode="eval")
    if _depth(tree) > _DEEPEST:
        raise RecursionError
    return tree


def _depth(tree: ast.AST) -> int:
    depth, level = 0, [tree]
    while level:
        depth += 1
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    return depth


def _as_function(body: ast.expr) -> ast.Expression:
    nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    function = ast.Lambda(args=nothing, body=body)
    return ast.fix_missing_locations(ast.Expression(ast.copy_location(function, body)))


def _names(code: CodeType) -> Iterator[str]:
    """Find what is looked up by name outside of the expression, in its inner functions too."""
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _refusal(text: str, error: SyntaxError) -> str:
    try:
        with _no_warnings():
            statements = ast.parse(text, mode="exec").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        place = f" (column {error.offset})" if error.offset else ""
        return f"cannot read {_cut(text)!r}: {error.msg}{place}"
    first = statements[0] if statements else None
    if first is None or (isinstance(first, ast.Expr) and len(statements) == 1):
        return f"cannot read {_cut(text)!r}: {error.msg}"
    if isinstance(first, ast.Assign | ast.AnnAssign | ast.AugAssign):
        return f"{_cut(text)!r} {_STATEMENT}; to compare, write =="
    if isinstance(first, ast.Assert):
        return f"{_cut(text)!r} {_STATEMENT}; leave the word assert out"
    return f"{_cut(text)!r} {_STATEMENT}"


def _cut(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."


_READ = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
_SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _parts(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, _SCOPES):
        return
    if isinstance(node, _READ) and isinstance(getattr(node, "ctx", None), ast.Load | None):
        yield node
    for child in _children(node):
        yield from _parts(child)


def _children(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Attribute):
        # Of player.position.x the whole says enough.
        if not isinstance(node.value, ast.Name | ast.Attribute):
            yield node.value
    elif isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute):
            yield from () if isinstance(node.func.value, ast.Name) else (node.func.value,)
        elif not isinstance(node.func, ast.Name):
            yield node.func
        yield from node.args
        yield from (keyword.value for keyword in node.keywords)
    else:
        yield from ast.iter_child_nodes(node)
