"""Replays tell liars from changes, changes from other machines, and never accuse the honest."""

import json
import re
import textwrap
from pathlib import Path

import pytest

from harness.errors import Divergence, MovieError
from harness.playtest.play import Playtest
from harness.playtest.replaying import Replayer
from harness.replay import replay

BUSY = "right@1-60, jump@5, left@80-100, jump@90+3"

CLOCK = """
    import time
    from honest import Honest

    class Stub(Honest):
        def step(self, inputs):
            super().step(inputs)
            if self.walker.steps >= 7:
                self.walker.x = time.perf_counter_ns()
"""
UNSEEDED = """
    import random
    from honest import Honest

    class Stub(Honest):
        def reset(self, scene, seed):
            super().reset(scene, seed)
            self.own = random.Random()

        def step(self, inputs):
            super().step(inputs)
            if self.walker.steps >= 7:
                self.walker.x = self.own.random()
"""
SET_ORDER = """
    from honest import Honest

    class Stub(Honest):
        def step(self, inputs):
            super().step(inputs)
            if self.walker.steps == 7:
                words = {"north", "east", "south", "west", "up", "down"}
                self.walker.x = int("".join(str(len(w) * 10 + ord(w[0]) % 10) for w in words))
"""
ID_ORDER = """
    from honest import Honest, Walker

    class Stub(Honest):
        def step(self, inputs):
            super().step(inputs)
            if self.walker.steps == 7:
                things = [object() for _ in range(50)]
                scattered = sorted(range(50), key=lambda i: id(things[i]) * 2654435761 % 2**32)
                self.walker.x = int("".join(map(str, scattered)))
"""
HIDDEN = """
    import random
    from honest import Honest

    class Stub(Honest):
        def step(self, inputs):
            super().step(inputs)
            if self.walker.steps >= 7:
                self.walker.bag = [1, random.SystemRandom().random()]
"""
LIARS = {
    "clock": CLOCK,
    "unseeded": UNSEEDED,
    "set order": SET_ORDER,
    "id order": ID_ORDER,
    "hidden": HIDDEN,
}


def _recorded(play, game_run, frames=100, **given):
    run = game_run(play, frames=frames, input=BUSY, seed=4, record="run.movie", **given)
    return run, play.stage.base / "run.movie"


def _edited(file: Path, pattern: str, text: str) -> None:
    before = file.read_text(encoding="utf-8")
    after = re.sub(pattern, text, before, count=1, flags=re.MULTILINE)
    assert after != before
    file.write_text(after, encoding="utf-8")


def test_a_replay_of_the_honest_game_is_the_same(opened, game_run):
    play = opened()
    run, file = _recorded(play, game_run)
    verdict = replay(Replayer(play.stage), file)
    assert (verdict.kind, verdict.checked, verdict.frames) == ("same", 100, 100)
    assert verdict.state_hash == run.state_hash
    assert verdict.text() == f"same: checked 100 of 100 frames, hash {run.state_hash}"


@pytest.mark.parametrize("hash_seed", [0, 77])
def test_the_honest_game_is_the_same_in_other_processes(opened, game_run, answer_of, hash_seed):
    play = opened()
    _, file = _recorded(play, game_run)
    answer = answer_of("replay", play.stage.path, file, hash_seed=hash_seed)
    assert (answer["kind"], answer["checked"]) == ("same", 100)


@pytest.mark.parametrize("liar", LIARS)
def test_a_liar_is_told_with_the_first_frame_and_value(opened, game_run, harness_process, liar):
    play = opened(LIARS[liar])
    _, file = _recorded(play, game_run)
    done = harness_process("replay", play.stage.path, file, "--json", hash_seed=5)
    assert done.returncode == 1
    answer = json.loads(done.stdout)
    assert answer["kind"] == "nondeterministic"
    assert answer["frame"] == 7
    assert answer["name"] == ("walker.bag[1]" if liar == "hidden" else "walker.x")
    assert answer["one"] != answer["other"]


@pytest.mark.parametrize("liar", ["clock", "unseeded", "hidden"])
def test_a_liar_of_one_process_is_caught_by_load_with_the_first_frame(opened, liar):
    play = opened(LIARS[liar])
    play.step(20)
    play.save("twenty")
    with pytest.raises(Divergence) as caught:
        play.load("twenty")
    told = str(caught.value)
    assert "walker." in told
    assert len(told.splitlines()) == (3 if liar == "unseeded" else 2)
    if liar == "hidden":
        assert "state diverged between frame 1 and frame 20" in told
    else:
        assert caught.value.frame == 7
        assert "state diverged at frame 7: expected hash" in told


@pytest.mark.parametrize("name", ["clock", "unseeded", "id order"])
def test_a_liar_is_told_in_the_process_that_recorded_it_too(opened, game_run, name):
    play = opened(LIARS[name])
    _, file = _recorded(play, game_run)
    verdict = replay(Replayer(play.stage), file)
    assert (verdict.kind, verdict.frame, verdict.name) == ("nondeterministic", 7, "walker.x")
    assert "first differs at frame 7, checked 6 of 100 frames" in verdict.text()


CHANGED = """
    from honest import Honest

    class Stub(Honest):
        def step(self, inputs):
            super().step(inputs)
            if self.walker.steps == 30:
                self.walker.x += 1
"""


def _change(play, source=CHANGED):
    (play.stage.path / "adapter.py").write_text(textwrap.dedent(source), encoding="utf-8")


def test_a_game_that_was_changed_is_told_with_both_builds(opened, game_run):
    play = opened()
    run, file = _recorded(play, game_run)
    _change(play)
    verdict = replay(Replayer(play.stage), file)
    assert (verdict.kind, verdict.frame, verdict.checked) == ("behaviour changed", 30, 29)
    assert f"build {run.build} then, {play.stage.game.build} now" in verdict.text()


def test_a_change_that_only_marks_can_see_is_told_between_two_frames(opened, game_run):
    play = opened()
    _, file = _recorded(play, game_run)
    _change(play, CHANGED.replace("self.walker.x += 1", "self.walker.bag = []"))
    verdict = replay(Replayer(play.stage), file)
    assert (verdict.kind, verdict.frame) == ("behaviour changed", 100)
    assert "first differs between frame 1 and frame 100" in verdict.text()


def test_a_change_that_alters_nothing_is_the_same(opened, game_run):
    play = opened()
    _, file = _recorded(play, game_run)
    _change(play, "from honest import Honest as Stub  # the same under another build\n")
    assert replay(Replayer(play.stage), file).kind == "same"


@pytest.mark.parametrize(
    ("key", "value"),
    [("python", "3.1.4"), ("pymunk", "6.9.0"), ("platform", "amiga-68k"), ("cpu", "abacus")],
)
def test_a_movie_that_differs_and_was_recorded_elsewhere_says_where(opened, game_run, key, value):
    play = opened()
    _, file = _recorded(play, game_run)
    _edited(file, f"^{key}=.*$", f"{key}={value}")
    assert replay(Replayer(play.stage), file).kind == "same"
    _change(play)
    verdict = replay(Replayer(play.stage), file)
    assert (verdict.kind, verdict.frame) == ("recorded elsewhere", 30)
    there = "3.1" if key == "python" else value
    assert f"{key} {there} there, " in verdict.text()


def test_another_patch_release_of_python_is_not_elsewhere(opened, game_run):
    play = opened()
    _, file = _recorded(play, game_run)
    _edited(file, r"^(python=\d+\.\d+).*$", r"\1.99")
    _change(play)
    assert replay(Replayer(play.stage), file).kind == "behaviour changed"


def test_a_forged_mark_is_told_at_its_frame(opened, game_run):
    play = opened()
    _, file = _recorded(play, game_run)
    _edited(file, r"^mark 100 [0-9a-f]{16}", "mark 100 0123456789abcdef")
    verdict = replay(Replayer(play.stage), file)
    assert (verdict.kind, verdict.frame) == ("behaviour changed", 100)
    assert "it was 0123456789abcdef and is" in verdict.text()
    assert "they are the files that were recorded" in verdict.text()


def test_a_forged_frame_between_marks_is_told_at_its_frame(opened, game_run):
    play = opened()
    _, file = _recorded(play, game_run)
    _edited(file, r"^mark 60 - ([0-9a-f]{80})[0-9a-f]{4}", r"mark 60 - \g<1>0000")
    verdict = replay(Replayer(play.stage), file)
    assert (verdict.kind, verdict.frame) == ("behaviour changed", 21)


def test_forged_input_is_told_where_it_first_shows(opened, game_run):
    play = opened()
    _, file = _recorded(play, game_run)
    _edited(file, r"^80-89 left$", "80-89 right")
    assert replay(Replayer(play.stage), file).frame == 80


FAILS = """
    from honest import Honest

    class Stub(Honest):
        def step(self, inputs):
            if self.walker.steps == 36:
                raise ValueError("step 37")
            super().step(inputs)
"""


def test_a_failure_is_reproduced(opened, game_run):
    play = opened(FAILS)
    run, file = _recorded(play, game_run)
    assert (run.status, run.frame) == ("error", 37)
    verdict = replay(Replayer(play.stage), file)
    assert verdict.kind == "failed"
    assert verdict.same
    assert verdict.detail == "adapter.py:7: ValueError: step 37 (frame 37)"


def test_a_failure_that_is_mended_is_a_change(opened, game_run):
    play = opened(FAILS)
    _, file = _recorded(play, game_run)
    _change(play, "from honest import Honest as Stub\n")
    verdict = replay(Replayer(play.stage), file)
    assert (verdict.kind, verdict.frame) == ("behaviour changed", 37)
    assert "it was the game ended there and is plays on" in verdict.text()


def test_a_new_failure_is_a_change(opened, game_run):
    play = opened()
    _, file = _recorded(play, game_run)
    _change(play, FAILS)
    verdict = replay(Replayer(play.stage), file)
    assert (verdict.kind, verdict.frame) == ("behaviour changed", 37)
    assert "ValueError: step 37" in verdict.text()


def test_a_failure_of_every_second_run_is_nondeterminism(opened, game_run, tmp_path):
    play = opened(f"""
        from pathlib import Path
        from honest import Honest
        FLAG = Path({str(tmp_path / "flag")!r})

        class Stub(Honest):
            def step(self, inputs):
                super().step(inputs)
                if self.walker.steps == 37:
                    if not FLAG.exists():
                        FLAG.touch()
                        raise ValueError("every second time")
                    FLAG.unlink()
    """)
    _, file = _recorded(play, game_run)
    verdict = replay(Replayer(play.stage), file)
    assert (verdict.kind, verdict.frame) == ("nondeterministic", 37)


def test_a_game_that_ends_itself_ends_again(opened, game_run):
    source = FAILS.replace('raise ValueError("step 37")', "raise SystemExit(0)")
    play = opened(source)
    run, file = _recorded(play, game_run)
    assert (run.status, run.stopped, run.frame) == ("passed", "exit", 36)
    assert replay(Replayer(play.stage), file).kind == "failed"


def test_an_edit_that_cannot_be_made_any_more_is_a_change(opened, game_run):
    play = opened()
    _, file = _recorded(play, game_run, assignments="walker.typed=hello")
    assert replay(Replayer(play.stage), file).kind == "same"
    _change(play, """
        from honest import Honest
        class Stub(Honest):
            def reset(self, scene, seed):
                super().reset(scene, seed)
                del self.walker.typed
            def step(self, inputs):
                self.space.step(inputs.dt)
    """)  # fmt: skip
    verdict = replay(Replayer(play.stage), file)
    assert verdict.kind == "behaviour changed"


def test_a_savestate_of_a_liar_of_set_order_holds_in_its_own_process(opened):
    play = opened(SET_ORDER)
    play.step(20)
    play.save("twenty")
    assert play.load("twenty") == 20


@pytest.mark.parametrize(
    ("pattern", "text", "reason"),
    [
        (r"^game=.*$", "game=chess", "was recorded with the game 'chess', and this is 'stub'"),
        (r"^scene=.*$", "scene=third", "no scene named 'third'; this game has: first, second"),
        (r"^tick_rate=.*$", "tick_rate=50", "at 50 steps a second, and the game now runs at 60"),
        (r"^playtest movie .*$", "playtest movie 99", "is in movie format 99"),
        (r"^playtest movie .*$", "MThd", "is no movie"),
    ],
)
def test_a_movie_of_something_else_is_refused_with_the_reason(
    opened, game_run, pattern, text, reason
):
    play = opened()
    _, file = _recorded(play, game_run)
    _edited(file, pattern, text)
    for use in (
        lambda: replay(Replayer(play.stage), file),
        lambda: game_run(play, input="run.movie"),
    ):
        with pytest.raises(MovieError) as refused:
            use()
        assert reason in str(refused.value)
        assert len(str(refused.value).splitlines()) <= 2


def test_a_second_game_replays_only_its_own_movies(opened, game_run, tmp_path):
    _, file = _recorded(opened(), game_run)
    other = Playtest(opened(name="other").stage.path, base=tmp_path)
    with pytest.raises(MovieError, match="was recorded with the game 'stub', and this is 'other'"):
        replay(Replayer(other.stage), file)


@pytest.mark.parametrize("left", ["no marks", "no frames"])
def test_a_movie_with_nothing_to_check_is_no_pass(opened, game_run, left):
    play = opened()
    _, file = _recorded(play, game_run)
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    if left == "no marks":
        lines = [line for line in lines if not line.startswith("mark ")]
    else:
        start = lines.index("\n")
        header = [re.sub("^frames=.*", "frames=", line) for line in lines[: start + 1]]
        lines = [*header, *(line for line in lines[start:] if line.startswith("mark 0 "))]
    file.write_text("".join(lines), encoding="utf-8")
    with pytest.raises(MovieError, match="holds no mark of a frame that was played"):
        replay(Replayer(play.stage), file)


LEFTOVERS = {
    "adapter.COUNT": ("COUNT = 0", "global COUNT; COUNT += 1; self.walker.x = COUNT"),
    "adapter.KEPT['n']": ("KEPT = {'n': 0}", "KEPT['n'] += 1; self.walker.x = KEPT['n']"),
    "adapter.Stub.made": ("", "Stub.made += 1; self.walker.x = Stub.made"),
    "Stub.total": ("", "self.total = getattr(self, 'total', 0) + 1; self.walker.x = self.total"),
}


@pytest.mark.parametrize("name", LEFTOVERS)
def test_what_a_reset_leaves_behind_is_named(opened, game_run, answer_of, name):
    head, act = LEFTOVERS[name]
    stub = f"class Stub(Honest):\n    made = 0\n    def step(self, inputs):\n        {act}\n"
    stub = stub.replace(act, f"super().step(inputs)\n        {act}")
    play = opened(f"from honest import Honest\n{head}\n\n{stub}")
    game_run(play, frames=5)
    play.reset()
    play.step(3)
    play.save("three")
    with pytest.raises(Divergence, match="state diverged at frame 1") as caught:
        play.load("three")
    assert f"after another reset with the same seed {name} was " in str(caught.value)
    assert play.frame == 3
    _, file = _recorded(play, game_run)
    answer = answer_of("replay", play.stage.path, file)
    assert answer["kind"] == "behaviour changed"
    assert "it depends on what was played before in its process" in answer["detail"]
    assert f"another reset with the same seed {name} was " in answer["detail"]


def test_a_reset_that_leaves_nothing_behind_is_not_accused(opened):
    play = opened(CLOCK)
    play.step(20)
    play.save("here")
    with pytest.raises(Divergence) as caught:
        play.load("here")
    assert "after another reset" not in str(caught.value)
    assert "a clock" in str(caught.value)
