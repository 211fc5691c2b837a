"""The same request gives the same result, bit for bit, however and wherever it is played."""

import random
from itertools import pairwise
from pathlib import Path

import pytest

from harness.playtest.play import Playtest

GAME = Path(__file__).parents[2] / "game"
INPUT = "right@1-120, jump@70+4, left@130-160, jump@140, right@161-290, jump@200+10"
PINNED = "a05b6b3edec6a56d"
"""The reference game, scene ledge, seed 3, INPUT, after 300 frames: on every Python, every time."""

BUSY = "right@1-60, jump@5, left@80-200, jump@100+3, jump@300, right@400-600"


def _hashes(play):
    return bytes(play.stage.driver.hashes)


def test_a_pinned_hash_of_the_reference_game(game_run):
    run = game_run(Playtest(GAME), scene="ledge", seed=3, frames=300, input=INPUT)
    assert run.state_hash == PINNED


@pytest.mark.parametrize("hash_seed", [0, 1, 4242])
def test_another_process_under_another_hash_seed_comes_to_the_pinned_hash(answer_of, hash_seed):
    answer = answer_of(
        "run", GAME, "--scene", "ledge", "--seed", 3, "--frames", 300, "--input", INPUT,
        "--print", "player.position.x", "--every", 50, hash_seed=hash_seed,
    )  # fmt: skip
    assert answer["state_hash"] == PINNED


def test_two_processes_under_different_hash_seeds_give_the_same_answer(stub, answer_of):
    request = ("run", stub(), "--frames", 90, "--input", BUSY, "--seed", 9, "--every", 1,
               "--print", "ball.position", "--print", "walker.luck")  # fmt: skip
    one, other = answer_of(*request, hash_seed=1), answer_of(*request, hash_seed=2)
    assert one == other
    assert one["status"] == "passed"


@pytest.mark.parametrize("cut", [1, 2, 3, 600])
def test_a_run_cut_into_pieces_has_the_same_hash_on_every_frame(opened, cut):
    whole = opened(name="whole")
    whole.reset(seed=5)
    whole.hold("right", frames=600)
    play = opened()
    play.reset(seed=5)
    for first, last in pairwise(600 * n // cut for n in range(cut + 1)):
        play.hold("right", frames=last - first)
    assert play.frame == 600
    assert _hashes(play) == _hashes(whole)
    assert play.movie().marks == whole.movie().marks
    assert play.movie().inputs == whole.movie().inputs


def test_runs_chained_by_save_and_start_are_the_whole_run(opened, game_run):
    play = opened()
    whole = game_run(play, frames=60, seed=5, input="right@10-50, jump@25")
    game_run(play, frames=20, seed=5, input="right@10-20", save="a")
    game_run(play, frames=30, start="a", input="right@1-30, jump@5", save="b")
    last = game_run(play, frames=10, start="b")
    assert last.state_hash == whole.state_hash
    assert last.movie.inputs == whole.movie.inputs
    assert last.movie.marks == whole.movie.marks


def test_a_run_and_the_same_verbs_have_the_same_hash_on_every_frame(opened, game_run):
    play = opened()
    run = game_run(play, frames=120, seed=5, input=BUSY)
    hashes = _hashes(play)
    play.reset(seed=5)
    play.step(120, input=BUSY)
    assert _hashes(play) == hashes
    assert play.movie().marks[-1].state_hash == run.state_hash


def _again(game_run, play):
    run = game_run(play, frames=70, seed=11, input=BUSY)
    return run.state_hash, _hashes(play)


def test_a_fresh_object_and_a_used_one_give_the_same(opened, game_run):
    fresh = _again(game_run, opened())
    used = opened()
    used.reset(seed=1)
    used.step(40)
    assert _again(game_run, used) == fresh
    game_run(used, frames=20, scene="second", seed=2)
    assert _again(game_run, used) == fresh
    game_run(used, frames=20, **{"assert": "walker.steps < 10"})
    assert _again(game_run, used) == fresh


FAILING = """
    from honest import Honest

    class Stub(Honest):
        def step(self, inputs):
            super().step(inputs)
            if "left" in inputs.held:
                raise RuntimeError("left is not for me")
"""


def test_after_a_run_that_failed_the_next_gives_what_it_always_gives(opened, game_run):
    play = opened(FAILING)
    before = game_run(play, frames=30, input="right@1-9")
    assert game_run(play, frames=30, input="left@7").status == "error"
    after = game_run(play, frames=30, input="right@1-9")
    assert after.state_hash == before.state_hash


SHARED = """
    import random
    from honest import Honest

    class Stub(Honest):
        def reset(self, scene, seed):
            super().reset(scene, seed)
            self.walker.first = random.random()

        def step(self, inputs):
            super().step(inputs)
            self.walker.shared = random.random()
"""


def test_other_code_that_uses_random_changes_nothing(opened, game_run):
    play = opened(SHARED)
    play.reset(seed=4)
    play.step(70)
    alone = _hashes(play), play.movie().marks
    play.reset(seed=4)
    for _ in range(70):
        random.seed()
        random.random()
        play.step()
    assert (_hashes(play), play.movie().marks) == alone


def test_the_tests_own_random_state_is_untouched(opened, game_run):
    play = opened(SHARED)
    random.seed(99)
    expected = [random.random() for _ in range(3)]
    random.seed(99)
    drawn = [random.random()]
    game_run(play, frames=20, seed=3, print="walker.shared")
    drawn.append(random.random())
    play.step(5)
    play.value("walker.luck")
    drawn.append(random.random())
    assert drawn == expected


def test_what_an_import_draws_does_not_depend_on_what_ran_before(opened, game_run, tmp_path):
    source = """
        import random
        from honest import Honest
        LAYOUT = random.random()

        class Stub(Honest):
            def state(self):
                return (LAYOUT,)
    """
    random.seed(1)
    one = game_run(opened(source, name="one"), frames=2)
    random.seed(2)
    other = opened(source, name="other")
    assert game_run(other, frames=2).state_hash == one.state_hash
    random.seed(3)
    with (tmp_path / "other" / "adapter.py").open("a", encoding="utf-8") as file:
        file.write("\n# edited\n")
    assert game_run(other, frames=2).state_hash == one.state_hash


def test_numpy_is_seeded_and_swapped_as_well(opened, game_run):
    numpy = pytest.importorskip("numpy")
    play = opened(SHARED.replace("import random", "import numpy.random as random"))
    one = game_run(play, frames=20, seed=3, print="walker.shared")
    numpy.random.seed(7)
    drawn = numpy.random.random()
    numpy.random.seed(7)
    other = game_run(play, frames=20, seed=3, print="walker.shared")
    assert numpy.random.random() == drawn
    assert other.state_hash == one.state_hash
    assert game_run(play, frames=20, seed=4).state_hash != one.state_hash


def test_seeds_and_scenes_differ(opened, game_run):
    play = opened()
    runs = [game_run(play, frames=5, seed=s, scene=c) for s in (1, 2) for c in ("first", "second")]
    assert len({run.state_hash for run in runs}) == 4


def test_print_and_assert_leave_the_bits_alone(opened, game_run):
    play = opened()
    plain = game_run(play, frames=70, input=BUSY)
    watched = game_run(
        play, frames=70, input=BUSY, every=1, print=["ball.position", "raycast((0, 0), ball)"],
        **{"assert": ["walker.steps > 0", "overlap((100, 50), 500)"]},
    )  # fmt: skip
    assert watched.state_hash == plain.state_hash


def test_two_games_whose_modules_have_the_same_names_do_not_meet(opened, game_run):
    tall = """
        from honest import Honest
        class Stub(Honest):
            def step(self, inputs):
                import honest
                assert honest.__file__.split("/")[-2] == "tall", honest.__file__
                super().step(inputs)
                self.walker.x += 5
    """
    one, other = opened(name="small"), opened(tall, name="tall")
    small = game_run(one, frames=10, print="walker.x")
    assert game_run(other, frames=10, print="walker.x").frames[10] == {"walker.x": 50}
    assert game_run(one, frames=10, print="walker.x").state_hash == small.state_hash
    one.step(3)
    other.step(3)
    one.step(3)
    assert (one.value("walker.x"), other.value("walker.x")) == (0, 65)
    assert (one.frame, other.frame) == (16, 13)


def test_two_plays_of_one_game_interleaved_give_what_each_alone_gives(opened, stub, tmp_path):
    alone = []
    for seed, button in ((1, "right"), (2, "jump")):
        play = opened()
        play.reset(seed=seed)
        for _ in range(4):
            play.hold(button, frames=9)
        alone.append((_hashes(play), play.movie().marks))
    plays = [Playtest(stub(), base=tmp_path) for _ in alone]
    for seed, play in enumerate(plays, 1):
        play.reset(seed=seed)
    for _ in range(4):
        for play, button in zip(plays, ("right", "jump"), strict=True):
            play.hold(button, frames=9)
    assert [(_hashes(play), play.movie().marks) for play in plays] == alone
    assert plays[0].value("walker.x") == 36


def test_a_play_that_was_only_looked_at_can_be_taken_back(opened, stub, tmp_path):
    one, other = opened(), Playtest(stub(), base=tmp_path)
    assert one.value("walker.x") == 0
    other.step(5)
    assert one.step(3) == 3
    assert other.step(3) == 8


def test_a_run_in_the_middle_of_a_play_takes_its_place(opened, game_run):
    play = opened()
    play.step(5)
    run = game_run(play, frames=7, input="right@1-7")
    assert play.frame == 7
    assert play.step(3) == 10
    assert play.value("(walker.x, walker.steps)") == [7, 10]
    assert play.movie().inputs[:7] == run.movie.inputs
