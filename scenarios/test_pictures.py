"""What is drawn: a picture for each status, through two cameras; and drawing changes nothing."""

import pytest

STATES = {
    "title": ("title", "", 1),
    "playing": ("ledge", "", 1),
    "paused": ("ledge", "pause@1", 1),
    "won": ("ledge", "right@1-286, jump@195+10", 290),
    "lost": ("ledge", "right@1-240", 240),
}


def test_every_status_has_a_picture_of_its_own(play):
    pictures = set()
    for status, (scene, line, frames) in STATES.items():
        play.reset(scene=scene, seed=3)
        play.step(frames, input=line)
        assert play.value("game.status") == status
        pictures.add(play.screenshot())

    assert len(pictures) == len(STATES)
    assert not any(picture.blank for picture in pictures)


@pytest.mark.game(scene="watch", seed=3)
def test_the_camera_shows_what_is_near_and_the_overview_shows_all(play):
    play.step(10)
    near, all_of_it = play.screenshot(), play.screenshot(camera="overview")

    assert "guard" in near.in_view
    assert "captain" not in near.in_view
    assert {"guard", "captain", "exit", "player"} <= set(all_of_it.in_view)


@pytest.mark.game(scene="watch", seed=3)
def test_the_player_is_in_the_picture_where_the_camera_says(play):
    play.step(240, input="right@1-240, jump@159-170")
    assert play.value("game.camera.position.x") > 320

    left, top, width, height = play.screenshot().boxes["player"]
    x, y = play.value("player.position - game.camera.corner")

    assert (left + width / 2, top + height / 2) == pytest.approx((x, y), abs=1)


@pytest.mark.game(scene="watch", seed=3)
def test_a_play_that_is_drawn_is_the_play_that_is_not(play):
    places = "[(e.name, e.position) for e in game.world.entities]"
    line = "right@1-240, jump@159-170"
    play.step(300, input=line)
    undrawn = play.value(places)

    play.reset()
    play.step(150, input=line)
    for _ in range(3):
        play.screenshot()
    play.step(150, input="right@1-90, jump@9-20")
    assert play.value(places) == undrawn
