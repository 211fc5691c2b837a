"""The same requests get equal answers wherever the game is played."""

import pytest

from harness.documents import Listed
from harness.errors import (
    ArgumentError,
    Divergence,
    ExpressionError,
    GameError,
    HarnessError,
    RequestError,
    RunFailed,
    UnknownName,
)
from harness.values.movie_reader import read_movie
from harness.values.run import RunRequest

HERE = "in-process"

REQUESTS = {
    "a plain run": [{"frames": 90, "input": "right@1-30, jump@40", "print": ("walker.x",)}],
    "every frame": [{"frames": 9, "print": ("ball.position", "walker.bag"), "every": 1}],
    "until": [{"frames": 99, "input": "right@1-99", "until": "walker.x > 20"}],
    "until never": [{"frames": 20, "until": "walker.far"}],
    "an assert": [{"frames": 50, "input": "right@1-50", "assert_": ("walker.x < 30",)}],
    "another scene and seed": [{"frames": 10, "scene": "second", "seed": 77}],
    "assignments": [{"frames": 10, "assignments": ("walker.x=7",), "print": ("walker.x",)}],
    "lost input": [{"frames": 10, "input": "jump@3", "print": ("walker.typed",)}],
    "against nothing": [{"frames": 30, "input": "right@5-30", "against": "no-input"}],
    "start and save": [
        {"frames": 70, "input": "right@1-70", "save": "a", "seed": 5},
        {"frames": 70, "input": "left@1-10", "start": "a", "print": ("walker.x",), "save": "b"},
        {"frames": 5, "start": "b", "print": ("walker.x",), "every": 1},
        {"frames": 5, "start": "a", "assignments": ("walker.x=3",), "save": "a"},
        {"frames": 1, "start": "a", "print": ("walker.x",)},
    ],
    "a save of a failed run": [
        {"frames": 20, "assert_": ("frame < 9",), "save": "nine"},
        {"frames": 1, "start": "nine"},
    ],
    "an expression that changes the game": [{"frames": 5, "print": ("walker.trip()",)}],
    "events": [{"frames": 10, "input": ({"frame": 2, "press": "right"},), "print": ("walker.x",)}],
}  # fmt: skip


@pytest.mark.parametrize("name", REQUESTS)
def test_results_are_equal(stub, plays, worker, name):
    game = stub()
    here, there = plays(HERE, game), plays(worker, game)
    for given in REQUESTS[name]:
        one, other = told(here, given), told(there, given)
        assert other == one
        if getattr(one, "movie", None) is not None:
            assert one.movie == other.movie
            assert other.movie.text() == one.movie.text()
    assert there.notes == here.notes


def told(play, given):
    """A run, or how it was refused."""
    try:
        return play.run(RunRequest(**given))
    except HarnessError as error:
        return type(error), str(error)


def test_a_run_can_be_compared_with_an_earlier_one(stub, plays, isolation):
    play = plays(isolation, stub())
    first = play.run(RunRequest(frames=40, input="right@1-40"))
    run = play.run(RunRequest(frames=40, input="right@1-30", against=first.run_id))
    assert (run.against.frame, run.against.name) == (31, "walker.x")
    with pytest.raises(UnknownName, match="no run or movie named 'run-0'; this play has: "):
        play.run(RunRequest(frames=4, against="run-0"))


def test_a_movie_is_recorded_and_played_anywhere(stub, plays, isolation, tmp_path):
    play = plays(isolation, stub())
    run = play.run(RunRequest(frames=130, input="right@1-99", seed=8, record="it.movie"))
    assert len(run.written) == 1
    assert read_movie(tmp_path / "it.movie") == run.movie
    again = play.run(RunRequest(input="it.movie"))
    assert (again.seed, again.state_hash) == (8, run.state_hash)
    assert [path.name for path in tmp_path.iterdir() if path.suffix] == ["it.movie"]


def test_a_bot_of_a_file_plays_anywhere(stub, plays, isolation, tmp_path):
    bot = "def right(play):\n    return 'right' if play.value('walker.x') < 5 else None\n"
    (tmp_path / "bot.py").write_text(bot)
    run = plays(isolation, stub()).run(
        RunRequest(frames=20, input="bot.py:right", print=("walker.x",))
    )
    assert run.frames[20] == {"walker.x": 5}


def test_a_function_is_refused_where_it_cannot_go(stub, plays, worker):
    with pytest.raises(RequestError, match="a function cannot go to another process"):
        plays(worker, stub()).run(RunRequest(frames=2, input=lambda play: None))


def test_verbs_answer_the_same(stub, plays, worker, tmp_path):
    game = stub()
    answers = []
    for where in (HERE, worker):
        play = plays(where, game, seed=4)
        found = [play.frame, play.value("walker.x"), play.reset(), play.hold("right", frames=9)]
        play.save("nine")
        found += [play.tap("jump", frames=2), play.step(5, input="left@2-3"), play.frame]
        play.edit("walker.typed", "it's")
        found += [play.value("walker.typed"), play.value("walker.kit"), play.value("ball.position")]
        found += [
            play.names(),
            play.explain("walker.x > 3"),
            play.until("walker.x > 12", holding="right"),
            play.until("walker.x > 14", holding=Listed(["right"])),
            play.hold(Listed(["right", "jump"])),
        ]
        found += [play.load("nine"), play.value("walker.x"), play.hold(["right", "jump"], frames=3)]
        movie = play.movie(f"{where}.movie")
        found += [movie, movie.text(), (tmp_path / f"{where}.movie").read_text()]
        found += [play.played(), play.kept("nine"), play.kept("ten"), play.notes]
        answers.append(found)
    for here, there in zip(*answers, strict=True):
        assert here == there


WRONG = {
    "a name": (lambda play: play.value("wlaker.x"), UnknownName),
    "an attribute": (lambda play: play.value("walker.y"), ExpressionError),
    "frames": (lambda play: play.step(0), ArgumentError),
    "a button": (lambda play: play.hold("rihgt"), UnknownName),
    "no button": (lambda play: play.hold(3), ArgumentError),
    "never": (lambda play: play.until("walker.far", within=3), RunFailed),
    "a savestate": (lambda play: play.load("nowhere"), UnknownName),
    "an edit": (lambda play: play.edit("walker.helth", 3), RequestError),
    "a value": (lambda play: play.edit("walker.x", object), ArgumentError),
    "a seed": (lambda play: play.reset(seed=-1), ArgumentError),
    "a scene": (lambda play: play.reset(scene="thrid"), UnknownName),
    "an argument": (lambda play: play.run(RunRequest(frames=0)), ArgumentError),
    "a scene of another kind": (lambda play: play.reset(scene=3), ArgumentError),
    "no scene": (lambda play: play.reset(scene=""), UnknownName),
    "a seed of another kind": (lambda play: play.reset(seed={}), ArgumentError),
    "input of another kind": (lambda play: play.step(input=3), ArgumentError),
    "a target of another kind": (lambda play: play.edit(None, 1), ArgumentError),
    "a name of another kind": (lambda play: play.save([]), ArgumentError),
    "a savestate of another kind": (lambda play: play.load(3), ArgumentError),
    "a path of another kind": (lambda play: play.movie(3), ArgumentError),
    "no request": (lambda play: play.run(None), ArgumentError),
    "no request to ask": (lambda play: play.query(None, "inspect", {}), ArgumentError),
    "no request to draw": (lambda play: play.shot(None), ArgumentError),
    "no frames to draw": (lambda play: play.shot(RunRequest(), []), ArgumentError),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_told_the_same_and_the_play_goes_on(stub, plays, worker, name):
    act, kind = WRONG[name]
    game, told = stub(), []
    for where in (HERE, worker):
        play = plays(where, game)
        with pytest.raises(kind) as refused:
            act(play)
        told.append((str(refused.value), refused.value.args))
        play.reset()
        assert play.step(3) == 3
    assert told[0] == told[1]


def test_a_call_that_python_refuses_is_a_type_error(stub, plays, isolation):
    with pytest.raises(TypeError):
        plays(isolation, stub()).step(framse=3)


FAILS = """
    from honest import Honest
    import sys
    class Stub(Honest):
        def step(self, inputs):
            super().step(inputs)
            if self.walker.steps == 7:
                {act}
"""


@pytest.mark.parametrize(
    "act", ["raise ValueError('seven')", "sys.exit(0)", "sys.exit(3)", "import os; os._exit(3)"]
)
def test_the_games_own_end_is_told_the_same(stub, plays, worker, act):
    game, found = stub(FAILS.format(act=act)), []
    for where in (HERE, worker):
        play = plays(where, game)
        run = play.run(RunRequest(frames=20, save="end", print=("walker.x",), every=2))
        with pytest.raises(GameError) as ended:
            play.step()
        play.reset()
        try:
            again = play.step(20)
        except GameError as error:
            again = (str(error), error.run.movie)
        found.append((run, run.movie, str(ended.value), again, play.movie(), play.played()))
        assert play.kept("end") is None
        assert play.reset() == 0
        assert play.step(6) == 6
    for here, there in zip(*found, strict=True):
        assert here == there


def test_a_change_by_an_expression_is_said_at_the_load(stub, plays, isolation):
    play = plays(isolation, stub())
    play.step(3)
    play.save("three")
    play.value("walker.trip()")
    play.save("tripped")
    with pytest.raises(Divergence, match="the state was changed outside the movie after frame 3"):
        play.load("three")
    assert play.load("three") == 3
    with pytest.raises(Divergence, match="'tripped' was changed outside the movie after frame 3"):
        play.load("tripped")


def test_who_listens_hears_of_each_play(stub, plays, isolation):
    play, movies = plays(isolation, stub()), []
    play.on_movie = movies.append
    play.step(3)
    play.save("three")
    play.reset()
    play.run(RunRequest(frames=5))
    play.run(RunRequest(start="three", frames=5))
    play.load("three")
    assert [movie.frames for movie in movies] == [3, 5, 8]
    assert play.played().frames == 3


def test_edited_files_are_played_and_savestates_rebuilt(stub, plays, isolation):
    game = stub("""
        from honest import Honest
        from rules import SPEED
        class Stub(Honest):
            def step(self, inputs):
                super().step(inputs)
                self.walker.x += SPEED
    """)
    rules = game / "rules.py"
    rules.write_text("SPEED = 1\n")
    play = plays(isolation, game)
    one = play.run(RunRequest(frames=10, print=("walker.x",), save="ten"))
    edit_unseen(rules, "SPEED = 2\n")
    for _ in range(2):
        two = play.run(RunRequest(frames=1, start="ten", print=("walker.x",)))
        assert (one.frames[10]["walker.x"], two.frames[1]["walker.x"]) == (10, 22)
        assert one.build != two.build
        (note,) = two.notes
        assert note == (
            "savestate 'ten' was rebuilt from its movie: the game has changed, first at frame 1;"
            " at frame 10 walker.x was 10 and is 20"
        )
    edit_unseen(rules, "SPEED = 1\n")
    three = play.run(RunRequest(frames=1, start="ten", print=("walker.x",)))
    assert (three.build, three.frames[1]["walker.x"], three.notes) == (one.build, 11, ())


def edit_unseen(file, text):
    """Write as many bytes, and set the time of the change back."""
    import os

    before = file.stat()
    assert len(text) == before.st_size
    file.write_text(text)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_the_environment_and_the_folder_of_the_caller_are_the_games(
    stub, plays, isolation, monkeypatch, tmp_path
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "level.txt").write_text("deep")
    monkeypatch.setenv("LEVEL", "level.txt")
    play = plays(isolation, stub("""
        import os
        from pathlib import Path
        from honest import Honest
        class Stub(Honest):
            def reset(self, scene, seed):
                super().reset(scene, seed)
                self.walker.level = Path(os.environ["LEVEL"]).read_text()
    """))  # fmt: skip
    assert play.value("walker.level") == "deep"


def test_a_movie_that_is_put_together_late_is_a_movie(stub, plays, worker):
    import copy
    import pickle
    from dataclasses import replace

    play = plays(worker, stub())
    play.run(RunRequest(frames=61, input="right@1-9", save="a"))
    movie = play.run(RunRequest(frames=5, start="a")).movie
    same = read_movie_text(movie)
    assert movie == same
    assert same == movie
    assert hash(movie) == hash(movie)
    assert pickle.loads(pickle.dumps(movie)) == movie
    assert copy.deepcopy(movie).inputs == movie.inputs
    assert replace(movie, edits=()).frames == 66
    assert "frames=66" in repr(movie)
    assert not hasattr(movie, "colour")


def read_movie_text(movie):
    from harness.values.movie import Movie

    return Movie(movie.header, movie.inputs, movie.edits, movie.marks)


LOOKS = """
    from honest import Honest
    class Stub(Honest):
        def draw(self, surface, camera=None):
            surface.fill((20, 30, 40))
            surface.fill((200, 0, 0), (self.walker.x * 4, 10, 8, 8))
"""


def test_looking_is_the_same(stub, plays, worker):
    pytest.importorskip("pygame")
    game, answers = stub(LOOKS), []
    for where in (HERE, worker):
        play = plays(where, game)
        play.hold("right", frames=9)
        found = [play.inspect("walker"), play.inspect("ball", all=True), play.contacts()]
        ball = tuple(play.inspect("ball").position)
        found += [play.raycast((0, 0), ball), play.raycast((0, 0), "ball")]
        found += [play.overlap("ball", radius=9), play.at((100, 50))]
        found += [play.screenshot(), play.screenshot(width=64).boxes]
        request = RunRequest(frames=6, input="right@1-6")
        found += [play.query(request, "inspect", {"object": "walker", "all": None}), play.frame]
        found += [play.shot(request), play.shot(request).changed, play.shot(request, [1, 3, 6])]
        run = play.run(RunRequest(frames=6, input="right@1-6", shots=(1, 6)))
        found += [run, run.shots, run.strip, play.played(), play.step()]
        answers.append(found)
    for here, there in zip(*answers, strict=True):
        assert here == there
