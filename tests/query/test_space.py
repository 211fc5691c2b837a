"""Rays and overlaps in expressions, against pymunk by hand."""

import pymunk
import pytest

from harness.errors import RequestError

NO_SPACE = """
    class Stub:
        def reset(self, scene, seed): ...
        def step(self, inputs): ...
        def state(self): return ()
        def entities(self): return []
"""


@pytest.fixture
def play(opened):
    play = opened()
    play.step(20)
    return play


@pytest.fixture
def space(play, live):
    return live(play.stage.path).space


@pytest.mark.parametrize(
    ("start", "end"),
    [((100, 0), (100, 200)), ((0, 60), (300, 130)), ((300, 104), (0, 104)), ((0, 0), (9, 9))],
)
def test_a_ray_meets_what_pymunk_says_nearest_first(play, space, start, end):
    hits = play.value(f"raycast({start}, {end})")
    expected = sorted(
        space.segment_query(start, end, 0, pymunk.ShapeFilter()), key=lambda hit: hit.alpha
    )
    length = pymunk.Vec2d(*start).get_distance(end)
    assert [tuple(hit["point"]) for hit in hits] == [tuple(hit.point) for hit in expected]
    assert [tuple(hit["normal"]) for hit in hits] == [tuple(hit.normal) for hit in expected]
    assert [hit["distance"] for hit in hits] == [hit.alpha * length for hit in expected]


def test_a_ray_names_the_entities_it_meets(play):
    assert play.value("[hit.entity.name for hit in raycast((100, 0), (100, 200))]") == [
        "ball",
        "floor",
    ]


def test_a_ray_goes_between_points_and_entities(play):
    by_entity = play.value("raycast(walker, ball)")
    assert by_entity == play.value("raycast((0, 0), ball.position)")
    assert by_entity[0]["entity"] == "ball"
    assert play.value("raycast(Vec2d(0, 0), ball.body)") == by_entity


def test_a_ray_with_a_length_goes_in_a_direction(play):
    assert play.value("raycast((100, 0), (0, 3), 200)") == play.value(
        "raycast((100, 0), (100, 200))"
    )
    assert play.value("raycast((100, 0), (0, 3), 10)") == []


def test_a_ray_that_starts_inside_meets_that_at_once_where_it_starts(play):
    at = play.value("ball.position")
    first = play.value("raycast(ball, (500, 0))")[0]
    assert first == {"entity": "ball", "point": at, "normal": (0, 0), "distance": 0}


def test_a_ray_of_no_length_meets_what_is_at_that_point(play):
    hits = play.value("raycast(ball, ball)")
    assert [(hit["entity"], hit["distance"]) for hit in hits] == [("ball", 0)]
    assert play.value("raycast((0, 0), (0, 0))") == []


@pytest.mark.parametrize(("at", "radius"), [((100, 90), 40), ((100, 0), 5), ((150, 105), 60)])
def test_an_overlap_is_what_pymunk_says_nearest_first(play, space, at, radius):
    found = play.value(f"overlap({at}, {radius})")
    hits = sorted(space.point_query(at, radius, pymunk.ShapeFilter()), key=lambda h: h.distance)
    names = dict.fromkeys(space.static_body.shapes, "floor")
    assert found == list(dict.fromkeys(names.get(hit.shape, "ball") for hit in hits))


def test_an_overlap_takes_an_entity_and_no_radius(play):
    assert play.value("overlap(ball)") == ["ball"]
    assert play.value("overlap((0, 0))") == []


def test_a_shape_without_an_entity_is_told_as_such(play, space):
    space.add(pymunk.Circle(space.static_body, 3, (400, 0)))
    assert play.value("[hit.entity.name for hit in raycast((390, 0), (410, 0))]") == ["(no entity)"]


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("raycast((0, 0), 'bell')", "no entity named 'bell'; this game has: ball, floor, walker"),
        ("raycast((0, 0, 0), ball)", "from: must be a point such as 120,300, or an entity"),
        ("raycast((0, 0), (1e999, 0))", "to: must be a point such as 120,300, or an entity, not"),
        ("raycast((0, 0), (0, 0), 5)", "a ray needs a direction and a length above 0"),
        ("raycast((0, 0), (1, 0), -5)", "a ray needs a direction and a length above 0"),
        ("raycast((0, 0), (1, 0), 1e999)", "a ray needs a direction and a length above 0"),
        ("raycast('a,b', ball)", "from: must be a point such as 120,300, or an entity, not 'a,b'"),
        ("overlap((0, 0), -1)", "radius: must be a number of at least 0, not -1"),
        ("overlap((0, 0), 'far')", "radius: must be a number of at least 0, not 'far'"),
        ("overlap((0, 0), 1e999)", "radius: must be a number of at least 0, not inf"),
        ("overlap(3)", "at: must be a point such as 120,300, or an entity, not 3"),
    ],
)
def test_a_question_that_cannot_be_asked_is_one_line(play, expression, message):
    with pytest.raises(RequestError) as refused:
        play.value(expression)
    assert message in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


def test_a_game_without_a_space_is_asked_by_the_boxes_of_its_entities(opened):
    play = opened(NO_SPACE)
    assert play.value("raycast((0, 0), (1, 1))") == []
    assert play.value("overlap((0, 0), 3)") == []
    assert play.value("Vec2d(3, 4).length") == 5


def test_questions_do_not_change_the_game(play):
    play.save("before")
    play.value("raycast(walker, ball)")
    play.value("overlap(ball, 50)")
    assert play.load("before") == 20
