"""Plays that were recorded once, and still end as they did."""

import pytest


@pytest.mark.movie("movies/win-with*.movie")
def test_a_recorded_win_still_wins_with_the_coin(game_run, movie):
    game_run(input=movie, until="game.coins_taken == 1 and game.status == 'won'")
