"""However a level is begun, it goes the same way, to the bit."""

import pytest

LOSE_THE_YARD = "right@1-520"
LOSE_THE_WATCH = (
    "right@1-237, jump@159-170, right@461-697, jump@619-630, right@974-1210, jump@1132-1143"
)


@pytest.mark.parametrize(
    ("scene", "lost", "confirmed", "played"),
    [
        ("ledge", "right@1-240", 300, 100),
        ("yard", LOSE_THE_YARD, 550, 150),
        ("watch", LOSE_THE_WATCH, 1600, 100),
    ],
)
def test_a_level_lost_and_begun_again_is_as_new(game_run, scene, lost, confirmed, played):
    again = f"{lost}, confirm@{confirmed}, right@{confirmed + 1}-{confirmed + 90}"
    late = game_run(scene=scene, seed=3, frames=confirmed + played, input=again)
    fresh = game_run(scene=scene, seed=3, frames=played, input="right@1-90")

    assert late.state_hash == fresh.state_hash


def test_a_level_begun_from_the_title_is_the_level_itself(game_run):
    chosen = "right@2, right@4, right@6, confirm@100, right@101-500"
    from_title = game_run(scene="title", seed=3, frames=600, input=chosen)
    at_once = game_run(scene="works", seed=3, frames=500, input="right@1-400")

    assert from_title.state_hash == at_once.state_hash


def test_title_play_lose_restart_and_win_in_one_run(game_run):
    run = game_run(
        scene="title",
        seed=3,
        frames=600,
        input="confirm@20, right@21-260, confirm@300, right@301-600, jump@495+10",
        print=["game.status", "game.scene"],
        every=1,
    )
    status = {frame: row["game.status"] for frame, row in run.frames.items()}
    assert (status[19], status[20]) == ("title", "playing")
    assert (status[223], status[224]) == ("playing", "lost")
    assert (status[299], status[300]) == ("lost", "playing")
    assert (status[585], status[586]) == ("playing", "won")
    assert {row["game.scene"] for row in run.frames.values()} == {"title", "ledge"}


@pytest.mark.parametrize("seed", range(3))
def test_a_restart_in_the_middle_is_a_fresh_start(play, seed):
    play.reset(scene="yard", seed=seed)
    fresh = play.value("(tom.position, coin_of_the_loft.position, platform.position)")
    play.step(150, input="right@1-150, jump@116-127")
    play.hold("restart")

    assert play.value("(game.status, game.world.frame, game.lives)") == ["playing", 0, 3]
    assert play.value("(tom.position, coin_of_the_loft.position, platform.position)") == fresh
