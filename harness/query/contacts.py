"""What touches what in a pymunk space, and what stands on the ground. Nothing of it is changed.

A body in the space is never asked with ``Space.shape_query``: that moves the cached outline of a
static body which was moved by hand, and the game would go on differently.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple

from harness.query.places import body_of, placed, shapes_of
from harness.query.space import Owners, corners_of, everything
from harness.values.sight import Contact, Point

STEEPEST = 0.5
"""The cosine of the steepest ground, 60 degrees: what is steeper is a wall."""


class Touch(NamedTuple):
    """One shape that touches another; ``normal`` goes from the first to the other."""

    shape: Any
    other: Any
    point: Point
    normal: Point
    impulse: Point


def touches(space: Any, shape: Any) -> Iterator[Touch]:
    """Give what touches a shape now, sensors included, as far as the filters let them.

    Two static shapes never meet, whatever they share.
    """
    pressed = {id(touch.other): touch for touch in pressing(shape.body) if touch.shape is shape}
    for other in space.bb_query(shape.bb, everything()):
        if other.body is shape.body or _never_meet(shape, other):
            continue
        touch = pressed.pop(id(other), None) or meeting(shape, other)
        if touch is not None:
            yield touch
    yield from (touch for touch in pressed.values() if touch.other.space is space)


def meeting(shape: Any, other: Any) -> Touch | None:
    """How two shapes touch, by their outlines alone; None where they do not."""
    try:
        found = shape.shapes_collide(other)
    except AssertionError:  # how pymunk 7 says that there is no contact
        return None
    if not found.points:
        return None
    middle = found.points[0].point_a
    return Touch(shape, other, Point(*middle), Point(*found.normal), Point(0.0, 0.0))


def pressing(body: Any) -> list[Touch]:
    """What the last step pressed a body against."""
    found: list[Touch] = []

    def keep(arbiter: Any) -> None:
        shape, other = arbiter.shapes
        contacts = arbiter.contact_point_set
        impulse, normal = Point(*arbiter.total_impulse), Point(*contacts.normal)
        if other.body is body and shape.body is not body:
            shape, other, normal = other, shape, Point(-normal.x, -normal.y)
            impulse = Point(-impulse.x, -impulse.y)
        if contacts.points:
            found.append(Touch(shape, other, Point(*contacts.points[0].point_a), normal, impulse))

    if body.space is not None:
        body.each_arbiter(keep)
    return found


def _never_meet(shape: Any, other: Any) -> bool:
    """Whether both stand still for ever, or their filters keep them apart, as pymunk has it."""
    if shape.body.body_type == other.body.body_type == shape.body.STATIC:
        return True
    mine, theirs = shape.filter, other.filter
    return bool(
        (mine.group != 0 and mine.group == theirs.group)
        or mine.categories & theirs.mask == 0
        or theirs.categories & mine.mask == 0
    )


def contacts(space: Any, entities: list[Any], owners: Owners) -> list[Contact]:
    """Give each pair that touches, told once: from the side of the entity that comes first."""
    told: set[frozenset[int]] = set()
    found: list[Contact] = []
    for entity in entities:
        for shape in placed(shapes_of(entity), space):
            for touch in touches(space, shape):
                both = frozenset((id(shape), id(touch.other)))
                if both not in told:
                    told.add(both)
                    found.append(_contact(touch, owners))
    return found


def _contact(touch: Touch, owners: Owners) -> Contact:
    return Contact(
        owners[touch.shape],
        owners[touch.other],
        touch.point,
        touch.normal,
        touch.impulse,
        bool(touch.shape.sensor or touch.other.sensor),
    )


def grounded(space: Any, entity: Any, dt: float, stepped: bool) -> bool | None:
    """Whether something solid carries an entity; None where nothing can.

    It is carried by what it was pressed against in the last step, from below and not leaving: on a
    slope, on a platform that moves, on another body. Before the first step, by what it touches.
    Where a platform sinks away, so little that gravity closes the gap in a frame is no fall.
    """
    body = body_of(entity)
    pull = math.hypot(*space.gravity)
    if body is None or body.space is not space or body.body_type == body.STATIC or pull == 0:
        return None
    down = Point(space.gravity[0] / pull, space.gravity[1] / pull)
    moved = stepped and body.body_type == body.DYNAMIC
    slack = pull * dt * 1.5  # what gravity takes back within the next frame
    shapes = placed(shapes_of(entity), space)
    met = pressing(body) if moved else (touch for one in shapes for touch in touches(space, one))
    close = (touch for one in shapes for touch in _close(space, one, pull * dt * dt))
    return any(_carries(touch, body, down, slack) for touch in chain(met, close if moved else ()))


def _close(space: Any, shape: Any, reach: float) -> Iterator[Touch]:
    """Give what a shape does not touch, but for a gap of at most ``reach``."""
    left, bottom, right, top = shape.bb
    around = type(shape.bb)(left - reach, bottom - reach, right + reach, top + reach)
    for other in space.bb_query(around, everything()):
        if other.body is not shape.body and not _never_meet(shape, other):
            gap, at, normal = min(_gaps(shape, other))
            if 0 <= gap <= reach:
                yield Touch(shape, other, at, normal, Point(0.0, 0.0))


def _gaps(shape: Any, other: Any) -> Iterator[tuple[float, Point, Point]]:
    """From each corner of two shapes to the other one: how far, where, which way."""
    for corner, radius in corners_of(shape):
        met = other.point_query(corner)
        way = Point(-met.gradient[0], -met.gradient[1])
        yield met.distance - radius, Point._make(met.point), way
    for corner, radius in corners_of(other):
        met = shape.point_query(corner)
        yield met.distance - radius, Point._make(met.point), Point._make(met.gradient)


def _carries(touch: Touch, body: Any, down: Point, slack: float) -> bool:
    if touch.shape.sensor or touch.other.sensor:
        return False
    normal = touch.normal
    if normal.x * down.x + normal.y * down.y < STEEPEST:
        return False
    mine = body.velocity_at_world_point(touch.point)
    theirs = touch.other.body.velocity_at_world_point(touch.point)
    leaving = (theirs[0] - mine[0]) * normal.x + (theirs[1] - mine[1]) * normal.y
    return bool(leaving <= slack)
