"""Winning and losing."""

import pytest

LOSING = "right@1-240"
WINNING = "right@1-400, jump@195+10"


@pytest.mark.parametrize("seed", range(5))
def test_over_the_spikes_and_through_the_open_door_wins(game_run, seed):
    run = game_run(
        frames=400,
        seed=seed,
        input=WINNING,
        assert_="player.alive",
        until="game.status == 'won'",
    )
    assert 285 <= run.frame <= 286


@pytest.mark.parametrize("seed", range(5))
def test_walking_into_the_spikes_loses(game_run, seed):
    run = game_run(frames=240, seed=seed, input=LOSING, until="game.status == 'lost'")
    assert 203 <= run.frame <= 204


def test_spikes_throw_the_player_up_and_end_the_control(play):
    play.reset(seed=3)
    play.until("not player.alive", within=240, holding="right")
    hit = play.value("player.position")
    assert play.value("player.velocity.y") == -220

    play.hold("right", frames=60)
    play.tap("jump")
    assert play.value("player.position.x") == pytest.approx(hit.x, abs=10)
    assert play.value("player.grounded")
    assert play.value("game.status") == "lost"


def test_the_closed_door_is_a_wall(game_run):
    run = game_run(
        frames=420,
        seed=3,
        input="right@1-420, jump@40+10, jump@120+10, jump@180+10",
        assert_=["player.alive", "player.position.x < door.position.x"],
        print=["player.position.x", "game.status"],
    )
    assert run.frames[420]["player.position.x"] > 500
    assert run.frames[420]["game.status"] == "playing"


def test_a_lost_play_starts_again_as_new(play):
    play.reset(seed=3)
    play.until("game.status == 'lost'", within=240, holding="right")
    play.reset(seed=3)

    assert play.value("game.status") == "playing"
    assert play.until("door.open", within=240, holding="right") == 120
