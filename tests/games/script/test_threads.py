from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from harness.games.script.runtime import SECOND, Runtime
from harness.games.script.threads import Threads


@pytest.fixture
def threads(interposed: Callable[..., Any], runtime: Runtime) -> Iterator[Threads]:
    (threads,) = interposed(Threads)
    yield threads
    threads.begin()
    runtime.playing = False
    for thread in threading.enumerate():
        if thread is not threading.main_thread() and not thread.daemon:
            thread.join(5)


def test_a_thread_is_noted_by_what_it_runs(threads: Threads, runtime: Runtime) -> None:
    def spawner() -> None:
        pass

    for _ in range(2):
        threading.Thread(target=spawner).start()
    assert len(runtime.notes) == 1
    assert "spawner (test_threads.py:" in runtime.notes[0]
    assert "the same bits cannot be promised" in runtime.notes[0]


def test_a_short_thread_has_ended_when_start_comes_back(threads: Threads) -> None:
    done: list[int] = []
    for number in range(20):
        threading.Thread(target=done.append, args=(number,)).start()
        assert done[-1] == number


def test_a_thread_sleeps_on_the_virtual_clock_in_step_with_the_program(
    threads: Threads, runtime: Runtime
) -> None:
    woken: list[float] = []

    def spawner() -> None:
        for _ in range(5):
            threads.sleep(0.1)
            woken.append(runtime.now / SECOND)

    began = time.monotonic()
    threading.Thread(target=spawner).start()
    for _ in range(60):
        runtime.advance(SECOND // 60)
    assert woken == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5], abs=1 / 20)
    assert time.monotonic() - began < 5


def test_two_threads_wake_in_the_order_of_their_times(threads: Threads, runtime: Runtime) -> None:
    woken: list[str] = []

    def sleeper(name: str, seconds: float) -> None:
        threads.sleep(seconds)
        woken.append(name)

    for name, seconds in (("late", 0.30), ("early", 0.29), ("as late", 0.30)):
        threading.Thread(target=sleeper, args=(name, seconds)).start()
    runtime.advance(SECOND)
    assert woken == ["early", "late", "as late"]


def test_joining_a_thread_that_sleeps_lets_its_time_pass(
    threads: Threads, runtime: Runtime
) -> None:
    def loader() -> None:
        for _ in range(50):
            threads.sleep(1)

    began = time.monotonic()
    thread = threading.Thread(target=loader)
    thread.start()
    thread.join(timeout=2.5)
    assert thread.is_alive()
    assert runtime.now == pytest.approx(2.5 * SECOND)
    thread.join()
    assert runtime.now == pytest.approx(50 * SECOND)
    assert time.monotonic() - began < 20


def test_a_program_that_waits_for_a_sleeper_in_another_way_is_not_kept_for_ever(
    threads: Threads,
) -> None:
    results: queue.Queue[str] = queue.Queue()

    def loader() -> None:
        threads.sleep(3600)
        results.put("loaded")

    threading.Thread(target=loader).start()
    assert results.get(timeout=30) == "loaded"


def test_a_timer_rings_at_its_virtual_time_unless_it_is_cancelled(
    threads: Threads, runtime: Runtime
) -> None:
    rung: list[int] = []
    threading.Timer(2, rung.append, [1]).start()
    cancelled = threading.Timer(1, rung.append, [2])
    cancelled.start()
    cancelled.cancel()
    runtime.advance(2 * SECOND - 1)
    assert rung == []
    runtime.advance(SECOND // 50)
    assert rung == [1]
    cancelled.join()


def work(rounds: int) -> int:
    total = 0
    for number in range(rounds):
        total = (total * 31 + number) % 1_000_003
    return total


linux = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody says who works")


@linux
def test_what_a_thread_works_on_is_done_before_the_frame_ends(
    threads: Threads, runtime: Runtime
) -> None:
    jobs: queue.Queue[int] = queue.Queue()
    half: queue.Queue[int] = queue.Queue()
    done: list[int] = []

    def first() -> None:
        while (job := jobs.get()) >= 0:
            work(100_000)
            half.put(job)

    def second() -> None:
        while True:
            job = half.get()
            work(200_000)
            done.append(job)

    seen: list[list[int]] = []
    runtime.switch = lambda: seen.append(list(done))
    for target in (first, second):
        threading.Thread(target=target, daemon=True).start()
    for job in range(8):
        jobs.put(job)
        runtime.shown()
    jobs.put(-1)
    runtime.shown()
    assert seen == [*(list(range(n)) for n in range(1, 9)), list(range(8))]


@linux
def test_a_thread_that_never_rests_is_not_waited_for_but_when_it_does_again(
    threads: Threads, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.games.script.threads._MOST_WORK", 0.1)
    jobs: queue.Queue[int] = queue.Queue()
    spins, done = [True], []

    def spinner() -> None:
        while spins:
            pass
        while True:
            work(jobs.get())
            done.append(1)

    threading.Thread(target=spinner, daemon=True).start()
    began = time.monotonic()
    for _ in range(20):
        runtime.shown()
    assert time.monotonic() - began < 5
    spins.clear()
    for _ in range(200):
        runtime.shown()
    for count in range(1, 5):
        jobs.put(100_000)
        runtime.shown()
        assert len(done) == count


def test_waits_of_pygame_in_a_thread_are_on_the_virtual_clock_too(
    threads: Threads, runtime: Runtime
) -> None:
    runtime.sleep_elsewhere = threads.sleep
    ticks: list[float] = []

    def ticker() -> None:
        for _ in range(5):
            runtime.wait(SECOND // 10)
            ticks.append(runtime.now / SECOND)

    threading.Thread(target=ticker).start()
    for _ in range(60):
        runtime.advance(SECOND // 60)
    assert ticks == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5], abs=1 / 20)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_of_an_earlier_run_ends_at_its_next_sleep(
    threads: Threads, runtime: Runtime
) -> None:
    turns: list[int] = []

    def forever() -> None:
        while True:
            turns.append(1)
            threads.sleep(0.1)

    thread = threading.Thread(target=forever, daemon=True)
    thread.start()
    runtime.begin(0)
    threads.begin()
    runtime.playing = False
    thread.join(10)
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
