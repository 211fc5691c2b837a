"""The tools, each a typed, documented function: the one list behind MCP, fixtures and commands."""

from __future__ import annotations

import inspect
import keyword
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

from harness.errors import ArgumentError, UnknownName
from harness.values.numbers import number, whole

ActsOn = Literal["play", "desk"]


@dataclass(frozen=True, slots=True)
class Describe:
    """Put beside an argument's type, in ``Annotated``: what it means and what it takes."""

    text: str
    minimum: int | None = None
    maximum: int | None = None
    most_over_mcp: int | None = None
    file: Literal["", "read", "written", "source"] = ""
    """A path to a file that is read or written; of a source, where the text is one at all."""
    instead: str = ""
    """Said to whoever gives something of another kind: what takes that."""

    def most(self, over_mcp: bool) -> int | None:
        """Give the bound that holds for this caller."""
        bounds = (self.maximum, self.most_over_mcp if over_mcp else None)
        return min((bound for bound in bounds if bound is not None), default=None)


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
        """Give this argument as JSON Schema; a function, which cannot travel, is left out."""
        kinds = [kind for kind in self.kinds if kind is not type(None) and not _is_function(kind)]
        if str in kinds:
            # Numbers in a list can be said as one text too, and each schema is paid for.
            kinds = [kind for kind in kinds if kind not in (list[int], list[float])]
        options = [_kind_schema(kind, self.about) for kind in kinds]
        schema: dict[str, Any] = options[0] if len(options) == 1 else {"anyOf": options}
        schema["description"] = self.about.text
        said = self.default not in (None, ()) and self.default is not False
        if said and not self.required:
            schema["default"] = self.default
        return schema

    def checked(self, value: Any, over_mcp: bool = False) -> Any:
        """Turn a given value into the one that the function takes.

        Raises:
            ArgumentError: it does not fit, with what does.
        """
        if value is None and not self.required:
            return self.default
        for kind in self.kinds:
            if over_mcp and _is_function(kind):
                continue
            fits, taken = _taken(kind, value)
            if fits:
                self._check_bounds(taken, over_mcp)
                return taken
        instead = f"; {self.about.instead}" if self.about.instead else ""
        accepted = self.accepted(over_mcp)
        raise ArgumentError(self.name, f"must be {accepted}, not {_short(value)}{instead}")

    def _check_bounds(self, value: Any, over_mcp: bool) -> None:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return
        about, most = self.about, self.about.most(over_mcp)
        if about.minimum is not None and value < about.minimum:
            raise ArgumentError(self.name, f"must be at least {about.minimum}, not {_short(value)}")
        if most is not None and value > most:
            onward = "" if most == about.maximum else "; continue with save and start"
            raise ArgumentError(self.name, f"must be at most {most}, not {_short(value)}{onward}")

    def accepted(self, over_mcp: bool = False) -> str:
        """What kinds of values it takes, in words."""
        words: list[str] = []
        for kind in self.kinds:
            if kind is not type(None) and not (over_mcp and _is_function(kind)):
                words += _kind_words(kind)
        return " or ".join(words)


@dataclass(frozen=True, slots=True)
class Tool:
    """A function whose first parameter is what it acts on, and whose others are keywords.

    ``acts_on`` is that parameter's name: a play of the game, or the desk that it lies on.
    """

    name: str
    function: Callable[..., Any]
    description: str
    arguments: tuple[Argument, ...]
    acts_on: ActsOn = "play"
    toolset: str = "play"
    reads_only: bool = False
    destructive: bool = False
    idempotent: bool = False
    runs_game_code: bool = False
    answers_when_crashed: bool = False
    answers_when_parked: bool = False
    at_once: bool = False
    """It answers from memory, so that it is not worth a thread: it must never wait for anything."""
    output_schema: Mapping[str, Any] | None = None
    limit: float | None = None
    """Seconds that one call over MCP may take, in place of the server's own limit."""
    narrow: str = "ask for less"
    """What to do when an answer was too long: names the arguments that make it shorter."""

    def input_schema(self) -> dict[str, Any]:
        """Give the arguments as one closed JSON Schema."""
        schema: dict[str, Any] = {
            "type": "object",
            "additionalProperties": False,
            "properties": {argument.name: argument.schema() for argument in self.arguments},
        }
        required = [argument.name for argument in self.arguments if argument.required]
        return {**schema, "required": required} if required else schema

    def checked(self, given: Mapping[str, Any], over_mcp: bool = False) -> dict[str, Any]:
        """Turn arguments by public name into keywords for the function.

        Raises:
            ArgumentError, UnknownName: an argument is unknown, missing, or does not fit.
        """
        known = {argument.name: argument for argument in self.arguments}
        if not over_mcp:
            known.update((argument.python, argument) for argument in self.arguments)
        for name in given:
            if name not in known:
                names = [argument.name for argument in self.arguments]
                raise UnknownName("argument", str(name), names, self.name)
        found: dict[str, Any] = {}
        for name, value in given.items():
            argument = known[name]
            if argument.python in found:
                raise ArgumentError(argument.name, "is given twice")
            found[argument.python] = argument.checked(value, over_mcp)
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
    """Read a tool off a function: name, docstring, signature.

    Raises:
        TypeError: something is not documented, or of a type that no argument can have.
    """
    name, description = function.__name__, inspect.getdoc(function)
    if not description:
        raise TypeError(f"the tool {name} needs a docstring: it is what an agent reads")
    hints = typing.get_type_hints(function, include_extras=True)
    first, *parameters = inspect.signature(function).parameters.values()
    acts_on = next((kind for kind in get_args(ActsOn) if kind == first.name), None)
    if acts_on is None:
        raise TypeError(f"the tool {name} acts on {' or '.join(get_args(ActsOn))}, not {first}")
    arguments = tuple(_argument(p, hints.get(p.name), f"{name}({p.name})") for p in parameters)
    return Tool(name, function, description, arguments, acts_on, **flags)


def _argument(parameter: inspect.Parameter, hint: Any, place: str) -> Argument:
    hint, *extras = get_args(hint) if get_origin(hint) is typing.Annotated else (hint,)
    about = next((extra for extra in extras if isinstance(extra, Describe)), Describe(""))
    if not about.text:
        raise TypeError(f"{place} needs a description, as in Annotated[int, Describe('...')]")
    is_union = get_origin(hint) in (typing.Union, types.UnionType)
    kinds = get_args(hint) if is_union else (hint,)
    for kind in kinds:
        if kind is not type(None) and not _is_known(kind):
            raise TypeError(f"{place}: no argument can be of type {kind}")
    name = parameter.name
    return Argument(
        name=name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name,
        python=name,
        kinds=kinds,
        default=parameter.default,
        required=parameter.default is inspect.Parameter.empty,
        about=about,
    )


_JSON_TYPES: dict[Any, str] = {
    int: "integer",
    float: "number",
    str: "string",
    bool: "boolean",
    dict: "object",
}

_KIND_WORDS: dict[Any, str] = {
    int: "a whole number",
    float: "a finite number",
    str: "text",
    bool: "true or false",
    dict: "an object",
}


def _is_function(kind: Any) -> bool:
    return (get_origin(kind) or kind) is Callable


def _is_known(kind: Any) -> bool:
    if get_origin(kind) is list:
        return _is_known(get_args(kind)[0])
    return get_origin(kind) is Literal or _is_function(kind) or _plain(kind) in _JSON_TYPES


def _plain(kind: Any) -> Any:
    return dict if get_origin(kind) is dict else kind


def _kind_schema(kind: Any, about: Describe) -> dict[str, Any]:
    if get_origin(kind) is Literal:
        return {"enum": list(get_args(kind))}
    if get_origin(kind) is list:
        return {"type": "array", "items": _kind_schema(get_args(kind)[0], Describe(""))}
    schema: dict[str, Any] = {"type": _JSON_TYPES[_plain(kind)]}
    if kind in (int, float):
        bounds = {"minimum": about.minimum, "maximum": about.most(over_mcp=True)}
        schema.update((key, bound) for key, bound in bounds.items() if bound is not None)
    return schema


def _kind_words(kind: Any) -> list[str]:
    if get_origin(kind) is Literal:
        return [repr(option) for option in get_args(kind)]
    if get_origin(kind) is list:
        return [f"a list of {_LIST_WORDS.get(_plain(get_args(kind)[0]), 'values')}"]
    return ["a function" if _is_function(kind) else _KIND_WORDS[_plain(kind)]]


_LIST_WORDS: dict[Any, str] = {
    int: "whole numbers",
    float: "finite numbers",
    str: "texts",
    dict: "objects",
}


def _taken(kind: Any, value: Any) -> tuple[bool, Any]:
    """Say whether a value is of a kind, and what it is then."""
    if kind in (int, float):
        found = whole(value) if kind is int else number(value)
        return found is not None, found
    if get_origin(kind) is Literal:
        return any(type(value) is type(o) and value == o for o in get_args(kind)), value
    if get_origin(kind) is list:
        if not isinstance(value, list | tuple):
            return False, value
        items = [_taken(get_args(kind)[0], item) for item in value]
        return all(fits for fits, _ in items), [item for _, item in items]
    if _plain(kind) is dict:
        return isinstance(value, Mapping), value
    return callable(value) if _is_function(kind) else isinstance(value, kind), value


def _short(value: Any) -> str:
    try:
        text = repr(value)
    except ValueError:
        return "a number of thousands of digits"
    return text if len(text) <= 60 else f"{text[:57]}..."
