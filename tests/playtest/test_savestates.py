"""Savestates return to the same state, and say so when they cannot; edits are part of the movie."""

import pymunk
import pytest

from harness.errors import ArgumentError, Divergence, GameError, RequestError, UnknownName


def _state(play):
    return play.movie().marks[-1].state_hash


def test_load_returns_to_the_same_state_hash(opened):
    play = opened()
    play.reset(seed=3)
    play.hold("right", frames=70)
    play.tap("jump")
    before = _state(play)
    play.save("here")
    play.hold("left", frames=33)
    assert _state(play) != before
    assert play.load("here") == 72
    assert _state(play) == before
    assert play.frame == 72


def test_a_savestate_of_a_savestate_continues_as_if_nothing_had_been(opened):
    whole = opened(name="whole")
    whole.reset(seed=3)
    whole.hold("right", frames=30)
    play = opened()
    play.reset(seed=3)
    play.hold("right", frames=10)
    play.save("a")
    play.step(5)
    play.load("a")
    play.hold("right", frames=10)
    play.save("b")
    play.reset(seed=9)
    play.step(3)
    play.load("b")
    play.hold("right", frames=10)
    assert _state(play) == _state(whole)
    assert play.movie().inputs == whole.movie().inputs


def test_a_savestate_can_be_taken_at_frame_0_and_under_the_name_of_an_older_one(opened):
    play = opened()
    play.save("it")
    play.step(5)
    assert play.load("it") == 0
    play.step(3)
    play.save("it")
    play.step(3)
    assert play.load("it") == 3


def test_an_unknown_savestate_lists_those_there_are_nearest_first(opened):
    play = opened()
    play.save("at the gate")
    play.save("start")
    with pytest.raises(
        UnknownName, match="no savestate named 'stat'; this play has: start, at the"
    ):
        play.load("stat")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"seed": 4}, "seed: start='a' was saved with seed 3; leave it out"),
        ({"scene": "first"}, "scene: start='a' was saved with scene second; leave it out"),
    ],
)
def test_another_seed_or_scene_than_the_starts_is_refused(opened, game_run, given, message):
    play = opened()
    game_run(play, frames=10, seed=3, scene="second", save="a")
    with pytest.raises(ArgumentError) as refused:
        game_run(play, start="a", **given)
    assert str(refused.value) == message


def test_a_start_inherits_seed_and_scene(opened, game_run):
    play = opened()
    game_run(play, frames=10, seed=3, scene="second", save="a")
    run = game_run(play, frames=10, start="a", save="b")
    assert (run.seed, run.scene, run.start_frame) == (3, "second", 10)
    assert game_run(play, start="a", seed=3, scene="second", frames=1).passed
    assert game_run(play, frames=1, start="b").start_frame == 20


def test_a_change_between_save_and_load_is_said_at_the_load(opened, live):
    play = opened()
    play.step(7)
    play.save("seven")
    live(play.stage.path).walker.bag.append(4)
    with pytest.raises(Divergence) as caught:
        play.load("seven")
    assert "the state was changed outside the movie after frame 7" in str(caught.value)
    assert caught.value.frame == 7
    assert play.value("len(walker.bag)") == 3
    assert play.load("seven") == 7


def test_a_change_before_the_save_is_said_at_the_load(opened, live):
    play = opened()
    play.step(7)
    live(play.stage.path).walker.bag.append(4)
    play.save("seven")
    play.step(2)
    with pytest.raises(Divergence) as caught:
        play.load("seven")
    told = str(caught.value)
    assert "savestate 'seven' was changed outside the movie after frame 7" in told
    assert "len" not in told
    assert "walker.bag was 'list of 4' and is 'list of 3'" in told
    assert "play.edit" in told


@pytest.mark.parametrize(
    "change",
    [
        lambda game: game.rng.random(),
        lambda game: setattr(game.walker, "x", 99),
        lambda game: setattr(game.ball.body, "position", (1, 2)),
        lambda game: game.things.reverse(),
        lambda game: setattr(game.walker, "brand_new", True),
        lambda game: game.ball.body.apply_force_at_local_point((1, 0)),
    ],
)
def test_a_change_of_any_kind_is_noticed_also_steps_later(opened, live, change):
    play = opened()
    play.save("start")
    play.step(3)
    change(live(play.stage.path))
    play.step(4)
    with pytest.raises(Divergence, match="changed outside the movie after frame 3"):
        play.load("start")


def test_a_value_that_changes_the_game_counts_as_a_change_from_outside(opened):
    play = opened()
    play.save("start")
    assert play.value("walker.trip()") is True
    with pytest.raises(Divergence, match="changed outside the movie after frame 0"):
        play.load("start")


def test_values_that_only_look_are_no_change(opened):
    play = opened()
    play.save("start")
    play.value("raycast((0, 0), ball)")
    play.value("find_all('round')")
    play.explain("walker.x > 3")
    play.movie()
    assert play.load("start") == 0


# edits


def test_edits_are_in_the_movie_and_are_replayed_by_load(opened):
    play = opened()
    play.step(3)
    play.edit("walker.x", 40)
    play.step(3)
    play.save("six")
    play.reset()
    assert play.load("six") == 6
    assert play.value("walker.x") == 40
    assert [(e.frame, e.target, e.value) for e in play.movie().edits] == [(3, "walker.x", "40")]
    assert "edit 3 walker.x=40" in play.movie().text().splitlines()


@pytest.mark.parametrize(
    ("target", "value", "expression", "expected"),
    [
        ("walker.x", -3, "walker.x", -3),
        ("walker.luck", 1.5e-300, "walker.luck", 1.5e-300),
        ("walker.typed", "5", "walker.typed", "5"),
        ("walker.typed", "a=b\n'\"\\ \u00e9", "walker.typed", "a=b\n'\"\\ \u00e9"),
        ("walker.bag[0]", 9, "walker.bag", [9, 2, 3]),
        ("walker.bag[-1]", None, "walker.bag", [1, 2, None]),
        ("walker.bag", (), "walker.bag", []),
        ("walker.kit['rope']['metres']", 7, "walker.kit", {"rope": {"metres": 7}}),
        ("walker.kit['rope']", {"metres": [1]}, "walker.kit['rope']['metres']", [1]),
        ("walker.kit['lamp']", True, "walker.kit['lamp']", True),
        ("ball.body.velocity", (5, 6), "ball.body.velocity", (5.0, 6.0)),
        ("ball.body.position", pymunk.Vec2d(7, 8), "ball.position", (7.0, 8.0)),
        ("walker.pointer", pymunk.Vec2d(7, 8), "walker.pointer", [7, 8]),
        ("walker.typed", "nan", "walker.typed", "nan"),
    ],
)
def test_an_edit_sets_exactly_the_value_and_survives_load(
    opened, target, value, expression, expected
):
    play = opened()
    play.step(2)
    play.edit(target, value)
    assert play.value(expression) == expected
    assert type(play.value(expression)) is type(expected) or isinstance(expected, tuple)
    play.save("edited")
    play.step(4)
    play.load("edited")
    assert play.value(expression) == expected


@pytest.mark.parametrize(
    ("target", "value", "message"),
    [
        ("walker", 3, "walker: must be a path such as player.health"),
        ("walker.helth", 3, "walker.helth: Walker has no 'helth' to set"),
        ("wlaker", 3, "no name 'wlaker'; this game has: walker"),
        ("wlaker.x", 3, "no name 'wlaker'; this game has: walker"),
        ("walker.x.y", 3, "walker.x.y: int has no 'y' to set"),
        (
            "walker.bag[7]",
            3,
            "walker.bag[7]: cannot be set to 3: list assignment index out of range",
        ),
        ("walker.bag[walker.x]", 3, "walker.bag[walker.x]: an index must be a literal"),
        ("walker.bag[0][0]", 3, "walker.bag[0][0]: cannot be set to 3"),
        ("walker.kit['boat'].x", 3, "walker.kit['boat'].x: 'boat'"),
        ("walker.position", 3, "walker.position: cannot be set to 3: property 'position' of"),
        ("walker.position.x", 3, "walker.position.x: cannot be set to 3"),
        ("walker.trip().x", 3, "walker.trip().x: must be a path"),
        ("walker.x = 3; walker.y", 3, "must be a path such as player.health"),
        ("", 3, "must be a path such as player.health"),
        ("(" * 300, 3, "must be a path such as player.health"),
        ("ball.body.mass", -1, "ball.body.mass: cannot be set to -1"),
        ("walker.x", float("nan"), "value: must be a finite, plain value to be kept, not nan"),
        ("walker.x", float("inf"), "value: must be a finite, plain value to be kept, not inf"),
        ("walker.x", object, "value: must be a finite, plain value to be kept, not <class"),
        ("walker.x", [pymunk.Vec2d(1, 2)], "value: must be a finite, plain value"),
    ],
)
def test_a_bad_edit_is_refused_with_one_line_and_changes_nothing(opened, target, value, message):
    play = opened()
    play.step(2)
    play.save("two")
    with pytest.raises(RequestError) as refused:
        play.edit(target, value)
    assert message in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1
    assert play.movie().edits == ()
    assert play.load("two") == 2


def test_a_setter_of_the_games_own_that_fails_is_the_games_error(opened):
    play = opened("""
        from honest import Honest, Walker
        class Proud(Walker):
            @property
            def rank(self):
                return 1
            @rank.setter
            def rank(self, value):
                raise RuntimeError("never")
        class Stub(Honest):
            def reset(self, scene, seed):
                super().reset(scene, seed)
                self.walker.__class__ = Proud
    """)
    with pytest.raises(GameError, match=r"adapter.py:9: RuntimeError: never"):
        play.edit("walker.rank", 3)


def test_assignments_set_values_at_the_start_and_are_in_the_movie(opened, game_run):
    play = opened()
    run = game_run(
        play, frames=5, input="right@1-5", print=["walker.x", "walker.typed"], every=1,
        assignments=["walker.x=10", "walker.typed = a=b"], record="run.movie",
    )  # fmt: skip
    assert run.frames[1] == {"walker.x": 11, "walker.typed": "a=b"}
    again = game_run(play, input="run.movie")
    assert again.state_hash == run.state_hash
    assert [edit.value for edit in again.movie.edits] == ["10", "a=b"]


def test_assignments_after_a_start_are_kept_at_its_frame(opened, game_run):
    play = opened()
    game_run(play, frames=5, save="five")
    run = game_run(play, frames=5, start="five", assignments="walker.x=10", save="ten")
    assert [(edit.frame, edit.target) for edit in run.movie.edits] == [(5, "walker.x")]
    game_run(play, frames=1)
    assert play.load("ten") == 10
    assert play.value("walker.x") == 10


@pytest.mark.parametrize(
    "text",
    ["walker.x", "=3", "walker.x=", "nobody.x=3", "walker.nope=3", "walker.x=1e999", "walker.x=nan",
     "walker.x=-Infinity", "walker.pointer=(1, 1e400)", "walker.kit={'a': [1e999]}"],
)  # fmt: skip
def test_a_bad_assignment_is_one_line(opened, game_run, text):
    with pytest.raises(RequestError) as refused:
        game_run(opened(), frames=5, assignments=text)
    assert len(str(refused.value).splitlines()) == 1


def test_an_edit_that_makes_a_body_infinite_is_the_games_error(opened, game_run):
    fast = ["ball.body.position=(1.7e308, 0)", "ball.body.velocity=(1e308, 0)"]
    run = game_run(opened(), frames=30, assignments=fast)
    assert run.error.type == "NotFinite"


def test_a_static_body_that_is_moved_is_met_where_it_is_now(opened):
    play = opened("""
        import pymunk
        from honest import Honest
        class Wall:
            name = "wall"
            def __init__(self):
                self.body = pymunk.Body(body_type=pymunk.Body.STATIC)
                self.shape = pymunk.Poly.create_box(self.body, (4, 40))
        class Stub(Honest):
            def reset(self, scene, seed):
                super().reset(scene, seed)
                self.wall = Wall()
                self.space.add(self.wall.body, self.wall.shape)
                self.things.append(self.wall)
    """)
    play.edit("wall.body.position", (500, 0))
    assert play.value("[hit.entity.name for hit in raycast((400, 0), (600, 0))]") == ["wall"]


def test_an_interrupted_step_is_played_again(opened, live):
    play = opened("""
        from honest import Honest
        class Stub(Honest):
            hit = False
            def step(self, inputs):
                super().step(inputs)
                if self.hit and self.walker.steps == 5:
                    raise KeyboardInterrupt
    """)
    play.step(3)
    live(play.stage.path).hit = True
    with pytest.raises(KeyboardInterrupt):
        play.step(9)
    live(play.stage.path).hit = False
    assert play.step(2) == 6
    assert play.value("walker.steps") == 6
    assert play.movie().frames == 6
