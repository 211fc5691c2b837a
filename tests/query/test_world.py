"""What a play is told of its world: sensors, filters, what sleeps, stands, touches and dies."""

import math
import shutil
import sys
from pathlib import Path

import pymunk
import pytest

from harness.errors import ArgumentError, GameError, RequestError, UnknownName
from harness.values.sight import EntityView, RayHits

STUBS = Path(__file__).parents[1] / "stubs"


@pytest.fixture
def play(opened, stub):
    folder = stub("from yard import Yard as Stub\n")
    shutil.copy(STUBS / "yard.py", folder)
    play = opened("from yard import Yard as Stub\n")
    play.reset()
    return play


@pytest.fixture
def yard(play):
    for module in list(sys.modules.values()):
        if getattr(module, "__file__", None) == str(play.stage.path / "yard.py"):
            return module.LIVE[0]
    raise LookupError


def names(found):
    return [str(view.name) for view in found]


def along(play, start=(0, 0), end=(300, 0), **more):
    return names(hit.entity for hit in play.raycast(start, end, **more))


# rays


def test_a_ray_meets_every_body_on_its_way(play, yard):
    for number in (1, 2, 3):
        yard.add(f"box{number}", (60 * number, 0))
    hits = play.raycast((0, 0), (300, 0))

    assert names(hit.entity for hit in hits) == ["box1", "box2", "box3"]
    assert [hit.distance for hit in hits] == pytest.approx([50, 110, 170])
    assert {tuple(hit.normal) for hit in hits} == {(-1, 0)}
    assert hits.entity == "box1"
    assert (hits.distance, hits.point, hits.normal) == (50, (50, 0), (-1, 0))


def test_a_ray_that_meets_nothing_has_no_entity_and_is_endless(play, yard):
    hits = play.raycast((0, 0), (0, -50))

    assert (len(hits), hits.entity, hits.point, hits.normal) == (0, None, None, None)
    assert hits.distance == math.inf
    assert hits != "box"


def test_sensors_filters_and_hidden_things_are_met(play, yard):
    yard.add("sensor", (60, 0), sensor=True)
    yard.add("other side", (100, 0), filter=pymunk.ShapeFilter(group=3, categories=2, mask=2))
    yard.add("hidden", (140, 0), visible=False)
    yard.add("nothing", (180, 0), filter=pymunk.ShapeFilter(mask=0))

    assert along(play) == ["sensor", "other side", "hidden"]
    assert names(play.overlap((100, 0), 60)) == ["other side", "hidden", "sensor"]


def test_sleeping_bodies_are_met_and_say_so(play, yard):
    yard.space.sleep_time_threshold = 0.1
    yard.add("floor", (100, 20), (300, 20))
    yard.add("crate", (100, 0.05), kind="dynamic")
    play.step(60)
    crate = play.inspect("crate")

    assert crate.sleeping
    assert crate.grounded
    assert "floor" in crate.touching
    assert along(play) == ["crate"]
    assert names(play.overlap((100, 0), 1)) == ["crate"]


def test_a_body_that_left_the_space_is_not_met(play, yard):
    gone = yard.add("gone", (60, 0))
    yard.space.remove(gone.body, gone.shape)

    assert along(play) == []
    told = play.inspect("gone")
    assert (told.body, told.box, told.touching) == ("removed", None, ())


def test_a_ray_that_starts_inside_meets_that_at_its_start(play, yard):
    yard.add("around", (0, 0))
    yard.add("ahead", (60, 0))
    inside, ahead = play.raycast((3, 0), (300, 0))

    assert (inside.entity, inside.distance, inside.point, inside.normal) == (
        "around", 0, (3, 0), (0, 0),
    )  # fmt: skip
    assert (ahead.entity, ahead.distance) == ("ahead", 47)
    assert along(play, (10, 0)) == ["around", "ahead"]  # on its edge


def test_a_ray_of_no_length_meets_what_is_there(play, yard):
    yard.add("here", (0, 0))
    (hit,) = play.raycast((3, 0), (3, 0))

    assert (hit.entity, hit.distance, hit.normal) == ("here", 0, (0, 0))
    assert play.raycast((50, 0), (50, 0)) == ()


def test_a_ray_from_an_entity_that_is_named_does_not_meet_it(play, yard):
    yard.add("guard", (0, 0))
    yard.add("door", (60, 0))
    yard.add("player", (120, 0))

    assert along(play, "guard", "player") == ["door", "player"]
    assert along(play, play.inspect("guard"), "#2") == ["door", "player"]
    assert along(play, "guard", "player", ignore=["door"]) == ["player"]
    assert along(play, play.inspect("guard").position, "player") == ["guard", "door", "player"]


@pytest.mark.parametrize("text", ["0,0", "(0, 0)", " 0 , 0 "])
def test_points_are_written_as_text(play, yard, text):
    yard.add("box", (60, 0))
    assert along(play, text, "100,0") == ["box"]


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda p: p.raycast("0", (1, 1)), "from: must be a point such as 120,300, or an entity"),
        (lambda p: p.raycast("a,b", (1, 1)), "from: must be a point such as 120,300"),
        (lambda p: p.raycast((0, 0), (math.nan, 1)), "to: must be a point such as 120,300"),
        (lambda p: p.raycast((0, 0), "boxx"), "no entity named 'boxx'; this game has: box"),
        (lambda p: p.raycast((0, 0), (1, 1), ignore="box"), "ignore: must be a list of entities"),
        (lambda p: p.overlap(), "at: is needed, or a box, and not both"),
        (lambda p: p.overlap((0, 0), box=(0, 0, 1, 1)), "at: is needed, or a box, and not both"),
        (lambda p: p.overlap((0, 0), -1), "radius: must be a number of at least 0, not -1"),
        (lambda p: p.overlap(box=(0, 0, 0, 1)), "box: must be x,y,width,height"),
        (lambda p: p.overlap(box="1,2"), "box: must be x,y,width,height"),
        (lambda p: p.overlap(radius=3, box=(0, 0, 1, 1)), "radius: belongs to a circle"),
        (lambda p: p.inspect(3), "object: must be an entity's name, not 3"),
    ],
)
def test_a_wrong_question_is_one_line(play, yard, ask, message):
    yard.add("box", (60, 0))
    with pytest.raises(RequestError) as refused:
        ask(play)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_name_of_several_is_an_error_that_lists_them(play, yard):
    yard.add("coin", (0, 0))
    yard.add("coin", (9, 90))
    for ask in (play.inspect, lambda name: play.raycast(name, (1, 1))):
        with pytest.raises(RequestError, match="'coin' names 2 entities: #0, #1"):
            ask("coin")
    assert play.inspect("#0").position == (0, 0)
    assert along(play) == ["coin"]


# overlaps


def test_shapes_that_only_touch_overlap(play, yard):
    yard.add("box", (50, 0))

    assert names(play.overlap((30, 0), 10)) == ["box"]
    assert names(play.overlap((30, 0), 9.999)) == []
    assert names(play.overlap((40, 0))) == ["box"]
    assert names(play.overlap(box=(20, -5, 20, 10))) == ["box"]
    assert names(play.overlap(box=(20, -5, 19.99, 10))) == []


def test_overlaps_are_ordered_by_distance(play, yard):
    yard.add("far", (100, 0))
    yard.add("near", (50, 0))

    assert names(play.overlap((0, 0), 200)) == ["near", "far"]
    assert names(play.overlap("near", 200, ignore=["near"])) == ["far"]
    assert names(play.overlap(box=(-100, -100, 300, 200))) == ["near", "far"]


def test_what_is_at_a_point_is_told_topmost_first(play, yard):
    yard.add("below", (50, 0))
    yard.add("above", (55, 0), sensor=True)
    yard.add("hidden", (50, 0), visible=False)

    assert names(play.at((50, 0))) == ["above", "below"]
    assert names(play.at("42,0")) == ["below"]
    assert play.at((500, 0)) == []


# standing


def ground(yard, angle=0.0):
    return yard.add("floor", (0, 100), (2000, 20), angle=angle, friction=2)


def stood(play, frames, name="hero"):
    return [(play.step(), play.inspect(name).grounded)[1] for _ in range(frames)]


def test_a_body_stands_once_it_has_landed_and_not_in_the_air(play, yard):
    ground(yard)
    hero = yard.add("hero", (0, 40), kind="dynamic")
    flags = stood(play, 60)

    landed = flags.index(True)
    assert 5 < landed < 40
    assert all(flags[landed + 1 :])
    hero.body.velocity = (0, -300)
    assert not any(stood(play, 30))


@pytest.mark.parametrize("degrees", [-55, -30, 10, 45])
def test_a_body_stands_on_a_slope(play, yard, degrees):
    ground(yard, math.radians(degrees))
    yard.add("hero", (0, 60), kind="dynamic", friction=2)

    assert all(stood(play, 90)[60:])


def test_a_wall_of_the_spaces_own_body_is_where_its_shapes_are(play, yard):
    class Wall:
        id, name = 9, "wall"

    wall = Wall()
    wall.shapes = [pymunk.Segment(yard.space.static_body, (300, y), (340, y), 0) for y in (10, 50)]
    yard.space.add(*wall.shapes)
    yard.add("hero", (0, 30))
    yard.things.append(wall)
    assert play.inspect("wall").position == (320, 30)
    assert play.raycast("hero", (500, 30)) == ()
    wall.position = (300, 10)
    assert play.inspect("wall").position == (300, 10)


def test_a_wall_carries_nobody(play, yard):
    yard.add("wall", (60, 0), (20, 4000))
    hero = yard.add("hero", (40, 0), kind="dynamic", friction=0)
    yard.each_step.append(lambda frame: hero.body.apply_force_at_local_point((900, 0)))

    assert not any(stood(play, 40))
    assert "wall" in play.inspect("hero").touching


@pytest.mark.parametrize("speed", [(0, 40), (0, -40), (60, 0), (-30, 90)])
def test_a_body_stands_on_a_platform_that_moves(play, yard, speed):
    yard.add("platform", (0, 100), (300, 20), kind="kinematic", velocity=speed, friction=2)
    yard.add("hero", (0, 78), kind="dynamic", friction=2)

    flags = stood(play, 90)
    assert sum(flags[30:]) >= 58
    assert flags[-1]


def test_a_body_stands_on_a_platform_that_turns_around(play, yard):
    platform = yard.add("platform", (0, 100), (300, 20), kind="kinematic", friction=2)
    yard.add("hero", (0, 80.05), kind="dynamic", friction=2)

    def sway(frame):
        platform.body.velocity = (0, 50 * math.sin(frame / 15))

    yard.each_step.append(sway)
    assert all(stood(play, 180)[20:])


def test_a_body_stands_on_a_crate_and_a_crate_on_the_ground(play, yard):
    ground(yard)
    yard.add("crate", (0, 80), kind="dynamic")
    yard.add("hero", (3, 60), kind="dynamic")
    play.step(40)

    assert play.inspect("hero").grounded
    assert play.inspect("crate").grounded
    assert names(play.inspect("hero").touching) == ["crate"]
    assert play.inspect("floor").grounded is None


def test_a_sensor_carries_nobody_but_is_touched(play, yard):
    yard.add("plate", (0, 60), (40, 60), sensor=True)
    yard.add("hero", (0, 50), kind="dynamic")
    play.step(3)

    assert play.inspect("hero").grounded is False
    assert names(play.inspect("hero").touching) == ["plate"]
    assert names(play.inspect("plate").touching) == ["hero"]


def test_what_the_filters_keep_apart_does_not_touch(play, yard):
    yard.add("ghost", (0, 0), filter=pymunk.ShapeFilter(group=1))
    yard.add("hero", (5, 0), kind="dynamic", filter=pymunk.ShapeFilter(group=1))

    assert play.inspect("hero").touching == ()
    assert play.contacts() == []


def test_where_nothing_pulls_nobody_stands(play, yard):
    yard.space.gravity = (0, 0)
    yard.add("floor", (0, 20))
    yard.add("hero", (0, 0), kind="dynamic")
    play.step(5)
    assert play.inspect("hero").grounded is None


def test_contacts_tell_the_pair_the_normal_and_the_impulse(play, yard):
    ground(yard)
    yard.add("hero", (0, 80.05), kind="dynamic")
    play.step(30)
    (contact,) = play.contacts()

    assert (contact.entity, contact.other, contact.sensor) == ("floor", "hero", False)
    assert contact.normal == pytest.approx((0, -1))
    assert abs(contact.impulse.y) == pytest.approx(10, rel=0.01)  # a mass of 1 under 600 for 1/60 s
    (mine,) = play.contacts("hero")
    assert (mine.entity, mine.other) == ("hero", "floor")
    assert mine.normal == pytest.approx((0, 1))


# inspecting


def test_only_what_changed_since_the_scene_loaded_is_told(opened):
    play = opened()
    play.step(10, input="right@1-4")
    walker = play.inspect("walker")

    assert {"x", "steps", "presses"} <= set(walker.properties)
    assert (walker.properties["x"], walker.loaded["x"]) == (4, 0)
    assert "bag[0]" not in walker.properties
    assert "typed" not in walker.properties
    assert play.inspect("walker", all=True).properties["typed"] == ""
    assert play.inspect("walker", all=True).properties["bag[0]"] == 1
    play.reset()
    assert play.inspect("walker").properties == {}


def test_an_edit_is_a_change(play, yard):
    yard.add("box", (0, 0))
    play.step()
    play.edit("box.mood", "grim")
    assert play.inspect("box").properties["mood"] == "grim"


def test_an_inspection_says_where_and_how_something_moves(play, yard):
    yard.add("box", (10, 20), kind="kinematic", velocity=(3, 4), angle=0.5, visible=False)
    box = play.inspect("box")

    assert (box.position, box.velocity, box.rotation) == ((10, 20), (3, 4), 0.5)
    assert (box.body, box.hidden, box.sleeping, box.id) == ("kinematic", True, False, 0)
    assert box.box.centre == pytest.approx((10, 20))


# things that die, and answers that change nothing


def test_a_thing_that_dies_on_the_way_is_told_of(play, yard):
    yard.add("box", (0, 0))
    play.step()
    yard.things = []
    with pytest.raises(UnknownName, match="no entity named 'box'; this game has: none"):
        play.inspect("box")
    with pytest.raises(UnknownName):
        play.raycast("box", (3, 3))


def test_a_thing_that_fails_when_it_is_looked_at_is_no_crash(play, yard):
    class Dead:
        id, name, path, kind = 9, "dead", "dead", "ghost"

        def __getattr__(self, name):
            raise RuntimeError("it is gone")

    yard.add("box", (60, 0))
    yard.things = [*yard.things, Dead()]

    assert along(play) == ["box"]
    assert play.inspect("dead").position is None
    assert names(play.at((60, 0))) == ["box"]
    with pytest.raises(ArgumentError, match="from: #9 dead has no position"):
        play.raycast("dead", (1, 1))


def test_a_game_that_fails_when_it_lists_its_things_is_told_as_its_error(play, yard):
    yard.add("box", (0, 0))

    def broken():
        raise RuntimeError("no list")

    yard.entities = broken
    play.stage.driver.entities._ask = broken
    with pytest.raises(GameError, match="no list"):
        play.at((0, 0))


def test_a_new_shape_of_a_known_thing_is_told_by_its_name(play, yard):
    box = yard.add("box", (60, 0))
    assert along(play) == ["box"]
    extra = pymunk.Circle(yard.space.static_body, 5, (120, 0))
    yard.space.add(extra)
    box.shapes = [box.shape, extra]
    assert along(play) == ["box", "box"]
    yard.space.add(pymunk.Circle(yard.space.static_body, 5, (150, 0)))
    assert along(play) == ["box", "box", "(no entity)"]


def every_question(play):
    play.raycast((-500, 90), (500, 95))
    play.overlap((0, 80), 300)
    play.overlap(box=(-100, -100, 400, 400))
    play.contacts()
    play.at((0, 90))
    for name in ("hero", "crate", "floor", "wall"):
        play.inspect(name, all=True)


@pytest.mark.parametrize("asks", [False, True])
def test_no_question_changes_what_the_game_does(play, yard, asks):
    # A static body that is moved by hand, and not reindexed, is where questions could do harm.
    ground(yard)
    wall = yard.add("wall", (60, 50), (20, 100))
    yard.add("crate", (30, 70), kind="dynamic", moment=40)
    yard.add("hero", (0, 60), kind="dynamic")
    yard.things[-1].body.velocity = (90, 0)
    play.step(10)
    wall.body.position = (40, 30)
    for _ in range(80):
        play.step()
        if asks:
            every_question(play)
    hashes = bytes(play.stage.driver.hashes)
    assert hashes[-8:].hex() == test_no_question_changes_what_the_game_does.seen.setdefault(
        "end", hashes[-8:].hex()
    )


test_no_question_changes_what_the_game_does.seen = {}


def test_views_are_equal_to_their_names():
    view = EntityView(3, "crate", "Level/Crate")
    assert view == "crate"
    assert "crate" in (view,)
    assert hash(view) == hash("crate")
    assert view != "Level/Crate"
    assert view != EntityView(4, "crate", "Level/Crate")
    assert {view: 1}["crate"] == 1
    assert RayHits() == ()
