import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import InputError, RequestError
from harness.values.events import KINDS, from_events
from harness.values.notation import parse
from harness.values.timeline import Vocabulary

GAME = Vocabulary({"jump": ("key:space",), "right": ()})


def frames(events, count=12):
    return [c for n, c in from_events(events, GAME).spans(count) for _ in range(n)]


def held(events, count=12):
    return [n for n, c in enumerate(frames(events, count), 1) if c.held]


def test_no_events_are_no_input():
    assert held([]) == held(()) == []


def test_a_press_lasts_until_the_frame_of_its_release():
    events = [{"frame": 3, "press": "jump"}, {"frame": 6, "release": "jump"}]

    assert held(events) == [3, 4, 5]


def test_a_press_and_release_in_one_frame_hold_for_exactly_that_frame():
    events = [{"frame": 3, "press": "jump"}, {"frame": 3, "release": "jump"}]

    assert held(events) == [3]


def test_what_is_never_released_stays_down():
    assert held([{"frame": 3, "press": "jump"}], 2000) == list(range(3, 2001))


def test_events_may_come_in_any_order():
    events = [
        {"frame": 2, "press": "right"},
        {"frame": 4, "release": "right"},
        {"frame": 5, "hold": "jump", "frames": 3},
        {"frame": 9, "click": [1, 2]},
    ]
    shuffled = random.Random(2).sample(events, len(events))

    assert shuffled != events
    assert frames(shuffled) == frames(events)


def test_a_key_may_be_released_by_another_of_its_names():
    events = [{"frame": 3, "press": "space"}, {"frame": 5, "release": "K_SPACE"}]

    assert held(events) == [3, 4]


def test_a_button_can_be_pressed_again_in_the_frame_of_its_release():
    events = [
        {"frame": 3, "press": "jump"},
        {"frame": 5, "release": "jump"},
        {"frame": 5, "press": "jump"},
        {"frame": 7, "release": "jump"},
    ]

    assert held(events) == [3, 4, 5, 6]


@pytest.mark.parametrize(
    ("event", "notation"),
    [
        ({"frame": 2, "hold": "jump"}, "jump@2"),
        ({"frame": 2, "hold": "jump", "frames": 4}, "jump@2+4"),
        ({"frame": "2", "hold": "jump", "frames": "4"}, "jump@2+4"),
        ({"frame": 2.0, "click": [320, 180]}, "click(320,180)@2"),
        ({"frame": 2, "click": [3.5, "4", "right"], "frames": 2}, "click(3.5,4,right)@2-3"),
        ({"frame": 2, "move": (3, 4)}, "move(3,4)@2"),
        ({"frame": 2, "drag": [1, 2, 3, 4], "frames": 5}, "drag(1,2,3,4)@2-6"),
        ({"frame": 2, "wheel": -1}, "wheel(-1)@2"),
        ({"frame": 2, "wheel": [1, -1], "frames": 2}, "wheel(1,-1)@2-3"),
        ({"frame": 2, "text": 'it\'s "()" =@1'}, r'text("it\'s \"()\" =@1")@2'),
        ({"frame": 2, "pad": "a"}, "pad(a)@2"),
        ({"frame": 2, "pad": ["a", "left_x=-0.5"]}, "pad(a,left_x=-0.5)@2"),
        (
            {"frame": 2, "axis": {"left_x": -0.5, "left_y": 1}, "frames": 3},
            "pad(left_x=-0.5,left_y=1)@2+3",
        ),
        ({"frame": 2, "quit": True}, "quit@2"),
        ({"frame": 2, "random": ["jump", "right"], "frames": 9}, "random(jump,right)@2+9"),
        ({"frame": 2, "random": [], "frames": 9}, "random@2+9"),
    ],
)
def test_an_event_says_the_same_as_the_notation(event, notation):
    assert frames([event]) == [c for n, c in parse(notation, GAME).spans(12) for _ in range(n)]


@pytest.mark.parametrize(
    ("event", "problem"),
    [
        ("jump", "needs a frame from 1 to 999999999"),
        ({}, "needs a frame"),
        ({"press": "jump"}, "needs a frame"),
        ({"frame": 0, "press": "jump"}, "needs a frame"),
        ({"frame": -1, "press": "jump"}, "needs a frame"),
        ({"frame": 10**12, "press": "jump"}, "needs a frame"),
        ({"frame": True, "press": "jump"}, "needs a frame"),
        ({"frame": 1.5, "press": "jump"}, "needs a frame"),
        ({"frame": float("nan"), "press": "jump"}, "needs a frame"),
        ({"frame": "²", "press": "jump"}, "needs a frame"),
        ({"frame": 1}, "has nothing; an event has one of press, release"),
        ({"frame": 1, "frames": 2}, "has nothing"),
        ({"frame": 1, "jump": True}, "has jump; an event has one of"),
        (
            {"frame": 1, "press": "jump", "release": "jump"},
            "has press, release; an event has one of",
        ),
        ({"frame": 1, 7: "jump"}, "has 7; an event has one of"),
        ({"frame": 1, "press": "jump", "frames": 3}, "press takes no frames; hold does"),
        (
            {"frame": 1, "press": ["jump"]},
            r"press takes the name of a button or key, not \['jump'\]",
        ),
        ({"frame": 1, "press": "jmup"}, "no button or key named 'jmup'"),
        ({"frame": 1, "release": "jump"}, "jump is released at frame 1, but nothing pressed it"),
        (
            {"frame": 1, "hold": "jump", "frames": 0},
            "frames: must be a whole number of at least 1, not 0",
        ),
        ({"frame": 1, "hold": "jump", "frames": True}, "frames: must be a whole number"),
        ({"frame": 1, "hold": "jump", "frames": None}, "frames: must be a whole number"),
        ({"frame": 1, "hold": "jump", "frames": 10**12}, "frames: must be a whole number"),
        ({"frame": 1, "hold": None}, "hold takes the name"),
        ({"frame": 1, "quit": False}, "quit takes true, not False"),
        ({"frame": 1, "quit": True, "frames": 2}, "quit happens in one frame"),
        ({"frame": 1, "click": {"x": 1}}, "click takes 2 finite numbers"),
        ({"frame": 1, "click": [True, 1]}, "click takes 2 finite numbers, not True, 1"),
        ({"frame": 1, "wheel": float("inf")}, "finite"),
        ({"frame": 1, "wheel": 10**400}, "finite"),
        ({"frame": 1, "wheel": "1e999"}, "finite"),
        ({"frame": 1, "text": 5}, "text takes one quoted text"),
        ({"frame": 1, "text": ["a", "b"]}, "text takes one quoted text"),
        ({"frame": 1, "axis": "left_x"}, "axis takes a position by name"),
        ({"frame": 1, "axis": {"left_x": True}}, "axis left_x takes -1 to 1, not True"),
        ({"frame": 1, "axis": {"left_x": 1.01}}, "axis left_x takes -1 to 1"),
        ({"frame": 1, "axis": {"wrist": 1}}, "no axis named 'wrist'"),
    ],
)
def test_an_event_that_cannot_be_played_is_refused_with_its_number(event, problem):
    with pytest.raises(InputError, match=f"event 2: .*{problem}"):
        from_events([{"frame": 500, "hold": "right"}, event], GAME)


@pytest.mark.parametrize("events", ["jump@1", {"frame": 1, "press": "jump"}, 5])
def test_what_is_no_list_of_events_is_refused(events):
    with pytest.raises(InputError, match="events are a list"):
        from_events(events, GAME)


def test_pressing_what_is_down_is_refused():
    events = [{"frame": 3, "press": "jump"}, {"frame": 5, "press": "jump"}]

    with pytest.raises(
        InputError, match="event 2: jump is pressed at frame 5 and has been down since frame 3"
    ):
        from_events(events, GAME)


def test_holding_what_is_never_released_is_refused():
    events = [{"frame": 3, "press": "jump"}, {"frame": 9, "hold": "jump"}]

    with pytest.raises(InputError, match="jump is held twice at frame 9"):
        from_events(events, GAME)


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["jump", "a"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=2)
    ),
    max_leaves=6,
)


@settings(deadline=None)
@given(
    st.lists(
        st.dictionaries(st.sampled_from([*KINDS, "frame", "frames"]), values, max_size=3)
        | st.builds(lambda kind, value: {"frame": 1, kind: value}, st.sampled_from(KINDS), values),
        max_size=3,
    )
)
def test_any_events_are_played_or_refused(events):
    try:
        played = frames(events)
    except RequestError:
        return
    assert len(played) == 12
