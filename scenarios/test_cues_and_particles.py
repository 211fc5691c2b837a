"""What can be heard is told by cues; what only sparkles has a generator of its own."""

import pytest

GENERATOR = "hash(game.world.rng.getstate())"


def test_a_winning_play_is_heard_in_this_order(game_run):
    run = game_run(
        frames=286,
        seed=3,
        input="right@1-286, jump@195+10",
        print="[cue.name for cue in game.cues]",
        every=1,
    )
    heard = [name for row in run.frames.values() for names in row.values() for name in names]
    assert heard == ["press", "open", "land", "land", "jump", "land", "won"]


def test_a_cue_tells_where_it_was(play):
    play.reset(seed=3)
    play.tap("jump")
    play.reset(seed=3)
    play.hold("jump")

    name, x, y = play.value("tuple(game.cues[0])")
    assert (name, x) == ("jump", 60)
    assert y == pytest.approx(play.value("player.position.y + 12"), abs=6)


def test_particles_fly_and_never_reach_the_rules(play):
    play.reset(seed=3)
    before = play.value(GENERATOR)
    play.step(43, input="jump@1+8")

    assert play.value("len(game.world.particles.specks)") > 0
    assert play.value(GENERATOR) == before


def test_the_rules_go_on_the_same_when_all_particles_are_blown_away(play):
    places = "[(e.name, e.position) for e in game.world.entities]"
    line = "right@1-100, jump@20+8"
    play.reset(seed=3)
    play.step(50, input="jump@1+8")
    play.save("dusty")
    play.step(100, input=line)
    with_particles = play.value(places)

    play.load("dusty")
    play.edit("game.world.particles.specks", [])
    play.step(100, input=line)
    assert play.value(places) == with_particles


@pytest.mark.parametrize("scene", ["ledge", "yard", "watch", "works"])
def test_every_speck_is_gone_36_frames_after_the_last_cue(game_run, scene):
    game_run(
        scene=scene,
        seed=3,
        frames=140,
        input="jump@1+8",
        until="frame > 43 and not game.world.particles.specks",
    )
