"""Whole programs, in processes of their own, as those who have them would play them."""

from __future__ import annotations

import os
import textwrap
from importlib.util import find_spec

import pytest

import harness
from harness.errors import ArgumentError, ConfigError, GameError, RunFailed, UnknownName
from harness.values.run import RunRequest
from harness.worker.isolation import FORKS

ISOLATIONS = ["fork", "spawn"] if FORKS else ["spawn"]

LOOP = """
    import random
    import pygame

    LEVEL = 7

    def main():
        pygame.init()
        screen = pygame.display.set_mode((320, 240))
        clock = pygame.time.Clock()
        x, lives, score = 100, 5, 0
        while True:
            for event in pygame.event.get():
                if event.type == pygame.QUIT:
                    return
                if event.type == pygame.KEYDOWN and event.key == pygame.K_SPACE:
                    lives -= 1
                if event.type == pygame.MOUSEBUTTONDOWN:
                    score += event.pos[0]
            keys = pygame.key.get_pressed()
            x += 2 * (keys[pygame.K_RIGHT] - keys[pygame.K_LEFT])
            x += random.choice((-1, 0, 1))
            screen.fill("black")
            pygame.draw.rect(screen, "red", (x, 100, 20, 20))
            pygame.display.flip()
            clock.tick(60)

    main()
    pygame.quit()
"""


def test_input_reaches_a_program_and_its_locals_are_names(program):
    play = program(LOOP)
    script = "space@30+4, right@60-200, click(32,24)@210"
    run = play.run(
        RunRequest(frames=240, seed=1, input=script, print=("lives", "score", "x > 300"))
    )
    assert run.frames[240] == {"lives": 4, "score": 32, "x > 300": True}
    assert play.value("LEVEL") == 7
    assert play.value("frame") == 240
    assert play.value("time") == pytest.approx(4)


def test_a_press_is_in_the_frame_that_it_is_written_for(program):
    play = program(LOOP)
    play.step(9)
    assert play.value("lives") == 5
    play.tap("space")
    assert play.value("lives") == 4


def test_until_waits_for_a_name_inside_main(program):
    play = program(LOOP)
    assert play.until("lives < 3", within=300, input="space@20, space@40, space@60") == 60
    with pytest.raises(RunFailed, match=r"lives < 0 never became True.*last value False"):
        play.until("lives < 0", within=20)


def test_a_name_that_is_nowhere_is_told_with_those_that_are(program):
    play = program(LOOP)
    with pytest.raises(UnknownName, match=r"no name 'livs'; this game has: lives, "):
        play.value("livs")
    names = play.names()
    assert (names["lives"], names["keys"]) == (5, "ScancodeWrapper")


LATER = """
    import pygame
    pygame.init()
    screen = pygame.display.set_mode((50, 50))
    clock = pygame.time.Clock()

    def show():
        pygame.event.get()
        pygame.display.flip()
        clock.tick(60)

    class Level:
        def __init__(self):
            self.coins = 0
        def play(self):
            for turn in range(100):
                self.coins += 1
                show()

    for _ in range(10):
        show()
    Level().play()
"""


def test_what_is_printed_and_asserted_waits_for_its_names_too(game_run, program):
    play = program(LATER)
    run = game_run(
        play, frames=12, print=["turn", "len('ab')"], every=6, **{"assert": ["coins > 0", "frame"]}
    )
    assert dict(run.frames) == {6: {"len('ab')": 2}, 12: {"turn": 2, "len('ab')": 2}}
    assert run.notes == (
        "assert coins > 0 was looked at from frame 10 on, where its names are there",
    )
    run = game_run(play, frames=30, input="key:a@1", **{"assert": "coins < 5"}, print="coins")
    assert (run.status, run.frame, run.failure.expression) == ("failed", 14, "coins < 5")
    for asked in ({"print": "gems"}, {"assert": "gems > 1"}):
        with pytest.raises(UnknownName, match="no name 'gems'; this game has: "):
            game_run(play, frames=20, record="gems.movie", **asked)
    assert not (play.path.parent / "gems.movie").exists()


def test_an_assert_whose_names_never_came_does_not_pass_when_the_game_ends(game_run, program):
    run = game_run(program(LATER), frames=200, **{"assert": "gems > 1"})
    assert (run.status, run.stopped) == ("failed", "exit")
    assert "before assert gems > 1 had its names" in run.failure.message


def test_a_name_that_comes_later_is_waited_for(program):
    play = program(LATER)
    assert play.until("coins >= 3", within=60) == 12
    assert play.value("turn") == 2
    play.reset()
    with pytest.raises(UnknownName, match="no name 'gems'"):
        play.until("gems > 1", within=5)


def test_savestates_of_a_program_go_on_exactly(program):
    play = program(LOOP, seed=4)
    play.step(50)
    play.save("there")
    ends = []
    for _ in range(2):
        play.load("there")
        play.step(40, input="random(left,right,space)@1-40")
        ends.append((play.value("x"), play.value("lives"), play.screenshot().hash))
    assert ends[0] == ends[1]
    play.reset()
    play.step(50)
    play.step(40, input="random(left,right,space)@1-40")
    assert (play.value("x"), play.value("lives"), play.screenshot().hash) == ends[0]


def test_forks_and_fresh_processes_give_the_same(program):
    request = RunRequest(frames=120, seed=9, input="random(left,right,space)@1-120")
    forked, spawned = (program(LOOP, isolation=how).run(request) for how in ("auto", "spawn"))
    assert forked.state_hash == spawned.state_hash
    assert [m.trail for m in forked.movie.marks] == [m.trail for m in spawned.movie.marks]


def test_another_seed_is_another_run(program):
    play = program(LOOP)
    hashes = {play.run(RunRequest(frames=20, seed=seed)).state_hash for seed in (1, 1, 2)}
    assert len(hashes) == 2


def test_a_picture_is_what_the_window_shows(program):
    play = program(LOOP)
    picture = play.screenshot()
    assert picture.size == (320, 240)
    x = play.value("x")
    assert picture.pixels[3 * (110 * 320 + x + 5) :][:3] == b"\xff\x00\x00"
    assert play.screenshot(width=160).size == (160, 120)
    with pytest.raises(ArgumentError, match="camera: a program has none"):
        play.screenshot(camera="left")


def test_a_program_is_never_played_in_this_process(program):
    with pytest.raises(ArgumentError, match="in a process of its own; give auto, fork or spawn"):
        program(LOOP, isolation="in-process")


def test_an_error_names_the_users_own_file_and_line(program, tmp_path):
    play = program(
        """
        import pygame, helper
        pygame.init()
        screen = pygame.display.set_mode((50, 50))
        for turn in range(9):
            pygame.event.get()
            pygame.display.flip()
            pygame.time.wait(20)
            helper.check(turn)
        """,
        helper="def check(turn):\n    return 1 / (3 - turn)\n",
    )
    with pytest.raises(GameError, match=r"helper\.py:2: ZeroDivisionError") as raised:
        play.step(20)
    error = raised.value.run.error
    assert (error.file, error.line, error.frame) == ("helper.py", 2, 4)
    assert error.traceback[0].startswith("main.py:9: <module>:")
    play.reset()
    assert play.step(2) == 2


def test_an_error_about_a_file_names_the_users_own_folder(program, tmp_path):
    play = program("import pygame\npygame.image.load('missing.png')\n")
    with pytest.raises(GameError, match="missing") as raised:
        play.reset()
    assert repr(str(tmp_path)) in raised.value.run.error.message
    assert "playtest-" not in str(raised.value)


@pytest.mark.parametrize(
    ("end", "status"),
    [
        ("", 0),
        ("raise SystemExit", 0),
        ("import sys; sys.exit(3)", 3),
        ("import sys; sys.exit('with a message')", 1),
        ("import os; os._exit(4)", 4),
        ("try:\n    import os; os._exit(5)\nfinally:\n    1 / 0", 5),
        ("pygame.quit(); quit()", 0),
    ],
)
def test_a_program_that_ends_itself_ends_its_run(program, end, status):
    loop = """
        import pygame
        pygame.init()
        screen = pygame.display.set_mode((50, 50))
        for turn in range(9):
            pygame.event.get()
            pygame.display.flip()
            pygame.time.wait(20)
    """
    run = program(f"{textwrap.dedent(loop)}\n{end}\n").run(RunRequest(frames=60))
    assert (run.stopped, run.frame) == ("exit", 8)
    assert run.passed == (status == 0)


def test_a_program_that_shows_nothing_ends_before_its_first_frame(program):
    run = program("print('hello')\n").run(RunRequest(frames=5))
    assert run.error is not None
    assert "ended itself with status 0 before its first frame" in run.error.message


def test_a_program_that_swallows_everything_plays_on(program):
    run = program("""
        import sys, pygame
        pygame.init()
        screen = pygame.display.set_mode((50, 50))
        n = 0
        while True:
            try:
                n += 1
                pygame.event.get()
                pygame.display.flip()
                pygame.time.wait(20)
                if n > 5:
                    sys.exit(1)
            except BaseException:
                pass
    """).run(RunRequest(frames=30, print=("n",)))
    assert run.passed
    assert run.frames[30] == {"n": 31}


def test_a_program_that_quits_pygame_and_goes_on_is_told(program):
    run = program("""
        import pygame
        pygame.init()
        screen = pygame.display.set_mode((50, 50))
        n = 0
        while True:
            n += 1
            try:
                pygame.event.get()
                pygame.display.flip()
            except pygame.error:
                pass
            if n == 10:
                pygame.quit()
    """).run(RunRequest(frames=30))
    assert run.passed
    assert "the program called pygame.quit() and went on without a window" in run.notes


@pytest.mark.parametrize("isolation", ISOLATIONS)
def test_a_program_that_never_comes_to_a_frame_is_told_where_it_hangs(
    program, monkeypatch, isolation
):
    monkeypatch.setattr("harness.worker.seat.LOADING", 1.5)
    play = program("import pygame\nwhile True:\n    x = 1\n", isolation, budget=0.1)
    run = play.run(RunRequest(frames=5))
    assert run.error is not None
    assert (run.error.type, run.error.file) == ("Hung", "main.py")
    assert run.error.message == "it came to no first frame in 1.5 s"


@pytest.mark.parametrize("isolation", ISOLATIONS)
def test_what_a_program_loads_before_its_first_frame_is_not_held_to_the_budget_of_a_frame(
    program, isolation
):
    play = program(
        """
        import _thread
        import pygame
        pygame.init()
        screen = pygame.display.set_mode((50, 50))
        lock = _thread.allocate_lock()
        lock.acquire()
        lock.acquire(True, 2)  # really, as reading files does
        while True:
            pygame.event.get()
            pygame.display.flip()
        """,
        isolation,
        budget=1.0,
    )
    assert play.run(RunRequest(frames=5)).passed


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_the_budget_is_the_programs_own_and_not_for_what_is_loaded_before_it(program):
    play = program("import time\nwhile True:\n    time.sleep(1)\n", isolation="fork", budget=0.3)
    assert play.run(RunRequest(frames=5)).passed


def test_a_program_that_waits_for_a_key_is_idle_until_it_comes(program):
    play = program("""
        import pygame
        pygame.init()
        screen = pygame.display.set_mode((50, 50))
        started = False
        while not started:
            for event in pygame.event.get():
                started = started or event.type == pygame.KEYDOWN
        while True:
            pygame.event.get()
            pygame.display.flip()
    """)
    play.step(30)
    assert not play.value("started")
    play.tap("space")
    assert play.value("started")


def test_a_callback_of_pymunks_that_raises_ends_the_run_at_its_frame(program):
    run = program("""
        import pygame, pymunk
        pygame.init()
        screen = pygame.display.set_mode((50, 50))
        space = pymunk.Space()
        space.gravity = 0, 100
        floor = pymunk.Segment(space.static_body, (-50, 30), (50, 30), 2)
        body = pymunk.Body(1, 10)
        ball = pymunk.Circle(body, 5)
        ball.collision_type = 1
        space.add(floor, body, ball)

        def hit(arbiter, space, data):
            raise ValueError("ouch")

        space.on_collision(1, None, begin=hit)
        while True:
            pygame.event.get()
            space.step(1 / 60)
            pygame.display.flip()
            pygame.time.wait(16)
    """).run(RunRequest(frames=200))
    assert run.error is not None
    assert (run.error.type, run.error.message, run.error.line) == ("ValueError", "ouch", 14)
    assert 0 < run.frame < 200


def test_a_body_that_is_no_longer_finite_ends_the_run_at_its_frame(program):
    run = program("""
        import pygame, pymunk
        pygame.init()
        screen = pygame.display.set_mode((50, 50))
        space = pymunk.Space()
        body = pymunk.Body(1, 10)
        space.add(body)
        n = 0
        while True:
            n += 1
            if n == 10:
                body.velocity = float("nan"), 0
            pygame.event.get()
            space.step(1 / 60)
            pygame.display.flip()
            pygame.time.wait(16)
    """).run(RunRequest(frames=60))
    assert run.error is not None
    assert (run.error.type, run.frame) == ("NotFinite", 9)


def test_modules_of_a_program_go_before_others_of_their_name(program):
    play = program(
        """
        import pygame, queue, settings
        pygame.init()
        screen = pygame.display.set_mode((50, 50))
        while True:
            pygame.event.get()
            pygame.display.flip()
        """,
        queue="MINE = True\n",
        settings="SPEED = 12\n",
    )
    assert play.value("queue.MINE")
    assert play.value("SPEED") == 12


def test_a_program_that_awaits_is_played(program):
    play = program("""
        import asyncio, pygame
        pygame.init()
        screen = pygame.display.set_mode((50, 50))

        async def main():
            n = 0
            while True:
                n += 1
                pygame.event.get()
                pygame.display.flip()
                await asyncio.sleep(0)

        asyncio.run(main())
    """)
    play.step(30)
    assert play.value("n") == 31


def test_what_a_program_starts_of_its_own_kind_is_its_own(program):
    play = program("""
        import multiprocessing, pygame

        def work(queue):
            queue.put(42)

        if __name__ == "__main__":
            pygame.init()
            screen = pygame.display.set_mode((50, 50))
            queue = multiprocessing.Queue()
            child = multiprocessing.Process(target=work, args=(queue,))
            child.start()
            answer = queue.get(timeout=20)
            child.join()
            while True:
                pygame.event.get()
                pygame.display.flip()
    """)
    assert play.value("answer") == 42


def test_a_program_that_has_changed_is_played_as_it_is(program, tmp_path):
    play = program(LOOP)
    assert play.value("lives") == 5
    text = (tmp_path / "main.py").read_text(encoding="utf-8")
    (tmp_path / "main.py").write_text(text.replace("100, 5, 0", "100, 9, 0"), encoding="utf-8")
    play.reset()
    assert play.value("lives") == 9


def test_what_is_no_program_for_pygame_is_refused_at_once(tmp_path):
    (tmp_path / "main.py").write_text("import arcade\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="a program for arcade"):
        harness.open(tmp_path)


def test_a_global_and_an_attribute_are_set_and_a_local_is_refused(program):
    play = program("""
        import pygame
        lives = 3

        class Game:
            def __init__(self):
                self.score = 0
            def run(self):
                speed = [2]
                while True:
                    pygame.event.get()
                    self.score += speed[0]
                    pygame.display.flip()

        pygame.init()
        screen = pygame.display.set_mode((50, 50))
        Game().run()
    """)
    play.run(RunRequest(frames=5, assignments=("lives=9", "score=100", "speed[0]=1")))
    assert play.value("(lives, score)") == [9, 105]
    with pytest.raises(ArgumentError, match="speed: is a local of a function"):
        play.edit("speed", 3)
    with pytest.raises(UnknownName, match="no name 'nothing'; this game has: lives"):
        play.edit("nothing", 3)


def test_a_run_is_compared_with_itself_without_its_input(program):
    run = program(LOOP).run(RunRequest(frames=60, input="space@20", against="no-input"))
    assert run.against is not None
    assert (run.against.frame, run.against.name) == (20, "lives")
    assert (run.against.here, run.against.there) == (4, 5)


def test_a_reset_is_a_start_from_nothing(program):
    play = program(
        """
        import pygame, random
        import counting
        counting.starts += 1
        starts = counting.starts
        drawn = random.random()
        pygame.init()
        screen = pygame.display.set_mode((50, 50))
        while True:
            pygame.event.get()
            pygame.display.flip()
            pygame.time.wait(10)
    """,
        counting="starts = 0\n",
        seed=3,
    )
    play.step(3)
    first = play.value("(starts, drawn, time)")
    play.reset()
    play.step(3)
    assert play.value("(starts, drawn, time)") == first
    assert first[0] == 1


@pytest.mark.skipif(find_spec("pgzero") is not None, reason="pygame-zero is installed here")
def test_a_program_for_pygame_zero_says_what_it_needs(program):
    play = program("def draw():\n    screen.clear()\n")
    with pytest.raises(ConfigError, match="for pygame-zero, which is not installed\n  pip install"):
        play.step()


def test_a_program_is_given_its_command_line_and_what_it_asks_for_before_it_starts(
    program, tmp_path
):
    (tmp_path / "harness.yaml").write_text(
        "script: main.py\narguments: --level 3\nstdin: [Ann]\n", encoding="utf-8"
    )
    play = program(
        """
        import argparse
        import pygame

        parser = argparse.ArgumentParser()
        parser.add_argument("--level", type=int, required=True)
        level = parser.parse_args().level
        name = input("Who plays? ")
        pygame.display.set_mode((64, 48))
        while True:
            pygame.event.get()
            pygame.display.flip()
        """
    )
    for _ in range(2):
        play.reset()
        play.step(2)
        assert (play.value("level"), play.value("name")) == (3, "Ann")
    assert play.notes == []


@pytest.mark.parametrize(
    "how",
    [
        "runpy.run_path('levels/one.py', run_name='__main__')",
        "exec(compile(open('levels/one.py').read(), 'levels/one.py', 'exec'))",
        "exec(compile(open('levels/one.py').read(), os.path.abspath('levels/one.py'), 'exec'))",
    ],
)
def test_what_a_program_compiles_itself_is_its_own_file(program, tmp_path, how):
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels" / "one.py").write_text(
        textwrap.dedent("""
            import pygame
            pygame.display.set_mode((64, 48))
            hero = pygame.Rect(1, 2, 3, 4)
            for step in range(5):
                pygame.display.flip()
            raise ValueError("over")
        """),
        encoding="utf-8",
    )
    play = program(f"import os, runpy\n{how}\n")
    assert play.value("step") == 0
    assert play.inspect("hero").box == (1, 2, 3, 4)
    with pytest.raises(GameError, match=r"levels/one\.py:7: ValueError: over"):
        play.step(10)


def test_a_program_that_starts_another_in_its_place_has_ended(program):
    play = program(
        """
        import os, sys
        import pygame

        pygame.display.set_mode((64, 48))
        while not pygame.event.get(pygame.KEYDOWN):
            pygame.display.flip()
        os.execl(sys.executable, sys.executable, *sys.argv)
        """
    )
    run = play.run(RunRequest(frames=30, input="r@10"))
    assert (run.status, run.stopped) == ("passed", "exit")
    assert any("main.py in its own place" in note for note in run.notes)


def test_the_paths_that_a_program_is_told_are_as_long_in_every_process(program):
    text = """
        import os, tempfile
        import pygame
        paths = [__file__, os.getcwd(), os.path.expanduser("~"), tempfile.gettempdir()]
        pygame.init()
        screen = pygame.display.set_mode((50, 50))
        while True:
            pygame.event.get()
            pygame.display.flip()
    """
    told = []
    for isolation in [*ISOLATIONS, *ISOLATIONS]:
        play = program(text, isolation)
        play.step(2)
        told.append([len(path) for path in play.value("paths")])
    assert told == told[:1] * len(told)
