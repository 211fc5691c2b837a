from __future__ import annotations

import glob
import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.games.script.folders import SHARED, Folders
from harness.games.script.runtime import Runtime

linked = pytest.mark.skipif(not hasattr(os, "fork"), reason="what is shared is shared by forks")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    (folder / "sub").mkdir(parents=True)
    for name in ("main.py", "b.txt", "a.txt", "sub/c.txt"):
        (folder / name).write_text(name, "utf-8")
    return folder


@pytest.fixture
def folders(
    interposed: Callable[..., Any], runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Folders]:
    (folders,) = interposed(Folders)
    runtime.playing = False
    here = os.getcwd()
    yield folders
    runtime.playing = False
    os.chdir(here)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A write folder as the processes of a family see it."""
    (tmp_path / "run-1").mkdir()
    (tmp_path / "home").symlink_to(tmp_path / "run-1")
    return tmp_path / "home"


@pytest.fixture
def there(folders: Folders, own: Path, home: Path, runtime: Runtime) -> Path:
    """Where the program finds its files, standing in them as it runs."""
    there = folders.settle(own, home, "build")
    os.chdir(there)
    runtime.playing = True
    return there


def test_folders_are_listed_by_name(there: Path) -> None:
    names = ["a.txt", "b.txt", "main.py", "sub"]
    assert os.listdir() == names
    assert os.listdir(os.fsencode(there)) == [name.encode() for name in names]
    with os.scandir() as entries:
        assert [entry.name for entry in entries] == names
    assert glob.glob("*.txt") == ["a.txt", "b.txt"]
    assert [path.name for path in Path().iterdir()] == names
    assert [found[1:] for found in os.walk(".")] == [
        (["sub"], ["a.txt", "b.txt", "main.py"]),
        ([], ["c.txt"]),
    ]


@linked
def test_a_program_that_only_reads_shares_the_copy(there: Path, own: Path) -> None:
    assert Path("b.txt").read_text("utf-8") == "b.txt"
    assert there.is_symlink()
    assert not there.samefile(own)


@linked
def test_a_program_is_told_of_one_place_that_means_the_same_in_every_process(
    there: Path, home: Path
) -> None:
    assert there == home / "mine"
    assert os.getcwd() == str(there)
    assert os.getcwdb() == os.fsencode(there)
    assert Path("a.txt").resolve() == there / "a.txt"
    assert Path.cwd() == there
    assert os.path.realpath(home / "save") == str(home / "save")
    assert os.path.realpath("/") == os.path.realpath("/")


def written(path: Path) -> None:
    path.write_text("changed", "utf-8")


CHANGES: dict[str, Callable[[], Any]] = {
    "writes": lambda: written(Path("a.txt")),
    "writes below": lambda: written(Path("sub") / "c.txt"),
    "writes by its full name": lambda: written(Path.cwd() / "new.txt"),
    "adds": lambda: open("a.txt", "a", encoding="utf-8").close(),
    "opens by number": lambda: os.close(os.open("new.txt", os.O_CREAT | os.O_WRONLY)),
    "removes": lambda: os.remove("a.txt"),
    "renames": lambda: os.rename("a.txt", "z.txt"),
    "makes a folder": lambda: os.makedirs("saves/one"),
    "touches": lambda: Path("a.txt").touch(),
    "cuts": lambda: os.truncate("a.txt", 1),
    "keeps a database": lambda: sqlite3.connect("scores.db").close(),
}


@linked
@pytest.mark.parametrize("change", CHANGES)
def test_a_program_that_changes_files_has_a_copy_of_its_own_from_then_on(
    there: Path, tmp_path: Path, change: str
) -> None:
    shared = tmp_path / SHARED / "build" / "mine"
    before = {path: path.read_bytes() for path in shared.rglob("*") if path.is_file()}
    CHANGES[change]()
    assert not there.is_symlink()
    assert os.getcwd() == str(there)
    assert {path: path.read_bytes() for path in shared.rglob("*") if path.is_file()} == before
    assert (there / "b.txt").read_text("utf-8") == "b.txt"


@linked
def test_a_picture_that_is_saved_over_another_changes_only_ones_own(
    there: Path, tmp_path: Path
) -> None:
    import pygame

    pygame.image.save(pygame.Surface((2, 2)), "a.txt", ".png")
    assert not there.is_symlink()
    assert (tmp_path / SHARED / "build" / "mine" / "a.txt").read_text("utf-8") == "a.txt"


@linked
def test_what_is_written_elsewhere_makes_no_copy(there: Path, home: Path, tmp_path: Path) -> None:
    written(home / "settings.ini")
    written(tmp_path / "elsewhere.txt")
    assert there.is_symlink()


@linked
def test_a_second_run_of_a_process_begins_with_nothing_written(
    there: Path, folders: Folders, own: Path, home: Path, runtime: Runtime
) -> None:
    written(Path("a.txt"))
    written(home / "settings.ini")
    runtime.playing = False
    os.chdir(own)
    assert folders.settle(own, home, "build") == there
    assert (there / "a.txt").read_text("utf-8") == "a.txt"
    assert os.listdir(home) == ["mine"]


def test_a_process_that_nobody_shares_with_has_its_copy_at_once(
    folders: Folders, own: Path, tmp_path: Path
) -> None:
    home = tmp_path / "run"
    home.mkdir()
    there = folders.settle(own, home, "build")
    assert not there.is_symlink()
    written(there / "a.txt")
    assert (own / "a.txt").read_text("utf-8") == "a.txt"


def test_without_a_write_folder_a_program_runs_in_its_own(folders: Folders, own: Path) -> None:
    assert folders.settle(own, None, "build") == own
