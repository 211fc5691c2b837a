"""Programs that fork, and that start processes and other programs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from harness.games.script.processes import Processes
from harness.games.script.runtime import MILLISECOND, Runtime

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

LOOP = """
    def played():
        import pygame
        pygame.init()
        pygame.display.set_mode((64, 48))
        clock = pygame.time.Clock()
        while True:
            pygame.event.get()
            pygame.display.flip()
            yield
            clock.tick(60)
"""

FORKS = """
    import os, sys, threading, time
    import pygame
    from loop import played

    def wait_for_it():
        began = time.monotonic()
        while time.monotonic() < began + 0.01:
            pass
        for _ in range(20):
            time.sleep(0.001)
        for frame, _ in enumerate(played()):
            pygame.event.wait(1)
            if frame == 20:
                break
        threading.Timer(0.001, lambda: None).start()

    child = os.fork()
    if child == 0:
        wait_for_it()
        {ends}
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    for _ in played():
        alive = True
"""


@forks
@pytest.mark.parametrize(
    ("ends", "status"),
    [
        ("sys.exit()", 0),
        ("sys.exit(3)", 3),
        ("sys.exit('no')", 1),
        ("os._exit(4)", 4),
        ("raise ValueError('in the child')", 1),
    ],
)
def test_a_process_that_a_program_forks_goes_on_and_ends_as_the_program(program, ends, status):
    play = program(FORKS.format(ends=ends), loop=LOOP)
    play.step(3)
    assert play.value("status") == status
    assert play.value("frame") == 3
    assert "forked at main.py:18" in "".join(play.notes)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_the_answer_of_a_process_comes_while_the_frames_of_its_time_are_played(program, method):
    if method == "fork" and not hasattr(os, "fork"):
        pytest.skip("this system has no fork")
    play = program(
        f"""
        import multiprocessing, queue
        from loop import played
        from thinks import think

        if __name__ == "__main__":
            multiprocessing.set_start_method({method!r})
            answers, answer = multiprocessing.Queue(), None
            process = multiprocessing.Process(target=think, args=(6, answers), daemon=True)
            process.start()
            for _ in played():
                if answer is None and not answers.empty():
                    answer = answers.get()
        """,
        loop=LOOP,
        thinks="""
        import time

        def think(number, answers):
            time.sleep(2)
            answers.put(number * 7)
        """,
    )
    play.until("answer", within=590)
    assert play.value("answer") == 42
    assert "a process of its own, think (thinks.py:4)" in "".join(play.notes)


@forks
def test_what_a_process_of_a_program_writes_is_its_own_run_s(program, tmp_path):
    play = program(
        """
        import os, subprocess, sys
        from loop import played

        found = sorted(name for name in os.listdir() if name.endswith(".txt"))
        if os.fork() == 0:
            open("child.txt", "w").close()
            os._exit(0)
        os.wait()
        subprocess.run([sys.executable, "-c", "open('other.txt', 'w').close()"], check=True)
        open("own.txt", "w").close()
        left = sorted(name for name in os.listdir() if name.endswith(".txt"))
        for _ in played():
            pass
        """,
        loop=LOOP,
    )
    for _ in range(2):
        play.reset()
        assert play.value("found") == []
        assert play.value("left") == ["child.txt", "other.txt", "own.txt"]
    assert not list(tmp_path.glob("*.txt"))


def test_the_pace_of_the_real_clock_is_kept_while_another_program_lives(
    interposed: Callable[..., Any], runtime: Runtime
) -> None:
    interposed(Processes)
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    runtime.wait(MILLISECOND)
    assert runtime.company is not None
    process.communicate(b"\n")
    runtime.wait(MILLISECOND)
    assert runtime.company is None
