"""How the game looks: each status, the way to the exit and the overview, as approved."""

import pytest

STATES = {
    "title": ("title", "", 1),
    "playing": ("ledge", "", 1),
    "paused": ("ledge", "pause@1", 1),
    "won": ("ledge", "right@1-286, jump@195+10", 290),
    "lost": ("ledge", "right@1-240", 240),
}


@pytest.mark.parametrize("status", STATES)
def test_each_status_looks_as_approved(play, game_golden, status):
    scene, line, frames = STATES[status]
    play.reset(scene=scene, seed=3)
    play.step(frames, input=line)

    assert play.screenshot() == game_golden(f"status-{status}")


def test_the_way_to_the_exit_looks_as_approved(game_run, game_golden):
    run = game_run(frames=290, seed=3, input=STATES["won"][1], shots=[1, 60, 120, 180, 220, 290])

    assert run.strip == game_golden("way-to-the-exit")


@pytest.mark.game(scene="watch", seed=3)
def test_the_overview_looks_as_approved(game_shot, game_golden):
    assert game_shot(at=2.0, camera="overview") == game_golden("overview")
