"""Threads of programs take turns: the same bits each time, and a word where that cannot be."""

from __future__ import annotations

import queue
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from harness.errors import GameError
from harness.games.script.runtime import Runtime
from harness.games.script.threads import Threads
from harness.replay import second_run
from harness.values.run import RunRequest

HEAD = """\
import os, queue, random, sys, threading, time
import pygame

pygame.init()
screen = pygame.display.set_mode((64, 64))
clock = pygame.time.Clock()
log = []
began = time.monotonic()

def told(word):
    log.append((word, round(time.monotonic() - began, 2)))

"""
LOOP = """\

while True:
    pygame.event.get()
    screen.fill((len(log) % 256, 0, 0))
    pygame.display.flip()
    clock.tick(60)
"""


@pytest.fixture
def threaded(program: Callable[..., Any]) -> Callable[..., Any]:
    """Open a program that does this, and then shows pictures for ever."""

    def write(text: str, loop: str = LOOP, **more: Any) -> Any:
        return program(HEAD + textwrap.dedent(text) + loop, **more)

    return write


def _same_elsewhere(play: Any, tmp_path: Any) -> bool:
    """Whether a slow process under another hash seed sees the same in every frame."""
    movie = play.movie()
    here = second_run(play.path, movie, None, "1")
    late = second_run(play.path, movie, None, "2", late=True)
    assert here is not None
    assert late is not None
    return here.first_difference(late) is None


THINKS = """
    moves = queue.Queue()
    def think(depth):
        number = 0
        for i in range(depth):
            number = (number * 31 + i) % 1000003
        moves.put(number)
    def play():
        threading.Thread(target=think, args=(200000,)).start()
"""
AI_LOOP = """
frame = move = 0
while True:
    frame += 1
    pygame.event.get()
    if frame % 10 == 1:
        play()
    try:
        move = moves.get_nowait()
    except queue.Empty:
        pass
    screen.fill((move % 256, move // 256 % 256, frame % 256))
    pygame.display.flip()
    clock.tick(60)
"""


def test_a_move_that_a_thread_computes_comes_in_the_same_frame_each_time(
    threaded: Any, tmp_path: Any
) -> None:
    play = threaded(THINKS, AI_LOOP)
    play.step(30)
    assert play.value("move") > 0
    assert _same_elsewhere(play, tmp_path)
    assert not any("thread" in note for note in play.notes)


WAITERS = """
    from concurrent.futures import ThreadPoolExecutor, as_completed
    import sched

    def work(number):
        time.sleep(number / 10)
        return number

    pool = ThreadPoolExecutor(3)
    futures = [pool.submit(work, n) for n in (5, 1, 3, 2)]
    def collect():
        for future in as_completed(futures):
            told(future.result())
    threading.Thread(target=collect, daemon=True).start()

    event, condition, jobs = threading.Event(), threading.Condition(), queue.Queue()
    threading.Timer(0.25, event.set).start()
    cancelled = threading.Timer(0.1, told, ["cancelled"])
    cancelled.start()
    cancelled.cancel()
    def waits():
        told(("event", event.wait(0.1)))
        told(("event", event.wait(9)))
        try:
            jobs.get(timeout=0.5)
        except queue.Empty:
            told("empty")
        told(jobs.get())
        with condition:
            told(("condition", condition.wait(0.05)))
        schedule = sched.scheduler()
        schedule.enter(0.2, 1, told, ("later",))
        schedule.enter(0.1, 1, told, ("sooner",))
        schedule.run()
    threading.Thread(target=waits, daemon=True).start()
    threading.Timer(1.0, jobs.put, ["job"]).start()
"""


def test_what_threads_wait_for_comes_in_virtual_time(threaded: Any, tmp_path: Any) -> None:
    play = threaded(WAITERS)
    began = time.monotonic()
    play.step(120)
    assert time.monotonic() - began < 20
    log = play.value("log")
    assert [entry[0] for entry in log] == [
        ["event", False], 1, ["event", True], 3, 2, 5, "empty", "job", ["condition", False],
        "sooner", "later",
    ]  # fmt: skip
    times = [entry[1] for entry in log]
    expected = [0.1, 0.1, 0.25, 0.3, 0.3, 0.5, 0.75, 1.0, 1.05, 1.15, 1.25]
    assert times == pytest.approx(expected, abs=0.011)
    assert _same_elsewhere(play, tmp_path)


SHOWS = """
    def loop():
        x = 5
        while True:
            for event in pygame.event.get():
                if event.type == pygame.KEYDOWN:
                    {act}
            x += 1
            screen.fill((x % 256, 0, 0))
            pygame.display.flip()
            clock.tick(60)

    game = threading.Thread(target=loop)
    game.start()
"""


@pytest.mark.parametrize("end", ["game.join()\n", "", "time.sleep(1e9)\n", "game.join(1e9)\n"])
def test_a_thread_that_shows_pictures_is_what_is_stepped(threaded: Any, end: str) -> None:
    play = threaded(SHOWS.format(act="pass"), end)
    play.step(30)
    assert play.value("x") == 36
    assert play.value("pygame.time.get_ticks()") == pytest.approx(30 * 1000 / 60, abs=2)
    play.save("there")
    play.step(5)
    play.load("there")
    assert play.value("x") == 36
    assert [note.partition(",")[0] for note in play.notes] == [
        "savestate 'there' is kept as a movie"
    ]


@pytest.mark.parametrize(
    ("act", "said"),
    [
        ("raise ValueError('boo')", "main.py:19: ValueError: boo (frame 3)"),
        ("while True: pass", "main.py:19: Hung: no frame was finished for 2 s (frame 3)"),
        ("sys.exit(3)", None),
        ("os._exit(0)", None),
        ("pygame.quit(); return", None),
    ],
)
def test_how_the_thread_ends_that_is_stepped_is_how_the_game_ends(
    threaded: Any, act: str, said: str | None
) -> None:
    play = threaded(SHOWS.format(act=act), "game.join()\n", budget=2.0)
    run = play.run(RunRequest(frames=10, input="space@3"))
    if said is None:
        assert (run.status, run.stopped, run.frame) == ("passed", "exit", 2)
    else:
        assert (run.status, str(run.error)) == ("error", said)


def test_a_thread_that_fails_beside_the_game_is_noted(threaded: Any) -> None:
    play = threaded("""
        def fails():
            time.sleep(0.1)
            raise LookupError("no such thing")
        threading.Thread(target=fails).start()
    """)
    play.step(10)
    assert play.notes == [
        "a thread of the game's own, fails (main.py:14), ended with LookupError: no such thing"
    ]


def test_a_wait_that_nothing_can_end_is_told_at_once_with_its_line(threaded: Any) -> None:
    play = threaded("pygame.display.flip()\nthreading.Event().wait()\n", "")
    with pytest.raises(GameError, match="Hung: it waits for ever") as told:
        play.step(2)
    assert "main.py:14" in str(told.value)


ALONE = {
    "an event": "threading.Event().wait(1 / 60)",
    "a queue": "try: queue.Queue().get(timeout=0.3)\n    except queue.Empty: pass",
    "a lock": "lock.acquire(timeout=1)",
    "a thread": "sleeper.join(0.1)",
}


@pytest.mark.parametrize("kind", ALONE)
def test_a_program_that_only_waits_with_a_timeout_has_idle_frames(threaded: Any, kind: str) -> None:
    begin = """
        lock = threading.Lock()
        lock.acquire()
        sleeper = threading.Thread(target=time.sleep, args=(1e9,), daemon=True)
        sleeper.start()
        turns = 0
    """
    play = threaded(begin, f"while True:\n    turns += 1\n    {ALONE[kind]}\n")
    play.step(5)
    assert 5 < play.value("turns") < 100


def test_a_thread_that_never_waits_is_let_loose_and_named(threaded: Any) -> None:
    play = threaded("""
        number = 0
        def spin():
            global number
            while True:
                number += 1
        threading.Thread(target=spin, daemon=True).start()
    """)
    play.step(5)
    assert len(play.notes) == 1
    assert "spin (main.py:15), works for long" in play.notes[0]
    assert "the same bits cannot be promised" in play.notes[0]


def test_a_program_talks_to_a_server_of_its_own(threaded: Any) -> None:
    play = threaded("""
        import socket
        server = socket.create_server(("127.0.0.1", 0))
        def serve():
            while True:
                connection, _ = server.accept()
                connection.sendall(connection.recv(100).upper())
        threading.Thread(target=serve, daemon=True).start()
        client = socket.create_connection(server.getsockname())
        client.sendall(b"hello")
        answer = client.recv(100).decode()
    """)
    play.step(5)
    assert play.value("answer") == "HELLO"
    assert any("talks to its own machine" in note for note in play.notes)


def test_a_fork_of_the_program_has_only_the_thread_that_made_it(threaded: Any) -> None:
    if not hasattr(__import__("os"), "fork"):
        pytest.skip("no fork here")
    play = threaded("""
        def beats():
            while True:
                time.sleep(0.1)
        threading.Thread(target=beats, daemon=True).start()
        child = os.fork()
        if not child:
            time.sleep(1)
            os._exit(7)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    """)
    play.step(3)
    assert play.value("status") == 7


@pytest.fixture
def threads(interposed: Callable[..., Any], runtime: Runtime) -> Iterator[Threads]:
    (threads,) = interposed(Threads)
    yield threads
    runtime.playing = False
    threads.begin()


def test_a_short_thread_has_ended_when_start_comes_back(threads: Threads) -> None:
    done: list[int] = []
    for number in range(20):
        thread = threading.Thread(target=done.append, args=(number,))
        thread.start()
        assert done[-1] == number
        assert not thread.is_alive()
        assert thread not in threading.enumerate()


def test_what_one_thread_hands_on_to_the_next_is_done_before_the_frame_ends(
    threads: Threads, runtime: Runtime
) -> None:
    jobs: queue.Queue[int] = queue.Queue()
    halves: queue.Queue[int] = queue.Queue()
    done: list[int] = []

    def first() -> None:
        while (job := jobs.get()) >= 0:
            halves.put(job)

    def second() -> None:
        while True:
            done.append(halves.get())

    seen: list[list[int]] = []
    runtime.switch = lambda: seen.append(list(done))
    for target in (first, second):
        threading.Thread(target=target, daemon=True).start()
    for job in range(4):
        jobs.put(job)
        runtime.shown()
    assert seen == [list(range(n)) for n in range(1, 5)]


def test_threads_that_pass_something_to_and_fro_for_ever_keep_no_frame_from_ending(
    threads: Threads, runtime: Runtime
) -> None:
    passes: list[int] = []

    def forever() -> None:
        while True:
            passes.append(len(runtime.threads))
            runtime.wait(0)

    frames: list[int] = []
    runtime.switch = lambda: frames.append(len(passes))
    threading.Thread(target=forever, daemon=True).start()
    for _ in range(3):
        runtime.shown()
    assert len(frames) == 3
    assert frames[1] - frames[0] == frames[2] - frames[1] > 0


def test_two_threads_wake_in_the_order_of_their_times(threads: Threads, runtime: Runtime) -> None:
    woken: list[str] = []

    def sleeper(name: str, nanoseconds: int) -> None:
        runtime.wait(nanoseconds)
        woken.append(name)

    for name, nanoseconds in (("late", 300), ("early", 299), ("as late", 300)):
        threading.Thread(target=sleeper, args=(name, nanoseconds)).start()
    runtime.wait(301)
    assert woken == ["early", "late", "as late"]
    assert runtime.now == 301


def test_a_lock_is_handed_on_in_the_order_in_which_it_was_wanted(
    threads: Threads, runtime: Runtime
) -> None:
    lock, had = threading.Lock(), []

    def wants(name: str) -> None:
        with lock:
            had.append(name)
            runtime.wait(10)

    with lock:
        for name in "abc":
            threading.Thread(target=wants, args=(name,)).start()
        assert not lock.acquire(blocking=False)
    runtime.wait(0)
    assert lock.acquire(timeout=15e-9) is False
    assert had == ["a", "b"]
    assert lock.acquire()
    assert had == ["a", "b", "c"]
    lock.release()
    with pytest.raises(RuntimeError):
        lock.release()


def test_a_thread_of_an_earlier_run_ends_where_it_waits(threads: Threads, runtime: Runtime) -> None:
    turns: list[int] = []

    def forever() -> None:
        while True:
            turns.append(1)
            runtime.wait(100)

    thread = threading.Thread(target=forever, daemon=True)
    thread.start()
    runtime.playing = False
    runtime.begin(0)
    threads.begin()
    assert not thread.is_alive()
    assert turns == [1]


def test_threads_of_the_harness_are_no_business_of_a_run(
    threads: Threads, runtime: Runtime
) -> None:
    runtime.playing = False
    thread = threading.Thread(target=lambda: None)
    thread.start()
    thread.join()
    assert runtime.notes == []
    assert type(threading.Lock()) is type(threading._allocate_lock())  # type: ignore[attr-defined]
