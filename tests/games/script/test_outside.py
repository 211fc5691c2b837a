from __future__ import annotations

import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest

from harness.games.script.outside import Outside
from harness.games.script.runtime import Runtime


@pytest.fixture
def notes(interposed: Callable[..., Any], runtime: Runtime) -> list[str]:
    interposed(Outside)
    return runtime.notes


def test_a_connection_to_elsewhere_is_refused_at_once_and_noted(notes: list[str]) -> None:
    with pytest.raises(ConnectionRefusedError, match=r"no connection to 192\.0\.2\.1:80: a test"):
        socket.create_connection(("192.0.2.1", 80), timeout=60)
    with socket.socket() as sock:
        assert sock.connect_ex(("192.0.2.1", 80)) != 0
    with socket.socket(type=socket.SOCK_DGRAM) as sock, pytest.raises(ConnectionRefusedError):
        sock.sendto(b"x", ("192.0.2.1", 9))
    assert notes[0] == (
        "the game wanted to connect to 192.0.2.1:80, and was refused: a test has no network"
    )


def test_names_of_elsewhere_are_not_looked_up(notes: list[str]) -> None:
    with pytest.raises(urllib.error.URLError, match="a test has no network"):
        urllib.request.urlopen("http://scores.example.org/top", timeout=60)
    with pytest.raises(socket.gaierror, match="a test has no network"):
        socket.gethostbyname("scores.example.org")
    assert "scores.example.org:80" in notes[0]


def test_the_own_machine_is_reached_and_noted(notes: list[str]) -> None:
    with socket.socket() as server, socket.socket() as sock:
        server.bind(("127.0.0.1", 0))
        server.listen()
        sock.connect(server.getsockname())
        other, _ = server.accept()
        other.sendall(b"hello")
        assert sock.recv(5) == b"hello"
        other.close()
    assert len(notes) == 1
    assert "the same bits cannot be promised" in notes[0]


def test_the_harness_itself_has_its_network(notes: list[str], runtime: Runtime) -> None:
    runtime.playing = False
    with socket.socket(type=socket.SOCK_DGRAM) as sock:
        sock.connect_ex(("192.0.2.1", 9))  # a datagram's connection sends nothing
    assert notes == []


def test_reading_what_nobody_types_is_at_its_end_at_once(
    notes: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(EOFError, match="nobody types in a test"):
        input("name? ")
    assert capsys.readouterr().out == "name? "
    assert sys.stdin.readline() == ""
    assert sys.stdin.read() == ""
    assert list(sys.stdin) == []
    assert not sys.stdin.isatty()
    assert [note.partition(",")[0] for note in notes] == [
        "the game reads input()",
        "the game reads its standard input",
    ]


def test_lines_that_were_typed_before_are_read_one_after_the_other(
    interposed: Callable[..., Any], runtime: Runtime, capsys: pytest.CaptureFixture[str]
) -> None:
    (outside,) = interposed(Outside)
    for _ in range(2):
        outside.lines = ("Ann", "", "3", "left", "over")
        outside.begin()
        assert [input("name? "), input(), sys.stdin.readline()] == ["Ann", "", "3\n"]
        assert sys.stdin.read(2) == "le"
        assert list(sys.stdin) == ["ft\n", "over\n"]
    assert capsys.readouterr().out == "name? " * 2
    with pytest.raises(EOFError, match=r"nobody types in a test but the lines of stdin"):
        input()


def test_another_program_runs_and_is_noted(notes: list[str]) -> None:
    assert subprocess.run([sys.executable, "-c", "pass"], check=True).returncode == 0
    os.system("exit 0")
    assert [note.partition(":")[0] for note in notes] == [
        f"the game starts another program, {os.path.basename(sys.executable)}",
        "the game starts another program, exit",
    ]


def test_the_fonts_that_pygame_asks_the_system_for_are_no_business_of_anybody(
    notes: list[str],
) -> None:
    import pygame.sysfont

    pygame.sysfont.initsysfonts()
    assert notes == []
