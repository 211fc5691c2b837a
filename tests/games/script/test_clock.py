from __future__ import annotations

import pygame
import pytest

from harness.games.script.clock import PygameTime
from harness.games.script.runtime import MILLISECOND


@pytest.fixture
def time(interposed):
    interposed(lambda runtime, _imports: PygameTime(runtime))
    return pygame.time


def test_ticks_add_up_to_whole_seconds(time, runtime):
    clock = time.Clock()
    ticks = [clock.tick(60) for _ in range(60)]
    assert set(ticks) == {16, 17}
    assert sum(ticks) == 1000
    assert time.get_ticks() == 1000
    assert clock.get_fps() == pytest.approx(60)
    assert clock.get_time() == ticks[-1]
    assert clock.get_rawtime() == 0


def test_a_tick_that_comes_late_does_not_wait(time, runtime):
    clock = time.Clock()
    time.wait(100)
    assert clock.tick(60) == 100
    assert clock.get_rawtime() == 100
    assert clock.tick(50) == 20


def test_a_tick_counts_what_was_waited_otherwise(time, runtime):
    clock = time.Clock()
    time.delay(10)
    assert clock.tick(50) == 20


def test_a_program_that_runs_free_gets_a_sixtieth_a_tick(time, runtime):
    clock = time.Clock()
    assert sum(clock.tick() for _ in range(60)) == 1000
    time.wait(30)
    assert clock.tick() == 30


def test_two_clocks_of_one_rate_wait_once(time, runtime):
    one, other = time.Clock(), time.Clock()
    for _ in range(30):
        one.tick(60)
        other.tick(60)
    assert runtime.now == 500 * MILLISECOND


@pytest.mark.parametrize("name", ["wait", "delay"])
def test_waiting_takes_whole_milliseconds(time, runtime, name):
    assert getattr(time, name)(30) == 30
    assert getattr(time, name)(-5) == 0
    assert time.get_ticks() == 30
    with pytest.raises(TypeError, match="integer"):
        getattr(time, name)(1.5)


def posted(kind):
    return pygame.event.get(kind)


@pytest.fixture
def display(time):
    pygame.display.init()
    pygame.event.clear()
    yield
    pygame.display.quit()


def test_a_timer_posts_its_event_each_time_it_is_due(time, display):
    time.set_timer(pygame.USEREVENT, 100)
    time.wait(350)
    assert len(posted(pygame.USEREVENT)) == 3
    time.set_timer(pygame.USEREVENT, 0)
    time.wait(350)
    assert posted(pygame.USEREVENT) == []


def test_a_timer_posts_as_often_as_it_is_told_and_what_it_was_given(time, display):
    time.set_timer(pygame.event.Event(pygame.USEREVENT, name="bell"), 10, loops=2)
    time.wait(100)
    assert [event.name for event in posted(pygame.USEREVENT)] == ["bell", "bell"]


def test_sprites_read_the_same_clock(time):
    import pygame.sprite

    if not hasattr(pygame.sprite, "get_ticks"):
        pytest.skip("this pygame's sprites read no clock")
    time.wait(40)
    assert pygame.sprite.get_ticks() == 40
