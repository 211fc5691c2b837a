"""Whole programs that reach for what a test has not, or that have it in another way."""

from __future__ import annotations

import os
import re
import time
import wave
from typing import Any

import pytest

from harness.values.run import RunRequest

PROGRAM = """
    import os, random, sys, threading, time
    import pygame

    pygame.init()
    screen = pygame.display.set_mode((64, 48))
    clock = pygame.time.Clock()
    frame = 0
    {before}
    while True:
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                raise SystemExit
        frame += 1
        {each}
        pygame.display.flip()
        clock.tick(60)
"""


def looping(before: str = "", each: str = "") -> str:
    return PROGRAM.format(
        before=before.replace("\n", "\n    "), each=each.replace("\n", "\n        ")
    )


@pytest.mark.parametrize(
    ("reaches", "error", "note"),
    [
        (
            "import urllib.request; urllib.request.urlopen('http://example.org/scores')",
            "URLError: .*a test has no network",
            "wanted to connect to example.org:80",
        ),
        ("name = input('name? ')", "EOFError: .*nobody types in a test", "reads input()"),
        (
            "pygame.display.set_mode((64, 48), pygame.OPENGL)",
            "error: OPENGL: a game is drawn without",
            "OPENGL",
        ),
        ("import pygame.camera; pygame.camera.Camera('x')", "error: no camera", ""),
    ],
)
def test_what_a_test_has_not_is_the_runs_error_at_its_line(
    program: Any, reaches: str, error: str, note: str
) -> None:
    play = program(looping(each=f"if frame == 4: {reaches}"))
    began = time.monotonic()
    run = play.run(RunRequest(frames=20))
    assert time.monotonic() - began < 20
    assert run.status == "error"
    assert re.match(error, f"{run.error.type}: {run.error.message}")
    assert (run.error.file, run.error.line) == ("main.py", 15)
    assert any(note in each for each in run.notes) or not note


def test_a_program_that_catches_it_goes_on_and_the_note_stays(program: Any) -> None:
    play = program(
        looping(
            each="try:\n    socket.create_connection(('192.0.2.7', 80))\n"
            "except OSError:\n    offline = True",
            before="import socket",
        )
    )
    run = play.run(RunRequest(frames=5, print=("offline",)))
    assert run.frames[5] == {"offline": True}
    assert run.notes == (
        "the game wanted to connect to 192.0.2.7:80, and was refused: a test has no network",
    )


SAVES = """
import json
from pathlib import Path
save = Path(__file__).resolve().parent / "save.json"
score = json.loads(save.read_text()) if save.exists() else 0
"""


def test_a_replay_leaves_the_programs_tree_and_the_users_home_as_they_were(
    program: Any,
    tmp_path: Any,
    monkeypatch: pytest.MonkeyPatch,
    harness_process: Any,
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    movie = str(tmp_path / "a.movie")
    play = program(
        looping(
            SAVES + "settings = Path.home() / 'settings'\n",
            "score += 1; save.write_text(str(score)); settings.write_text('')",
        )
    )
    play.run(RunRequest(frames=5, record=movie))
    before = sorted(tmp_path.rglob("*"))
    replayed = harness_process("replay", "main.py", movie)
    assert (replayed.returncode, replayed.stdout[:5]) == (0, "same:")
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("isolation", ["fork", "spawn"])
def test_a_program_that_writes_leaves_its_own_tree_as_it_was(
    program: Any, tmp_path: Any, isolation: str
) -> None:
    if isolation == "fork" and not hasattr(os, "fork"):
        pytest.skip("no fork here")
    play = program(
        looping(SAVES, "if frame % 10 == 0: score += 1; save.write_text(str(score))"),
        isolation=isolation,
    )
    play.reset(seed=1)
    play.step(15)
    play.save("one")
    play.step(10)
    assert play.value("(score, save.read_text())") == [2, "2"]
    play.load("one")
    assert play.value("(score, save.read_text())") == [1, "1"]
    play.step(10)
    assert play.value("(score, save.read_text())") == [2, "2"]
    play.reset(seed=1)
    assert play.value("score") == 0
    assert sorted(os.listdir(tmp_path)) == ["main.py"]


THREADED = """
hits = []
def spawner():
    while True:
        time.sleep(0.05)
        hits.append((frame, random.random()))
thread = threading.Thread(target=spawner)
thread.start()
"""


def test_a_program_with_a_thread_gives_the_same_bits_and_ends_with_the_play(program: Any) -> None:
    play = program(looping(THREADED))
    run = play.run(RunRequest(frames=30, seed=5, print=("len(hits)",)))
    assert run.frames[30]["len(hits)"] >= 5
    assert run.notes == ()
    assert play.run(run.request).state_hash == run.state_hash
    began = time.monotonic()
    play.close()
    assert time.monotonic() - began < 10


CHANCE = """
import secrets, uuid
own = random.Random()
drawn = [random.random(), own.random(), os.urandom(4), secrets.token_hex(3), str(uuid.uuid4())]
"""


def test_chance_from_everywhere_is_the_seeds(program: Any) -> None:
    play = program(looping(CHANCE, "drawn.append(own.random() + random.random())"))
    drawn = {
        seed: [
            play.run(RunRequest(frames=3, seed=seed, print=("drawn",))).frames[3]["drawn"]
            for _ in range(2)
        ]
        for seed in (1, 2)
    }
    assert drawn[1][0] == drawn[1][1]
    assert not set(map(str, drawn[1][0])) & set(map(str, drawn[2][0]))


SOUND = """
sound = pygame.mixer.Sound("blip.wav")
channel = sound.play()
channel.set_endevent(pygame.USEREVENT + 1)
ended = 0
"""


def test_a_sound_goes_on_where_a_savestate_was_made(program: Any, tmp_path: Any) -> None:
    with wave.open(str(tmp_path / "blip.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(bytes(2 * 8000))
    play = program(looping(SOUND, "if not channel.get_busy() and not ended: ended = frame"))
    play.reset(seed=0)
    play.step(30)
    play.save("in the middle")
    play.until("ended", within=60)
    ended = play.value("ended")
    assert 59 <= ended <= 62
    play.load("in the middle")
    assert play.value("len(sound.get_raw())") == 4 * 44100
    play.until("ended", within=60)
    assert play.value("ended") == ended


ODD = """
info = pygame.display.Info()
class Closed(list):
    def __iter__(self):
        raise TypeError("nobody looks in here")
closed = Closed([1])
"""


@pytest.mark.parametrize("name", ["info", "closed"])
def test_what_refuses_to_be_looked_at_is_shown_as_its_type(program: Any, name: str) -> None:
    play = program(looping(ODD, "keys = pygame.key.get_pressed()"))
    play.reset(seed=0)
    assert play.value(name) == play.value(f"type({name}).__name__")
    assert play.names()["closed"] == "Closed"


WINDOW = """
from pygame._sdl2 import video
renderer = video.Renderer(video.Window("own", (32, 24)))
"""


def test_a_shot_is_of_the_window_that_was_shown_last(program: Any) -> None:
    each = "renderer.draw_color = (9, 8, 7, 255); renderer.clear(); renderer.present()"
    play = program(looping(WINDOW, each).replace("pygame.display.flip()", "pass"))
    play.reset(seed=0)
    play.step(2)
    picture = play.screenshot()
    assert picture.size == (32, 24)
    assert picture.pixels[:3] == bytes((9, 8, 7))
