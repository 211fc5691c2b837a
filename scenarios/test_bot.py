"""Bots that play by looking win, wherever the crates and the coins start."""

import pytest


@pytest.mark.parametrize("seed", range(5))
def test_the_careful_bot_wins(game_run, seed):
    game_run(
        frames=400,
        seed=seed,
        input="bots/careful.py:careful",
        assert_="player.alive",
        until="game.status == 'won'",
    )


@pytest.mark.game(scene="watch")
@pytest.mark.parametrize("seed", range(2))
def test_the_stealthy_bot_passes_both_guards_and_is_never_caught(game_run, seed):
    game_run(
        frames=1100,
        seed=seed,
        input="bots/stealthy.py:stealthy",
        assert_=["game.lives == 3", "guard.suspicion == 0"],
        until="game.status == 'won'",
    )
