"""Beams are floors from above and air from below; down and jump drops through."""

import pytest

pytestmark = pytest.mark.game(scene="yard", seed=3)
CLIMB = "right@1-184, jump@116-127, jump@191-202, jump@227-238, jump@264-275"
BEAMS = "[beam for beam in (low_beam, mid_beam, high_beam) if beam.solid]"


def test_three_jumps_climb_through_three_beams(game_run):
    run = game_run(frames=320, input=CLIMB, print="player.ground", every=1)

    stood = {frame: row["player.ground"] for frame, row in run.frames.items()}
    assert (stood[222], stood[259], stood[295]) == ("low_beam", "mid_beam", "high_beam")
    assert stood[320] == "high_beam"


def test_down_and_jump_drops_to_the_next_beam(play):
    play.step(311, input=f"{CLIMB}, down@310-311")
    assert play.value("player.ground") == "high_beam"

    play.hold("down", "jump")
    assert play.value("game.cues") == []
    assert play.value(BEAMS) == []
    assert play.until("player.ground is mid_beam", within=30) == 331


def test_beams_are_air_for_fourteen_frames_after_a_drop(game_run):
    line = f"{CLIMB}, down@310-314, jump@312"
    run = game_run(frames=330, input=line, print="mid_beam.solid", every=1)

    air = [frame for frame in range(300, 331) if not run.frames[frame]["mid_beam.solid"]]
    assert air == list(range(312, 326))


def test_a_jump_without_down_comes_back_to_the_same_beam(play):
    play.step(312, input=f"{CLIMB}, jump@312")

    assert play.value("player.velocity.y < 0")
    play.until("player.grounded", within=60)
    assert play.value("player.ground") == "high_beam"


def test_one_cannot_drop_through_the_ground(play):
    play.step(191, input="right@1-184, jump@116-127, down@188-191, jump@191")

    assert play.value("[cue.name for cue in game.cues]") == ["jump"]
    assert play.value("player.velocity.y < 0")
