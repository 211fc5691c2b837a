"""What is in an unmodified game: its things, found from the names that its code uses.

Nothing of the game's is called: attributes are read where objects keep them. A thing is called by
the shortest way to it, as in ``main().player`` or ``fruits[2]``, which is the same in each process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from harness.games.found import Discovery, Found
from harness.games.script.anatomy import Anatomy, Nature
from harness.games.script.scopes import Scope, Scopes

MOST_LOOKS = 60_000
MOST_ENTITIES = 2_000
DEEPEST = 8

_LATE = (Nature.CLASS, Nature.MODULE, Nature.SPACE, Nature.STRANGE)


@dataclass(frozen=True, slots=True)
class _Node:
    value: Any
    name: str
    path: str
    nature: Nature
    parent: _Node | None = None
    part: bool = False
    """Whether it is kept by a thing, and may be no more than what that is made of."""

    def way(self) -> tuple[str, ...]:
        """The paths of all nodes from the first to this one."""
        return (*self.parent.way(), self.path) if self.parent is not None else (self.path,)

    def attribute(self, name: str) -> tuple[str, str]:
        return name, f"{self.path}.{name}" if self.path else name

    def item(self, key: str) -> tuple[str, str]:
        return f"{self.name}{key}", f"{self.path}{key}"


def discover(
    scopes: Scopes, owns: Callable[[str], bool], screen: tuple[int, int] | None = None
) -> Discovery:
    """Find the things of a game; a rect of the whole ``screen`` is none.

    ``owns`` says of a file whether it is the game's own: what others keep is looked at last.
    """
    return _Walk(Anatomy(owns, screen)).over(scopes)


def followed(known: Found, scopes: Scopes, owns: Callable[[str], bool]) -> Any:
    """What is now where a thing was found before, if it is of the same kind; else None."""
    anatomy = Anatomy(owns)
    first, *further = known.way
    places = (
        (scope.names[name], name)
        for scope in (*scopes.modules, *scopes.calls)
        if (name := first.removeprefix(f"{scope.label}.")) in scope.names
        and scope.path(name) == first
    )
    value, name = next(places, (None, ""))
    node = _Node(value, name, first, anatomy.nature(value))
    for path in further:
        inside = _inside(node, anatomy)
        value, name = next(((v, n) for n, p, v in inside if p == path), (None, ""))
        node = _Node(value, name, path, anatomy.nature(value))
    return value if type(value).__name__ == known.kind else None


def _inside(node: _Node, anatomy: Anatomy) -> Iterator[tuple[str, str, Any]]:
    value, nature = node.value, node.nature
    for key, item in anatomy.items(value, nature):
        if nature is Nature.HOLDER:
            # A group of one is its sprite: ``player`` says more than ``player.sprite``.
            yield node.name, f"{node.path}.sprite", item
        else:
            yield *node.item(key), item
    for name, item in anatomy.attributes(value, nature):
        yield *node.attribute(name), item


class _Walk:
    """Goes outwards from the names, one step of all ways at a time, small collections first.

    So the way to a thing is the shortest there is, and ``mobs[0]`` before ``all_sprites[4]``.
    What only a loop, a class, a space or a library of somebody else's holds comes last.
    """

    def __init__(self, anatomy: Anatomy) -> None:
        self._anatomy = anatomy
        self._discovery = Discovery()
        self._met: dict[int, Any] = {}
        self._bodies: set[int] = set()
        self._looks = 0
        self._full = False
        self._next: list[_Node] = []
        self._later: tuple[list[_Node], ...] = ([], [])
        """What comes after all that is near: what others keep, and the variables of loops."""

    def over(self, scopes: Scopes) -> Discovery:
        self._begin(scopes)
        self._go_on()
        others, passing = self._later
        for self._next, self._later in ((others, ()), (passing, ())):
            self._go_on()
        return self._discovery

    def _go_on(self) -> None:
        for _ in range(DEEPEST):
            level, self._next = self._next, []
            # The sort is stable: of one size, the first seen goes first.
            for node in sorted(level, key=lambda node: self._anatomy.size(node.value)):
                if not self._full:
                    self._enter(node)
        if self._next:
            self._cut(f"what is more than {DEEPEST} steps away")

    def _begin(self, scopes: Scopes) -> None:
        script, *modules = scopes.modules
        ordered = (script, *reversed(scopes.calls), *modules)
        for scope in ordered:
            for name, value in scope.names.items():
                if not name.startswith("__"):
                    passing = name in scope.passing
                    self._see(value, name, scope.path(name), None, passing=passing)
        for scope in ordered:
            self._open_self(scope)

    def _open_self(self, scope: Scope) -> None:
        """What ``self`` holds is as near as a local; but a ``game`` goes before a ``self``."""
        holder = scope.names.get("self")
        for node in self._next:
            if node.value is holder:
                for name, value in self._anatomy.attributes(holder, node.nature):
                    self._see(value, *node.attribute(name), node)
                return

    def _see(
        self, value: Any, name: str, path: str, parent: _Node | None, *,
        passing: bool = False, part: bool = False,
    ) -> None:  # fmt: skip
        nature = self._anatomy.nature(value)
        if nature is Nature.NOTHING or id(value) in self._met:
            return
        self._looks += 1
        if self._looks > MOST_LOOKS:
            self._full = True
            self._cut(f"what lies beyond {MOST_LOOKS:,} objects")
            return
        node = _Node(value, name, path, nature, parent, part)
        if self._later and (passing or nature in _LATE):
            self._later[passing].append(node)
        else:
            self._next.append(node)

    def _enter(self, node: _Node) -> None:
        if id(node.value) in self._met:
            return
        self._met[id(node.value)] = node.value
        whole = not (node.part and self._anatomy.is_part(node.name, node.nature))
        thing = whole and self._anatomy.is_thing(node.value, node.nature)
        if thing:
            self._keep(node)
        for name, path, value in _inside(node, self._anatomy):
            if self._full:
                return
            self._see(value, name, path, node, part=thing)

    def _keep(self, node: _Node) -> None:
        body = self._anatomy.body(node.value, node.nature)
        if body is not None:
            if id(body) in self._bodies:
                return
            self._bodies.add(id(body))
            self._met.setdefault(id(body), body)
        if len(self._discovery.found) >= MOST_ENTITIES:
            self._full = True
            self._cut(f"what comes after {MOST_ENTITIES:,} entities")
            return
        kind = type(node.value).__name__
        self._discovery.found.append(Found(node.value, node.name, node.path, kind, node.way()))

    def _cut(self, beyond: str) -> None:
        if not self._discovery.cut:
            self._discovery.cut = f"{beyond} was not looked at"
