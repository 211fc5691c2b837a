"""Recording: whole when it is done, readable up to its last mark when it is not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.errors import MovieError, RequestError
from harness.values.movie_reader import read_movie

ROOT = Path(__file__).parents[2]
DIES = """
    import os
    from honest import Honest

    class Stub(Honest):
        def step(self, inputs):
            super().step(inputs)
            if self.walker.steps == {frame}:
                os.kill(os.getpid(), 9)
"""


def test_a_recorded_run_is_read_back_as_the_same_run(opened, game_run, tmp_path):
    play = opened()
    run = game_run(play, frames=100, seed=7, scene="second", input="right@3-9", record="run.movie")
    movie = read_movie(tmp_path / "run.movie")
    assert movie == run.movie
    assert run.written == (os.path.relpath(tmp_path / "run.movie"),) or run.written
    again = game_run(play, input="run.movie")
    assert (again.seed, again.scene, again.frame) == (7, "second", 100)
    assert again.state_hash == run.state_hash
    assert not list(tmp_path.glob("*.part"))


def test_a_movie_as_input_can_be_cut_lengthened_and_given_another_seed(opened, game_run):
    play = opened()
    game_run(play, frames=20, seed=7, input="right@15-20", record="run.movie")
    short = game_run(play, frames=16, input="run.movie", print="walker.x")
    assert (short.frame, short.frames[16]) == (16, {"walker.x": 2})
    longer = game_run(
        play, frames=25, seed=8, input="run.movie", print=["walker.x", "walker.releases"]
    )
    assert longer.seed == 8
    assert longer.frames[25] == {"walker.x": 6, "walker.releases": 1}


def test_a_movie_as_input_of_another_scene_than_asked_is_refused(opened, game_run):
    play = opened()
    game_run(play, frames=20, record="run.movie")
    with pytest.raises(MovieError, match="was recorded in scene 'first', not 'second'"):
        game_run(play, input="run.movie", scene="second")


def test_a_recording_with_a_start_begins_at_frame_0(opened, game_run, tmp_path):
    play = opened()
    game_run(play, frames=70, seed=7, input="right@3-9", assignments="walker.x=5", save="a")
    run = game_run(play, frames=60, start="a", input="jump@5", record="run.movie")
    movie = read_movie(tmp_path / "run.movie")
    assert (movie.frames, movie.edits[0].frame) == (130, 0)
    assert [mark.frame for mark in movie.marks] == [0, 60, 120, 130]
    again = game_run(play, input="run.movie")
    assert again.state_hash == run.state_hash


def test_an_edit_after_the_last_frame_is_played_too(opened, game_run, tmp_path):
    play = opened()
    play.step(30)
    play.edit("walker.x", 77)
    movie = play.movie("edited.movie")
    again = game_run(play, input="edited.movie", print="walker.x")
    assert again.state_hash == movie.marks[-1].state_hash
    assert read_movie(tmp_path / "edited.movie") == movie


@pytest.mark.parametrize("frame", [59, 61, 119, 125])
def test_a_process_that_dies_leaves_the_part_up_to_its_last_mark(stub, tmp_path, frame):
    folder = stub(DIES.format(frame=frame))
    command = [sys.executable, "-m", "harness", "run", str(folder), "--frames", "200", "--input",
               "right@10-100", "--assign", "walker.x=3", "--record", "run.movie"]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert done.returncode == 1
    assert b"Crashed: the process was ended by SIGKILL" in done.stdout
    assert not (tmp_path / "run.movie").exists()
    movie = read_movie(tmp_path / "run.movie.part")
    assert movie.frames == frame // 60 * 60
    assert len(movie.marks) == frame // 60 + 1
    assert [len(frame.held) for frame in movie.inputs] == [
        int(10 <= n <= 100) for n in range(1, movie.frames + 1)
    ]


def test_the_part_is_there_while_it_records_and_can_be_replayed(opened, game_run, tmp_path):
    play = opened("""
        from pathlib import Path
        from honest import Honest
        class Stub(Honest):
            def step(self, inputs):
                super().step(inputs)
                if self.walker.steps == 100 and self.scene == "first":
                    part = Path(__file__).parent.parent / "run.movie.part"
                    part.with_name("copy.movie").write_text(part.read_text())
    """)
    game_run(play, frames=110, input="right@1-200", record="run.movie")
    copied = game_run(play, input="copy.movie", print="walker.x")
    assert (copied.frame, copied.frames[60]) == (60, {"walker.x": 60})
    assert not (tmp_path / "run.movie.part").exists()


def test_a_run_that_fails_is_recorded_up_to_and_with_the_frame_that_failed(
    opened, game_run, tmp_path
):
    play = opened("""
        from honest import Honest
        class Stub(Honest):
            def step(self, inputs):
                super().step(inputs)
                if "jump" in inputs.held:
                    raise ValueError
    """)
    run = game_run(play, frames=90, input="jump@77", record="run.movie")
    assert run.error.frame == 77
    again = game_run(play, input="run.movie")
    assert (again.status, again.error.frame) == ("error", 77)
    check = game_run(play, frames=9, record="check.movie", **{"assert": "walker.steps < 4"})
    assert check.movie == read_movie(tmp_path / "check.movie")
    assert check.movie.frames == 4


def test_a_request_that_goes_wrong_on_the_way_leaves_no_part(opened, game_run, tmp_path):
    play = opened()
    for given in ({"until": "nobody.x"}, {"print": "1 / walker.x"}, {"assert": "nobody.x"},
                  {"assignments": "nobody.x=3"}, {"input": lambda view: 5}):  # fmt: skip
        with pytest.raises(RequestError):
            game_run(play, frames=5, record="run.movie", **given)
    assert not list(tmp_path.glob("run*"))


def test_an_interrupted_recording_keeps_its_part(opened, game_run, tmp_path):
    def bot(view):
        if view.frame == 70:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        game_run(opened(), frames=90, input=bot, record="run.movie")
    assert read_movie(tmp_path / "run.movie.part").frames == 60


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("", "record: a movie's name ends in .movie"),
        ("run.txt", "record: a movie's name ends in .movie, and 'run.txt' does not"),
        ("adapter.py", "record: a movie's name ends in .movie"),
        ("no/such/run.movie", "record: no folder "),
        ("folder.movie", "folder.movie is a folder"),
        ("x" * 300 + ".movie", "record: cannot write"),
    ],
)
def test_a_target_that_cannot_be_is_refused(opened, game_run, tmp_path, target, message):
    (tmp_path / "folder.movie").mkdir()
    with pytest.raises(RequestError) as refused:
        game_run(opened(), frames=5, record=target)
    assert message in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


def test_an_older_movie_stays_until_the_new_one_is_whole(opened, game_run, tmp_path):
    play = opened()
    first = game_run(play, frames=5, record="run.movie")
    with pytest.raises(RequestError):
        game_run(play, frames=9, record="run.movie", until="nobody.x")
    assert read_movie(tmp_path / "run.movie") == first.movie
    run = game_run(play, input="run.movie", frames=9, record="run.movie")
    assert read_movie(tmp_path / "run.movie") == run.movie


@pytest.mark.parametrize("name", ["stub/adapter.py", "stub/harness.yaml", "notes.movie", "run"])
def test_a_movie_is_never_written_over_anything_else(opened, tmp_path, name):
    play = opened()
    play.step(3)
    (tmp_path / "notes.movie").write_text("my notes", encoding="utf-8")
    before = {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    with pytest.raises(RequestError, match=r"a movie's name ends in|what is there is no movie"):
        play.movie(name)
    assert {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()} == before
    assert read_movie(play.movie("run.movie") and tmp_path / "run.movie").frames == 3


def test_a_movie_with_a_control_that_the_game_has_no_more_is_refused(opened, game_run, tmp_path):
    play = opened()
    game_run(play, frames=9, input="right@1-5", record="run.movie")
    text = (tmp_path / "run.movie").read_text(encoding="utf-8")
    (tmp_path / "run.movie").write_text(text.replace("right", "glide"), encoding="utf-8")
    for given in ({"input": "run.movie"}, {"against": "run.movie"}):
        with pytest.raises(MovieError, match=r"run\.movie: no button or key named 'glide'; this"):
            game_run(play, frames=9, **given)
