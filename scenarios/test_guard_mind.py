"""What a guard makes of what he perceives: suspicion, memory, chase, and how it ends."""

import pytest

pytestmark = pytest.mark.game(scene="watch", seed=3)
IN_THE_OPEN = "right@1-240, jump@159-170"
LURE = "right@1-158, move(500,80)@165, throw@170"


def test_suspicion_rises_faster_the_nearer_the_player(play):
    play.step(290, input=IN_THE_OPEN)
    assert play.value("guard.sees")
    before = play.value("guard.suspicion")
    play.step()

    gap = play.value("(player.position - guard.eye).length")
    risen = play.value("guard.suspicion") - before
    assert risen == pytest.approx((2 - gap / 190) / 60, abs=1e-6)


def test_suspicion_falls_by_one_240th_a_frame_unseen(game_run):
    run = game_run(frames=361, input=LURE, print="guard.suspicion", every=1)

    for frame in (217, 229, 257, 297, 336):
        fallen = (frame - 216) / 240
        assert run.frames[frame]["guard.suspicion"] == pytest.approx(0.6 - fallen, abs=1e-6)
    assert run.frames[361]["guard.suspicion"] == 0


def test_a_stone_calls_the_guard_to_where_it_fell(play):
    play.step(217, input=LURE)
    assert "knock" in play.value("[cue.name for cue in game.cues]")
    assert play.value("guard.state") == "suspicious"
    assert play.value("guard.last_known") == pytest.approx((552.09, 419.92), abs=0.01)

    assert play.until("guard.state == 'return'", within=200) == 337
    assert play.value("guard.position.x") == pytest.approx(611.75, abs=0.01)
    play.until("guard.state == 'patrol'", within=200)
    assert play.frame == 507


def test_a_stone_out_of_earshot_calls_nobody(play):
    play.step(38, input="throw@5")

    assert play.value("[cue.name for cue in game.cues]") == ["knock"]
    assert play.value("guard.position.x - stone1.position.x > 260")
    assert play.value("(guard.state, guard.suspicion)") == ["patrol", 0]


def test_a_guard_remembers_where_he_last_saw_the_player(play):
    play.step(300, input=IN_THE_OPEN)
    seen_at = play.value("player.position")
    assert play.value("guard.last_known") == seen_at

    play.edit("player.body.position", (60, 408.1))
    play.step(20)
    assert not play.value("guard.sees")
    assert play.value("guard.last_known") == seen_at


def test_a_chase_ends_at_the_leash(game_run):
    run = game_run(
        input="movies/win-works.movie",
        frames=1010,
        print=["guard.state", "guard.position.x"],
        every=1,
    )
    chase = [row for row in run.frames.values() if row["guard.state"] == "chase"]
    assert run.frames[920]["guard.state"] != "chase"
    assert run.frames[921]["guard.state"] == "chase"
    assert max(row["guard.position.x"] for row in chase) <= 1440.1


def test_a_guard_who_catches_the_player_takes_a_life_and_forgets(play):
    play.until("not player.alive", within=450, input=IN_THE_OPEN)
    assert play.frame == 407
    assert play.value("game.lives") == 2
    assert play.value("(guard.state, guard.suspicion, guard.last_known)") == ["return", 0, None]

    play.until("player.alive", within=60)
    assert play.frame == 452
    assert play.value("guard.state") == "patrol"


def test_a_guard_on_patrol_hurts_nobody_who_touches_him_from_behind(play):
    play.step(100)
    assert play.value("(guard.state, guard.facing)") == ["patrol", 1]

    play.edit("player.body.position", (play.value("guard.position.x") - 8, 408.1))
    play.step(5)
    assert "guard" in play.value("overlap(player.position, 8)")
    assert play.value("(game.lives, player.alive)") == [3, True]
