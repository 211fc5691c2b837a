"""The crate, pushed off the ledge onto the plate, opens the door."""

import pytest


def test_the_crate_on_the_plate_opens_the_door(game_run):
    run = game_run(
        frames=240,
        seed=3,
        input="right@1-180",
        until="door.open",
        print=["player.position.x", "door.open"],
        every=1,
    )
    assert run.stopped == "until"
    assert run.frame < 200
    assert run.frames[60]["player.position.x"] > run.frames[30]["player.position.x"]


def test_three_pushes_leave_the_crate_on_the_ledge(play):
    play.reset(seed=3)
    play.hold("right", frames=45)
    play.save("at the crate")
    for push in (5, 10, 20):
        play.load("at the crate")
        play.hold("right", frames=push)
        play.step(60)
        assert not play.value("door.open"), f"after a push of {push} frames"


@pytest.mark.parametrize("seed", range(5))
def test_the_crate_opens_the_door_wherever_it_starts(play, seed):
    play.reset(seed=seed)
    opened = play.until("door.open", within=240, holding="right")

    assert opened == 120
    assert "crate" in play.value("game.touching(plate)")
    assert "player" not in play.value("game.touching(plate)")


def test_the_seed_moves_the_crate_by_at_most_two_pixels(play):
    starts = set()
    for seed in range(5):
        play.reset(seed=seed)
        starts.add(play.value("crate.position.x"))

    assert len(starts) == 5
    assert all(165 <= x <= 169 for x in starts)


def test_the_door_slides_up_and_stays_up_under_the_crate(game_run):
    run = game_run(frames=240, seed=3, input="right@1-120", print="door.lift", every=10)

    lifts = {frame: row["door.lift"] for frame, row in run.frames.items()}
    assert lifts[120] == 0
    assert lifts[130] == pytest.approx(0.5)
    assert lifts[140] == lifts[240] == 1


def test_pushing_the_crate_slows_the_walk(play):
    play.reset(seed=3)
    play.until("player.pushing", within=60, holding="right")
    start = play.value("player.position.x")
    play.hold("right", frames=40)

    pixels = play.value("player.position.x") - start
    assert 50 < pixels < 60, "a walk of 40 frames without a crate is 80 pixels"
