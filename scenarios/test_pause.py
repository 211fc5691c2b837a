"""Paused means paused."""

import pytest

pytestmark = pytest.mark.game(scene="watch", seed=3)
PLAYED = "right@1-400, jump@159+10"
PAUSED = f"{PLAYED}, pause@200, jump@220+4, throw@230, pause@260"
EVERYTHING = [
    "game.world.frame",
    "game.status",
    "[(e.name, e.position, getattr(e, 'velocity', 0), e.state) for e in game.world.entities]",
    "game.camera.position",
    "guard.suspicion",
    "game.world.particles.specks and [(s.x, s.y, s.life) for s in game.world.particles.specks]",
    "game.world.rng.getstate()[1][-1]",
]


def test_nothing_at_all_changes_while_paused(game_run):
    run = game_run(frames=259, input=PAUSED, print=EVERYTHING, every=1)

    assert run.frames[200]["game.status"] == "paused"
    assert run.frames[200]["game.world.frame"] == 199
    for frame in range(201, 260):
        assert run.frames[frame] == run.frames[200]


def test_buttons_do_nothing_while_paused(play):
    play.step(250, input=PAUSED)

    assert play.value("game.cues") == []
    assert play.value("len(find_all('stone'))") == 0


def test_a_pause_leaves_no_trace(game_run):
    values = [value for value in EVERYTHING if value != "game.status"]
    paused = game_run(frames=360, input=PAUSED.replace("1-400", "1-260") + ", right@262-400")
    plain = game_run(frames=300, input=PLAYED, print=values, every=1)
    again = game_run(frames=361, input=f"{PLAYED}, pause@200, pause@260", print=values, every=1)
    assert paused.passed
    for frame in (0, 1, 30, 100):
        assert again.frames[260 + frame] == plain.frames[199 + frame]


@pytest.mark.parametrize("button", ["pause", "confirm"])
def test_pause_or_confirm_goes_on(play, button):
    play.tap("pause")
    assert play.value("game.status") == "paused"

    play.tap(button)
    assert play.value("(game.status, game.world.frame)") == ["playing", 1]
