"""The platform takes along who stands on it, and lends its speed to who jumps off."""

import pytest

pytestmark = pytest.mark.game(scene="yard", seed=3)
ABOARD = (
    "right@1-184, jump@116-127, jump@191-202, jump@227-238, jump@264-275, "
    "right@300-367, jump@321-332, right@582-619"
)


@pytest.mark.parametrize("line", ["", "right@1-90, jump@40+8"])
def test_the_platform_keeps_its_timetable_whatever_one_does(game_run, line):
    run = game_run(frames=300, input=line, print="platform.position.x", every=75)

    places = [row["platform.position.x"] for row in run.frames.values()]
    assert places == pytest.approx([774, 898, 774, 650], abs=0.01)


def test_who_stands_on_the_platform_rides_along(game_run):
    run = game_run(
        frames=885,
        input=ABOARD,
        print=["player.position.x - platform.position.x", "player.grounded", "player.ground"],
        every=1,
    )
    rides = [run.frames[frame] for frame in range(630, 886)]
    assert {row["player.ground"] for row in rides} == {"platform"}
    assert all(row["player.grounded"] for row in rides)
    places = [row["player.position.x - platform.position.x"] for row in rides]
    assert places == pytest.approx([-16.078] * len(rides), abs=0.001)


def test_a_jump_from_the_platform_keeps_its_speed(game_run):
    line = f"{ABOARD}, jump@670+10"
    run = game_run(frames=720, input=line, print=["player.velocity.x", "player.ground"], every=1)

    speeds = [run.frames[frame]["player.velocity.x"] for frame in range(670, 712)]
    assert speeds == pytest.approx([148.0] * len(speeds), abs=0.1)
    assert run.frames[712]["player.ground"] == "platform"
