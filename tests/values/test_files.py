import os
import signal
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from harness.documents import read_documents
from harness.errors import HarnessError, RequestError
from harness.golden.store import read_png
from harness.playtest.bots import load_bot
from harness.scene.layout import scene_of
from harness.values.files import Kind, read_file, write_atomically
from harness.values.movie_reader import read_movie


def test_text_is_written_as_utf8_without_changing_line_ends(tmp_path):
    path = write_atomically(tmp_path / "a.txt", "é\r\n\n")

    assert path.read_bytes() == b"\xc3\xa9\r\n\n"


def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path):
    write_atomically(tmp_path / "a", "old")
    write_atomically(tmp_path / "a", b"new")

    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("a", b"new")]


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are POSIX")
def test_a_file_keeps_its_permissions_and_a_new_one_has_those_of_the_umask(tmp_path):
    kept = tmp_path / "kept"
    kept.touch()
    kept.chmod(0o640)
    mask = os.umask(0o027)
    try:
        write_atomically(kept, "")
        new = write_atomically(tmp_path / "new", "")
    finally:
        os.umask(mask)

    assert [stat.S_IMODE(path.stat().st_mode) for path in (kept, new)] == [0o640, 0o640]


def test_a_write_that_fails_leaves_the_old_content_and_no_other_file(tmp_path):
    path = write_atomically(tmp_path / "a", "old")

    with pytest.raises(RequestError, match="cannot write"):
        write_atomically(path, "half a character: \ud800")

    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("a", "old")]


@pytest.mark.skipif(sys.platform == "win32", reason="limits are POSIX")
@pytest.mark.parametrize("dies", [False, True])
def test_a_disk_that_is_full_midway_leaves_the_old_content(tmp_path, dies):
    path = write_atomically(tmp_path / "a", "old")
    program = textwrap.dedent(f"""
        import resource, signal
        from harness.values.files import write_atomically
        if {dies}:
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        write_atomically({str(path)!r}, "new" * 1000)
    """)

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    assert done.returncode == (-signal.SIGXFSZ if dies else 1), done.stderr
    assert path.read_text() == "old"
    if not dies:
        assert "RequestError: cannot write" in done.stderr
        assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["missing/a", ".", "a\0b"])
def test_a_place_that_cannot_be_written_is_refused_in_words(tmp_path, name):
    with pytest.raises(RequestError, match="cannot write"):
        write_atomically(tmp_path / name, "x")

    assert list(tmp_path.iterdir()) == []


def test_a_read_only_file_is_left_as_it_is(tmp_path):
    locked = tmp_path / "locked"
    locked.write_text("old", encoding="utf-8")
    locked.chmod(0o444)

    with pytest.raises(RequestError, match="locked: it is read-only"):
        write_atomically(locked, "new")

    assert locked.read_text(encoding="utf-8") == "old"
    locked.chmod(0o644)
    assert list(tmp_path.iterdir()) == [locked]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_what_is_no_regular_file_is_left_in_its_place(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    with pytest.raises(RequestError, match="it is no regular file"):
        write_atomically(pipe, "x")

    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert list(tmp_path.iterdir()) == [pipe]


MOVIE = Kind("movie", ".movie", b"playtest movie")


@pytest.mark.parametrize("there", [b"", b"playtest movie 1\n"])
def test_a_kind_of_file_is_written_where_none_or_one_of_its_own_is(tmp_path, there):
    (tmp_path / "a.movie").write_bytes(there)

    assert MOVIE.check(tmp_path / "a.movie") == tmp_path / "a.movie"
    assert MOVIE.check(tmp_path / "NEW.MOVIE") == tmp_path / "NEW.MOVIE"


@pytest.mark.parametrize("name", ["a.py", "movie", "/", "a.movie.yaml"])
def test_a_kind_of_file_has_a_name_of_its_own(tmp_path, name):
    with pytest.raises(RequestError, match=r"record: a movie's name ends in .movie, and"):
        MOVIE.check(tmp_path / name, "record")


def test_a_file_of_another_kind_is_never_written_over(tmp_path):
    (tmp_path / "a.movie").write_text("my notes", encoding="utf-8")

    with pytest.raises(RequestError, match=r"a\.movie: what is there is no movie"):
        MOVIE.check(tmp_path / "a.movie")


def test_only_a_regular_file_of_a_sane_size_is_read(tmp_path):
    (tmp_path / "a").write_bytes(b"12345")

    assert read_file(tmp_path / "a", 5) == b"12345"
    with pytest.raises(OSError, match="more than 0 MiB"):
        read_file(tmp_path / "a", 4)
    with pytest.raises(IsADirectoryError):
        read_file(tmp_path)
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "b")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux has it")
def test_a_file_that_tells_no_size_is_read_whole():
    whole = read_file("/proc/self/status")

    assert whole.startswith(b"Name:")
    assert b"Threads:" in whole
    with pytest.raises(OSError, match="more than 0 MiB"):
        read_file("/proc/self/status", 100)


def scene_at(path):
    return scene_of(path, "cave", "cave.yaml")


def bot_of(path):
    return load_bot(f"{path}:bot", path.parent)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("read", [read_movie, read_documents, read_png, bot_of, scene_at])
def test_no_reader_waits_for_a_pipe_or_reads_a_device(tmp_path, read):
    pipe, endless = tmp_path / "pipe.py", tmp_path / "endless.py"
    os.mkfifo(pipe)
    endless.symlink_to("/dev/zero")

    for path in (pipe, endless):
        with pytest.raises(HarnessError, match="it is no regular file"):
            read(path)
