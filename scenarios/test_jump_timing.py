"""The jump, to the frame: how high by how long it is held, and how late or early one may ask."""

import pytest

GROUND = 208.1
EDGE = "right@1-200"
LAST_ON_THE_LAWN = 125
RISES = {1: 16.667, 2: 25.278, 3: 33.472, 4: 41.111, 5: 48.056, 6: 54.306, 7: 59.676, 8: 64.167}


@pytest.mark.parametrize(("held", "rise"), RISES.items())
def test_a_jump_held_for_so_many_frames_rises_so_high(game_run, held, rise):
    run = game_run(frames=30, input=f"jump@1+{held}", print="player.position.y", every=1)

    highest = min(row["player.position.y"] for row in run.frames.values())
    assert GROUND - highest == pytest.approx(rise, abs=0.001)


def test_holding_the_jump_beyond_its_eighth_frame_changes_nothing(game_run):
    full = game_run(frames=60, input="jump@1+8", print="player.position.y", every=1)
    longer = game_run(frames=60, input="jump@1+40", print="player.position.y", every=1)

    assert longer.frames == full.frames


@pytest.mark.game(scene="yard")
def test_without_a_jump_the_lawn_ends_at_frame_125(game_run):
    run = game_run(frames=130, input=EDGE, print="player.grounded", every=1)

    grounded = [frame for frame, row in run.frames.items() if row["player.grounded"]]
    assert max(grounded) == LAST_ON_THE_LAWN


@pytest.mark.game(scene="yard")
@pytest.mark.parametrize(
    ("late", "jumps"), [(1, True), (2, True), (6, True), (7, True), (8, False), (9, False)]
)
def test_a_jump_works_until_seven_frames_after_the_edge(play, late, jumps):
    """Seven steps after the last on the ground are six frames spent in the air."""
    pressed = LAST_ON_THE_LAWN + late
    play.step(pressed, input=f"{EDGE}, jump@{pressed}")

    assert play.value("player.velocity.y < 0") is jumps
    assert play.value("'jump' in [cue.name for cue in game.cues]") is jumps


@pytest.mark.parametrize(
    ("pressed", "jumped"),
    [(36, None), (37, None), (38, 44), (41, 44), (43, 44), (44, 44), (45, 45)],
)
def test_a_jump_asked_for_six_frames_early_is_made_at_the_landing(game_run, pressed, jumped):
    """The first jump lands in frame 43, so frame 44 is the first that can jump again."""
    run = game_run(
        frames=60,
        input=f"jump@1+8, jump@{pressed}+8",
        print="'jump' in [cue.name for cue in game.cues]",
        every=1,
    )
    jumps = [frame for frame, row in run.frames.items() if any(row.values())]
    assert jumps == ([1, jumped] if jumped else [1])


@pytest.mark.parametrize("seed", range(3))
def test_the_seed_has_no_say_in_a_jump(play, seed):
    play.reset(seed=seed)
    play.step(21, input="jump@1+8")

    assert play.value("player.position.y") == pytest.approx(GROUND - RISES[8], abs=0.001)
