import pytest

from harness.values.inputs import IDLE, Controls, InputFrame, chained, input_frame

RIGHT, JUMP = frozenset({"right"}), frozenset({"jump"})


def test_a_frame_tells_what_went_down_and_what_went_up():
    frame = input_frame(Controls(JUMP), RIGHT, 0.5)

    assert (frame.held, frame.pressed, frame.released, frame.dt) == (JUMP, JUMP, RIGHT, 0.5)


def test_a_press_is_seen_in_one_frame_only():
    frames = list(chained([(3, Controls(JUMP)), (2, IDLE)], frozenset(), 1))

    assert [sorted(frame.pressed) for frame in frames] == [["jump"], [], [], [], []]
    assert [sorted(frame.released) for frame in frames] == [[], [], [], ["jump"], []]


def test_what_is_still_held_is_not_pressed_again():
    frames = list(chained([(1, Controls(RIGHT)), (1, Controls(RIGHT | JUMP))], RIGHT, 1))

    assert [sorted(frame.pressed) for frame in frames] == [[], ["jump"]]


@pytest.mark.parametrize("frames", [0, -1])
def test_a_span_of_no_frames_changes_nothing(frames):
    spans = [(1, Controls(JUMP)), (frames, IDLE), (1, Controls(JUMP))]

    assert [sorted(frame.pressed) for frame in chained(spans, frozenset(), 1)] == [["jump"], []]


def test_the_controls_of_a_frame_give_the_same_frame_again():
    controls = Controls(JUMP, (3, 4), (0, -1), "hi", (("left_x", -0.5),), True)

    assert input_frame(controls, RIGHT, 1).controls == controls


def test_an_axis_that_nothing_moves_stands_at_zero():
    frame = InputFrame(axes=(("left_x", -0.5),))

    assert (frame.axis("left_x"), frame.axis("left_y")) == (-0.5, 0.0)
