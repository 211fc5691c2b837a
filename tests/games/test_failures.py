"""Whatever a game does wrong is told by its own file and line, and stays its own."""

import pytest

from harness.errors import ConfigError, GameError, RunFailed
from harness.values.run import RunRequest

RESET = "    def reset(self, scene, seed):\n"
STATE = "    def state(self):\n"
STEP = "    def step(self, inputs):\n        super().step(inputs)\n"


def _stub(body: str, head: str = "") -> str:
    return f"from honest import Honest\n{head}\n\nclass Stub(Honest):\n{body}\n"


STEP_37 = _stub(
    "    def step(self, inputs):\n"
    "        super().step(inputs)\n"
    "        self.fall()\n"
    "    def fall(self):\n"
    "        if self.walker.steps == 37:\n"
    '            raise ValueError("the bridge is out")\n'
)


def test_a_game_that_raises_in_step_37_is_told_by_its_own_file_and_line(opened, game_run):
    run = game_run(opened(STEP_37), frames=60, print="walker.steps", every=10)
    assert (run.status, run.stopped, run.frame) == ("error", "error", 37)
    error = run.error
    assert (error.type, error.message) == ("ValueError", "the bridge is out")
    assert (error.file, error.line, error.frame) == ("adapter.py", 10, 37)
    assert error.traceback == (
        "adapter.py:7: step: self.fall()",
        'adapter.py:10: fall: raise ValueError("the bridge is out")',
    )
    assert list(run.frames) == [10, 20, 30]
    assert run.movie.frames == 37


def test_its_frame_is_counted_from_the_start_of_the_call(opened, game_run):
    play = opened(STEP_37)
    game_run(play, frames=30, save="thirty")
    run = game_run(play, frames=30, start="thirty")
    assert (run.status, run.start_frame, run.frame, run.error.frame) == ("error", 30, 7, 7)


def test_runs_after_a_failed_one_are_untouched(opened, game_run):
    play = opened(STEP_37)
    before = game_run(play, frames=36)
    assert game_run(play, frames=60).status == "error"
    assert game_run(play, frames=36).state_hash == before.state_hash


def test_a_verb_raises_the_games_error_and_the_play_rests_until_reset(opened):
    play = opened(STEP_37)
    play.step(30)
    play.save("thirty")
    with pytest.raises(GameError) as caught:
        play.step(30)
    assert "adapter.py:10: ValueError: the bridge is out (frame 37)" in str(caught.value)
    assert caught.value.run.movie.frames == 37
    with pytest.raises(GameError, match=r"the bridge is out \(frame 37\)\n  reset or load first"):
        play.value("walker.x")
    assert play.load("thirty") == 30
    assert play.value("walker.steps") == 30
    play.reset()
    assert play.step(36) == 36


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (_stub(RESET + "        1 / 0"), "adapter.py:6: ZeroDivisionError"),
        (_stub("    pass", "1 / 0"), "adapter.py:2: ZeroDivisionError"),
        (_stub("    def __init__(self):\n        1 / 0"), "adapter.py:6: ZeroDivisionError"),
        (_stub("    def state(self):\n        1 / 0"), "adapter.py:6: ZeroDivisionError"),
        (_stub("    def entities(self):\n        1 / 0"), "adapter.py:6: ZeroDivisionError"),
        (_stub("    def names(self):\n        1 / 0"), "adapter.py:6: ZeroDivisionError"),
        (_stub("    def reset(self:"), "adapter.py:5: SyntaxError"),
        (_stub("    pass", "import nowhere"), "adapter.py:2: ModuleNotFoundError"),
        (_stub("    pass", "from honest import Nobody"), "adapter.py:2: ImportError"),
        (
            _stub("    def reset(self, scene, seed):\n        self.reset(scene, seed)"),
            "adapter.py:6: RecursionError",
        ),
        (_stub(STATE + "        return (self,)"), "state() holds a Stub; only numbers"),
    ],
)  # fmt: skip
def test_what_fails_before_the_first_frame_is_the_games_error(opened, game_run, source, told):
    play = opened(source)
    run = game_run(play, frames=5, print="frame")
    assert (run.status, run.stopped, run.frame) == ("error", "error", 0)
    assert told in str(run.error)
    assert len(run.error.traceback) <= 13
    with pytest.raises(GameError) as caught:
        play.value("frame")
    assert told in str(caught.value)


@pytest.mark.parametrize(
    "body",
    [
        "    def state(self):\n        return 1 / (9 - self.walker.steps), 0",
        "    def entities(self):\n        return [1 / (9 - self.walker.steps)] and self.things",
    ],
)
@pytest.mark.parametrize("watched", [{}, {"print": "walker.x"}, {"until": "walker.x"}])
def test_state_and_entities_that_fail_later_fail_in_their_frame(opened, game_run, body, watched):
    run = game_run(opened(_stub(body)), frames=9, **watched)
    assert (run.status, run.error.type, run.error.frame) == ("error", "ZeroDivisionError", 9)
    assert (run.error.file, run.error.line) == ("adapter.py", 6)


def test_a_property_that_fails_when_an_expression_reads_it_is_the_games_error(opened, game_run):
    body = (
        "    def names(self):\n        return {'trap': self}\n"
        "    @property\n    def depth(self):\n        return 1 / (5 - self.walker.steps)\n"
    )
    play = opened(_stub(body))
    for asked in ({"print": "trap.depth", "every": 1}, {"until": "trap.depth > 99"},
                  {"assert": "trap.depth < 99"}):  # fmt: skip
        run = game_run(play, frames=20, **asked)
        assert (run.status, run.error.frame, run.error.line) == ("error", 5, 9)
    play.reset()
    play.step(5)
    with pytest.raises(GameError, match=r"adapter.py:9: ZeroDivisionError"):
        play.value("trap.depth")
    assert play.step() == 6, "a value that could not be read does not end the play"


def test_an_expression_that_fails_by_itself_is_the_requests_error(opened, game_run):
    from harness.errors import ExpressionError

    with pytest.raises(ExpressionError, match="Walker has no 'helth'; it has: "):
        game_run(opened(), print="walker.helth")
    with pytest.raises(ExpressionError, match=r"at frame 60: ZeroDivisionError: division by zero"):
        game_run(opened(), print="1 / walker.x")


@pytest.mark.parametrize(
    ("code", "status", "message"),
    [
        ("sys.exit(0)", "passed", 0),
        ("sys.exit()", "passed", 0),
        ("sys.exit(3)", "failed", 3),
        ("sys.exit('no more levels')", "failed", 1),
        ("quit()", "passed", 0),
        ("raise SystemExit(2)", "failed", 2),
    ],
)
def test_a_game_that_ends_itself_is_an_exit_with_its_status(
    opened, game_run, code, status, message
):
    body = f"{STEP}        if self.walker.steps == 7: {code}"
    play = opened(_stub(body, "import sys"))
    run = game_run(play, frames=20)
    assert (run.status, run.stopped, run.frame) == (status, "exit", 6)
    waiting = game_run(play, frames=20, until="walker.x > 5")
    assert (waiting.status, waiting.stopped) == ("failed", "exit")
    assert f"ended itself with status {message} after frame 6, before" in waiting.failure.message
    play.reset()
    if status == "passed":
        assert play.step(20) == 6
    else:
        with pytest.raises(GameError, match=f"ended itself with status {message} after frame 6"):
            play.step(20)
    with pytest.raises(GameError, match="the game has ended: "):
        play.step()
    play.reset()
    with pytest.raises(RunFailed, match=r"after frame 6, before walker\.x > 5 held"):
        play.until("walker.x > 5", within=20)
    play.reset()
    assert play.step(6) == 6


def test_what_a_game_says_as_it_ends_itself_is_told_with_its_place(opened, game_run):
    play = opened(
        _stub(f"{STEP}        if self.walker.steps == 7: sys.exit('no save')", "import sys")
    )
    run = game_run(play, frames=20)
    assert (run.error.type, run.error.message, run.error.file) == (
        "SystemExit", "no save", "adapter.py",
    )  # fmt: skip
    assert run.error.frame == run.frame == 6
    lines = run.text().splitlines()
    assert lines[0] == "failed: the game ended itself after frame 6"
    assert lines[1] == f"adapter.py:{run.error.line}: SystemExit: no save"
    play.reset()
    with pytest.raises(GameError) as ended:
        play.step(20)
    told = (
        f"the game ended itself with status 1 after frame 6: no save (adapter.py:{run.error.line})"
    )
    assert str(ended.value) == told


@pytest.mark.parametrize(
    "ends", ["exit()", "exit(3)", "quit()", "(_ for _ in ()).throw(SystemExit)"]
)
def test_an_expression_that_ends_the_game_is_the_requests_error(opened, game_run, ends):
    from harness.errors import ExpressionError

    play = opened()
    for given in ({"print": ends}, {"assert": ends}, {"until": ends}):
        with pytest.raises(ExpressionError, match="it would end the game"):
            game_run(play, frames=3, **given)
    with pytest.raises(ExpressionError, match="it would end the game"):
        game_run(play, frames=3, print=f"walker.steps < 3 or {ends}")
    play.reset()
    with pytest.raises(ExpressionError, match="it would end the game"):
        play.value(ends)
    assert play.step() == 1


def test_a_play_that_failed_still_gives_its_movie(opened, tmp_path):
    play = opened(_stub(f"{STEP}        if self.walker.steps == 7: raise ValueError", ""))
    play.step(3)
    with pytest.raises(GameError):
        play.step(20)
    movie = play.movie("crash.movie")
    assert movie.frames == 7
    again = play.run(RunRequest(input=str(tmp_path / "crash.movie")))
    assert (again.error.type, again.error.frame) == ("ValueError", 7)


@pytest.mark.parametrize("where", ["import sys\nsys.exit(4)", "import sys"])
def test_a_game_that_ends_itself_before_its_first_frame_is_an_error(opened, game_run, where):
    body = "    def reset(self, scene, seed):\n        sys.exit(4)"
    play = opened(_stub(body, where))
    run = game_run(play, frames=20)
    assert (run.status, run.error.type) == ("error", "SystemExit")
    assert run.error.message == "the game ended itself with status 4 before its first frame"
    with pytest.raises(GameError, match="the game ended itself with status 4"):
        play.reset()


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ("adaptr:Stub", "entry: no module named 'adaptr'; stub has: adapter, honest"),
        ("adapter:Stubb", "entry: no class named 'Stubb'; adapter.py has: Stub, Honest"),
        ("adapter:NUMBER", "entry: adapter:NUMBER is no class"),
        ("adapter", "must be module:Class"),
    ],
)
def test_an_entry_that_is_not_there_is_told_with_those_that_are(opened, game_run, entry, told):
    source = _stub("    pass", "NUMBER = 3")
    with pytest.raises(ConfigError) as refused:
        game_run(opened(source, entry=entry))
    assert told in str(refused.value)
    assert "harness.yaml" in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("state", "told"),
    [
        ("[1, 2]", "state() must give a tuple, not list"),
        ("None", "state() must give a tuple, not NoneType"),
        ("tuple(range(21))", "state() gives 21 values, and at most 20 are hashed each frame"),
    ],
)
def test_a_state_of_another_shape_is_refused(opened, game_run, state, told):
    with pytest.raises(ConfigError) as refused:
        game_run(opened(_stub(f"    def state(self):\n        return {state}")))
    assert told in str(refused.value)


def test_a_class_that_is_no_game_is_told_what_it_lacks(opened, game_run):
    with pytest.raises(ConfigError, match="adapter:Stub is no game: it has no reset, no state"):
        game_run(opened("class Stub:\n    def step(self, inputs): ...\n    entities = step\n"))


def test_an_error_whose_text_fails_too_is_still_told(opened, game_run):
    head = "class Odd(Exception):\n    def __str__(self):\n        raise RuntimeError"
    run = game_run(opened(_stub("    def step(self, inputs):\n        raise Odd", head)))
    assert (run.error.type, run.error.message) == ("Odd", "(its text cannot be shown)")


CALLBACKS = """
    import pymunk
    from honest import Honest

    class Stub(Honest):
        def reset(self, scene, seed):
            super().reset(scene, seed)
            {setup}
        def step(self, inputs):
            super().step(inputs)
            {after}
        def bad(self, *args):
            raise LookupError("no such sound")
        def short(self):
            pass
"""


@pytest.mark.parametrize(
    ("setup", "after", "told"),
    [
        ("self.space.on_collision(1, None, begin=self.bad)", "pass", "LookupError"),
        ("self.space.on_collision(1, None, pre_solve=self.bad)", "pass", "LookupError"),
        ("self.space.on_collision(1, None, post_solve=self.bad)", "pass", "LookupError"),
        ("self.space.on_collision(1, None, begin=self.short)", "pass", "TypeError"),
        ("pass", "self.ball.body.each_arbiter(self.bad)", "LookupError"),
        ("self.ball.body.velocity_func = self.bad", "pass", "LookupError"),
        ("self.ball.body.position_func = self.bad", "pass", "LookupError"),
    ],
)
def test_a_failing_pymunk_callback_is_the_runs_error_at_its_frame(
    opened, game_run, setup, after, told, capfd
):
    play = opened(CALLBACKS.format(setup=setup, after=after))
    run = game_run(play, frames=120)
    assert (run.status, run.error.type) == ("error", told)
    assert run.error.frame == run.frame == run.movie.frames
    assert 1 <= run.frame < 120
    if told == "LookupError":
        assert (run.error.file, run.error.message) == ("adapter.py", "no such sound")
    again = game_run(play, frames=run.frame - 1) if run.frame > 1 else None
    assert again is None or again.status == "passed"


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("self.ball.body.velocity = float('nan'), 0", "velocity (nan, 0)"),
        ("self.ball.body.position = float('inf'), 0", "position (inf, 0)"),
        ("self.ball.body.angle = float('nan')", "angle nan"),
    ],
)
def test_a_body_that_is_no_longer_finite_is_an_error_at_that_very_frame(
    opened, game_run, code, told
):
    body = f"{STEP}        if self.walker.steps == 12: {code}"
    run = game_run(opened(_stub(body)), frames=60)
    assert (run.status, run.error.type, run.frame) == ("error", "NotFinite", 12)
    assert "the body of ball is no longer finite" in run.error.message
    assert told.split()[0] in run.error.message


def test_a_huge_number_is_finite(opened, game_run):
    body = STEP + "        self.ball.body.position = 1e300, -1e300"
    assert game_run(opened(_stub(body)), frames=9).status == "passed"


def test_a_space_that_is_made_anew_for_the_next_level_is_watched_too(opened, game_run):
    body = (
        "    def step(self, inputs):\n"
        "        super().step(inputs)\n"
        "        if self.walker.steps == 5: Honest.reset(self, self.scene, 1)\n"
        "        if self.walker.luck: self.ball.body.velocity = self.speed, 0\n"
        "    speed = 1\n"
    )
    play = opened(_stub(body))
    run = game_run(play, frames=20)
    assert run.status == "passed"
    bad = game_run(opened(_stub(body.replace("speed = 1", "speed = float('nan')"))), frames=20)
    assert bad.error.type == "NotFinite"


def test_threads_of_a_space_are_calmed_and_it_is_noted(opened, game_run):
    body = (
        "    def reset(self, scene, seed):\n        super().reset(scene, seed)\n"
        "        import pymunk\n        self.space = pymunk.Space(threaded=True)\n"
        "        self.space.threads = 2\n"
    )
    run = game_run(opened(_stub(body)), frames=2)
    assert any("is run with one thread" in note for note in run.notes)


SLIPS = {
    "async def step(self, inputs): ...": "step() is async, and must have done all when it returns",
    "async def reset(self, scene, seed): ...": "reset() is async, and must have done all",
    "def step(self, inputs): yield": "step() has a yield, so that calling it does nothing",
    "def step(self): ...": "step must take inputs, not ()",
    "def reset(self, seed): ...": "reset must take scene, seed, not (seed)",
    "def state(self, frame): ...": "state must take nothing, not (frame)",
    "def state(self): return [1]": "state() must give a tuple, not list",
    "def entities(self): return None": "entities() must give a list or a mapping, not NoneType",
    "def entities(self): return 'walker'": "entities() must give a list or a mapping, not str",
    "def names(self): return 3": "names() must give a mapping from names, not int",
    "def names(self): return {3: 4}": "names() must give a mapping from names, not from int",
    "def names(self, more): ...": "names must take nothing, not (more)",
    "def draw(self): ...": "draw must take surface, not ()",
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_in_an_adapter_is_told_with_its_line_before_anything_is_played(
    opened, game_run, slip
):
    with pytest.raises(ConfigError) as refused:
        game_run(opened(_stub(f"    {slip}")))
    told = str(refused.value)
    assert told.startswith(f"adapter.py:5: {SLIPS[slip]}")
    assert len(told.splitlines()) == 1


def test_a_slip_that_is_no_method_is_told_too(opened, game_run):
    with pytest.raises(ConfigError, match="adapter:Stub: names must be a method, not an attribute"):
        game_run(opened(_stub("    names = 3")))
    body = f"{RESET}        super().reset(scene, seed)\n        self.space = 3"
    with pytest.raises(ConfigError, match=r"adapter.py:5: space must be a pymunk.Space or None"):
        game_run(opened(_stub(body)))
    with pytest.raises(ConfigError, match=r"honest.py:\d+: cameras must be names, not 'near'"):
        game_run(opened(_stub("    cameras = 'near'")))


def test_a_slip_on_the_way_is_the_games_error_with_its_line(opened, game_run):
    body = "    def entities(self):\n        return self.things if self.walker.steps < 7 else None"
    run = game_run(opened(_stub(body)), frames=20, print="walker.x")
    assert (run.error.type, run.error.file, run.error.line) == ("AdapterError", "adapter.py", 5)
    assert run.error.message == "entities() must give a list or a mapping, not NoneType"


@pytest.mark.parametrize("part", ["(float('nan'), 0, 9, 9)", "(0, 0)", "3", "(0, 0, 0, 9)"])
def test_a_view_that_is_none_is_told_with_its_line(opened, part):
    body = f"    def draw(self, surface): pass\n    def view(self):\n        return {part}"
    play = opened(_stub(body))
    with pytest.raises(GameError, match=r"adapter.py:6: AdapterError: view\(\) must give x, y, w"):
        play.screenshot()
