import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import MovieError
from harness.values.inputs import Controls
from harness.values.movie_reader import MOST_FRAMES, parse_movie, read_movie

HEAD = """\
playtest movie 1
game=crate-and-door
scene=ledge
seed=3
tick_rate=60
frames={frames}
build=b8a1
cpu=fma

"""
BODY = """\
mark 0 fe67786bf1057180
edit 0 crate.x=5
1-3 right
4 jump right pointer=320,180.5 text="é\\u2028 text=\\" x"
5-6 .
mark 6 25a4ab18d0b56643 0001000200030004000500ff
edit 6 player.name=é日本
7-9 key:space wheel=0,-1 axis=left_x,-0.5
10 quit=1
mark 10 00000000000000aa 0001000200030004
"""
TRAIL = "trail is four hex digits a frame since frame 0"
SAMPLE = HEAD.format(frames=10) + BODY
PART = HEAD.format(frames="") + BODY


def test_the_sample_is_read_whole():
    movie = parse_movie(SAMPLE)

    assert movie.frames == movie.header.frames == 10
    assert movie.inputs[3].pressed == {"jump"}
    assert movie.inputs[3].text == 'é\u2028 text=" x'
    assert [frame.pointer for frame in movie.inputs[2:5]] == [(0, 0), (320, 180.5), (320, 180.5)]
    assert movie.inputs[6].axis("left_x") == -0.5
    assert movie.inputs[9].quit
    assert movie.inputs[0].dt == 1 / 60
    assert [(edit.frame, edit.target, edit.value) for edit in movie.edits] == [
        (0, "crate.x", "5"),
        (6, "player.name", "é日本"),
    ]
    assert [(mark.frame, mark.state_hash, len(mark.trail)) for mark in movie.marks] == [
        (0, "fe67786bf1057180", 0),
        (6, "25a4ab18d0b56643", 24),
        (10, "00000000000000aa", 16),
    ]


@pytest.mark.parametrize("change", [lambda s: s.replace("\n", "\r\n"), lambda s: "\ufeff" + s])
def test_line_ends_of_windows_and_a_byte_order_mark_are_no_damage(tmp_path, change):
    path = tmp_path / "a.movie"
    path.write_bytes(change(SAMPLE).encode())

    assert read_movie(path) == parse_movie(SAMPLE)


def test_header_keys_of_a_later_version_are_passed_over():
    movie = parse_movie(SAMPLE.replace("cpu=fma\n", "cpu=fma\nweather=rain=wet\n"))

    assert movie == parse_movie(SAMPLE)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("playtest movie 1", "playtest movie 2", "movie format 2; this harness reads format 1"),
        ("playtest movie 1", "gif89a", "is no movie: it does not begin with 'playtest movie 1'"),
        ("frames=10", "frames=11", "is cut short: it says 11 frames and holds 10"),
        ("frames=10", "frames=9", "it says 9 frames and holds 10"),
        ("frames=10\n", "", "the header has no frames"),
        ("game=crate-and-door\n", "", "the header has no game"),
        ("seed=3", "seed=-3", "the header's seed is no number: '-3'"),
        ("seed=3", "seed=٣", "the header's seed is no number"),
        ("seed=3", "seed=" + "9" * 5000, "the header's seed is no number"),
        ("tick_rate=60", "tick_rate=0", "the header's tick_rate is 0"),
        ("cpu=fma", "cpu=fma\ncpu=fma", "line 9: cpu is given twice"),
        ("cpu=fma", "cpu fma", "line 8: a header line is key=value, not 'cpu fma'"),
        ("cpu=fma\n\n", "cpu=fma\n", "is cut short in its header"),
        ("mark 6", "mark 7", "line 15: stands after frame 6 but says '7'"),
        ("mark 6", "mark 06", "stands after frame 6 but says '06'"),
        ("mark 6 25a4ab18d0b56643", "mark 6 25A4ab18d0b56643", "line 15: a mark is:"),
        ("mark 6 25a4ab18d0b56643", "mark 6", "a mark is: mark FRAME HASH"),
        ("0001000200030004000500ff", "0001000200030004000500f", "line 15: a mark is:"),
        ("0001000200030004000500ff", "00010002000300040005", TRAIL),
        ("mark 6 25a4ab18d0b56643 0001000200030004000500ff\n", "", TRAIL),
        ("mark 0 fe67786bf1057180\n", "mark 0 fe67786bf1057180\n" * 2, "frame 0 is marked twice"),
        ("edit 6 player", "edit 7 player", "line 16: stands after frame 6 but says '7'"),
        ("edit 6 player.name=é日本", "edit 6 player.name", "an edit is: edit FRAME NAME=VALUE"),
        ("5-6 .", "5-7 .", "stands after frame 7 but says '6'"),
        ("5-6 .", "6 .", "line 14: expected frame 5, not 6"),
        ("5-6 .", "5-4 .", "line 14: expected frame 5, not 5-4"),
        ("5-6 .", "5-9999999999 .", "line 14: cannot read '5-9999999999 .'"),
        ("5-6 .", "5-999999999 .", f"a movie has at most {MOST_FRAMES} frames"),
        ("5-6 .", "5-٦ .", "line 14: cannot read"),
        ("5-6 .", "5-6", "line 14: cannot read '5-6'"),
        ("5-6 .", "5-6 \t", "line 14: cannot read"),
        ("pointer=320,180.5", "pointer=1", "line 13: '' is no number"),
        ("pointer=320,180.5", "pointer=1,nan", "line 13: 'nan' is no number"),
        ("pointer=320,180.5", "pointer=1,1e999", "'1e999' is no number"),
        ("pointer=320,180.5", "pointer=1,1 pointer=2,2", "line 13: cannot read 'pointer=2,2'"),
        ("pointer=320,180.5", "pointer", "expected frame"),
        ("axis=left_x,-0.5", "axis=left_x,1 axis=left_x,1", "cannot read 'axis=left_x,1'"),
        ("axis=left_x,-0.5", "axis=left_x", "'' is no number"),
        ("quit=1", "quit=2", "line 18: cannot read 'quit=2'"),
        ("quit=1", "weather=rain", "line 18: cannot read 'weather=rain'"),
        ("quit=1", "a=b", "line 18: cannot read 'a=b'"),
        ("quit=1", "held=jump", "line 18: jump is no quoted text"),
        ("quit=1", 'held="a', "line 18: cannot read 'held=\"a'"),
        ("quit=1", 'text="\t"', "is no quoted text"),
        ("quit=1", 'text="a"b', "line 18: cannot read"),
        ("quit=1", "text=[1]", "is no quoted text"),
        ("quit=1", "text=" + "[" * 9000, "is no quoted text"),
    ],
)  # fmt: skip
def test_damage_is_refused_with_its_line(old, new, problem):
    assert SAMPLE.count(old) >= 1
    damaged = SAMPLE.replace(old, new, 1)
    if problem == "expected frame":
        assert "pointer" in parse_movie(damaged).inputs[3].held
        return
    with pytest.raises(MovieError, match=re.escape(problem)):
        parse_movie(damaged, "a.movie")


def test_a_movie_that_holds_no_text_is_refused(tmp_path):
    path = tmp_path / "a.movie"
    for damaged in (
        SAMPLE.encode("utf-16"),
        SAMPLE.encode("latin-1", "replace"),
        b"",
        b"\0",
        b"\xff\n\n",
    ):
        path.write_bytes(damaged)
        with pytest.raises(MovieError, match=re.escape(str(path))):
            read_movie(path)


def test_what_is_not_there_is_refused_in_words(tmp_path):
    with pytest.raises(MovieError, match="no movie at"):
        read_movie(tmp_path / "a.movie")
    with pytest.raises(MovieError, match="is a folder, not a movie"):
        read_movie(tmp_path)
    with pytest.raises(MovieError, match="cannot read"):
        read_movie("a\0b")


def test_a_finished_movie_that_is_cut_anywhere_loses_its_last_mark_at_most():
    without_mark = SAMPLE[: SAMPLE.rindex("mark 10")]
    for end in range(len(SAMPLE)):
        if SAMPLE[:end] != without_mark:
            with pytest.raises(MovieError):
                parse_movie(SAMPLE[:end])
    assert parse_movie(without_mark).frames == 10


# recordings that were not finished


def test_a_recording_is_read_up_to_its_last_mark():
    movie = parse_movie(PART + "11-70 right\nedit 70 a=1\n")

    assert movie == parse_movie(SAMPLE)


def test_a_recording_without_a_mark_holds_nothing_yet():
    movie = parse_movie(HEAD.format(frames="") + "1-60 right\n")

    assert (movie.frames, movie.header.frames, movie.marks) == (0, 0, ())


def test_a_recording_cut_at_any_byte_is_read_up_to_its_last_mark(tmp_path):
    data, start = PART.encode(), len(HEAD.format(frames="").encode())
    path = tmp_path / "a.movie.part"
    marks = {m.end(): m.group() for m in re.finditer(rb"mark (\d+) .*\n", data)}
    for end in range(start, len(data) + 1):
        path.write_bytes(data[:end])
        movie = read_movie(path)
        whole = [line for at, line in marks.items() if at <= end]
        assert movie.frames == (int(whole[-1].split()[1]) if whole else 0)
        assert len(movie.marks) == len(whole)
        assert len(movie.edits) == max(len(whole) - 1, 0)


@pytest.mark.parametrize(
    "rubbish", [b"\0" * 100, b"\xff\xfe\n\n", b"11-12 \xe6\x97", b"mark 11", b"\n\n\n"]
)
def test_rubbish_after_the_last_mark_of_a_recording_is_not_read(tmp_path, rubbish):
    path = tmp_path / "a.movie.part"
    path.write_bytes(PART.encode() + rubbish)

    assert read_movie(path) == parse_movie(SAMPLE)


def test_rubbish_before_the_last_mark_of_a_recording_is_refused(tmp_path):
    path = tmp_path / "a.movie.part"
    path.write_bytes(PART.encode().replace(b"5-6 .", b"5-6 \xff"))

    with pytest.raises(MovieError, match="line 14: is not text"):
        read_movie(path)


def test_a_recording_cut_in_its_header_is_refused():
    head = HEAD.format(frames="")
    for end in range(len(head) - 1):
        with pytest.raises(MovieError):
            parse_movie(head[:end])


# whatever happens to a movie


def readable_or_refused(text):
    try:
        return parse_movie(text)
    except MovieError:
        return None


def test_any_line_deleted_doubled_or_cut_is_refused_or_harmless():
    lines = SAMPLE.splitlines(keepends=True)
    for index, line in enumerate(lines):
        before, after = "".join(lines[:index]), "".join(lines[index + 1 :])
        readable_or_refused(before + after)
        readable_or_refused(before + line * 2 + after)
        for end in range(len(line)):
            readable_or_refused(before + line[:end] + after)
            readable_or_refused(before + line[:end] + "\n" + after)


@pytest.mark.parametrize("index", range(9, 19))
def test_no_line_of_the_body_can_vanish_unnoticed_but_an_edit(index):
    lines = SAMPLE.splitlines(keepends=True)
    movie = readable_or_refused("".join(lines[:index] + lines[index + 1 :]))

    unnoticed = lines[index].startswith(("edit", "mark 0", "mark 10"))
    assert (movie is not None) == unnoticed


@settings(max_examples=500, deadline=None)
@given(st.integers(0, len(SAMPLE.encode()) - 1), st.integers(0, 255))
def test_any_byte_changed_is_refused_or_harmless(place, byte):
    data = bytearray(SAMPLE.encode())
    data[place] = byte
    movie = readable_or_refused(data.decode("utf-8", "surrogateescape"))

    assert movie is None or movie.frames in (0, 6, 10)


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_refused_or_a_movie(text):
    readable_or_refused(text)
    readable_or_refused(HEAD.format(frames=1) + text + "\n")
    readable_or_refused(HEAD.format(frames=1) + "1 " + text + "\n")


@pytest.mark.parametrize(
    "line",
    [
        '1 text="' + '\\"' * 50_000,
        "1 " + 'a="' * 30_000,
        "1 " + "a=" * 30_000,
        "1 " + " " * 60_000 + '"',
        "1-" + "9" * 60_000 + " .",
        "edit 0 " + "\\=" * 50_000,
        "mark 0 " + "0" * 60_000 + "g",
    ],
)
def test_no_line_takes_long_to_refuse(line):
    # Anything quadratic in here would take minutes.
    assert readable_or_refused(HEAD.format(frames=1) + line + "\n") is None


def test_a_long_movie_is_read_in_no_time():
    body = "".join(f"{frame} right pointer={frame},0\n" for frame in range(1, 20_001))
    movie = parse_movie(HEAD.format(frames=20_000) + body)

    assert movie.inputs[-1].controls == Controls(frozenset({"right"}), (20_000, 0))
