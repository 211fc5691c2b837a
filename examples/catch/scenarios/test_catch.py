"""What the player of Catch can count on."""

import pytest


def follow(play):
    """A bot: run to below the lowest apple."""
    apples = play.value("[apple.x for apple in find_all('apple')]")
    basket = play.value("basket.x")
    if not apples or abs(apples[0] - basket) < 5:
        return None
    return "right" if apples[0] > basket else "left"


def test_who_does_nothing_loses(game_run):
    run = game_run(frames=600, seed=1, until="game.over", print="game.missed")

    assert run.frames[run.frame] == {"game.missed": 3}


@pytest.mark.parametrize("seed", range(5))
def test_who_runs_below_the_lowest_apple_misses_none_for_ten_seconds(game_run, seed):
    game_run(frames=600, seed=seed, input=follow, assert_="game.missed == 0")


def test_the_basket_stays_in_the_window(game_run):
    run = game_run(frames=120, input="left@1-120", print="basket.x")

    assert run.frames[120] == {"basket.x": 20}
