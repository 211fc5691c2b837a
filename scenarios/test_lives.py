"""Spikes take a life, a flag gives the place to come back to, and the last life ends the play."""

import pytest

pytestmark = pytest.mark.game(scene="yard", seed=3)
CLIMB = "right@1-184, jump@116-127, jump@191-202, jump@227-238, jump@264-275"
TO_THE_FLAG = f"{CLIMB}, right@300-367, jump@321-332"
INTO_THE_CHASM = f"{CLIMB}, right@300-420, jump@321-332"


def test_spikes_take_one_life_and_the_control(play):
    play.step(140, input="right@1-135")
    assert play.value("(game.lives, player.alive, player.velocity.y)") == [2, False, -220]
    assert play.value("[cue.name for cue in game.cues]") == ["hurt"]

    play.step(20, input="left@1-20, jump@5")
    assert play.value("player.velocity.x >= 0")
    assert play.value("game.lives") == 2


def test_a_hurt_player_comes_back_after_45_frames(play):
    play.step(140, input="right@1-135")
    play.step(44)
    assert not play.value("player.alive")

    play.step()
    assert play.value("player.alive")
    assert play.value("player.position == player.home + (0, 0.1)")
    assert play.value("player.velocity") == (0, 0)


def test_a_flag_is_where_one_comes_back_to(play):
    play.until("flag.reached", within=400, input=TO_THE_FLAG)
    assert play.frame == 361
    assert play.value("flag.state") == "up"

    play.reset()
    play.until("not player.alive", within=500, input=INTO_THE_CHASM)
    assert play.frame == 430
    play.until("player.alive", within=60)
    assert play.frame == 475
    assert play.value("player.position") == pytest.approx((566, 278.1), abs=0.01)


def test_only_the_last_flag_counts(game_run):
    run = game_run(
        input="movies/win-yard.movie",
        print=["flag.reached", "outpost.reached"],
        every=1,
    )
    flags = {frame: tuple(row.values()) for frame, row in run.frames.items()}
    assert flags[360] == (False, False)
    assert flags[361] == flags[780] == (True, False)
    assert flags[781] == flags[run.frame] == (False, True)


@pytest.mark.parametrize("seed", range(3))
def test_the_third_time_on_the_spikes_is_the_end(game_run, seed):
    run = game_run(
        frames=1500,
        seed=seed,
        input="right@1-1500",
        until="game.status == 'lost'",
        print=["game.lives", "[cue.name for cue in game.cues]"],
        every=1,
    )
    cues = "[cue.name for cue in game.cues]"
    happened = {
        frame: name
        for frame, row in run.frames.items()
        for name in row[cues]
        if name in ("hurt", "respawn", "lost")
    }
    assert happened == {140: "hurt", 185: "respawn", 325: "hurt", 370: "respawn", 510: "lost"}
    assert run.frames[510]["game.lives"] == 0


def test_a_level_with_one_life_is_lost_at_once(game_run):
    run = game_run(
        frames=240,
        scene="ledge",
        input="right@1-240",
        until="game.status == 'lost'",
        print="game.lives",
    )
    assert run.frame == 204
    assert run.frames[204]["game.lives"] == 0


def test_coins_stay_taken_when_a_life_is_lost(play):
    play.step(120, input="right@1-120")
    play.edit("player.body.position", (330, 376))
    play.step(2)
    assert play.value("game.coins_taken") == 1

    play.until("not player.alive", within=60)
    play.until("player.alive", within=60)
    assert play.value("(game.coins_taken, coin_of_the_ditch.state)") == [1, "taken"]
