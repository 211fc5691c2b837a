"""What threads wait with goes by the program's clock."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from harness.games.script.runtime import SECOND, Runtime
from harness.games.script.threads import Threads


@pytest.fixture
def waits(interposed: Callable[..., Any], runtime: Runtime) -> Iterator[None]:
    (threads,) = interposed(Threads)
    yield
    runtime.playing = False
    threads.begin()


def start(target: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=target, daemon=True)
    thread.start()
    return thread


def play(runtime: Runtime, frames: int) -> None:
    for _ in range(frames):
        runtime.wait(SECOND // 60)
        runtime.shown()


def test_an_event_that_a_thread_waits_for_times_out_on_the_virtual_clock(
    waits: None, runtime: Runtime
) -> None:
    over, turns = threading.Event(), []

    def spawner() -> None:
        while not over.wait(0.25):
            turns.append(runtime.now / SECOND)
        turns.append(-1.0)

    start(spawner)
    play(runtime, 75)
    assert turns == pytest.approx([0.25, 0.5, 0.75, 1.0], abs=1 / 30)
    over.set()
    play(runtime, 1)
    assert turns[-1] == -1


def test_a_queue_gives_a_thread_what_comes_or_is_empty_when_its_time_is_over(
    waits: None, runtime: Runtime
) -> None:
    jobs: queue.Queue[int] = queue.Queue()
    got: list[int | str] = []

    def reader() -> None:
        while True:
            try:
                got.append(jobs.get(timeout=0.5))
            except queue.Empty:
                got.append("nothing")

    start(reader)
    play(runtime, 20)
    jobs.put(1)
    play(runtime, 1)
    assert got == [1]
    play(runtime, 28)
    assert got == [1]
    play(runtime, 4)
    assert got == [1, "nothing"]


def test_a_program_that_waits_for_nobody_has_its_time_pass_at_once(
    waits: None, runtime: Runtime
) -> None:
    began, frames = time.monotonic(), []
    runtime.switch = lambda: frames.append(runtime.now)
    with pytest.raises(queue.Empty):
        queue.Queue[int]().get(timeout=100)
    assert runtime.now == 100 * SECOND
    assert not threading.Event().wait(3600)
    assert runtime.now == 3700 * SECOND
    for _ in range(60):
        threading.Event().wait(1 / 60)
    assert frames  # a program that does nothing but wait has idle frames all the same
    assert time.monotonic() - began < 10


def test_a_program_waits_for_what_its_threads_do_after_a_sleep(
    waits: None, runtime: Runtime
) -> None:
    results: queue.Queue[str] = queue.Queue()

    def thinker() -> None:
        threading.Event().wait(2)
        results.put("thought")

    start(thinker)
    assert results.get(timeout=30) == "thought"
    assert runtime.now / SECOND == pytest.approx(2, abs=1 / 30)


def test_a_barrier_and_a_condition_bring_threads_together(waits: None, runtime: Runtime) -> None:
    barrier, condition, passed = threading.Barrier(3), threading.Condition(), []

    def runner() -> None:
        barrier.wait(5)
        with condition:
            passed.append(1)
            condition.notify()

    for _ in range(2):
        start(runner)
    assert barrier.wait(5) >= 0
    with condition:
        assert condition.wait_for(lambda: len(passed) == 2, timeout=5)
    assert runtime.now < 5 * SECOND
    with pytest.raises(RuntimeError, match="un-acquired"):
        condition.wait(1)


def test_waits_of_the_harness_are_real(waits: None, runtime: Runtime) -> None:
    runtime.playing = False
    before = runtime.now
    assert not threading.Event().wait(0.001)
    assert runtime.now == before
