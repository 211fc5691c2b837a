"""A bot that plays by looking wins, wherever the crate and the coin start."""

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
