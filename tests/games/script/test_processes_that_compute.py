"""Processes that a program starts of itself: waited for where they work, and else named."""

from __future__ import annotations

import os
from typing import Any

import pytest

from harness.replay import second_run
from harness.values.run import RunRequest

HEAD = """\
import multiprocessing, os, time
import pygame

def think(board, answers):
    number = board
    for i in range(200000):
        number = (number * 31 + i) % 1000003
    answers.put(number)

def waits():
    time.sleep(1e6)
    __import__("select").select([], [], [])

def main():
    pygame.init()
    screen = pygame.display.set_mode((64, 64))
    clock = pygame.time.Clock()
    answers = multiprocessing.Queue()
    thinker, board, count = None, 1, 0
{begin}
    while True:
        count += 1
        pygame.event.get()
{act}
        screen.fill((board % 256, board // 256 % 256, count % 256))
        pygame.display.flip()
        clock.tick(60)

if __name__ == "__main__":
    main()
"""


def _program(begin: str = "pass", act: str = "pass") -> str:
    lines = {"begin": (begin, 4), "act": (act, 8)}
    told = {
        name: "\n".join(" " * indent + line for line in text.splitlines())
        for name, (text, indent) in lines.items()
    }
    return HEAD.format(**told)


CHESS = """\
if thinker is None and count % 10 == 1:
    thinker = multiprocessing.Process(target=think, args=(board, answers))
    thinker.start()
if thinker is not None and not thinker.is_alive():
    board, thinker = answers.get(), None
"""


def test_a_move_that_a_process_computes_comes_in_the_same_frame_each_time(program: Any) -> None:
    play = program(_program(act=CHESS))
    play.step(30)
    assert play.value("board") != 1
    assert play.notes == []
    movie = play.movie()
    here, late = (second_run(play.path, movie, None, "1", late=late) for late in (False, True))
    assert here is not None
    assert late is not None
    assert here.first_difference(late) is None


def test_a_program_with_locks_between_processes_begins_anew_the_same(program: Any) -> None:
    play = program(_program())
    assert len({play.run(RunRequest(frames=5)).state_hash for _ in range(4)}) == 1


def test_a_process_that_does_not_end_is_named_and_waited_for_in_real_time(program: Any) -> None:
    begin = (
        "p = multiprocessing.Process(target=waits)\np.start()\np.join(0.1)\nalive = p.is_alive()"
    )
    play = program(_program(f"{begin}\np.kill()\np.join()"))
    play.step(3)
    assert play.value("alive") is True
    assert play.value("p.exitcode") == -9
    assert [note.partition(":")[0] for note in play.notes] == [
        "the game runs a process of its own, waits (main.py"
    ]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.parametrize(
    "act", ["if count == 3: os.fork()", "if count == 3 and not os.fork(): return"]
)
def test_a_fork_that_goes_on_is_in_nobodys_way(program: Any, act: str) -> None:
    play = program(_program(act=act))
    run = play.run(RunRequest(frames=10, print=("count",)))
    assert (run.status, run.frames[10]["count"]) == ("passed", 11)
    assert any("forked at main.py" in note for note in run.notes)
    assert play.run(RunRequest(frames=10)).state_hash == run.state_hash


@pytest.mark.parametrize("kind", ["KeyboardInterrupt", "type('Mine', (BaseException,), {})"])
def test_what_no_handler_takes_for_an_error_is_the_programs_error(program: Any, kind: str) -> None:
    run = program(_program(act=f"if count == 3: raise {kind}('x')")).run(RunRequest(frames=10))
    assert run.error is not None
    assert (run.error.line, run.error.frame, run.error.message) == (24, 2, "x")


def test_a_program_whose_folder_is_gone_goes_on(program: Any) -> None:
    act = "if count == 3:\n    os.mkdir('d'); os.chdir('d'); os.rmdir('../d')"
    assert program(_program(act=act)).run(RunRequest(frames=10)).passed


def test_what_python_draws_once_in_a_process_makes_no_run_differ_from_the_next(
    program: Any,
) -> None:
    play = program(_program("import tempfile\nname = tempfile.mkdtemp()"))
    runs = [play.run(RunRequest(frames=3, seed=seed, print=("name",))) for seed in (1, 1, 2, 1)]
    first, again, other, last = (run.state_hash for run in runs)
    assert first == again == last != other
    assert runs[0].frames == runs[3].frames
