"""Rays and overlaps against geometry by hand, on random scenes; pymunk's answers are witnesses.

``HARNESS_SCENES=10000`` plays that many scenes; a plain run a few hundred of each kind.
"""

import itertools
import math
import os

import pymunk
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from harness.query import boxes, space
from harness.query.queries import Queries, queries
from harness.values.sight import Box, EntityView, Point

SCENES = int(os.environ.get("HARNESS_SCENES", "240"))
CLOSE = 1e-6

numbers = st.integers(-2000, 2000).map(lambda n: n / 10)
lengths = st.integers(1, 800).map(lambda n: n / 10)
points = st.tuples(numbers, numbers)
circles = st.tuples(st.just("circle"), points, lengths)
ends = st.tuples(points, points).filter(lambda both: both[0] != both[1])
bars = st.tuples(st.just("bar"), ends, lengths)
blocks = st.tuples(st.just("block"), points, lengths, lengths, st.floats(0, 3.1))
scenes = st.lists(st.one_of(circles, bars, blocks), min_size=1, max_size=6)


class Owners(dict):
    def __missing__(self, shape):
        raise AssertionError("a shape that is not in the scene")


def filled(scene):
    """The space of a scene, and its shapes with what they were made from."""
    world = pymunk.Space()
    made = {}
    for number, (kind, *parts) in enumerate(scene):
        body = pymunk.Body(body_type=pymunk.Body.STATIC)
        if kind == "circle":
            shape = pymunk.Circle(body, parts[1], parts[0])
            outline = ([parts[0]], parts[1])
        elif kind == "bar":
            (a, b), radius = parts
            shape = pymunk.Segment(body, a, b, radius)
            outline = ([a, b], radius)
        else:
            centre, width, height, angle = parts
            body.position, body.angle = centre, angle
            shape = pymunk.Poly.create_box(body, (width, height))
            corners = [body.local_to_world(v) for v in shape.get_vertices()]
            outline = ([tuple(corner) for corner in corners], 0.0)
        world.add(body, shape)
        made[shape] = (EntityView(number, f"e{number}", f"e{number}"), outline)
    return world, made


# the geometry, by hand: each shape is the hull of some points, grown by a radius


def edges(hull):
    return list(zip(hull, hull[1:] + hull[:1], strict=True))


def to_segment(p, a, b):
    """How far a point is from a segment."""
    (px, py), (ax, ay), (bx, by) = p, a, b
    way = (bx - ax) ** 2 + (by - ay) ** 2
    t = 0 if way == 0 else max(0, min(1, ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / way))
    return math.hypot(px - ax - t * (bx - ax), py - ay - t * (by - ay))


def inside(p, hull):
    if len(hull) < 3:
        return False
    sides = [(b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) for a, b in edges(hull)]
    return all(side >= 0 for side in sides) or all(side <= 0 for side in sides)


def gap(p, outline):
    """How far a point is outside of a shape; negative or 0 inside and on its edge."""
    hull, radius = outline
    if inside(p, hull):
        return -min(to_segment(p, a, b) for a, b in edges(hull)) - radius
    return min(to_segment(p, a, b) for a, b in edges(hull)) - radius


def apart(one, other):
    """How far two outlines are from each other; 0 or less when they share a point."""
    (hull, radius), (rest, extra) = one, other
    if any(inside(p, rest) for p in hull) or any(inside(p, hull) for p in rest):
        return -1.0
    for a, b in edges(hull):
        for c, d in edges(rest):
            if cross(a, b, c, d):
                return -1.0
    near = [to_segment(p, a, b) for p in hull for a, b in edges(rest)]
    near += [to_segment(p, a, b) for p in rest for a, b in edges(hull)]
    return min(near) - radius - extra


def cross(a, b, c, d):
    def side(p, q, r):
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def entered(start, end, outline):
    """The first distance at which a ray is in a shape, by marching no further than is free."""
    span = math.dist(start, end)
    gone = 0.0
    for _ in range(4000):
        share = gone / span
        here = (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)
        free = gap(here, outline)
        if free <= 1e-9:
            return gone
        gone += free
        if gone > span:
            return None
    return gone


def near_a_tangent(start, end, outline):
    """Whether a ray only just misses or meets a shape: no answer is wrong there."""
    closest = apart((([start, end]), 0.0), outline)
    ends = abs(gap(start, outline)) < 1e-4 or abs(gap(end, outline)) < 1e-4
    return abs(closest) < 1e-4 or ends or grazes(start, end, outline)


def grazes(start, end, outline):
    hull, radius = outline
    span = math.dist(start, end)
    way = ((end[0] - start[0]) / span, (end[1] - start[1]) / span)
    offsets = [(p[0] - start[0]) * way[1] - (p[1] - start[1]) * way[0] for p in hull]
    return any(abs(abs(offset) - radius) < 1e-4 for offset in offsets)


@settings(max_examples=SCENES, deadline=None)
@given(scene=scenes, start=points, end=points)
def test_a_ray_meets_what_geometry_by_hand_says(scene, start, end):
    assume(math.dist(start, end) > 0.1)
    world, made = filled(scene)
    owners = Owners({shape: view for shape, (view, _) in made.items()})
    hits = space.ray(queries(world), Point(*start), Point(*end), owners)
    distances = {hit.entity.name: hit.distance for hit in hits}
    raw = {i.shape for i in world.segment_query(start, end, 0, pymunk.ShapeFilter())}

    assert [hit.distance for hit in hits] == sorted(hit.distance for hit in hits)
    assert len(hits) == len(distances)
    assert {made[shape][0].name for shape in raw} <= set(distances)
    for shape in made.keys() - raw:  # of thick bars, pymunk misses some that the ray ends in
        assert made[shape][0].name not in distances or isinstance(shape, pymunk.Segment)
    for view, outline in made.values():
        if near_a_tangent(start, end, outline):
            continue
        expected = entered(start, end, outline)
        assert (view.name in distances) == (expected is not None), outline
        if expected is not None:
            assert distances[view.name] == pytest.approx(expected, abs=1e-3)
    for hit in hits:
        if hit.distance == 0:
            assert (hit.point, hit.normal) == (start, (0, 0))
        else:
            assert math.hypot(*hit.normal) == pytest.approx(1)
            assert math.dist(start, hit.point) == pytest.approx(hit.distance, abs=1e-6)


@settings(max_examples=SCENES, deadline=None)
@given(scene=scenes, at=points, radius=st.integers(0, 1000).map(lambda n: n / 10))
def test_a_circle_touches_what_geometry_by_hand_says(scene, at, radius):
    world, made = filled(scene)
    owners = Owners({shape: view for shape, (view, _) in made.items()})
    found = [view.name for view in space.in_circle(queries(world), Point(*at), radius, owners)]
    gaps = {view.name: gap(at, outline) for view, outline in made.values()}
    raw = {made[i.shape][0].name for i in world.point_query(at, radius, pymunk.ShapeFilter())}

    assert raw <= set(found)
    for name, free in gaps.items():
        if abs(free - radius) > CLOSE:
            assert (name in found) == (free <= radius), (name, free)
    for one, other in itertools.pairwise(found):
        assert gaps[one] <= gaps[other] + CLOSE


@settings(max_examples=SCENES, deadline=None)
@given(scene=scenes, corner=points, width=lengths, height=lengths)
def test_a_box_touches_what_geometry_by_hand_says(scene, corner, width, height):
    world, made = filled(scene)
    owners = Owners({shape: view for shape, (view, _) in made.items()})
    x, y = corner
    area = Box(x, y, width, height)
    found = {view.name for view in space.in_box(world, area, owners)}
    hull = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    for view, outline in made.values():
        free = apart((hull, 0.0), outline)
        if abs(free) > 1e-4:
            assert (view.name in found) == (free < 0), (view.name, free)


@settings(max_examples=SCENES, deadline=None)
@given(
    rects=st.lists(st.tuples(numbers, numbers, lengths, lengths), min_size=1, max_size=6),
    start=points,
    end=points,
    radius=lengths,
)
def test_boxes_answer_as_the_same_boxes_of_pymunk(rects, start, end, radius):
    world, listed, owners = pymunk.Space(), [], Owners()
    for number, (x, y, width, height) in enumerate(rects):
        view = EntityView(number, f"e{number}", f"e{number}")
        corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
        shape = pymunk.Poly(world.static_body, corners)
        world.add(shape)
        owners[shape] = view
        listed.append((view, Box(x, y, width, height)))
    assume(math.dist(start, end) > 0.1)
    ours = {hit.entity.name: hit for hit in boxes.ray(listed, Point(*start), Point(*end))}
    asked = queries(world)
    theirs = {h.entity.name: h for h in space.ray(asked, Point(*start), Point(*end), owners)}
    for view, box in listed:
        hull = [(box.x, box.y), (box.x + box.width, box.y),
                (box.x + box.width, box.y + box.height), (box.x, box.y + box.height)]  # fmt: skip
        if grazes(start, end, (hull, 0.0)) or near_a_tangent(start, end, (hull, 0.0)):
            continue
        name = view.name
        assert (name in ours) == (name in theirs)
        if name in ours:
            assert ours[name].distance == pytest.approx(theirs[name].distance, abs=1e-6)
            assert tuple(ours[name].point) == pytest.approx(tuple(theirs[name].point), abs=1e-6)
            assert tuple(ours[name].normal) == pytest.approx(tuple(theirs[name].normal), abs=1e-6)
    near = [view.name for view in boxes.in_circle(listed, Point(*start), radius)]
    by_pymunk = [view.name for view in space.in_circle(asked, Point(*start), radius, owners)]
    edge = [v.name for v, b in listed if abs(b.distance(start) - radius) < CLOSE]
    assert set(near) - set(edge) == set(by_pymunk) - set(edge)


@settings(max_examples=SCENES, deadline=None)
@given(scene=scenes, start=points, end=points, radius=lengths)
def test_the_quick_way_gives_what_pymunk_gives(scene, start, end, radius):
    world, made = filled(scene)
    owners = Owners({shape: view for shape, (view, _) in made.items()})
    quick, plain = queries(world), Queries(world)

    assert type(quick) is not Queries
    assert space.ray(quick, start, end, owners) == space.ray(plain, start, end, owners)
    there = space.in_circle(quick, end, radius, owners)
    assert there == space.in_circle(plain, end, radius, owners)
