from __future__ import annotations

import pytest

from harness.errors import ConfigError, UnknownName
from harness.games.folder import find_game, read_folder
from harness.games.script.sources import module_file, read_sources


def test_a_program_is_a_file_or_a_folder_with_a_main(written, tmp_path):
    main = written("main.py")
    other = written("other.py")
    assert find_game(main) == find_game(tmp_path) == main
    assert find_game("other.py", tmp_path) == other
    folder = read_folder(main)
    assert (folder.script, folder.id, folder.scenes) == (main, tmp_path.name, ("main",))
    assert read_folder(other).id == "other"


def test_a_file_without_a_suffix_is_a_program_if_its_first_line_names_python(written, tmp_path):
    for line in ("#!/usr/bin/env python3\n", "#!/usr/bin/python -O\n", "#! /opt/python3.12\n"):
        file = written("bin/game", f"{line}import pygame\n")
        assert find_game(file) == file
        assert read_folder(file).script == file
    for line in ("#!/bin/sh\n# python\n", "import pygame\n", "#!/usr/bin/pythonic\n", ""):
        with pytest.raises(ConfigError, match="is no game; the harness drives programs"):
            find_game(written("bin/game", line))


def test_a_folder_of_programs_asks_which(written, tmp_path):
    written("one.py")
    written("two.py")
    with pytest.raises(ConfigError, match=r"no main\.py\n  name the program to run; it has: one"):
        find_game(tmp_path)


def test_a_harness_yaml_may_name_a_program(written, tmp_path):
    script = written("src/run.py")
    written("harness.yaml", "script: src/run.py\nbuttons: {jump: space}\npads: 1\n")
    folder = read_folder(find_game(tmp_path))
    assert (folder.script, folder.entry, folder.own, folder.pads) == (script, "", tmp_path, 1)


@pytest.mark.parametrize(
    ("text", "arguments", "stdin"),
    [
        ("arguments: --level 3 'a b'\n", ("--level", "3", "a b"), ()),
        ("arguments: [--level, 3]\nstdin: [Ann, 2]\n", ("--level", "3"), ("Ann", "2")),
        ("stdin: |\n  Ann\n\n  y\n", (), ("Ann", "", "y")),
    ],
)
def test_a_harness_yaml_gives_a_program_its_arguments_and_what_it_reads(
    written, tmp_path, text, arguments, stdin
):
    written("main.py")
    written("harness.yaml", f"script: main.py\n{text}")
    folder = read_folder(tmp_path)
    assert (folder.arguments, folder.stdin) == (arguments, stdin)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("script: nowhere.py\n", "script: must be a Python file"),
        ("script: main.py\nentry: a:B\n", "script: stands in place of entry"),
        ("script: main.py\npads: 9\n", "pads: must be 0 to 4"),
        ("script: main.py\narguments: {a: 1}\n", r"arguments: must be a text or a list of texts"),
        ("script: main.py\narguments: [true]\n", r"not \[True\]"),
        ("script: main.py\narguments: --name 'Ann\n", "arguments: no closing quotation in"),
        ("script: main.py\nstdin: 3\n", r"stdin: must be .*, one for each input\(\), not 3"),
    ],
)
def test_a_harness_yaml_that_does_not_fit_is_refused(written, tmp_path, text, message):
    written("main.py")
    written("harness.yaml", text)
    with pytest.raises(ConfigError, match=message):
        read_folder(tmp_path)


@pytest.mark.parametrize("library", ["arcade", "pyglet", "kivy", "ursina"])
def test_a_program_for_another_library_is_refused(written, library):
    written("engine.py", f"from {library} import window\n")
    main = written("main.py", "import engine\n")
    with pytest.raises(ConfigError, match=rf"main\.py is a program for {library}; the harness"):
        read_folder(main)


def test_a_program_that_may_use_another_library_too_is_played(written):
    read_folder(written("main.py", "import pygame\nimport tkinter\n"))


def test_pygame_zero_is_known_by_its_names(written):
    assert read_sources(written("zero.py", "def draw():\n    screen.clear()\n")).zero
    told = "from pgzero.screen import Screen\nscreen: Screen\ndef draw(): screen.clear()\n"
    assert read_sources(written("typed.py", told)).zero
    builtin = "from pgzero.builtins import keyboard\ndef update(): keyboard.left\n"
    assert read_sources(written("builtin.py", builtin)).zero
    itself = "import pgzrun\ndef draw(): screen.clear()\n"
    assert read_sources(written("mu.py", itself)).zero
    assert not read_sources(written("own.py", f"{itself}pgzrun.go()\n")).zero
    assert not read_sources(written("plain.py", "def draw(screen):\n    screen.fill(0)\n")).zero


def test_what_is_broken_is_left_to_python(written):
    assert read_sources(written("broken.py", "import = 1\n")).imports == frozenset()


def test_a_module_is_found_without_being_imported():
    file = module_file("pygame.examples.aliens")
    assert (file.name, file.parent.name) == ("aliens.py", "examples")
    assert find_game("-m pygame.examples.aliens") == file
    with pytest.raises(UnknownName, match="no module named 'nowhere'"):
        module_file("nowhere")
    with pytest.raises(ConfigError, match=r"no __main__\.py"):
        module_file("json")


def test_a_module_of_folders_without_an_init_is_found(written, tmp_path, monkeypatch):
    file = written("outer/inner/game.py")
    main = written("outer/app/__main__.py")
    monkeypatch.chdir(tmp_path)
    assert find_game("-m outer.inner.game") == file
    assert find_game("-m outer.app") == main
    for name in ("outer.inner.nothing", "outer.nothing.game", "inner.game"):
        with pytest.raises(UnknownName, match=f"no module named '{name}'"):
            find_game(f"-m {name}")
    with pytest.raises(ConfigError, match=r"-m outer\.inner: the package has no __main__\.py"):
        find_game("-m outer.inner")
