"""Everything that there is to know of one entity, as a frozen copy."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from harness.driver.driver import Driver
from harness.driver.trees import leaves
from harness.query.contacts import grounded, touches
from harness.query.places import body_of, box_of, held, hidden, pair, placed, position_of, shapes_of
from harness.query.space import Owners
from harness.values.sight import EntityView, Inspection, Point

BODY_TYPES = ("dynamic", "kinematic", "static")
_TOLD = ("id", "name", "path", "kind", "position", "velocity", "angle", "body")
"""Properties that an inspection tells in places of their own."""


_SMALL = ("Rect of", "FRect of", "ZRect of")
_INSIDE = ("Sprite__", "GroupSingle__")
"""How pygame's own attributes begin."""


def inspected(driver: Driver, entity: Any, owners: Owners, every: bool) -> Inspection:
    """Look at one entity."""
    game, entities = driver.game, driver.entities
    view = entities.view(entity)
    assert view is not None
    body = body_of(entity)
    # Of a game that has no scene to be compared with, the nearest is told: all would be too much.
    now, loaded = _values(driver, entity, near=not (driver.game.declared or every))
    shown = [name for name in now if every or name not in loaded or now[name] != loaded[name]]
    return Inspection(
        view,
        entities.kind(entity),
        position_of(entity),
        _number(body.angle if body is not None else held(entity, "angle")),
        _body_word(body, game.space),
        _velocity(entity, body),
        _stands(driver, entity, body),
        _touching(game.space, entity, owners) if game.space is not None else (),
        box_of(entity, game.space),
        hidden(entity),
        bool(body is not None and body.space is not None and body.is_sleeping),
        {name: now[name] for name in shown},
        {name: loaded[name] for name in shown if name in loaded and now[name] != loaded[name]},
    )


def _values(driver: Driver, entity: Any, *, near: bool) -> tuple[dict[str, Any], dict[str, Any]]:
    """What an entity holds, by names of its own: now, and when the scene was loaded."""
    label = driver.entities.label(entity)
    now, loaded = driver.trees()[label], driver.loaded.get(label)
    return _named(label, leaves(label, now), near), _named(label, leaves(label, loaded), near)


def _named(label: str, found: Iterable[tuple[str, Any]], near: bool) -> dict[str, Any]:
    start = f"{label}."
    named = {
        path.removeprefix(start).lstrip("_"): value
        for path, value in found
        if path.startswith(start)
    }
    if near:
        named = {name: named[name] for name in named if _is_near(name, named)}
    # What only says of how many parts something is, is left out where the parts are told.
    wholes = {_whole(name) for name in named if not name.isidentifier()}
    left_out = (*_TOLD, *wholes)
    return {
        name: value
        for name, value in named.items()
        if name not in left_out and not name.startswith(_INSIDE)
    }


def _is_near(name: str, named: Mapping[str, Any]) -> bool:
    if name.isidentifier():
        return True
    whole = named.get(_whole(name))
    return isinstance(whole, str) and whole.startswith(_SMALL)


def _whole(name: str) -> str:
    return name[: max(map(name.rfind, ".[{"))]


def _body_word(body: Any, space: Any) -> str | None:
    if body is None:
        return None
    if body.space is None and body is not getattr(space, "static_body", None):
        return "removed"
    return BODY_TYPES[body.body_type]


def _velocity(entity: Any, body: Any) -> Point | None:
    for name in ("velocity", "vel"):
        found = pair(held(entity, name))
        if found is not None:
            return found
    if body is not None:
        return Point(*body.velocity)
    return pair([held(entity, "vx"), held(entity, "vy")])


def _number(value: Any) -> float | None:
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if plain and math.isfinite(value) else None


def _stands(driver: Driver, entity: Any, body: Any) -> bool | None:
    """By the physics where a dynamic body is; else as the entity itself says, then by boxes."""
    space = driver.game.space
    dynamic = body is not None and body.body_type == body.DYNAMIC
    if not dynamic:
        for name in ("grounded", "on_ground"):
            said = held(entity, name)
            if isinstance(said, bool):
                return said
    return grounded(space, entity, driver.dt, driver.frame > 0) if space is not None else None


def _touching(space: Any, entity: Any, owners: Owners) -> tuple[EntityView, ...]:
    found: dict[EntityView, None] = {}
    for shape in placed(shapes_of(entity), space):
        for touch in touches(space, shape):
            found[owners[touch.other]] = None
    return tuple(sorted(found, key=lambda view: view.path))
