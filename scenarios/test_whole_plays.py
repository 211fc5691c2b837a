"""Every level, played from its start to its end; the ledge is in test_movies.py."""

import pytest

ENDS = {"yard": (1026, 2), "watch": (858, 2)}


@pytest.mark.parametrize("scene", ENDS)
def test_a_recorded_win_of_each_level_ends_in_its_frame(game_run, scene):
    frame, coins = ENDS[scene]
    run = game_run(
        input=f"movies/win-{scene}.movie",
        assert_=["player.alive", "game.lives == 3"],
        until="game.status == 'won'",
        print="game.coins_taken",
    )
    assert run.frame == frame
    assert run.frames[frame]["game.coins_taken"] == coins


@pytest.mark.parametrize("seed", range(3))
def test_the_yard_is_won_by_the_same_line_on_any_seed(game_run, seed):
    run = game_run(input="movies/win-yard.movie", seed=seed, until="game.status == 'won'")

    assert run.frame == 1026


@pytest.mark.game(scene="works")
def test_the_works_from_the_start_to_the_end(game_run):
    run = game_run(
        input="movies/win-works.movie",
        assert_=["player.alive", "game.lives == 3"],
        until="game.status == 'won'",
        print=["[cue.name for cue in game.cues]", "player.ground is platform", "game.coins_taken"],
        every=1,
    )
    cues, on_the_lift, coins = zip(*[row.values() for row in run.frames.values()], strict=True)
    assert (run.frame, coins[-1]) == (1903, 4)
    assert frames_of("checkpoint", cues)[-1] == 1397
    assert all(on_the_lift[1221:1349]), "the lift carries the player, who never lands again"
    assert frames_of("open", cues)[-2:] == [1596, 1700], "first the player, then the crate"
    assert frames_of("close", cues)[-1] == 1617


def frames_of(name, cues):
    return [frame for frame, names in enumerate(cues, 1) if name in names]


@pytest.mark.game(scene="works", seed=3)
def test_the_works_hold_more_than_a_hundred_crates_and_none_gets_lost(game_run):
    crates = "[e for e in game.world.entities if e.kind == 'crate']"
    game_run(
        frames=200,
        assert_=[
            f"len({crates}) == 119",
            f"all(0 < crate.position.x < 2560 and crate.position.y < 720 for crate in {crates})",
        ],
    )
