"""The entities of a game by id, name and path; bound again when the set of them changes."""

from __future__ import annotations

import functools
import operator
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from harness.errors import RequestError, UnknownName
from harness.games.adapter import listed
from harness.games.loaded import LoadedGame
from harness.values.run import shown
from harness.values.sight import EntityView


class Bound:
    """The entities of one moment, under their names."""

    def __init__(self, objects: list[Any], views: list[EntityView]) -> None:
        counts = Counter(view.name for view in views)
        self.objects = objects
        self.views = {id(entity): view for entity, view in zip(objects, views, strict=True)}
        self.labelled: dict[str, Any] = {}
        for index, (view, entity) in enumerate(zip(views, objects, strict=True)):
            label = view.name if counts[view.name] == 1 else view.path
            while label in self.labelled:
                label = f"{label}[{index}]"
            self.labelled[label] = entity
        self.unique = {
            view.name: entity
            for view, entity in zip(views, objects, strict=True)
            if counts[view.name] == 1
        }

    @functools.cached_property
    def numbered(self) -> dict[str, Any]:
        """Each entity whose path is not its own either, by it and its place among all."""
        counts = Counter(view.path for view in self.views.values())
        paths = (self.views[id(entity)].path for entity in self.objects)
        return {
            f"{path}[{index}]": self.objects[index]
            for index, path in enumerate(paths)
            if counts[path] > 1
        }


class Entities:
    """Names for the live objects that ``game.entities()`` gives."""

    def __init__(self, game: LoadedGame) -> None:
        self._game = game
        self._ask = game.instance.entities
        self._last: Any = None
        self._simple = False
        self._bound = Bound([], [])
        self._bindings = 0
        self.refresh()

    @property
    def bindings(self) -> int:
        """How often names were bound: another number, and they may be others."""
        self._present()
        return self._bindings

    @property
    def labelled(self) -> dict[str, Any]:
        """Each entity by its name, where several have it by its path."""
        return self._present().labelled

    @property
    def unique(self) -> dict[str, Any]:
        """Each entity whose name is its own, by it."""
        return self._present().unique

    def _present(self) -> Bound:
        return self._bound

    def refresh(self) -> bool:
        """Bind the names anew if the set of entities changed; says whether it did."""
        current = self._ask()
        # Comparing lists compares identities first, in C: 5 ns an entity while nothing changes.
        if self._simple and current == self._last:
            return False
        current = listed(self._ask, current)
        if self._last is not None and not self._simple and _same_objects(current, self._last):
            return False
        self._bind(current)
        return True

    def _bind(self, current: Any) -> None:
        self._bindings += 1
        mapping = isinstance(current, Mapping)
        objects = list(current.values()) if mapping else list(current)
        names = [
            _key_name(key) if mapping else _name(key, index) for index, key in enumerate(current)
        ]
        self._last = (
            dict(current) if mapping else tuple(objects) if isinstance(current, tuple) else objects
        )
        # An equal object that is another one would go unnoticed where a class defines equality.
        self._simple = isinstance(current, list | tuple | dict) and all(
            _has_identity_equality(o) for o in objects
        )
        views = [
            EntityView(_id(entity), name, _path(entity, name))
            for entity, name in zip(objects, names, strict=True)
        ]
        self._bound = Bound(objects, views)

    def named(self, value: object) -> str | None:
        """The name of an entity, None of anything else."""
        view = self._present().views.get(id(value))
        return view.name if view is not None else None

    def view(self, entity: object) -> EntityView | None:
        """Which entity an object is."""
        return self._present().views.get(id(entity))

    def kind(self, entity: object) -> str | None:
        """What kind of entity an object is, where the game says so."""
        kind = getattr(entity, "kind", None)
        return kind if isinstance(kind, str) else None

    def unique_one(self, name: str) -> Any:
        """The entity whose own that name is, else a KeyError."""
        return self.unique[name]

    def label(self, entity: object) -> str:
        """The key of an entity in ``labelled``."""
        return next(name for name, other in self.labelled.items() if other is entity)

    def find(self, wanted: str) -> Any:
        """The one entity with that ``#id``, name or path.

        Raises:
            UnknownName: there is none.
            RequestError: there are several; it lists them.
        """
        found = self._matches(wanted)
        if len(found) == 1:
            return found[0]
        if not found:
            raise self._unknown(wanted)
        candidates = ", ".join(self._label(entity) for entity in found)
        raise RequestError(f"{wanted!r} names {len(found)} entities: {candidates}")

    def again(self, seen: EntityView) -> Any:
        """The one entity that was seen as that.

        Raises:
            UnknownName, RequestError: as ``find``.
        """
        bound = self._present()
        found = [entity for entity in bound.objects if bound.views[id(entity)] == seen]
        return found[0] if len(found) == 1 else self.find(seen.path)

    def _unknown(self, wanted: str) -> RequestError:
        unknown = UnknownName("entity", wanted, (v.name for v in self._present().views.values()))
        try:
            value = self._named_value(wanted)
        except Exception:  # there is none, or a property of the game's own fails
            return unknown
        if isinstance(value, bool | str) or value is None:
            told = f"{wanted} is {shown(value)}, and no entity"
        elif isinstance(value, int | float):
            told = f"{wanted} is a number, {shown(value)}, and no entity"
        else:
            kind = type(value).__name__
            told = f"{wanted} is of type {kind}, and no entity: it has no rect, and no x and y"
        return RequestError(f"{unknown}\n  {told}; print tells it, as in --print {wanted}")

    def _named_value(self, wanted: str) -> Any:
        """What a name stands for in expressions, or an attribute of that."""
        first, *rest = wanted.split(".")
        value = {**self.unique, **self._game.names(), **self._game.known()}[first]
        for name in rest:
            value = getattr(value, name)
        return value

    def find_all(self, wanted: str) -> list[Any]:
        """All entities of that name, path or kind, in the game's order."""
        named = {id(o) for o in self._matches(wanted)}
        return [o for o in self._present().objects if id(o) in named or self._is_a(o, wanted)]

    def _is_a(self, entity: object, kind: str) -> bool:
        return self.kind(entity) == kind

    def _matches(self, wanted: str) -> list[Any]:
        bound = self._present()
        views = bound.views
        if wanted.startswith("#"):
            return [o for o in bound.objects if f"#{views[id(o)].id}" == wanted]
        found = [o for o in bound.objects if wanted in (views[id(o)].name, views[id(o)].path)]
        if not found and wanted in bound.numbered:
            return [bound.numbered[wanted]]
        return found

    def _label(self, entity: object) -> str:
        bound = self._present()
        view = bound.views[id(entity)]
        if view.id is not None:
            return f"#{view.id}"
        numbers = (number for number, one in bound.numbered.items() if one is entity)
        return next(numbers, view.path)


def _same_objects(current: Collection[Any], last: Any) -> bool:
    if isinstance(current, Mapping):
        return (
            isinstance(last, dict)
            and list(current) == list(last)
            and all(a is b for a, b in zip(current.values(), last.values(), strict=True))
        )
    same_length = not isinstance(last, dict) and len(current) == len(last)
    return same_length and all(map(operator.is_, current, last))


def _has_identity_equality(entity: Any) -> bool:
    equality: object = type(entity).__eq__
    return equality is object.__eq__


def _id(entity: Any) -> int | None:
    value = getattr(entity, "id", None)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _key_name(key: Any) -> str:
    if not isinstance(key, str | int):
        raise TypeError(f"entities() maps names to objects, and a {type(key).__name__} is no name")
    return str(key)


def _name(entity: Any, index: int) -> str:
    name = getattr(entity, "name", None)
    return name if isinstance(name, str) and name else f"{type(entity).__name__.lower()}{index}"


def _path(entity: Any, name: str) -> str:
    path = getattr(entity, "path", None)
    if isinstance(path, str) and path:
        return path
    parts = [name]
    parent = getattr(entity, "parent", None)
    while parent is not None and len(parts) < 32:
        parts.append(parent if isinstance(parent, str) else str(getattr(parent, "name", "?")))
        parent = getattr(parent, "parent", None)
    return "/".join(reversed(parts))
