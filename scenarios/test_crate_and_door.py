"""The crate, pushed off the ledge onto the plate, opens the door."""


def test_the_crate_on_the_plate_opens_the_door(game_run):
    run = game_run(
        frames=240,
        seed=3,
        input="right@1-180",
        until="door.open",
        print=["player.position.x", "door.open"],
        every=1,
    )
    assert run.stopped == "until"
    assert run.frame < 200
    assert run.frames[60]["player.position.x"] > run.frames[30]["player.position.x"]


def test_three_pushes_leave_the_crate_on_the_ledge(play):
    play.reset(seed=3)
    play.hold("right", frames=45)
    play.save("at the crate")
    for push in (5, 10, 20):
        play.load("at the crate")
        play.hold("right", frames=push)
        play.step(60)
        assert not play.value("door.open"), f"after a push of {push} frames"
