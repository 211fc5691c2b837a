"""Stones fly where one aims, at most three at once, and are gone after four seconds."""

import pytest

pytestmark = pytest.mark.game(scene="watch", seed=3)
CLIMB = "right@1-184, jump@116-127, jump@191-202, jump@227-238, jump@264-275"
AIMS = {
    "the mouse": "move(500,80)@165, throw@170",
    "a click": "click(500,80)@170",
    "a button of the pad": "move(500,80)@165, pad(x)@170",
}


@pytest.mark.parametrize("aim", AIMS.values(), ids=AIMS.keys())
def test_a_stone_lands_where_one_aimed(play, aim):
    play.step(170, input=f"right@1-158, {aim}")
    assert play.value("stone1.position") == pytest.approx((379.67, 395.94), abs=0.01)

    play.step(30)
    assert play.value("stone1.position") == pytest.approx((489.72, 340.41), abs=0.01)
    assert play.until("stone1.landed", within=60) == 217
    assert play.value("stone1.position") == pytest.approx((552.09, 419.92), abs=0.01)


def test_a_stone_is_gone_240_frames_after_its_throw(play):
    play.step(409, input="right@1-158, move(500,80)@165, throw@170")
    assert play.value("len(find_all('stone'))") == 1

    play.step()
    assert play.value("len(find_all('stone'))") == 0


def test_only_three_stones_fly_at_once(game_run):
    run = game_run(
        frames=60,
        input="throw@5, throw@15, throw@25, throw@35",
        print="len(find_all('stone'))",
        every=1,
    )
    counts = [row["len(find_all('stone'))"] for row in run.frames.values()]
    assert [counts[frame - 1] for frame in (4, 5, 15, 25, 35, 60)] == [0, 1, 2, 3, 3, 3]


def test_without_a_mouse_one_throws_ahead_and_up(play):
    play.step(5, input="left@1-4, throw@5")
    assert play.value("stone1.velocity.x < 0 and stone1.velocity.y < 0")


@pytest.mark.game(scene="yard", seed=3)
def test_the_mouse_points_into_the_world_through_the_camera(play):
    line = f"{CLIMB}, right@300-367, jump@321-332, move(500,100)@390, throw@400"
    play.step(400, input=line)

    assert play.value("game.camera.position") == pytest.approx((504, 241.317), abs=0.001)
    assert play.value("game.camera.to_world((500, 100))") == pytest.approx(
        (684, 161.317), abs=0.001
    )
    assert play.value("stone1.velocity") == pytest.approx((308.03, -283.36), abs=0.01)
