from __future__ import annotations

import threading

import pytest

from harness.games.script.runtime import MILLISECOND, SECOND, Patches, Runtime


@pytest.fixture
def frames(runtime):
    """The virtual milliseconds at which a frame ended."""
    ended: list[int] = []
    runtime.switch = lambda: ended.append(runtime.now // MILLISECOND)
    runtime.playing = True
    return ended


def turn(runtime, wait=16):
    runtime.looked()
    runtime.shown()
    runtime.wait(wait * MILLISECOND)


def test_a_picture_after_time_has_passed_ends_a_frame(runtime, frames):
    for _ in range(4):
        turn(runtime)
    assert frames == [0, 16, 32, 48]


def test_the_first_picture_ends_frame_0_whatever_came_before(runtime, frames):
    runtime.shown()
    assert len(frames) == 1


def test_a_program_that_never_waits_gets_a_sixtieth_a_picture(runtime, frames):
    for _ in range(61):
        runtime.looked()
        runtime.shown()
    assert len(frames) == 61
    assert runtime.now == SECOND


def test_parts_of_the_screen_that_are_shown_in_one_turn_are_one_frame(runtime, frames):
    for _ in range(10):
        turn(runtime)
        before = len(frames)
        runtime.looked()
        runtime.shown()
        runtime.shown()
        runtime.shown()
        runtime.wait(MILLISECOND)
        assert len(frames) == before + 1


def test_a_look_a_wait_and_a_look_are_a_frame_that_shows_nothing(runtime, frames):
    for _ in range(5):
        runtime.looked()
        runtime.wait(10 * MILLISECOND)
    assert frames == [10, 20, 30, 40]


def test_a_menu_that_draws_on_an_event_keeps_one_frame_a_turn(runtime, frames):
    for turns in range(20):
        runtime.looked()
        if turns % 5 == 0:
            runtime.shown()
        runtime.wait(10 * MILLISECOND)
    assert len(frames) == pytest.approx(20, abs=2)


def test_a_loop_that_looks_for_events_and_does_nothing_else_is_idle(runtime, frames):
    for _ in range(64 * 5 + 1):
        runtime.looked()
    assert len(frames) == 5


def test_a_loop_that_only_waits_is_idle(runtime, frames):
    for _ in range(100):
        runtime.wait(MILLISECOND)
    assert len(frames) > 5


def test_a_busy_wait_comes_to_its_end(runtime, frames):
    reads = 0
    while runtime.read() < 2 * SECOND:
        reads += 1
        assert reads < 200_000
    assert len(frames) >= 4


def test_a_few_reads_of_the_clock_let_no_time_pass(runtime, frames):
    assert {runtime.read() for _ in range(150)} == {0}


def test_what_the_driver_reads_is_not_the_programs(runtime):
    runtime.playing = False
    assert {runtime.read() for _ in range(1000)} == {0}


def test_another_thread_moves_nothing(runtime, frames):
    def work():
        runtime.wait(SECOND)
        runtime.looked()
        runtime.shown()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert runtime.now == 0
    assert frames == []


def test_alarms_ring_in_order_at_their_time(runtime):
    rung: list[tuple[str, int]] = []
    runtime.at(30, lambda: rung.append(("late", runtime.now)))
    runtime.at(10, lambda: rung.append(("early", runtime.now)))
    runtime.at(20, lambda: rung.append(("never", runtime.now))).cancel()
    runtime.advance(25)
    assert rung == [("early", 10)]
    runtime.advance(25)
    assert rung == [("early", 10), ("late", 30)]
    assert runtime.now == 50


def test_a_note_is_kept_once(runtime):
    runtime.note("one")
    runtime.note("one")
    assert runtime.notes == ["one"]


def test_patches_put_back_what_was_there():
    class Owner:
        one = 1

    patches = Patches()
    patches.put(Owner, "one", 2)
    patches.put(Owner, "one", 3)
    patches.put(Owner, "new", 4)
    assert patches.original(Owner, "one") == 1
    patches.undo()
    assert Owner.one == 1
    assert not hasattr(Owner, "new")


def test_begin_is_as_a_new_runtime():
    runtime = Runtime()
    runtime.advance(5)
    runtime.note("old")
    runtime.at(9, lambda: pytest.fail("an alarm of the program before"))
    runtime.begin(3)
    runtime.advance(20)
    assert (runtime.now, runtime.seed, runtime.notes) == (20, 3, [])
