"""The tools, each a typed, documented function: the one list behind MCP, fixtures and commands."""

from __future__ import annotations

import inspect
import keyword
import math
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

from harness.errors import ArgumentError, UnknownName


@dataclass(frozen=True, slots=True)
class Describe:
    """Put beside an argument's type, in ``Annotated``: what it means and what it takes."""

    text: str
    minimum: int | None = None
    maximum: int | None = None
    most_over_mcp: int | None = None


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a tool. ``name`` is its public name (``assert``), ``python`` its own."""

    name: str
    python: str
    kinds: tuple[Any, ...]
    default: Any
    required: bool
    about: Describe

    def schema(self) -> dict[str, Any]:
        """This argument as JSON Schema."""
        options = [_kind_schema(kind, self.about) for kind in self.kinds if kind is not type(None)]
        schema = options[0] if len(options) == 1 else {"anyOf": options}
        schema["description"] = self.about.text
        if self.default not in (None, inspect.Parameter.empty, ()):
            schema["default"] = self.default
        return schema


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: a function whose first parameter is what it acts on, and whose others are keywords."""

    name: str
    function: Callable[..., Any]
    description: str
    arguments: tuple[Argument, ...]
    toolset: str = "play"
    reads_only: bool = False
    destructive: bool = False
    idempotent: bool = False
    runs_game_code: bool = False
    answers_when_crashed: bool = False
    answers_when_parked: bool = False

    def input_schema(self) -> dict[str, Any]:
        """The arguments as one closed JSON Schema."""
        return {
            "type": "object",
            "additionalProperties": False,
            "properties": {argument.name: argument.schema() for argument in self.arguments},
            "required": [argument.name for argument in self.arguments if argument.required],
        }

    def checked(self, given: Mapping[str, Any], over_mcp: bool = False) -> dict[str, Any]:
        """Turn arguments by public name into keywords for the function.

        Raises:
            ArgumentError, UnknownName: an argument is unknown, missing, or does not fit.
        """
        known = {argument.name: argument for argument in self.arguments}
        known.update((argument.python, argument) for argument in self.arguments)
        found: dict[str, Any] = {}
        for name, value in given.items():
            argument = known.get(name)
            if argument is None:
                raise UnknownName("argument", name, (a.name for a in self.arguments), self.name)
            found[argument.python] = _checked(argument, value, over_mcp)
        for argument in self.arguments:
            if argument.required and argument.python not in found:
                raise ArgumentError(argument.name, "is required")
        return found


class Registry:
    """Tools by name, in the order of their registration."""

    def __init__(self) -> None:
        self._tools: dict[str, Tool] = {}

    def __iter__(self) -> Iterator[Tool]:
        return iter(list(self._tools.values()))

    def __contains__(self, name: str) -> bool:
        return name in self._tools

    def register(self, tool: Tool) -> Tool:
        """Add a tool; one of the same name is replaced and keeps its place."""
        if not tool.name or not callable(tool.function):
            raise ArgumentError("tool", "needs a name and a function")
        self._tools[tool.name] = tool
        return tool

    def find(self, name: str) -> Tool:
        """Give the tool of that name.

        Raises:
            UnknownName: there is none.
        """
        if name not in self._tools:
            raise UnknownName("tool", name, self._tools, "the registry")
        return self._tools[name]

    def tool(self, **flags: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Register the decorated function as a tool of its own name."""

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            self.register(declared(function, **flags))
            return function

        return register


REGISTRY = Registry()
"""The built-in tools; importing ``harness.tools`` fills it."""


def declared(function: Callable[..., Any], **flags: Any) -> Tool:
    """Read a tool off a function: name, docstring, signature."""
    hints = typing.get_type_hints(function, include_extras=True)
    parameters = list(inspect.signature(function).parameters.values())[1:]
    return Tool(
        name=function.__name__,
        function=function,
        description=inspect.getdoc(function) or "",
        arguments=tuple(_argument(p, hints[p.name]) for p in parameters),
        **flags,
    )


def _argument(parameter: inspect.Parameter, hint: Any) -> Argument:
    about = Describe("")
    if get_origin(hint) is typing.Annotated:
        hint, *extras = get_args(hint)
        about = next((e for e in extras if isinstance(e, Describe)), about)
    is_union = get_origin(hint) in (typing.Union, types.UnionType)
    name = parameter.name
    public = name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name
    return Argument(
        name=public,
        python=name,
        kinds=get_args(hint) if is_union else (hint,),
        default=parameter.default,
        required=parameter.default is inspect.Parameter.empty,
        about=about,
    )


def _kind_schema(kind: Any, about: Describe) -> dict[str, Any]:
    origin = get_origin(kind)
    if origin is Literal:
        return {"enum": list(get_args(kind))}
    if origin is list:
        return {"type": "array", "items": _kind_schema(get_args(kind)[0], Describe(""))}
    if origin is dict or kind is dict:
        return {"type": "object"}
    schema: dict[str, Any] = {"type": _JSON_TYPES[kind]}
    if kind is int:
        bounds = {"minimum": about.minimum, "maximum": about.most_over_mcp or about.maximum}
        schema.update((key, bound) for key, bound in bounds.items() if bound is not None)
    return schema


_JSON_TYPES: dict[Any, str] = {int: "integer", float: "number", str: "string", bool: "boolean"}


def _checked(argument: Argument, value: Any, over_mcp: bool) -> Any:
    if value is None and not argument.required:
        return argument.default
    for kind in argument.kinds:
        fits, taken = _taken(kind, value)
        if fits:
            _check_bounds(argument, taken, over_mcp)
            return taken
    raise ArgumentError(argument.name, f"must be {_accepted(argument)}, not {_short(value)}")


def _taken(kind: Any, value: Any) -> tuple[bool, Any]:
    origin = get_origin(kind)
    if kind in (int, float) and isinstance(value, str):
        value = _as_number(value)
    if origin is Literal:
        return value in get_args(kind), value
    if origin is list:
        if not isinstance(value, list | tuple):
            return False, value
        items = [_taken(get_args(kind)[0], item) for item in value]
        return all(fits for fits, _ in items), [item for _, item in items]
    if origin is dict or kind is dict:
        return isinstance(value, Mapping), value
    if origin is Callable or kind is Callable or origin is typing.get_origin(Callable[..., Any]):
        return callable(value), value
    if kind is int:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return isinstance(value, int) and not isinstance(value, bool), value
    if kind is float:
        fits = (
            isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        )
        return fits, float(value) if fits else value
    return isinstance(value, kind), value


def _as_number(text: str) -> Any:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


def _check_bounds(argument: Argument, value: Any, over_mcp: bool) -> None:
    if not isinstance(value, int) or isinstance(value, bool):
        return
    about = argument.about
    if about.minimum is not None and value < about.minimum:
        raise ArgumentError(argument.name, f"must be at least {about.minimum}, not {value}")
    most = about.most_over_mcp if over_mcp and about.most_over_mcp else about.maximum
    if most is not None and value > most:
        onward = "; continue with save and start" if most == about.most_over_mcp else ""
        raise ArgumentError(argument.name, f"must be at most {most}, not {value}{onward}")


def _accepted(argument: Argument) -> str:
    words = []
    for kind in argument.kinds:
        origin = get_origin(kind)
        if origin is Literal:
            words += [repr(option) for option in get_args(kind)]
        elif origin is list:
            words.append(f"a list of {_KIND_WORDS.get(get_args(kind)[0], 'events')}s")
        elif kind is not type(None):
            words.append(_KIND_WORDS.get(kind, "a function"))
    return " or ".join(w if w.startswith(("a ", "'")) else f"a {w}" for w in words)


_KIND_WORDS: dict[Any, str] = {
    int: "whole number",
    float: "number",
    str: "text",
    bool: "true or false",
}


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
