from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from harness.errors import ConfigError
from harness.games.script import scratch
from harness.games.script.scratch import copied


def tree(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): (
            f"-> {os.readlink(path)}" if path.is_symlink() else path.read_text("utf-8")
        )
        for path in sorted(folder.rglob("*"))
        if path.is_symlink() or path.is_file()
    }


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A game of two files."""
    folder = tmp_path / "own"
    (folder / "assets").mkdir(parents=True)
    (folder / "main.py").write_text("main", "utf-8")
    (folder / "assets" / "level.txt").write_text("level", "utf-8")
    os.utime(folder / "main.py", (1000, 1000))
    return folder


def test_a_copy_has_the_files_and_their_times(own: Path, tmp_path: Path) -> None:
    copy = copied(own, tmp_path / "copy")
    assert tree(copy) == {"main.py": "main", "assets/level.txt": "level"}
    assert (copy / "main.py").stat().st_mtime == 1000


def test_what_is_written_in_place_in_a_copy_is_not_the_users(own: Path, tmp_path: Path) -> None:
    os.chmod(own / "main.py", 0o444)
    copy = copied(own, tmp_path / "copy")
    with open(copy / "main.py", "r+", encoding="utf-8") as file:
        file.write("MORE")
    assert tree(own) == {"main.py": "main", "assets/level.txt": "level"}


def test_version_control_environments_and_caches_are_left_out(own: Path, tmp_path: Path) -> None:
    for name in (".git", "node_modules", "assets/__pycache__", "env", "game-results"):
        (own / name).mkdir()
        (own / name / "file").write_text("much", "utf-8")
    (own / "env" / "pyvenv.cfg").write_text("", "utf-8")
    (own / ".settings").write_text("kept", "utf-8")
    assert sorted(tree(copied(own, tmp_path / "copy"))) == [
        ".settings",
        "assets/level.txt",
        "main.py",
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="not everybody may make links there")
def test_links_stay_links_within_the_folder_and_are_followed_out_of_it(
    own: Path, tmp_path: Path
) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "sound.txt").write_text("sound", "utf-8")
    (shared / "round").symlink_to(shared)
    (own / "sounds").symlink_to(shared)
    (own / "one.txt").symlink_to(own / "assets" / "level.txt")
    (own / "again").symlink_to(".")
    (own / "lost").symlink_to("nowhere")
    copy = copied(own, tmp_path / "copy")
    assert tree(copy) == {
        "main.py": "main",
        "assets/level.txt": "level",
        "sounds/sound.txt": "sound",
        "one.txt": f"-> {os.path.join('assets', 'level.txt')}",
        "again": "-> .",
        "lost": "-> nowhere",
    }
    (copy / "sounds" / "sound.txt").write_text("changed", "utf-8")
    assert (shared / "sound.txt").read_text("utf-8") == "sound"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_what_is_no_file_is_left_out(own: Path, tmp_path: Path) -> None:
    os.mkfifo(own / "pipe")
    assert "pipe" not in os.listdir(copied(own, tmp_path / "copy"))


def test_a_copy_may_lie_within_what_is_copied(own: Path) -> None:
    copy = copied(own, own / "game-copy")
    assert tree(copy) == {"main.py": "main", "assets/level.txt": "level"}


def test_too_much_is_refused_before_anything_is_copied(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (own / "videos").mkdir()
    (own / "videos" / "intro.avi").write_bytes(bytes(3 << 20))
    monkeypatch.setattr(scratch, "MOST_BYTES", 2 << 20)
    with pytest.raises(ConfigError, match=r"own: too large for a run, .* it holds videos \(3 MiB"):
        copied(own, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()
    monkeypatch.setattr(scratch, "MOST_BYTES", 4 << 20)
    monkeypatch.setattr(scratch, "MOST_FILES", 2)
    with pytest.raises(ConfigError, match="or 2 files"):
        copied(own, tmp_path / "copy")


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everything can be read"
)
def test_a_file_that_cannot_be_read_is_named(own: Path, tmp_path: Path) -> None:
    os.chmod(own / "main.py", 0)
    with pytest.raises(ConfigError, match=r"main\.py: cannot be copied for a run: "):
        copied(own, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()
