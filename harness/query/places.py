"""Where things are: points as they are asked for, and the places of a game's live objects."""

from __future__ import annotations

import math
from collections.abc import Iterable, KeysView, Sequence
from typing import Any

from harness.errors import ArgumentError
from harness.values.numbers import number
from harness.values.sight import Box, Point

Place = Any
"""A point as a pair or as the text ``x,y``; an entity, its name, or what was seen of it."""

AN_ENTITY = "must be a point such as 120,300, or an entity"


def held(thing: Any, name: str) -> Any:
    """What a live object holds under a name; None where it has none, or can give it no more."""
    if type(thing) is dict:
        return thing.get(name)
    try:
        return getattr(thing, name, None)
    except Exception:  # an entity that died may fail at anything, and is no reason to
        return None


def pair(value: Any) -> Point | None:
    """Two finite numbers as a point; None of anything else."""
    if isinstance(value, str):
        parts: Iterable[Any] = value.strip().strip("()").split(",")
    elif issubclass(type(value), Sequence) or (hasattr(value, "x") and hasattr(value, "__iter__")):
        parts = value
    else:
        return None
    found = [number(part) for part in parts]
    if len(found) != 2 or found[0] is None or found[1] is None:
        return None
    return Point(found[0], found[1])


def point(argument: str, value: Any) -> Point:
    """Two finite numbers as a point.

    Raises:
        ArgumentError: they are none.
    """
    found = pair(value)
    if found is None:
        raise ArgumentError(argument, f"{AN_ENTITY}, not {_short(value)}")
    return found


def box(argument: str, value: Any) -> Box:
    """Four numbers as a box: its corner of least x and y, its width and height.

    Raises:
        ArgumentError: they are none.
    """
    parts = value.strip().strip("()").split(",") if isinstance(value, str) else value
    found = [number(part) for part in parts] if isinstance(parts, Sequence) else []
    if len(found) == 4:
        x, y, width, height = found
        if None not in (x, y) and (width or 0) > 0 and (height or 0) > 0:
            return Box(*(part for part in found if part is not None))
    raise ArgumentError(
        argument, f"must be x,y,width,height with a width and height above 0, not {_short(value)}"
    )


def shapes_of(entity: Any) -> list[Any]:
    """The pymunk shapes of an entity: its own, else those of its body; a shape is its own."""
    if _is_shape(entity):
        return [entity]
    several = held(entity, "shapes")
    found = list(several) if isinstance(several, _SEVERAL) else []
    for one in (held(entity, "shape"), held(entity, "body")):
        if _is_shape(one) and one not in found:
            found.append(one)
    if not found:
        found = list(held(held(entity, "body"), "shapes") or ())
    return [shape for shape in found if _is_shape(shape)]


_SEVERAL = (list, tuple, set, frozenset, KeysView)


def _is_shape(value: Any) -> bool:
    return held(value, "bb") is not None and held(value, "sensor") is not None


def placed(shapes: Iterable[Any], space: Any) -> list[Any]:
    """Those of the shapes that are in the space."""
    return [shape for shape in shapes if shape.space is space]


def body_of(entity: Any) -> Any:
    """The pymunk body of an entity, or None; a body is its own."""
    shapes = shapes_of(entity)
    bodies = (held(entity, "body"), shapes[0].body if shapes else None, entity)
    return next((body for body in bodies if _is_body(body)), None)


def own_body(entity: Any) -> Any:
    """The body whose further shapes are an entity's too; of a wall none, other walls share it."""
    body = entity if _is_body(entity) else held(entity, "body")
    shared = _is_shape(entity) and body is not None and body.body_type == body.STATIC
    return None if shared else body


def _is_body(value: Any) -> bool:
    # An entity may tell these of its body, and some of its further attributes, as its own.
    return all(held(value, name) is not None for name in ("velocity", "body_type", "moment"))


def position_of(entity: Any) -> Point | None:
    """Where an entity is; None where it does not say."""
    body = body_of(entity)
    if body is not None and _is_wall(entity, body):
        return _around([shape.bb for shape in shapes_of(entity)]).centre
    for holder in (entity, body):
        found = pair(held(holder, "position"))
        if found is not None:
            return found
    there = box_of(entity)
    return there.centre if there is not None else _at(entity)


def _is_wall(entity: Any, body: Any) -> bool:
    """Whether a thing is no more than shapes of a body that is where no wall is."""
    if _is_shape(entity):
        return bool(body.body_type == body.STATIC)
    shapes = shapes_of(entity)
    space = shapes[0].space if shapes else None
    shared = space is not None and body is space.static_body
    return shared and pair(held(entity, "position")) is None


def box_of(entity: Any, space: Any = None) -> Box | None:
    """The upright box around an entity; None where it does not take up room.

    It is that of its shapes in the space, else its ``box`` or ``rect`` (x, y, width, height), else
    its ``size`` or ``radius`` around its ``position``, else its size from its ``x`` and ``y`` on.
    """
    shapes = shapes_of(entity)
    if shapes:
        boxes = [shape.bb for shape in (placed(shapes, space) if space is not None else shapes)]
        return _around(boxes) if boxes else None
    for holder in (entity, *(held(entity, name) for name in _PLACES)):
        for name in _BOXES:
            found = _four(held(holder, name))
            if found is not None:
                return found
    if held(entity, "topleft") is not None and held(entity, "w") is not None:
        return _four(entity)
    centre = pair(held(entity, "position"))
    return _sized(entity, centre) if centre is not None else _cornered(entity)


_PLACES = ("position", "pos", "transform")
_BOXES = ("box", "rect", "hitbox", "_rect")
_SIZES = (("width", "height"), ("w", "h"))


def _at(entity: Any) -> Point | None:
    """The point that an entity names without saying what of it is there."""
    for holder in (entity, *(held(entity, name) for name in (*_PLACES, "center", "location"))):
        found = pair(holder) if holder is not entity else None
        found = found or pair((held(holder, "x"), held(holder, "y")))
        if found is not None:
            return found
    return None


def _cornered(entity: Any) -> Box | None:
    """As pygame draws: from the corner of least x and y on; what has a radius, around there."""
    corner = _at(entity)
    if corner is None:
        return None
    radius = number(held(entity, "radius"))
    if radius is not None:
        return Box(corner.x - radius, corner.y - radius, 2 * radius, 2 * radius)
    sizes = [pair((held(entity, across), held(entity, down))) for across, down in _SIZES]
    sizes += [pair(held(entity, "size")), _picture_size(entity)]
    size = next((size for size in sizes if size is not None), None)
    return Box(*corner, *size) if size is not None and min(size) >= 0 else None


def _picture_size(entity: Any) -> Point | None:
    image = held(entity, "image")
    return pair(image.get_size()) if type(image).__name__ == "Surface" else None


def hidden(entity: Any) -> bool:
    """Whether an entity says that it is not to be seen."""
    return held(entity, "visible") is False or held(entity, "hidden") is True


def _sized(entity: Any, centre: Point) -> Box | None:
    size = pair(held(entity, "size"))
    radius = held(entity, "radius")
    if size is None and isinstance(radius, int | float) and math.isfinite(radius):
        size = Point(2 * radius, 2 * radius)
    if size is None:
        return None
    return Box(centre.x - size.x / 2, centre.y - size.y / 2, size.x, size.y)


def _around(boxes: list[Any]) -> Box:
    left, top = min(bb.left for bb in boxes), min(bb.bottom for bb in boxes)
    right, bottom = max(bb.right for bb in boxes), max(bb.top for bb in boxes)
    return Box(left, top, right - left, bottom - top)


def _four(value: Any) -> Box | None:
    try:
        x, y, width, height = (float(part) for part in value)
    except (TypeError, ValueError):
        return None
    found = Box(x, y, width, height)
    return found if all(map(math.isfinite, found)) and width >= 0 and height >= 0 else None


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
