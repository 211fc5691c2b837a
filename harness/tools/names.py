"""Names to write scripts with: the game's own, read off its files, and those of the harness."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from harness.check.files import GameFiles
from harness.check.scripts import syntax
from harness.games.folder import read_folder
from harness.playtest.bots import BotView
from harness.playtest.names import RESERVED
from harness.playtest.protocol import Play
from harness.values.inputs import InputFrame
from harness.values.run import RunResult
from harness.values.sight import Contact, EntityView, Inspection, RayHit

_RESERVED_ABOUT = {
    "find": "find('#12'), find('Level/Gate/Door'): the entity of an id, name or path",
    "find_all": "find_all('coin'): all entities of a name, path or kind",
    "frame": "frames since reset",
    "time": "seconds of the game since reset",
    "seed": "the seed of the reset",
    "raycast": "raycast((x, y), (x, y)) or raycast(origin, direction, length): hits, nearest first",
    "overlap": "overlap((x, y), radius): entities, nearest first",
    "math": "Python's module",
    "Vec2d": "pymunk's vector",
}


@dataclass(frozen=True, slots=True)
class Name:
    """One name: what it is, where, and its members if it is a class."""

    name: str
    where: str
    about: str
    signature: str = ""
    members: tuple[Name, ...] = field(default_factory=tuple)

    def line(self) -> str:
        """In a line."""
        told = f"{self.name}{self.signature}"
        return f"{told}: {self.about}" if self.about else told

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "name": self.name, "where": self.where, "signature": self.signature,
            "about": self.about, "members": [member.to_json() for member in self.members],
        }  # fmt: skip


def harness_names() -> list[Name]:
    """What the harness gives to scenarios, bots and expressions."""
    found = [Name(name, "expressions", _RESERVED_ABOUT.get(name, "")) for name in RESERVED]
    kinds = (Play, RunResult, Inspection, EntityView, RayHit, Contact, BotView, InputFrame)
    return [*found, *map(_class, kinds)]


def _class(kind: type) -> Name:
    members = []
    for name, member in vars(kind).items():
        if name.startswith("_"):
            continue
        if callable(member):
            members.append(Name(name, "", _first(inspect.getdoc(member)), _signature(member)))
        elif isinstance(member, property):
            members.append(Name(name, "", _first(inspect.getdoc(member))))
        elif inspect.isdatadescriptor(member):
            members.append(Name(name, "", ""))
    name = "play" if kind is Play else kind.__name__
    return Name(name, "harness", _first(inspect.getdoc(kind)), "", tuple(members))


def _signature(function: Any) -> str:
    signature = inspect.signature(function)
    bare = [
        p.replace(annotation=p.empty) for p in signature.parameters.values() if p.name != "self"
    ]
    return str(signature.replace(parameters=bare, return_annotation=signature.empty))


def _first(text: str | None) -> str:
    return (text or "").partition("\n")[0].strip()


def game_names(path: Path) -> list[Name]:
    """The classes and functions of a game's own files; nothing of them is run."""
    home = read_folder(path).own
    files = GameFiles(home)
    found: list[Name] = []
    for file in files.ending(".py"):
        tree = syntax(home / file, file)[0]
        if tree is not None:
            with suppress(RecursionError):
                found += _told(tree.body, file)
    classes = {one.name: one for one in found}
    return [replace(one, members=tuple(_inherited(one, classes))) for one in found]


def _inherited(one: Name, classes: dict[str, Name]) -> Iterator[Name]:
    """The members of a class and of the game's own classes above it, each name once."""
    names, above, known = set(), [one], {one.name}
    while above:
        kind = above.pop(0)
        for member in kind.members:
            if member.name not in names:
                names.add(member.name)
                yield member
        for base in kind.signature.strip("()").split(", "):
            if base in classes and base not in known:
                known.add(base)
                above.append(classes[base])


def _told(body: list[ast.stmt], file: str) -> Iterator[Name]:
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            bases = f"({', '.join(map(ast.unparse, node.bases))})" if node.bases else ""
            members = tuple(_members(node, file))
            yield Name(node.name, f"{file}:{node.lineno}", _doc(node), bases, members)
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            where = f"{file}:{node.lineno}"
            yield Name(node.name, where, _doc(node), f"({ast.unparse(node.args)})")


def _members(node: ast.ClassDef, file: str) -> Iterator[Name]:
    seen: set[str] = set()
    for part in node.body:
        if isinstance(part, ast.FunctionDef):
            for name in _attributes(part):
                if name not in seen:
                    seen.add(name)
                    yield Name(name, f"{file}:{part.lineno}", "")
        if isinstance(part, ast.FunctionDef) and not part.name.startswith("_"):
            seen.add(part.name)
            plain = any("property" in ast.unparse(one) for one in part.decorator_list)
            arguments = "" if plain else f"({_arguments(part)})"
            yield Name(part.name, f"{file}:{part.lineno}", _doc(part), arguments)
        elif isinstance(part, ast.Assign | ast.AnnAssign):
            targets = part.targets if isinstance(part, ast.Assign) else [part.target]
            for target in targets:
                if isinstance(target, ast.Name) and not target.id.startswith("_"):
                    seen.add(target.id)
                    yield Name(target.id, f"{file}:{part.lineno}", "")


def _arguments(function: ast.FunctionDef) -> str:
    return ast.unparse(function.args).removeprefix("self").removeprefix(", ")


def _attributes(function: ast.FunctionDef) -> Iterator[str]:
    """What an initialiser sets on its object; a game's ``reset`` is one, too."""
    if function.name not in ("__init__", "reset") or not function.args.args:
        return
    own = function.args.args[0].arg
    for node in ast.walk(function):
        if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Store):
            continue
        is_own = isinstance(node.value, ast.Name) and node.value.id == own
        if is_own and not node.attr.startswith("_"):
            yield node.attr


def _doc(node: ast.ClassDef | ast.FunctionDef) -> str:
    return _first(ast.get_docstring(node))
