"""What a run says of the expressions it was given, and of the runs it is compared with."""

import textwrap

import pytest

from harness.errors import ArgumentError, RequestError, RunFailed, UnknownName

CHANGES = "an expression changes the game when it is evaluated; a replay without it differs"
UNMOVED = "input was given and no printed value changed; is it meant for this game?"


@pytest.mark.parametrize(
    "asked",
    [
        {"print": "walker.trip()"},
        {"assert": "walker.trip()"},
        {"until": "walker.trip() and False"},
        {"print": "walker.look()"},
        {"print": "[walker.bag.append(1)]"},
        {"print": "walker.__setattr__('luck', 3.5)", "every": 100},
    ],
)
def test_an_expression_that_changes_the_game_is_noted(opened, game_run, asked):
    run = game_run(opened(), frames=9, **asked)
    noted = CHANGES in run.notes
    assert noted or "__setattr__" in str(asked)


def test_expressions_that_only_look_are_not_noted(opened, game_run):
    run = game_run(
        opened(), frames=9, **{"assert": "walker.x == 0"}, until="frame == 9",
        print=["raycast((0, 0), (0, 200))", "find('ball').position", "[*find_all('round')]"],
    )  # fmt: skip
    assert run.notes == ()


def test_input_that_moves_nothing_that_is_printed_is_noted(opened, game_run):
    play = opened()
    assert game_run(play, frames=9, input="key:q@1-5", print="walker.x").notes == (UNMOVED,)
    assert game_run(play, frames=9, input="right@1-5", print="walker.x").notes == ()
    assert game_run(play, frames=9, print="walker.x").notes == ()
    assert game_run(play, frames=9, input="key:q@1-5").notes == ()


def test_against_no_input_gives_the_first_frame_and_value(opened, game_run):
    play = opened()
    run = game_run(play, frames=20, input="right@8", against="no-input")
    found = run.against
    assert (found.frame, found.name, found.here, found.there) == (8, "walker.x", 1, 0)
    assert str(found) == "differs from no-input at frame 8: walker.x is 1, there 0"
    assert play.frame == 20
    assert play.value("walker.x") == 1
    assert game_run(play, frames=20, against="no-input").against.frame is None


def test_against_no_input_of_a_start_lets_go_there(opened, game_run):
    play = opened()
    game_run(play, frames=10, input="right@1-10", save="ten")
    run = game_run(play, frames=20, start="ten", input="right@4-9", against="no-input")
    assert (run.against.frame, run.against.name) == (4, "walker.x")
    same = game_run(play, frames=20, start="ten", against="no-input")
    assert str(same.against) == "same as no-input on every frame"


def test_against_an_earlier_run_and_a_movie(opened, game_run):
    play = opened()
    first = game_run(play, frames=20, input="right@8", record="run.movie")
    by_id = game_run(play, frames=20, input="right@12", against=first.run_id)
    assert (by_id.against.frame, by_id.against.here, by_id.against.there) == (8, 0, 1)
    by_movie = game_run(play, frames=20, input="right@8, left@15", against="run.movie")
    assert (by_movie.against.frame, by_movie.against.here, by_movie.against.there) == (15, 0, 1)


SLOWER = """
    from honest import Honest
    class Stub(Honest):
        def step(self, inputs):
            super().step(inputs)
            if self.walker.steps >= {since}:
                self.walker.x -= 3
"""


def test_against_a_run_of_another_build_says_from_where_that_run_is_another_now(opened, game_run):
    play = opened(SLOWER.format(since=999))
    first = game_run(play, frames=130, input="right@1-130", record="run.movie")
    adapter = play.path / "adapter.py"
    adapter.write_text(textwrap.dedent(SLOWER.format(since=72)), encoding="utf-8")
    changed = f"itself it was another in build {first.build}, first at frame 72"
    for against in (first.run_id, "run.movie"):
        run = game_run(play, frames=130, input="right@1-130", against=against)
        assert (run.against.frame, run.against.changed) == (None, changed)
        assert f"same as {against} on every frame, played again; {changed}" in run.text()
    run = game_run(play, frames=130, input="right@1-60", against="run.movie")
    assert str(run.against).endswith(f", played again; {changed}")
    again = game_run(play, frames=130, against=run.run_id)
    assert again.against.changed == ""


def test_against_a_shorter_run_differs_where_that_ends(opened, game_run):
    play = opened()
    first = game_run(play, frames=10)
    run = game_run(play, frames=20, against=first.run_id)
    assert (run.against.frame, run.against.name) == (11, "frames played")


def test_against_a_run_that_fails_says_so(opened, game_run):
    play = opened("""
        from honest import Honest
        class Stub(Honest):
            def step(self, inputs):
                super().step(inputs)
                if self.walker.x == 0 and self.walker.steps == 7:
                    raise ValueError("idle")
    """)
    run = game_run(play, frames=20, input="right@7", against="no-input")
    assert (run.status, run.against.frame, run.against.name) == ("passed", 7, "the game")
    assert "ValueError: idle" in run.against.there
    assert play.step() == 21


def test_against_something_unknown_lists_the_runs_there_are_before_anything_runs(opened, game_run):
    play = opened()
    first = game_run(play, frames=10)
    with pytest.raises(UnknownName) as refused:
        game_run(play, frames=20, against="run-1", save="never")
    assert first.run_id in str(refused.value)
    assert "no-input" in str(refused.value)
    assert play.frame == 10
    with pytest.raises(UnknownName):
        play.load("never")


def test_a_failed_until_tells_the_last_value_its_parts_and_how_to_get_more(opened, game_run):
    run = game_run(opened(), frames=9, input="right@1-4", until="walker.x > walker.steps")
    assert run.failure.message.splitlines() == [
        "walker.x > walker.steps never became True between frame 0 and frame 9; last value False",
        "  walker.x = 4",
        "  walker.steps = 9",
        "  it was given 9 frames; raise frames to give it more",
    ]


def test_until_fails_with_its_run_and_the_play_goes_on(opened):
    play = opened()
    with pytest.raises(RunFailed, match="raise within to give it more") as failed:
        play.until("walker.x", within=4)
    assert failed.value.run.movie.frames == 4
    assert play.step() == 5


def test_until_takes_holding_or_input_and_not_both(opened):
    play = opened()
    assert play.until("walker.x == 3", holding="right") == 3
    assert play.until("walker.x == 1", input="left@1-9") == 5
    with pytest.raises(ArgumentError, match="holding: cannot be given beside input"):
        play.until("walker.x == 1", holding="right", input="left@1-9")


@pytest.mark.parametrize(
    ("verb", "arguments", "message"),
    [
        ("step", (0,), "frames: must be at least 1, not 0"),
        ("step", (1.5,), "frames: must be a whole number, not 1.5"),
        ("step", (True,), "frames: must be a whole number, not True"),
        ("step", (1, "jmup@1"), "no button or key named 'jmup'"),
        ("hold", ("jmup",), "no button or key named 'jmup'"),
        ("hold", ("right", 45), "buttons: are names, as in hold('right', frames=5), not 45"),
        ("tap", (None,), "buttons: are names"),
        ("until", ("walker.x = 3",), "is a statement"),
        ("until", ("",), "not an expression"),
        ("value", ("plaeyr.x",), "no name 'plaeyr'"),
        ("value", ("walker.bag[9]",), "at frame 0: IndexError: list index out of range"),
        ("value", ("find('wlaker')",), "no entity named 'wlaker'; this game has: walker"),
        ("reset", ("third",), "no scene named 'third'; this game has: first, second"),
        ("reset", (None, -1), "seed: must be at least 0, not -1"),
        ("load", ("x",), "no savestate named 'x'; this play has: none"),
    ],
)
def test_a_wrong_verb_is_one_line_and_leaves_the_play_as_it_was(opened, verb, arguments, message):
    play = opened()
    play.reset()
    with pytest.raises(RequestError) as refused:
        getattr(play, verb)(*arguments)
    assert message in str(refused.value)
    assert len(str(refused.value).splitlines()) <= 2
    assert play.step() == 1


COIN = """
    from honest import Honest
    class Coin:
        name, worth = "coin", 3
    class Stub(Honest):
        def reset(self, scene, seed):
            super().reset(scene, seed)
            self.things = [*self.things, Coin()]
        def step(self, inputs):
            super().step(inputs)
            if self.walker.steps == 7:
                self.things = self.things[:-1]
"""


def test_an_assert_on_an_entity_that_goes_away_fails_and_says_so(opened, game_run):
    play = opened(COIN)
    run = game_run(play, frames=20, **{"assert": ["walker.steps < 99", "coin.worth == 3"]})
    assert (run.status, run.stopped, run.frame) == ("failed", "assert", 7)
    assert run.failure.expression == "coin.worth == 3"
    assert run.failure.message.splitlines() == [
        "assert coin.worth == 3 did not hold at frame 7",
        "  coin is no longer there",
    ]


@pytest.mark.parametrize("text", ["right@1000", "right@1000-1010, jump@1002", "move(1,2)@1000",
                                  "quit@1000", "random(left,right)@1000-1200"])  # fmt: skip
def test_input_after_the_end_is_noted(opened, game_run, text):
    play = opened()
    note = "the input begins at frame 1000, and the run has 20 frames"
    assert note in game_run(play, frames=20, input=text).notes
    assert game_run(play, frames=1200, input=text).notes == ()
    assert game_run(play, frames=20, input=f"left@20, {text}").notes == ()
    with pytest.raises(ArgumentError, match="input: begins at frame 1000, and 20 are played"):
        play.step(20, input=text)


@pytest.mark.parametrize("name", ["../x", "a/b", "", ".x", "x" * 300])
def test_a_savestate_has_a_files_name(opened, game_run, name):
    with pytest.raises(RequestError, match="a savestate's name is a file's name, not"):
        game_run(opened(), frames=3, save=name)
