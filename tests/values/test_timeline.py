import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import InputError, UnknownName
from harness.values.timeline import FOREVER, Lane, Span, Timeline, Vocabulary, binding

GAME = Vocabulary({"jump": ("key:space", "pad:a"), "right": ("key:right", "key:d"), "space": ()})


def frames(timeline, count, **more):
    return [c for n, c in timeline.spans(count, **more) for _ in range(n)]


def held(timeline, count, **more):
    return [" ".join(sorted(controls.held)) for controls in frames(timeline, count, **more)]


# words


@pytest.mark.parametrize(
    ("word", "controls"),
    [
        ("jump", {"jump"}),
        ("right", {"right"}),
        ("space", {"space"}),
        ("key:space", {"key:space", "jump"}),
        ("K_SPACE", {"key:space", "jump"}),
        ("d", {"key:d", "right"}),
        ("key:right", {"key:right", "right"}),
        ("pad:a", {"pad:a", "jump"}),
        ("mouse:left", {"mouse:left"}),
        ("esc", {"key:escape"}),
    ],
)
def test_a_word_is_a_button_of_the_game_first_and_else_a_key_with_its_buttons(word, controls):
    assert GAME.resolve(word) == controls


@pytest.mark.parametrize(
    "word", ["jmup", "", ":a", "key:", "key:mouse:left", "mouse:a", "pad:x1", "a=b"]
)
def test_a_word_that_is_nothing_is_refused_with_the_buttons_nearest_first(word):
    with pytest.raises(UnknownName) as refused:
        GAME.resolve(word)

    assert set(refused.value.known) == {"jump", "right", "space"}
    assert binding(word) is None


def test_without_buttons_some_keys_are_suggested():
    with pytest.raises(UnknownName, match=r"click\(x,y\)"):
        Vocabulary().resolve("jmup")


# lanes


def test_spans_of_a_lane_never_overlap():
    lane = Lane()

    assert lane.add(10, 20, "a") is None
    assert lane.add(1, 9, "b") is None
    assert lane.add(21, 21, "c") is None
    assert [lane.add(*at, "x") for at in [(20, 30), (5, 12), (15, 15), (1, 99)]] == [20, 5, 15, 1]
    assert lane.spans == [(1, 9, "b"), (10, 20, "a"), (21, 21, "c")]
    assert [lane.at(frame) for frame in (0, 1, 9, 10, 21, 22)] == [None, "b", "b", "a", "c", None]
    assert lane.latest(50) == Span(21, 21, "c")


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(1, 30), st.integers(0, 6)), max_size=15))
def test_a_lane_refuses_exactly_what_a_table_of_frames_refuses(spans):
    lane, table = Lane(), {}
    for number, (first, more) in enumerate(spans):
        taken = [frame for frame in range(first, first + more + 1) if frame in table]
        assert lane.add(first, first + more, number) == (taken[0] if taken else None)
        if not taken:
            table.update(dict.fromkeys(range(first, first + more + 1), number))

    assert [lane.at(frame) for frame in range(40)] == [table.get(frame) for frame in range(40)]


# timelines


def test_an_empty_timeline_holds_nothing_for_as_long_as_is_asked():
    assert list(Timeline().spans(0)) == []
    assert held(Timeline(), 3) == ["", "", ""]


def test_a_hold_covers_both_its_ends():
    timeline = Timeline()
    timeline.hold("jump", frozenset({"jump"}), 2, 3)

    assert held(timeline, 4) == ["", "jump", "jump", ""]


def test_holds_that_touch_are_one_hold():
    timeline = Timeline()
    timeline.hold("jump", frozenset({"jump"}), 1, 2)
    timeline.hold("jump", frozenset({"jump"}), 3, 4)

    assert held(timeline, 5) == ["jump"] * 4 + [""]


def test_a_control_that_two_words_hold_is_down_until_both_let_go():
    timeline = Timeline()
    timeline.hold("space", GAME.resolve("key:space"), 1, 3)
    timeline.hold("jump", GAME.resolve("jump"), 2, 4)

    assert held(timeline, 5) == ["jump key:space"] * 3 + ["jump", ""]


def test_holding_the_same_twice_is_refused_with_the_frame():
    timeline = Timeline()
    timeline.hold("right", frozenset({"right"}), 1, 40)

    with pytest.raises(InputError, match="right is held twice at frame 20; write it as one span"):
        timeline.hold("right", frozenset({"right"}), 20, 60)


def test_the_pointer_stays_where_it_was_put():
    timeline = Timeline()
    timeline.point(2, (5.0, 6.0))

    pointers = [controls.pointer for controls in frames(timeline, 3, pointer=(1.0, 1.0))]

    assert pointers == [(1.0, 1.0), (5.0, 6.0), (5.0, 6.0)]


def test_a_glide_begins_and_ends_on_its_points_exactly():
    timeline = Timeline()
    timeline.glide(2, 4, (0.1, 10.0), (0.3, 20.0))

    pointers = [controls.pointer for controls in frames(timeline, 5)]

    assert pointers[1:] == [(0.1, 10.0), (0.2, 15.0), (0.3, 20.0), (0.3, 20.0)]


def test_the_pointer_may_be_put_twice_on_one_point_and_not_on_two():
    timeline = Timeline()
    timeline.point(2, (5.0, 6.0))
    timeline.point(2, (5.0, 6.0))

    with pytest.raises(InputError, match="the pointer is moved twice at frame 2"):
        timeline.point(2, (5.0, 7.0))
    with pytest.raises(InputError, match="the pointer is moved twice at frame 2"):
        timeline.glide(1, 3, (5.0, 6.0), (5.0, 6.0))


@pytest.mark.parametrize("last", [FOREVER, 10**12])
def test_what_lasts_for_ever_costs_no_more_than_the_frames_that_are_played(last):
    timeline = Timeline()
    timeline.hold("right", frozenset({"right"}), 1, last)
    timeline.glide(1, last, (0.0, 0.0), (1.0, 1.0))
    timeline.wheel.add(1, last, (0.0, 1.0))
    timeline.randoms.append(Span(1, last, (frozenset({"jump"}),)))

    assert len(frames(timeline, 10)) == 10


def random_player(first=1, last=600):
    timeline = Timeline()
    choices = (frozenset({"left"}), frozenset({"jump"}))
    timeline.randoms.append(Span(first, last, choices))
    return timeline


def test_the_random_player_is_pinned_to_its_seed():
    changes = [(n, " ".join(sorted(c.held))) for n, c in random_player().spans(60, seed=7)]

    assert changes == [(15, "jump"), (9, "jump"), (17, "left"), (12, "jump"), (7, "jump")]
    assert held(random_player(), 600, seed=7) == held(random_player(), 600, seed=7)
    assert held(random_player(), 600, seed=7) != held(random_player(), 600, seed=8)


def test_the_random_player_plays_the_same_however_long_the_run_is():
    assert held(random_player(), 100, seed=7) == held(random_player(), 300, seed=7)[:100]


def test_the_random_player_keeps_to_its_frames_and_uses_all_its_controls():
    played = held(random_player(100, 199), 300, seed=1)

    assert set(played[:99]) == set(played[199:]) == {""}
    assert set(" ".join(played).split()) == {"left", "jump"}


def test_two_random_players_do_not_move_as_one():
    timeline = random_player()
    timeline.randoms.append(Span(1, 600, (frozenset({"up"}), frozenset({"down"}))))
    played = held(timeline, 600)

    assert any(("left" in words) != ("up" in words) for words in played)


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_spans_give_the_same_frames_wherever_the_run_ends(data):
    timeline = Timeline()
    for control in "abc":
        first = data.draw(st.integers(1, 20))
        timeline.hold(control, frozenset(control), first, first + data.draw(st.integers(0, 20)))
    timeline.glide(5, 15, (0.0, 0.0), (3.0, -7.0))
    timeline.quits.add(12)
    whole = frames(timeline, 50)

    for count in data.draw(st.lists(st.integers(0, 50), max_size=5)):
        assert frames(timeline, count) == whole[:count]
    assert all(n > 0 for n, _ in itertools.chain(timeline.spans(50)))
