"""The questions of one play: to the game's pymunk space, else to the boxes of its entities."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from math import dist, inf, isfinite
from typing import Any

from harness.driver.driver import Driver
from harness.driver.entities import Entities
from harness.errors import ArgumentError, RequestError
from harness.query import boxes, space
from harness.query.contacts import contacts
from harness.query.inspection import inspected
from harness.query.places import Place, box_of, hidden, own_body, point, position_of, shapes_of
from harness.query.places import box as four
from harness.query.queries import Queries, queries
from harness.values.numbers import number
from harness.values.sight import Box, Contact, EntityView, Inspection, Point, RayHit, RayHits

NOBODY = EntityView(None, "(no entity)", "(no entity)")
_NUMBERS = (float, int)


class _Owners(dict[Any, EntityView]):
    """Whose a shape is; a shape's own entity goes before its body's. Filled as shapes are met."""

    def __init__(self, driver: Driver) -> None:
        super().__init__()
        self._driver = driver
        self._entities: Entities | None = None
        self._bindings = 0

    def __missing__(self, shape: Any) -> EntityView:
        self._driver.entities.refresh()
        self.check()
        known = self._own.get(shape)
        if known is None and shape not in self._looked_for:
            self._bind()  # an entity may have made itself a new shape
            self._looked_for.add(shape)
            known = self._own.get(shape)
        self[shape] = found = known or self._own.get(shape.body) or NOBODY
        return found

    def check(self) -> None:
        """Forget what is known once the entities are others."""
        entities = self._driver.entities
        if entities is not self._entities or entities.bindings != self._bindings:
            self.clear()
            self._looked_for: set[Any] = set()
            self._bind()

    def _bind(self) -> None:
        entities = self._driver.entities
        self._entities, self._bindings = entities, entities.bindings
        self._own: dict[Any, EntityView] = {}
        for entity in entities.labelled.values():
            view = entities.view(entity)
            if view is None:
                continue
            for part in (*shapes_of(entity), own_body(entity)):
                if part is not None:
                    self._own.setdefault(part, view)


class World:
    """Answers about the present frame of a driver, as copies. Asking changes nothing."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self._game = driver.game
        self._owners = _Owners(driver)
        self._asked: Queries | None = None

    @property
    def _entities(self) -> Entities:
        return self.driver.entities

    def raycast(
        self,
        start: Place,
        end: Place,
        length: float | None = None,
        ignore: Sequence[Any] = (),
    ) -> RayHits:
        """Give what a ray meets, nearest first; with a ``length``, ``end`` is its direction.

        Where it starts at an entity that is asked for by name, it does not meet that one.

        Raises:
            ArgumentError: an end is no point and no entity.
        """
        if length is None and not ignore and isinstance(start, tuple) and isinstance(end, tuple):
            # Most rays, at little more than what pymunk's own answer costs.
            live, asked, owners = self._game.space, self._asked, self._owners
            try:
                span = dist(start, end)
            except (TypeError, ValueError, OverflowError):
                span = 0.0  # what is wrong with it is told below
            if live is not None and len(end) == 2 and 0 < span < inf:
                if asked is None or asked.space is not live:
                    asked = self._ask(live)
                owners.check()
                return space.between(asked, start, end, span, owners)
        first, origin = self._place("from", start)
        last, _ = self._place("to", end)
        if length is not None:
            last = _ahead(first, last, length)
        left_out = self._left_out(ignore) if ignore else []
        if origin is not None:
            left_out.append(origin)
        hits = self._met(first, last)
        return RayHits(hit for hit in hits if hit.entity not in left_out)

    def _met(self, first: Point, last: Point) -> Sequence[RayHit]:
        live = self._game.space
        if live is not None:
            self._owners.check()
            return space.ray(self._ask(live), first, last, self._owners)
        return boxes.ray(self._boxes(), first, last)

    def _ask(self, live: Any) -> Queries:
        if self._asked is None or self._asked.space is not live:
            self._asked = queries(live)
        return self._asked

    def overlap(
        self,
        at: Place = None,
        radius: float = 0.0,
        box: Any = None,
        ignore: Sequence[Any] = (),
    ) -> list[EntityView]:
        """Give the entities that a circle or an upright box touches, nearest first.

        Raises:
            ArgumentError: a place, the radius or the box is none.
        """
        if isinstance(at, tuple) and box is None and not ignore:
            live = self._game.space
            try:
                usual = radius >= 0 and radius + dist(at, space.NOWHERE) < inf
            except (TypeError, ValueError, OverflowError):
                usual = False
            if usual and live is not None:
                self._owners.check()
                return space.in_circle(self._ask(live), at, radius, self._owners)
        if (at is None) == (box is None):
            raise ArgumentError("at", "is needed, or a box, and not both")
        found = self._in_circle(at, radius) if box is None else self._in_box(box, radius)
        left_out = self._left_out(ignore)
        return [view for view in found if view not in left_out] if left_out else found

    def _in_circle(self, at: Place, radius: float) -> list[EntityView]:
        if not isinstance(radius, int | float) or not 0 <= radius < math.inf:
            raise ArgumentError("radius", f"must be a number of at least 0, not {radius!r}")
        middle, _ = self._place("at", at)
        live = self._game.space
        if live is not None:
            self._owners.check()
            return space.in_circle(self._ask(live), middle, radius, self._owners)
        return boxes.in_circle(self._boxes(), middle, radius)

    def _in_box(self, box: Any, radius: float) -> list[EntityView]:
        if radius:
            raise ArgumentError("radius", "belongs to a circle; leave it out beside a box")
        area = four("box", box)
        live = self._game.space
        if live is not None:
            self._owners.check()
            return space.in_box(live, area, self._owners)
        return boxes.in_box(self._boxes(), area)

    def at(self, place: Place) -> list[EntityView]:
        """Give what stands or is seen at a point, topmost (last of the entities) first."""
        here, _ = self._place("at", place)
        self._entities.refresh()
        touched = set(self.overlap(here)) if self._game.space is not None else set()
        found = [
            view
            for view, entity in self._viewed()
            if not hidden(entity) and (view in touched or self._covers(entity, here))
        ]
        rest = sorted(touched - {view for view, _ in self._viewed()}, key=lambda view: view.path)
        return [*reversed(found), *rest]

    def _covers(self, entity: Any, here: Point) -> bool:
        if shapes_of(entity):
            return False  # its shapes were asked
        box = box_of(entity)
        return box is not None and box.distance(here) == 0

    def contacts(self, entity: Any = None) -> list[Contact]:
        """Give the pairs that touch in this frame; of one entity, told from its side.

        Raises:
            RequestError: the game has no physics.
        """
        live = self._game.space
        if live is None:
            why = " (its adapter gives no `space`)" if self._game.declared else ""
            raise RequestError(f"this game has no pymunk space{why}; ask overlap, which needs none")
        self._entities.refresh()
        asked = self._entities.labelled.values() if entity is None else [self.find(entity)]
        return contacts(live, list(asked), self._owners)

    def inspect(self, entity: Any, every: bool = False) -> Inspection:
        """Look at one entity: a name, ``#id``, a path, or what was seen of it."""
        found = self.find(entity)
        return inspected(self.driver, found, self._owners, every)

    def seen(self) -> dict[str, Box]:
        """Give the box around each entity that is not hidden.

        Of several that share a name the first has it, and each other a label of its own.
        """
        live = self._game.space
        self._entities.refresh()
        found: dict[str, Box] = {}
        for label, entity in self._entities.labelled.items():
            view = self._entities.view(entity)
            box = box_of(entity, live) if view is not None and not hidden(entity) else None
            if view is not None and box is not None:
                found[view.name if view.name not in found else label] = box
        return found

    def find(self, wanted: Any) -> Any:
        """Give the one live entity of a name, ``#id`` or path, or of what was seen of it.

        Raises:
            UnknownName, RequestError: there is none, or there are several.
        """
        self._entities.refresh()
        if isinstance(wanted, Inspection):
            wanted = wanted.entity
        if isinstance(wanted, EntityView):
            return self._entities.again(wanted)
        if isinstance(wanted, str):
            return self._entities.find(wanted)
        if self._entities.view(wanted) is None:
            raise ArgumentError("object", f"must be an entity's name, not {wanted!r}")
        return wanted

    # places

    def _place(self, argument: str, value: Place) -> tuple[Point, EntityView | None]:
        """Where something is, and which entity was asked for, if one was.

        A live entity, as expressions have it, only stands for its position.
        """
        if isinstance(value, tuple) and len(value) == 2:
            x, y = value
            if type(x) in _NUMBERS and type(y) in _NUMBERS and isfinite(x) and isfinite(y):
                return Point(x, y), None
            return point(argument, value), None
        if isinstance(value, str) and ("," in value or number(value) is not None):
            return point(argument, value), None
        if value is None or isinstance(value, list | tuple):
            return point(argument, value), None
        named = isinstance(value, str | EntityView | Inspection)
        if named:
            value = self.find(value)
        view = self._entities.view(value)
        there = position_of(value)
        if there is None:
            if view is not None:
                raise ArgumentError(argument, f"{view} has no position")
            return point(argument, value), None
        return there, view if named else None

    def _left_out(self, ignore: Sequence[Any]) -> list[EntityView]:
        if not ignore:
            return []
        if isinstance(ignore, str) or not isinstance(ignore, list | tuple | set | frozenset):
            raise ArgumentError("ignore", f"must be a list of entities, not {ignore!r}")
        found = [self._entities.view(self.find(one)) for one in ignore]
        return [view for view in found if view is not None]

    def _boxes(self) -> list[tuple[EntityView, Box]]:
        return [
            (view, box)
            for view, entity in self._viewed()
            if (box := box_of(entity, self._game.space)) is not None
        ]

    def _viewed(self) -> Iterator[tuple[EntityView, Any]]:
        for entity in self._entities.labelled.values():
            view = self._entities.view(entity)
            if view is not None:
                yield view, entity


def _ahead(first: Point, direction: Point, length: Any) -> Point:
    reach = math.hypot(*direction)
    if reach == 0 or not isinstance(length, int | float) or not 0 < length < math.inf:
        raise RequestError("a ray needs a direction and a length above 0")
    return Point(
        first.x + direction.x / reach * length,
        first.y + direction.y / reach * length,
    )
