def test_holding_right_reaches_the_goal(game_run):
    run = game_run(
        frames=600, seed=1, input="right@1-600", until="game.won", print="ball.position.x"
    )
    assert run.frame < 300


def test_a_jump_comes_down_again(play):
    play.reset(seed=1)
    floor = play.value("ball.position.y")
    play.tap("jump")
    play.step(10)
    assert play.value("ball.position.y") < floor - 20
    play.until(f"ball.position.y > {floor - 1}", within=120)
