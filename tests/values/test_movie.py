import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.values.inputs import Controls, chained
from harness.values.keys import PAD_AXES
from harness.values.movie import Edit, Header, Mark, Movie, body_lines
from harness.values.movie_reader import parse_movie, read_movie

HEADER = Header("crate-and-door", "ledge", 3, 60)
RIGHT, BOTH = frozenset({"right"}), frozenset({"right", "jump"})


def movie(*spans, edits=(), marks=(), header=HEADER):
    inputs = tuple(chained(spans, frozenset(), 1 / header.tick_rate))
    return Movie(header, inputs, tuple(edits), tuple(marks))


def body(movie):
    return movie.text().split("\n\n", 1)[1].splitlines()


def test_a_movie_is_one_line_a_span_with_marks_and_edits_between():
    text = movie(
        (45, Controls(RIGHT)),
        (1, Controls(BOTH)),
        (14, Controls()),
        edits=[Edit(60, "player.hp", "1")],
        marks=[Mark(0, "fe67786bf1057180"), Mark(60, "25a4ab18d0b56643", "ab12" * 60)],
    ).text()

    assert text.splitlines()[:6] == [
        "playtest movie 1",
        "game=crate-and-door",
        "scene=ledge",
        "seed=3",
        "tick_rate=60",
        "frames=60",
    ]
    assert text.split("\n\n")[1].splitlines() == [
        "mark 0 fe67786bf1057180",
        "1-45 right",
        "46 jump right",
        "47-60 .",
        f"mark 60 25a4ab18d0b56643 {'ab12' * 60}",
        "edit 60 player.hp=1",
    ]


def test_each_kind_of_input_has_its_word():
    controls = Controls(
        frozenset({"key:space", "mouse:left"}),
        (320, 0.5),
        (0, -1),
        'a "b"\n',
        (("left_x", -0.5),),
        True,
    )

    assert body(movie((1, controls), (1, Controls(pointer=(320, 0.5))))) == [
        "1 key:space mouse:left pointer=320,0.5 wheel=0,-1 axis=left_x,-0.5 quit=1"
        ' text="a \\"b\\"\\n"',
        "2 .",
    ]


def test_a_mark_or_an_edit_divides_a_span():
    marks, edits = [Mark(2, "0" * 16)], [Edit(4, "a.b", "1")]

    assert body(movie((6, Controls(RIGHT)), marks=marks, edits=edits)) == [
        "1-2 right", "mark 2 0000000000000000", "3-4 right", "edit 4 a.b=1", "5-6 right",
    ]  # fmt: skip


def test_lines_written_part_by_part_are_those_written_at_once():
    whole = movie(
        (3, Controls(RIGHT, (5, 5))),
        (4, Controls(BOTH, (5, 5))),
        (1, Controls(BOTH, (6, 6))),
        marks=[Mark(3, "0" * 16), Mark(7, "1" * 16)],
    )

    first = body_lines(whole.inputs[:3], (), whole.marks[:1])
    second = body_lines(whole.inputs[:7], (), whole.marks[1:], start=3)
    third = body_lines(whole.inputs, (), (), start=7)

    assert [*first, *second, *third] == body(whole)


def test_a_mark_stands_before_the_edits_of_its_frame_and_these_in_their_order():
    edits = [Edit(1, "b", "1"), Edit(1, "a", "2"), Edit(0, "c", "3")]

    assert body(movie((1, Controls()), edits=edits, marks=[Mark(1, "0" * 16)])) == [
        "edit 0 c=3",
        "1 .",
        "mark 1 0000000000000000",
        "edit 1 b=1",
        "edit 1 a=2",
    ]


@pytest.mark.parametrize("value", [HEADER, Edit(1, "a", "b"), Mark(1, "0" * 16), movie()])
def test_what_a_movie_is_made_of_cannot_be_changed(value):
    with pytest.raises(AttributeError):
        setattr(value, next(iter(value.__slots__)), None)


def test_the_header_says_how_many_frames_there_are():
    assert "\nframes=7\n" in movie((7, Controls())).text()
    assert movie((7, Controls())).frames == 7


def test_a_movie_is_written_to_a_file_and_read_back(tmp_path):
    path = movie((7, Controls(RIGHT))).write(tmp_path / "a.movie")
    found = read_movie(path)

    assert found.path == str(path)
    assert found.text() == path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "name", ["a=b", ".", "two words", 'quo"te', "text=", "日本", "mark", "1-5", "é", "\ud800"]
)
def test_a_control_of_any_name_survives(name):
    written = movie((2, Controls(frozenset({name, "jump"}))), (1, Controls()))

    assert parse_movie(written.text()).inputs == written.inputs


@pytest.mark.parametrize(
    "value",
    [
        "",
        "a=b",
        "\\n",
        "\n",
        "\r\n",
        "\\",
        " x ",
        "\t",
        "\x85\u2028\x0c\x00",
        "\ud800",
        "\\ud800",
        "==",
    ],
)
def test_an_edit_of_any_text_survives(value):
    written = movie((1, Controls()), edits=[Edit(1, f"d[{value!s}]", value), Edit(1, value, "1")])
    text = written.text()

    text.encode()
    assert parse_movie(text).edits == written.edits


def test_negative_zero_is_told_from_zero():
    spans = [(1, Controls(pointer=(-0.0, 0.0))), (1, Controls()), (1, Controls(wheel=(0.0, -0.0)))]
    written = movie(*spans)
    found = parse_movie(written.text())

    assert repr(found.inputs) == repr(written.inputs)


words = st.text(st.characters(), max_size=12)
some = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from(
    [0.0, -0.0, 1e300, 5e-324, 320.0]
)
names = st.sampled_from(["right", "jump", "key:space", "mouse:left", "pad:a"]) | words
controls = st.builds(
    Controls,
    held=st.frozensets(names, max_size=3),
    pointer=st.just((0.0, 0.0)) | st.tuples(some, some),
    wheel=st.just((0.0, 0.0)) | st.tuples(some, some),
    text=st.just("") | st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    axes=st.dictionaries(st.sampled_from(PAD_AXES), some, max_size=2).map(
        lambda axes: tuple(axes.items())
    ),
    quit=st.booleans(),
)
hashes = st.text("0123456789abcdef", min_size=16, max_size=16)


@st.composite
def movies(draw):
    spans = draw(st.lists(st.tuples(st.integers(1, 5), controls), max_size=6))
    length = sum(frames for frames, _ in spans)
    frames = st.integers(0, length)
    marks, before = [], 0
    for frame in sorted(draw(st.sets(frames, max_size=3))):
        trail = draw(st.text("0123456789abcdef", min_size=4, max_size=4)) * (frame - before)
        marks.append(Mark(frame, draw(hashes), draw(st.sampled_from(["", trail]))))
        before = frame
    edits = sorted(
        draw(st.lists(st.builds(Edit, frames, words, words), max_size=3)), key=lambda e: e.frame
    )
    header = Header(
        game=draw(words),
        scene=draw(words),
        seed=draw(st.integers(0, 2**32 - 1)),
        tick_rate=draw(st.integers(1, 1000)),
        frames=length,
        build=draw(words),
        cpu=draw(words),
    )
    return movie(*spans, edits=edits, marks=marks, header=header)


@settings(max_examples=300, deadline=None)
@given(movies())
def test_any_movie_survives_text_and_back(written):
    text = written.text()
    text.encode()
    found = parse_movie(text)

    # The texts of the values tell -0.0 from 0.0, which == does not.
    assert repr([_sorted(frame) for frame in found.inputs]) == repr(
        [_sorted(frame) for frame in written.inputs]
    )
    assert (found.header, found.edits, found.marks) == (
        written.header,
        written.edits,
        written.marks,
    )
    assert found.text() == text


def _sorted(frame):
    return (
        sorted(frame.held),
        sorted(frame.pressed),
        sorted(frame.released),
        frame.pointer,
        frame.wheel,
        frame.text,
        frame.axes,
        frame.quit,
        frame.dt,
    )
