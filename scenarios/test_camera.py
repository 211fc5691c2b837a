"""The camera follows the player out of a dead zone, and never shows what lies beyond a level."""

import pytest

pytestmark = pytest.mark.game(scene="yard", seed=3)


def test_a_level_as_large_as_the_window_has_a_camera_that_rests(game_run):
    game_run(
        scene="ledge",
        input="movies/win-with-coin.movie",
        assert_="game.camera.position == (320, 180)",
    )


def test_the_camera_rests_while_the_player_is_in_the_dead_zone(game_run):
    run = game_run(
        input="movies/win-yard.movie",
        print=["player.position.x", "game.camera.position.x"],
        every=1,
        frames=300,
    )
    moved = [frame for frame, row in run.frames.items() if row["game.camera.position.x"] != 320]
    assert moved[0] == 162
    assert run.frames[161]["player.position.x"] < 380 < run.frames[162]["player.position.x"]


def test_the_player_never_leaves_the_dead_zone_but_at_the_edges(game_run):
    game_run(
        input="movies/win-yard.movie",
        assert_=[
            "abs(player.position.x - game.camera.position.x) <= 60.001"
            " or game.camera.position.x in (320, 1120)",
            "320 <= game.camera.position.x <= 1120",
            "180 <= game.camera.position.y <= 300",
        ],
    )


def test_the_camera_ends_in_the_corner_of_the_level(play):
    play.step(1, input="right@1")
    play.edit("player.body.position", (1400, 420))
    play.step(2)

    assert play.value("game.camera.position") == (1120, 300)
    assert play.value("game.camera.corner") == (800, 120)


@pytest.mark.parametrize(
    ("frame", "place"),
    [(300, (368.417, 287.6)), (366, (498.167, 241.317)), (800, (960.279, 250.1))],
)
def test_the_camera_is_where_it_was_measured(game_run, frame, place):
    run = game_run(input="movies/win-yard.movie", frames=frame, print="game.camera.position")

    assert run.frames[frame]["game.camera.position"] == pytest.approx(place, abs=0.001)
