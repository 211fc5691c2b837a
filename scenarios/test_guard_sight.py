"""What a guard sees, and every reason why he does not see."""

import pytest

pytestmark = pytest.mark.game(scene="watch", seed=3)
BEHIND_COVER = "right@1-158"
IN_THE_OPEN = "right@1-240, jump@159-170"
ON_THE_WALKWAY = "right@1-240, jump@159-170, jump@209-220"
AT_THE_DOOR = "right@1-474, jump@159-170, jump@209-220, jump@387-398, jump@430-441"
DOOR_HELD_OPEN = (
    "right@1-418, jump@159-170, jump@209-220, left@422-428, jump@429-440, right@429-498"
)


def test_a_guard_alone_walks_between_his_two_posts(game_run):
    run = game_run(
        frames=600,
        print=["guard.position.x", "guard.facing"],
        every=1,
        assert_=["guard.suspicion == 0", "guard.state == 'patrol'"],
    )
    places = [row["guard.position.x"] for row in run.frames.values()]
    assert min(places) == pytest.approx(540, abs=1)
    assert max(places) == pytest.approx(740, abs=1)
    faces = [row["guard.facing"] for row in run.frames.values()]
    turns = [frame for frame in range(2, 601) if faces[frame - 1] != faces[frame - 2]]
    assert turns == [274, 585]


def test_a_player_in_the_open_is_seen_noticed_and_chased(game_run):
    run = game_run(
        frames=335,
        input=IN_THE_OPEN,
        print=["guard.sees", "guard.state", "guard.suspicion"],
        every=1,
    )
    assert [run.frames[281]["guard.sees"], run.frames[282]["guard.sees"]] == [False, True]
    states = {frame: row["guard.state"] for frame, row in run.frames.items()}
    assert (states[303], states[304]) == ("patrol", "suspicious")
    assert (states[334], states[335]) == ("suspicious", "chase")
    assert run.frames[335]["guard.suspicion"] == 1


def test_a_guard_does_not_see_through_a_wall(play):
    play.step(560, input=BEHIND_COVER)
    between = "[hit.entity.name for hit in raycast(guard.eye, player.position)]"

    assert play.value("guard.facing") == -1
    assert play.value("guard.position.x - player.position.x < 190")
    assert "cover" in play.value(between)
    assert not play.value("guard.sees")


def test_nobody_is_ever_seen_behind_the_cover(game_run):
    game_run(frames=1200, input=BEHIND_COVER, assert_=["not guard.sees", "guard.suspicion == 0"])


def test_a_guard_does_not_see_who_is_behind_him(play):
    play.step(286, input=IN_THE_OPEN)
    assert play.value("guard.sees")

    play.edit("guard.facing", 1)
    play.edit("guard.leg", 1)
    play.step(1)
    assert not play.value("guard.sees")


def test_a_guard_does_not_see_farther_than_190_pixels(play):
    play.step(330)
    play.edit("player.body.position", (440, 408.1))
    seen = {}
    for _ in range(120):
        play.step()
        seen[play.value("guard.eye.x - player.position.x")] = play.value("guard.sees")

    assert max(gap for gap, sees in seen.items() if sees) < 190
    assert min(gap for gap, sees in seen.items() if not sees) > 188


@pytest.mark.parametrize(("height", "seen"), [(0, True), (15, True), (25, False), (50, False)])
def test_a_guard_sees_half_as_far_up_as_ahead(play, height, seen):
    """Nothing is between the two; 40 pixels ahead, his view reaches up by 20."""
    play.step(500)
    assert play.value("guard.facing") == -1
    x, y = play.value("guard.eye")

    play.edit("player.body.position", (x - 40, y - height))
    play.step()
    assert play.value("[h.entity.name for h in raycast(guard.eye, player)][-1]") == "player"
    assert play.value("guard.sees") is seen


def test_nobody_is_ever_seen_on_the_walkway(game_run):
    game_run(frames=900, input=ON_THE_WALKWAY, assert_="not guard.sees")


def test_a_guard_does_not_see_through_a_closed_door(play):
    play.step(490, input=AT_THE_DOOR)
    assert play.value("(captain.facing, door.lift)") == [-1, 0]
    assert play.value("0 < captain.position.x - player.position.x < 190")

    play.step(800)
    assert play.value("(captain.suspicion, captain.state)") == [0, "patrol"]


def test_a_guard_sees_through_the_open_door(game_run):
    run = game_run(
        frames=507,
        input=DOOR_HELD_OPEN,
        print=["captain.sees", "captain.state", "door.lift"],
        every=1,
    )
    assert run.frames[430]["door.lift"] == 1
    assert [run.frames[460]["captain.sees"], run.frames[461]["captain.sees"]] == [False, True]
    assert run.frames[482]["captain.state"] == "suspicious"
    assert run.frames[507]["captain.state"] == "chase"
