"""The coin hovers above the island; the player takes it in a jump."""

TAKING = "right@1-155, jump@134+8"


def test_a_jump_from_the_pit_takes_the_coin(game_run):
    run = game_run(
        frames=200,
        seed=3,
        input=TAKING,
        until="coin.taken",
        print=["game.coins_taken", "[c for c in coins if not c.taken]"],
    )
    assert run.frame == 155
    assert run.frames[155] == {"game.coins_taken": 1, "[c for c in coins if not c.taken]": []}


def test_a_walk_below_leaves_the_coin(game_run):
    game_run(frames=200, seed=3, input="right@1-200", assert_="not coin.taken")


def test_a_coin_is_taken_once_and_gone(play):
    play.reset(seed=3)
    assert "coin" in play.value("overlap(coin.home, 10)")
    assert play.value("game.coins_taken") == 0

    play.step(155, input=TAKING)
    assert play.value("game.coins_taken") == 1
    assert "coin" not in play.value("overlap(coin.home, 10)")

    play.hold("left", frames=10)
    play.hold("right", frames=60)
    assert play.value("game.coins_taken") == 1


def test_the_coin_hovers_by_four_pixels(game_run):
    run = game_run(frames=90, seed=3, print="coin.position.y - coin.home.y", every=1)

    heights = [row["coin.position.y - coin.home.y"] for row in run.frames.values()]
    assert max(heights) > 3.9
    assert min(heights) < -3.9
    assert max(map(abs, heights)) <= 4


def test_the_seed_decides_where_in_its_wave_the_coin_starts(play):
    starts = set()
    for seed in range(5):
        play.reset(seed=seed)
        starts.add(play.value("coin.position.y"))

    assert len(starts) == 5
