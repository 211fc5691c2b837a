"""Frame arithmetic, in one place: what is read when, shown when, printed when."""

import pytest

from harness.errors import RunFailed


def test_input_at_frame_k_is_read_by_step_k_and_shows_first_in_frame_k(opened, game_run):
    run = game_run(opened(), frames=8, input="right@4", print=["walker.x", "walker.steps"], every=1)
    assert [row["walker.x"] for row in run.frames.values()] == [0, 0, 0, 1, 1, 1, 1, 1]
    assert [row["walker.steps"] for row in run.frames.values()] == list(range(1, 9))


def test_input_at_frame_1_is_read_by_the_first_step(opened, game_run):
    run = game_run(opened(), frames=2, input="right@1", print="walker.x", every=1)
    assert run.frames == {1: {"walker.x": 1}, 2: {"walker.x": 1}}


def test_frame_0_is_the_state_that_reset_leaves(opened):
    play = opened()
    assert play.reset() == 0
    assert play.value("(frame, time, walker.steps)") == [0, 0, 0]
    assert play.frame == 0


def test_frame_n_is_the_state_after_n_steps(opened):
    play = opened()
    assert play.step(7) == 7
    assert play.value("(frame, walker.steps)") == [7, 7]
    assert play.value("time") == pytest.approx(7 / 60)


@pytest.mark.parametrize(
    ("every", "printed"),
    [
        (1, [1, 2, 3, 4, 5, 6, 7]),
        (2, [2, 4, 6, 7]),
        (3, [3, 6, 7]),
        (7, [7]),
        (8, [7]),
        (None, [7]),
    ],
)
def test_every_n_prints_its_multiples_and_the_last_frame_always(opened, game_run, every, printed):
    run = game_run(opened(), frames=7, print="walker.steps", every=every)
    assert list(run.frames) == printed
    assert [row["walker.steps"] for row in run.frames.values()] == printed


def test_plus_counts_frames_so_30_plus_6_is_30_to_35(opened, game_run):
    run = game_run(opened(), frames=40, input="right@30+6", print="walker.x", every=1)
    moved = [n for n in range(2, 41) if run.frames[n]["walker.x"] > run.frames[n - 1]["walker.x"]]
    assert moved == [30, 31, 32, 33, 34, 35]


def test_a_span_includes_both_of_its_ends(opened, game_run):
    run = game_run(opened(), frames=10, input="right@3-5", print="walker.x", every=1)
    assert [row["walker.x"] for row in run.frames.values()] == [0, 0, 1, 2, 3, 3, 3, 3, 3, 3]


def test_until_stops_at_the_first_frame_where_it_holds(opened, game_run):
    run = game_run(opened(), frames=60, input="right@1-60", until="walker.x >= 7", print="frame")
    assert (run.status, run.stopped, run.frame) == ("passed", "until", 7)
    assert run.frames == {7: {"frame": 7}}


def test_until_looks_at_the_last_frame_too(opened, game_run):
    assert game_run(opened(), frames=7, until="walker.steps == 7").stopped == "until"
    assert game_run(opened(name="other"), frames=6, until="walker.steps == 7").status == "failed"


def test_until_counts_frames_after_the_present_one(opened):
    play = opened()
    assert play.until("walker.steps >= 5", within=5) == 5
    with pytest.raises(RunFailed, match="between frame 5 and frame 8"):
        play.until("walker.x", within=3)
    assert play.frame == 8


def test_an_assert_stops_the_run_at_the_frame_where_it_broke(opened, game_run):
    run = game_run(
        opened(), frames=60, input="right@1-60", **{"assert": "walker.x < 5"}, print="walker.x"
    )
    assert (run.status, run.stopped, run.frame) == ("failed", "assert", 5)
    assert run.failure.expression == "walker.x < 5"
    assert run.failure.parts == (("walker.x", 5),)
    assert run.frames == {5: {"walker.x": 5}}


def test_a_start_counts_input_frames_and_answers_from_the_call_and_says_where_it_began(
    opened, game_run
):
    play = opened()
    game_run(play, frames=10, input="right@1-10", save="ten")
    run = game_run(
        play, frames=5, start="ten", input="right@2", print=["walker.x", "frame"], every=1
    )
    assert (run.start_frame, run.frame) == (10, 5)
    assert [row["walker.x"] for row in run.frames.values()] == [10, 11, 11, 11, 11]
    assert [row["frame"] for row in run.frames.values()] == [11, 12, 13, 14, 15]
    assert list(run.frames) == [1, 2, 3, 4, 5]


def test_a_failure_after_a_start_counts_from_the_call_and_says_the_frame_since_reset(
    opened, game_run
):
    play = opened()
    game_run(play, frames=10, save="ten")
    run = game_run(play, frames=5, start="ten", **{"assert": "walker.steps < 13"})
    assert (run.frame, run.failure.frame) == (3, 3)
    assert "at frame 3 (frame 13 since reset)" in run.failure.message


def test_a_held_button_is_pressed_once_and_released_once(opened, game_run):
    run = game_run(
        opened(),
        frames=9,
        input="right@3-5",
        print=["walker.presses", "walker.releases"],
        every=1,
    )
    rows = [tuple(row.values()) for row in run.frames.values()]
    assert rows == [(0, 0)] * 2 + [(1, 0)] * 3 + [(1, 1)] * 4


def test_two_taps_are_two_presses_and_two_adjoining_holds_are_one(opened):
    play = opened()
    play.tap("jump")
    play.tap("jump")
    assert play.value("(walker.presses, walker.releases, frame)") == [2, 2, 4]
    play.reset()
    play.hold("jump", frames=2)
    play.hold("jump", frames=2)
    assert play.value("(walker.presses, walker.releases, frame)") == [1, 0, 4]


def test_hold_lets_go_in_the_step_after_it(opened):
    play = opened()
    play.hold("right", frames=3)
    play.step()
    assert play.value("(walker.x, walker.releases)") == [3, 1]


def test_nothing_is_held_over_from_run_to_run(opened, game_run):
    play = opened()
    game_run(play, frames=5, input="right@1-99", save="held")
    fresh = game_run(play, frames=5, print=["walker.x", "walker.presses", "walker.releases"])
    assert fresh.frames[5] == {"walker.x": 0, "walker.presses": 0, "walker.releases": 0}


def test_nothing_is_held_over_a_start_and_the_button_is_released_there(opened, game_run):
    play = opened()
    game_run(play, frames=5, input="right@1-99", save="held")
    run = game_run(play, frames=3, start="held", print=["walker.x", "walker.releases"], every=1)
    assert [tuple(row.values()) for row in run.frames.values()] == [(5, 1)] * 3


def test_nothing_is_held_over_a_reset(opened):
    play = opened()
    play.hold("right", frames=5)
    play.reset()
    play.step()
    assert play.value("(walker.x, walker.releases)") == [0, 0]


def test_step_counts_its_inline_input_from_1(opened):
    play = opened()
    play.step(10)
    play.step(5, input="right@2-3")
    assert play.value("(walker.x, walker.steps)") == [2, 15]


def test_the_pointer_stays_where_it_was_left(opened):
    play = opened()
    play.step(5, input="move(30,40)@2")
    play.step(5)
    play.hold("right", frames=2)
    assert play.value("walker.pointer") == [30.0, 40.0]


def test_text_and_wheel_happen_in_one_frame(opened, game_run):
    run = game_run(opened(), frames=5, input='text("hi")@3', print="walker.typed", every=1)
    assert [row["walker.typed"] for row in run.frames.values()] == ["", "", "hi", "hi", "hi"]


def test_events_inline_input_and_verbs_are_the_same_input(opened, game_run):
    play = opened()
    inline = game_run(play, frames=20, input="right@3-8, jump@5")
    events = [{"frame": 3, "hold": "right", "frames": 6}, {"frame": 5, "press": "jump"}]
    events.append({"frame": 6, "release": "jump"})
    listed = game_run(play, frames=20, input=events)
    assert listed.state_hash == inline.state_hash
    assert listed.movie.inputs == inline.movie.inputs
    play.reset()
    play.step(2)
    play.hold("right", frames=2)
    play.hold("right", "jump")
    play.hold("right", frames=3)
    play.step(12)
    assert play.movie().inputs == inline.movie.inputs
    assert play.movie().marks[-1].state_hash == inline.state_hash


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"frames": 0}, "frames: must be at least 1, not 0"),
        ({"every": 0}, "every: must be at least 1, not 0"),
        ({"seed": -1}, "seed: must be at least 0, not -1"),
        ({"seed": 2**32}, "seed: must be at most 4294967295, not 4294967296"),
        ({"scene": "frist"}, "no scene named 'frist'; this game has: first, second"),
        ({"input": "jmup@3"}, "no button or key named 'jmup'"),
        ({"input": "jump@"}, "cannot read 'jump@'"),
        ({"input": "right@1-5, right@3-8"}, "right is held twice at frame 3"),
        ({"start": "nowhere"}, "no savestate named 'nowhere'; this play has: none"),
        ({"input": "lost.movie"}, "no movie at"),
        ({"input": "lost.py:bot"}, "no bot at"),
        ({"until": "walker.x = 3"}, "is a statement"),
        ({"print": "walkre.x"}, "no name 'walkre'; this game has: walker"),
        ({"assignments": "walker.x"}, "must be name=value"),
        ({"against": "run-0"}, "no run or movie named 'run-0'"),
        ({"record": "no/such/run.movie"}, "record: no folder"),
        ({"record": "run.txt"}, "record: "),
    ],
)
def test_a_wrong_request_is_one_clear_line_and_nothing_is_played(
    opened, game_run, tmp_path, given, message
):
    from harness.errors import RequestError

    play = opened()
    with pytest.raises(RequestError) as refused:
        game_run(play, **given)
    text = str(refused.value)
    assert message in text
    assert len(text.splitlines()) <= 2
    assert text[0].islower() or text[0] in "'/"
    assert play.frame == 0
    assert not list(tmp_path.glob("*.part"))
