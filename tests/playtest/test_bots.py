"""Bots: what they see, what they may answer, and that what they press is all that is kept."""

import random

import pytest

from harness.errors import RequestError, UnknownName

BOT = """
def walk(view):
    return "right" if view.frame < 5 else None

def lucky(view):
    return "jump" if view.rng.random() < 0.5 else ""

NUMBER = 3
"""


def test_a_bot_is_asked_before_each_frame_and_its_answer_is_that_frames_input(opened, game_run):
    seen = []

    def bot(view):
        seen.append((view.frame, view.value("walker.x"), view.seed, view.scene))
        return "right" if view.frame < 3 else None

    run = game_run(opened(), frames=5, seed=4, input=bot, print="walker.x", every=1)
    assert [row["walker.x"] for row in run.frames.values()] == [1, 2, 3, 3, 3]
    assert seen == [(n, min(n, 3), 4, "first") for n in range(5)]


def test_a_bot_in_a_file_is_played_as_the_file_is_now(opened, game_run, tmp_path):
    file = tmp_path / "bot.py"
    file.write_text(BOT, encoding="utf-8")
    play = opened()
    assert game_run(play, frames=9, input="bot.py:walk", print="walker.x").frames[9] == {
        "walker.x": 5
    }
    file.write_text(BOT.replace("< 5", "< 7"), encoding="utf-8")
    assert game_run(play, frames=9, input="bot.py:walk", print="walker.x").frames[9] == {
        "walker.x": 7
    }


def test_what_a_bot_pressed_replays_from_the_movie(opened, game_run, tmp_path):
    (tmp_path / "bot.py").write_text(BOT, encoding="utf-8")
    play = opened()
    run = game_run(play, frames=80, seed=4, input="bot.py:lucky", record="run.movie")
    assert 10 < sum(bool(frame.held) for frame in run.movie.inputs) < 70
    assert game_run(play, input="run.movie").state_hash == run.state_hash
    assert game_run(play, frames=80, seed=4, input="bot.py:lucky").state_hash == run.state_hash
    other = game_run(play, frames=80, seed=5, input="bot.py:lucky")
    assert other.movie.inputs != run.movie.inputs


def test_a_bots_random_numbers_are_its_own(opened, game_run):
    play = opened("""
        import random
        from honest import Honest
        class Stub(Honest):
            def step(self, inputs):
                super().step(inputs)
                self.walker.x = random.random()
    """)

    def idle(view):
        random.random()
        random.seed()

    def still(view):
        return None

    def guesses(view):
        return "jump" if random.random() < 0.5 else None

    plain = game_run(play, frames=30, seed=4)
    assert game_run(play, frames=30, seed=4, input=idle).state_hash == plain.state_hash
    assert game_run(play, frames=30, seed=4, input=still).state_hash == plain.state_hash
    one = game_run(play, frames=30, seed=4, input=guesses)
    random.seed(1)
    assert game_run(play, frames=30, seed=4, input=guesses).state_hash == one.state_hash


@pytest.mark.parametrize(
    ("answer", "held"),
    [
        (None, set()), ("", set()), ([], set()), ("right", {"right"}),
        ("right jump", {"right", "jump"}), ("right, jump", {"right", "jump"}),
        (["right", "key:x"], {"right", "key:x"}), ({"jump"}, {"jump"}),
        ("click(3, 4)", {"mouse:left"}), ("pad(a)", {"pad:a"}),
    ],
)  # fmt: skip
def test_a_bot_answers_nothing_a_text_or_a_list(opened, game_run, answer, held):
    run = game_run(opened(), frames=2, input=lambda view: answer)
    assert run.movie.inputs[0].held == held


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (3, "a bot gives None, text or a list of controls, not int"),
        (True, "a bot gives None, text or a list of controls, not bool"),
        ("jmup", "the bot gave 'jmup': no button or key named 'jmup'"),
        ("right@5", "the bot gave 'right@5': cannot read"),
        (["right", 3.5], "the bot gave ['right', 3.5]: no button or key named '3.5'"),
        (["right", "right"], "the bot gave ['right', 'right']: right is held twice"),
        ("drag(1,2,3,4)", "the bot gave 'drag(1,2,3,4)': drag takes at least two frames"),
    ],
)
def test_a_bad_answer_is_one_line(opened, game_run, answer, message):
    with pytest.raises(RequestError) as refused:
        game_run(opened(), frames=2, input=lambda view: answer)
    assert message in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize("code", ["1 / 0", "raise SystemExit(3)", "int('x')"])
def test_a_bot_that_fails_is_told_with_its_frame_and_line(opened, game_run, tmp_path, code):
    (tmp_path / "bot.py").write_text(f"def bot(view):\n    if view.frame == 4:\n        {code}\n")
    play = opened()
    with pytest.raises(RequestError, match=r"the bot failed before frame 5: bot.py:3: \w+: ?") as e:
        game_run(play, frames=9, input="bot.py:bot")
    assert len(str(e.value).splitlines()) == 1
    assert play.frame == 4
    assert play.step() == 5


def test_a_bot_that_asks_for_what_is_not_there_is_told_what_there_is(opened, game_run):
    with pytest.raises(UnknownName, match="no name 'plaeyr'; this game has: "):
        game_run(opened(), frames=9, input=lambda view: view.value("plaeyr.x"))


@pytest.mark.parametrize(
    ("text", "source", "message"),
    [
        ("bot.py:walkk", BOT, "no function named 'walkk'; bot.py has: walk, lucky"),
        ("bot.py:NUMBER", BOT, "no function named 'NUMBER'; bot.py has: "),
        ("bot.py:walk", "def walk(", "does not load: SyntaxError"),
        ("bot.py:walk", "1 / 0", "does not load: ZeroDivisionError"),
        ("bot.py:walk", "raise SystemExit", "does not load: SystemExit"),
        ("tob.py:walk", BOT, "no bot at "),
    ],
)
def test_a_bot_that_cannot_be_loaded_is_refused(opened, game_run, tmp_path, text, source, message):
    (tmp_path / "bot.py").write_text(source, encoding="utf-8")
    with pytest.raises(RequestError) as refused:
        game_run(opened(), frames=2, input=text)
    assert message in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1
