import os
import signal
import stat
import subprocess
import sys
import textwrap

import pytest

from harness.errors import RequestError
from harness.values.files import write_atomically


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


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_what_is_no_regular_file_is_left_in_its_place(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    with pytest.raises(RequestError, match="it is no regular file"):
        write_atomically(pipe, "x")

    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert list(tmp_path.iterdir()) == [pipe]
