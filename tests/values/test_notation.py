import contextlib
import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from harness.errors import InputError, RequestError, UnknownName
from harness.values.inputs import IDLE, Controls
from harness.values.notation import parse
from harness.values.timeline import Vocabulary

GAME = Vocabulary({"right": ("key:right",), "left": (), "jump": ("key:space", "pad:a")})
KEYS = Vocabulary()


def frames(text, count, vocabulary=GAME, **more):
    return [c for n, c in parse(text, vocabulary).spans(count, **more) for _ in range(n)]


def held(text, count, vocabulary=GAME):
    return [" ".join(sorted(controls.held)) for controls in frames(text, count, vocabulary)]


# frames


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("jump@2", [2]),
        ("jump@2-4", [2, 3, 4]),
        ("jump@2+3", [2, 3, 4]),
        ("jump@2+1", [2]),
        ("jump@2-2", [2]),
        ("jump@1-2, jump@3-4", [1, 2, 3, 4]),
        ("jump@1, jump@3", [1, 3]),
        ("jump@5-999999999", [5, 6]),
        ("jump@999999999+999999999", []),
    ],
)
def test_a_control_is_held_in_the_frames_that_are_written(text, expected):
    assert [n for n, words in enumerate(held(text, 6), 1) if words == "jump"] == expected


def test_the_example_of_the_contract_is_read():
    text = (
        "right@1-40, jump@30+6, click(320,180)@60, move(10,20)@5, drag(10,10,200,50)@70-90,"
        ' wheel(-1)@20, text("hi")@50, pad(a)@9, quit@300, random(left,space)@1-600'
    )
    played = frames(text, 300)

    assert [n for n, c in enumerate(played, 1) if "jump" in c.held] != []
    assert "right" in played[39].held
    assert "right" not in played[40].held
    assert (played[4].pointer, played[58].pointer, played[59].pointer) == (
        (10, 20),
        (10, 20),
        (320, 180),
    )
    assert "mouse:left" in played[59].held
    assert (played[69].pointer, played[79].pointer, played[299].pointer) == (
        (10, 10),
        (105, 30),
        (200, 50),
    )
    assert (played[19].wheel, played[20].wheel) == ((0, -1), (0, 0))
    assert (played[49].text, played[50].text) == ("hi", "")
    assert {"pad:a", "jump"} <= played[8].held
    assert [c.quit for c in played].index(True) == 299


@pytest.mark.parametrize("text", ["", " ", "\n", ",", " , ,\r\n,"])
def test_nothing_written_is_nothing_pressed(text):
    assert frames(text, 2) == [IDLE, IDLE]


@pytest.mark.parametrize(
    "text",
    ["right@1,jump@2", " right @ 1 ,\tjump @ 2 ", "right@1\njump@2", "right@1,\r\n jump@2,\r\n"],
)
def test_space_lines_and_commas_separate(text):
    assert held(text, 2) == ["right", "jump"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("jump", r"cannot read 'jump'; write NAME@FRAME"),
        ("jump@", "cannot read"),
        ("@3", "cannot read"),
        ("jump@1 right@2", "cannot read"),
        ("jump@1@2", "cannot read"),
        ("jump@(3)", "cannot read"),
        ("jump@0", "input starts at frame 1"),
        ("jump@0-5", "input starts at frame 1"),
        ("jump@5-4", "ends before it starts"),
        ("jump@5+0", "ends before it starts"),
        ("jump@-5", "'-5' is no frame; write 30, 30-40 or 30[+]6"),
        ("jump@1.5", "is no frame"),
        ("jump@1-2-3", "is no frame"),
        ("jump@²", "is no frame"),
        ("jump@\u0661", "is no frame"),
        ("jump@1000000000000", "is no frame"),
        ("right@1-40, right@20-60", "right is held twice at frame 20; write it as one span"),
        ("right@20-60, right@1-40", "right is held twice at frame 20"),
        ("space@1-9, K_SPACE@5", "K_SPACE is held twice at frame 5"),
        ("click(1,2)@3, click(1,2)@3", "mouse:left is held twice at frame 3"),
        ("quit@3-4", "quit happens in one frame, not in 3-4"),
        ("text('a')@3-4", "text happens in one frame"),
        ("text('a')@3, text('b')@3", "text is typed twice at frame 3"),
        ("move(1,2)@3+2", "move happens in one frame"),
        ("move(1,2)@3, move(1,3)@3", "the pointer is moved twice at frame 3"),
        ("drag(1,2,3,4)@3", "drag takes at least two frames"),
        ("drag(1,2,3,4)@1-9, move(5,5)@4", "the pointer is moved twice at frame 4"),
        ("wheel(1)@3-9, wheel(2)@9", "the wheel is turned twice at frame 9"),
        ("click@60", "click takes 2 finite numbers, not nothing"),
        ("click()@60", "click takes 2 finite numbers, not nothing"),
        ("click(1)@60", "click takes 2 finite numbers, not 1"),
        ("click(1,2,3,4)@60", "click takes 2 finite numbers"),
        ("click(1,,2)@60", "cannot read '' as an argument"),
        ("move(nan,2)@1", "move takes 2 finite numbers, not nan, 2"),
        ("move(1,inf)@1", "finite"),
        ("wheel(1e999)@1", "wheel takes 1 or 2 finite numbers, not 1e999"),
        ("wheel(True)@1", "finite"),
        ("wheel(²)@1", "finite"),
        ("wheel(1,2,3)@1", "finite"),
        ("text@1", "text takes one quoted text"),
        ("text('')@1", "text takes one quoted text"),
        ("text('a','b')@1", "text takes one quoted text"),
        ("text('a' 'b')@1", "as an argument"),
        ("text(a'b)@1", "unclosed"),
        ("text('\ud83d')@1", "half a character"),
        ("pad()@1", "pad takes a button or an axis"),
        ("pad(left_x=2)@1", "axis left_x takes -1 to 1, not 2"),
        ("pad(left_x=nan)@1", "takes -1 to 1, not nan"),
        ("pad(left_x=)@1", "takes -1 to 1"),
        ("pad(left_x=1)@1-9, pad(left_x=1)@9-12", "axis left_x is in two places at frame 9"),
        ("jump(@1", "unclosed bracket"),
        ("jump)@1", "a bracket too many in 'jump[)]'"),
        (")(", "a bracket too many"),
        ('text("hi)@50', 'unclosed "'),
        (r'text("hi\")@50', 'unclosed "'),
    ],
)
def test_what_cannot_be_played_is_refused_in_words(text, problem):
    with pytest.raises(InputError, match=problem):
        parse(text, GAME)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("jmup@1", "no button or key named 'jmup'; this game has: jump"),
        ("jump(1)@1", r"no input named 'jump\(...\)'; the notation has: .*click\(...\)"),
        ("quit(1)@1", r"no input named 'quit\(...\)'"),
        ("click(1,2,top)@1", "no button or key named 'mouse:top'"),
        ("pad(z)@1", "no button or key named 'pad:z'"),
        ("pad(wrist=1)@1", "no axis named 'wrist'; a pad has"),
        ("random(jmup)@1-9", "no button or key named 'jmup'"),
        ("a=b@1", "no button or key named 'a=b'"),
    ],
)
def test_an_unknown_name_is_refused_with_those_there_are(text, problem):
    with pytest.raises(UnknownName, match=problem):
        parse(text, GAME)


def test_a_long_mistake_is_cut_in_the_message():
    with pytest.raises(InputError) as refused:
        parse("x" * 10_000, GAME)

    assert len(str(refused.value)) < 200


# words and arguments


def test_a_word_is_a_button_first_and_key_says_otherwise():
    assert held("right@1, key:right@2, space@3", 3) == [
        "right",
        "key:right right",
        "jump key:space",
    ]


@pytest.mark.parametrize("button", ["click", "text", "random", "a=b", "quit"])
def test_a_button_of_the_game_may_be_called_as_a_gesture_is(button):
    assert held(f"{button}@1", 1, Vocabulary({button: ()})) == [button]


@pytest.mark.parametrize("button", ["nan", "inf", "1", "1e5"])
def test_a_control_whose_name_looks_like_a_number_is_still_a_name(button):
    game = Vocabulary({button: ()})

    assert set(held(f"random({button})@1-200", 200, game)) == {"", button}


def test_number_keys_can_be_played_at_random():
    assert "key:1" in " ".join(held("random(1,2)@1-200", 200, KEYS))


def test_random_without_names_plays_the_buttons_of_the_game():
    assert set(" ".join(held("random@1-300", 300)).split()) == {"right", "left", "jump"}
    with pytest.raises(InputError, match="random takes the controls to play with"):
        parse("random@1-300", KEYS)


def test_a_click_holds_its_button_and_leaves_the_pointer():
    first, second, third = frames("click(320,180.5,right)@1-2", 3)

    assert first.held == second.held == {"mouse:right"}
    assert third == Controls(pointer=(320.0, 180.5))


def test_two_buttons_may_be_clicked_at_one_point():
    assert held("click(1,2)@1, click(1,2,right)@1", 1) == ["mouse:left mouse:right"]


def test_the_wheel_turns_in_each_of_its_frames():
    assert [c.wheel for c in frames("wheel(-1)@1-2, wheel(2,-3)@3", 4)] == [
        (0, -1),
        (0, -1),
        (2, -3),
        (0, 0),
    ]


def test_axes_are_held_beside_buttons():
    first, second = frames("pad(a, left_x = -0.5, right_trigger=1)@1, pad(left_x=0)@2", 2)

    assert first.axes == (("left_x", -0.5), ("right_trigger", 1.0))
    assert first.held == {"pad:a", "jump"}
    assert second.axes == (("left_x", 0.0),)


@pytest.mark.parametrize(
    ("quoted", "typed"),
    [
        ('"hi"', "hi"),
        ("'hi'", "hi"),
        ('"it\'s"', "it's"),
        (r'"say \"hi\""', 'say "hi"'),
        (r'"a\\"', "a\\"),
        (r'"a\nb\tc\x"', "a\nb\tcx"),
        ('"a\nb"', "a\nb"),
        ('"(a, b)@3, jump@1"', "(a, b)@3, jump@1"),
        ('"))"', "))"),
        ('"text=(\'"', "text=('"),
        ('"50"', "50"),
        ('"日本\u2028🎮"', "日本\u2028🎮"),
    ],
)
def test_quoted_text_is_typed_as_it_stands(quoted, typed):
    assert [c.text for c in frames(f"text({quoted})@2, jump@1", 3)] == ["", typed, ""]


def test_an_axis_reaches_both_its_ends():
    played = frames("pad(left_x=-1)@1, pad(left_x=1)@2", 2)

    assert [controls.axes for controls in played] == [(("left_x", -1.0),), (("left_x", 1.0),)]


def test_quit_happens_in_its_frame():
    assert [c.quit for c in frames("quit@2, quit@2", 3)] == [False, True, False]


# speed


@pytest.mark.parametrize(
    "text",
    [
        "jump(" + " " * 60_000 + '"@1',
        "jump(" + "a " * 30_000 + "'",
        "(" * 60_000,
        "a(" + ")" * 60_000,
        "a(" + "'' " * 20_000 + ")",
        " " * 60_000 + "@",
        "jump@" + "1" * 60_000,
        "text('" + "\\'" * 30_000 + ")@1",
        "drag(0,0,9,9)@1-999999999",
        "wheel(1)@1-999999999",
        ", ".join(f"jump@{frame}" for frame in range(1, 20_000, 2)),
        ", ".join(f"move({frame},0)@{frame}" for frame in range(1, 10_000)),
    ],
)
def test_no_text_takes_long_to_read(text):
    # Anything quadratic in here would take minutes.
    with contextlib.suppress(RequestError):
        assert len(frames(text, 60)) == 60


# properties

pieces = st.sampled_from(
    ["jump", "right", "@", "1", "-", "+", "40", "(", ")", ",", '"', "'", "\\", "=", " ", "\n",
     "text", "click", "pad", "random", "quit", "left_x", ".", "1e999", "nan", "²", "\ud800", "\0"]
)  # fmt: skip


@settings(deadline=None)
@given(st.one_of(st.text(max_size=60), st.lists(pieces, max_size=30).map("".join)))
@example("text(')@1")
def test_any_text_is_played_or_refused(text):
    try:
        played = frames(text, 50)
    except RequestError:
        return
    assert len(played) == 50


@st.composite
def items(draw):
    """One item of notation as (its text, what it does as plain data)."""
    first = draw(st.integers(1, 40))
    more = draw(st.integers(0, 12))
    last = first + more
    when = draw(
        st.sampled_from([f"{first}-{last}", f"{first}+{more + 1}"] + [str(first)] * (not more))
    )
    xy = st.integers(-5, 700)
    kind = draw(
        st.sampled_from(["button", "key", "click", "move", "drag", "wheel", "text", "axis", "quit"])
    )
    if kind == "button":
        word = draw(st.sampled_from(["right", "left", "jump"]))
        return f"{word}@{when}", ("hold", {word}, first, last)
    if kind == "key":
        word = draw(st.sampled_from(["space", "key:space", "K_SPACE", "a"]))
        name = "a" if word == "a" else "space"
        down = {f"key:{name}", "jump"} if name == "space" else {"key:a"}
        return f"{word} @ {when}", ("hold", down, first, last)
    if kind == "click":
        x, y = draw(xy), draw(xy)
        return f"click({x}, {y})@{when}", ("click", (x, y), first, last)
    if kind == "move":
        x, y = draw(xy), draw(xy)
        return f"move({x},{y})@{first}", ("move", (x, y), first, first)
    if kind == "drag":
        x0, y0, x1, y1 = (draw(xy) for _ in range(4))
        return f"drag({x0},{y0},{x1},{y1})@{first}-{last + 1}", (
            "drag",
            (x0, y0, x1, y1),
            first,
            last + 1,
        )
    if kind == "wheel":
        turns = draw(st.integers(-3, 3).filter(bool))
        return f"wheel({turns})@{when}", ("wheel", turns, first, last)
    if kind == "text":
        typed = draw(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8))
        quoted = typed.replace("\\", "\\\\").replace('"', '\\"')
        return f'text("{quoted}")@{first}', ("text", typed, first, first)
    if kind == "axis":
        value = draw(st.floats(-1, 1))
        return f"pad(left_x={value!r})@{when}", ("axis", value, first, last)
    return f"quit@{first}", ("quit", None, first, first)


def naive(facts, count):
    """The same input, one frame after the other, with no idea of spans; None where it clashes."""
    played, pointer = [], (0.0, 0.0)
    for frame in range(1, count + 60):
        now = [fact for fact in facts if fact[2] <= frame <= fact[3]]
        claims = [claim for fact in now for claim in claimed(fact)]
        moves = {
            move
            for number, fact in enumerate(facts)
            if fact in now
            for move in moved(fact, number, frame)
        }
        if len(set(claims)) < len(claims) or len(moves) > 1:
            return None
        pointer = next(((x, y) for x, y, _ in moves), pointer)
        said = {kind: value for kind, value, _, _ in now}
        played.append(
            (
                {control for kind, *held in claims if kind == "hold" for control in held},
                pointer,
                (0.0, float(said.get("wheel", 0))),
                said.get("text", ""),
                (("left_x", said["axis"]),) if "axis" in said else (),
                "quit" in said,
            )
        )
    return played[:count]


def claimed(fact):
    kind, value, _, _ = fact
    holds = {"hold": value, "click": {"mouse:left"}, "drag": {"mouse:left"}}.get(kind)
    if holds:
        yield ("hold", *sorted(holds))
    elif kind in ("wheel", "text", "axis"):
        yield (kind,)


def moved(fact, number, frame):
    kind, value, first, last = fact
    if kind == "drag":
        x0, y0, x1, y1 = value
        share = (frame - first) / (last - first)
        yield x0 + (x1 - x0) * share, y0 + (y1 - y0) * share, number
    elif kind in ("click", "move") and frame == first:
        yield (*map(float, value), None)


@settings(max_examples=300, deadline=None)
@given(st.lists(items(), max_size=8), st.sampled_from([", ", ",", "\n", " ,\r\n\t"]))
def test_any_line_gives_what_a_frame_by_frame_reading_gives(written, separator):
    text = separator.join(item for item, _ in written)
    expected = naive([fact for _, fact in written], 60)
    if expected is None:
        with pytest.raises(InputError, match=r"twice|two places"):
            parse(text, GAME)
        return

    played = frames(text, 60)

    for controls, (down, pointer, wheel, typed, axes, ends) in zip(played, expected, strict=True):
        assert controls.pointer == pytest.approx(pointer)
        assert (controls.held, controls.wheel, controls.text, controls.axes, controls.quit) == (
            down, wheel, typed, axes, ends,
        )  # fmt: skip


def test_the_order_of_items_does_not_matter():
    parts = [
        "right@1-40",
        "jump@30+6",
        "click(3,4)@9",
        "drag(1,1,5,5)@20-30",
        "wheel(1)@2",
        "quit@50",
    ]
    shuffled = random.Random(1).sample(parts, len(parts))

    assert frames(", ".join(parts), 60) == frames(", ".join(shuffled), 60)
