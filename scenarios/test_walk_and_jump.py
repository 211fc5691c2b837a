"""How the player moves. Positions are pixels, y down; input at frame k shows in frame k."""

import pytest

TOP_SPEED = 120
APEX = 21
LANDING = 43


def test_nothing_happens_when_nothing_is_pressed(game_run):
    game_run(
        frames=120,
        seed=3,
        assert_=[
            "player.position == player.home + (0, 0.1)",
            "player.grounded",
            "not plate.pressed",
            "not door.open",
            "not coin.taken",
            "game.status == 'playing'",
        ],
    )


def test_a_walk_reaches_its_top_speed_within_five_frames(game_run):
    run = game_run(frames=20, input="right@1-20", print="player.velocity.x", every=1)

    speeds = [row["player.velocity.x"] for row in run.frames.values()]
    assert speeds[:5] == pytest.approx([25, 50, 75, 100, TOP_SPEED])
    assert speeds[5:] == pytest.approx([TOP_SPEED] * 15)


def test_letting_go_stops_the_player_within_five_frames(play):
    play.hold("right", frames=20)
    play.step(5)
    stopped = play.value("player.position.x")
    play.step(30)

    assert play.value("player.velocity.x") == 0
    assert play.value("player.position.x") == stopped


def test_right_and_left_together_cancel_out(play):
    play.hold("right", "left", frames=30)

    assert play.value("player.position.x") == play.value("player.home.x")


def test_the_level_ends_at_its_left_border(play):
    play.hold("left", frames=120)

    assert play.value("0 < player.position.x < 10")
    assert play.value("player.velocity.x") == 0


def test_a_jump_is_highest_at_its_frame_21_and_lands_at_43(game_run):
    run = game_run(
        frames=60, input="jump@1+8", print=["player.position.y", "player.grounded"], every=1
    )

    heights = {frame: 208.1 - row["player.position.y"] for frame, row in run.frames.items()}
    assert max(heights, key=heights.get) == APEX
    assert heights[APEX] == pytest.approx(64.17, abs=0.01)
    landed = [frame for frame, row in run.frames.items() if row["player.grounded"]]
    assert landed[0] == LANDING
    assert heights[60] == pytest.approx(0, abs=0.01)


def test_a_held_jump_jumps_once(game_run):
    run = game_run(
        frames=120, input="jump@1-120", print=["player.grounded", "player.position.y"], every=1
    )

    assert all(run.frames[frame]["player.grounded"] for frame in range(LANDING, 121))


def test_there_is_no_second_jump_in_the_air(play):
    play.step(60, input="jump@1+8")
    alone = play.value("player.landed_frame")
    play.reset()
    play.step(60, input="jump@1+8, jump@20")

    assert play.value("player.landed_frame") == alone == LANDING


def test_the_key_space_is_the_button_jump(play):
    play.tap("key:space")

    assert play.value("player.velocity.y < 0")


@pytest.mark.parametrize("seed", range(5))
def test_nothing_random_moves_the_player(play, seed):
    play.reset(seed=seed)
    play.hold("right", frames=40)

    assert play.value("player.position.x") == pytest.approx(136.167, abs=0.001)
