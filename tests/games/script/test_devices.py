from __future__ import annotations

import pygame
import pytest

from harness.games.script.devices import Devices
from harness.games.script.events import Events
from harness.games.script.runtime import MILLISECOND
from harness.values.inputs import InputFrame


@pytest.fixture
def devices(interposed):
    made, _ = interposed(lambda runtime, _imports: Devices(runtime), Events)
    pygame.display.init()
    pygame.display.set_mode((640, 480))
    pygame.joystick.init()
    pygame.event.clear()
    yield made
    pygame.display.quit()


def held(*controls, **more):
    return InputFrame(held=frozenset(controls), **more)


def seen(*kinds):
    return [event for event in pygame.event.get() if event.type in kinds]


def test_a_key_is_pressed_held_and_let_go(devices):
    devices.play(held("key:space"))
    (down,) = seen(pygame.KEYDOWN)
    assert (down.key, down.unicode, down.mod) == (pygame.K_SPACE, " ", 0)
    assert pygame.key.get_pressed()[pygame.K_SPACE]
    assert not pygame.key.get_pressed()[pygame.K_a]
    devices.play(held("key:space"))
    assert seen(pygame.KEYDOWN, pygame.KEYUP) == []
    before = pygame.key.get_pressed()
    devices.play(held())
    (up,) = seen(pygame.KEYUP)
    assert up.key == pygame.K_SPACE
    assert before[pygame.K_SPACE]
    assert not pygame.key.get_pressed()[pygame.K_SPACE]


@pytest.mark.parametrize("name", ["left", "kp0", "f12", "lctrl", "quote", "return", "z", "1"])
def test_each_key_is_found_where_pygame_has_it(devices, name):
    devices.play(held(f"key:{name}"))
    (down,) = seen(pygame.KEYDOWN)
    assert pygame.key.get_pressed()[down.key]


def test_shift_makes_capitals_and_counts_as_a_modifier(devices):
    devices.play(held("key:lshift", "key:a", "key:1"))
    downs = seen(pygame.KEYDOWN)
    assert [event.unicode for event in downs] == ["", "!", "A"]
    assert pygame.key.get_mods() == pygame.KMOD_LSHIFT
    devices.play(held())
    assert pygame.key.get_mods() == 0


def test_what_is_typed_comes_as_keys_and_as_text(devices):
    devices.play(held(text="Hi 1"))
    events = seen(pygame.KEYDOWN, pygame.TEXTINPUT)
    keys = [event.unicode for event in events if event.type == pygame.KEYDOWN]
    texts = [event.text for event in events if event.type == pygame.TEXTINPUT]
    assert "".join(keys) == "".join(texts) == "Hi 1"
    assert events[0].key == pygame.K_h


def test_a_held_key_repeats_on_the_virtual_clock(devices, runtime):
    pygame.key.set_repeat(300, 50)
    assert pygame.key.get_repeat() == (300, 50)
    devices.play(held("key:x"))
    downs = len(seen(pygame.KEYDOWN))
    for _ in range(40):
        runtime.advance(10 * MILLISECOND)
        devices.play(held("key:x"))
    downs += len(seen(pygame.KEYDOWN))
    assert downs == 1 + 3  # at 300, 350 and 400 ms


def test_a_blocked_event_does_not_come(devices):
    pygame.event.set_blocked(pygame.KEYDOWN)
    try:
        devices.play(held("key:x"))
        assert seen(pygame.KEYDOWN) == []
        assert pygame.key.get_pressed()[pygame.K_x]
    finally:
        pygame.event.set_allowed(pygame.KEYDOWN)


def test_the_pointer_moves_presses_and_turns(devices):
    devices.play(held("mouse:left", pointer=(320.0, 240.0), wheel=(0.0, -2.0)))
    events = seen(
        pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEWHEEL
    )
    moved, pressed, *wheel = events
    assert (moved.pos, moved.rel, moved.buttons) == ((320, 240), (320, 240), (0, 0, 0))
    assert (pressed.pos, pressed.button) == ((320, 240), 1)
    assert [event.button for event in wheel[:-1]] == [5, 5, 5, 5]
    assert wheel[-1].y == -2
    assert pygame.mouse.get_pos() == (320, 240)
    assert pygame.mouse.get_pressed() == (True, False, False)
    assert len(pygame.mouse.get_pressed(5)) == 5
    assert pygame.mouse.get_rel() == (320, 240)
    assert pygame.mouse.get_rel() == (0, 0)
    assert pygame.mouse.get_focused()


def test_a_pointer_that_the_game_has_put_elsewhere_moves_by_as_much(devices):
    devices.play(held(pointer=(100.0, 100.0)))
    pygame.mouse.set_pos(320, 240)
    pygame.event.clear()
    devices.play(held(pointer=(110.0, 95.0)))
    (moved,) = seen(pygame.MOUSEMOTION)
    assert (moved.pos, moved.rel) == ((330, 235), (10, -5))


def test_a_caught_pointer_stays_in_the_window_and_tells_how_far_it_went(devices):
    pygame.event.set_grab(True)
    pygame.mouse.set_visible(False)
    try:
        devices.play(held(pointer=(600.0, 400.0)))
        devices.play(held(pointer=(1200.0, 400.0)))
        assert seen(pygame.MOUSEMOTION)[-1].rel == (600, 0)
        assert pygame.mouse.get_pos() == (639, 400)
    finally:
        pygame.mouse.set_visible(True)
        pygame.event.set_grab(False)


def test_a_pad_is_plugged_in_when_it_is_first_used(devices):
    assert pygame.joystick.get_count() == 0
    with pytest.raises(pygame.error, match="Invalid joystick"):
        pygame.joystick.Joystick(0)
    devices.play(held("pad:a", "pad:up", axes=(("left_x", -0.5),)))
    kinds = [event.type for event in pygame.event.get()]
    assert kinds == [
        pygame.JOYDEVICEADDED,
        pygame.JOYBUTTONDOWN,
        pygame.JOYHATMOTION,
        pygame.JOYAXISMOTION,
    ]
    pad = pygame.joystick.Joystick(0)
    assert pad.get_button(0)
    assert pad.get_axis(0) == -0.5
    assert pad.get_hat(0) == (0, 1)
    assert (pad.get_numaxes(), pad.get_numhats()) == (6, 1)
    devices.play(held())
    assert not pad.get_button(0)
    assert pad.get_axis(0) == 0


def test_a_button_of_the_game_is_its_first_key(devices):
    devices.buttons = {"jump": ("key:space", "pad:a")}
    devices.play(held("jump"))
    assert [event.key for event in seen(pygame.KEYDOWN)] == [pygame.K_SPACE]
    devices.play(held("jump", "pad:a"))
    assert [event.key for event in seen(pygame.KEYUP)] == [pygame.K_SPACE]


def test_quit_is_an_event(devices):
    devices.play(held(quit=True))
    assert seen(pygame.QUIT)


def test_waiting_for_an_event_lets_idle_frames_pass(devices, runtime):
    frames = []

    def switch():
        frames.append(runtime.now)
        if len(frames) == 5:
            devices.play(held("key:a"))

    runtime.switch = switch
    event = pygame.event.wait()
    while event.type != pygame.KEYDOWN:
        event = pygame.event.wait()
    assert len(frames) == 5


def test_waiting_for_an_event_ends_with_its_timeout(devices, runtime):
    pygame.event.clear()
    begun = runtime.now
    assert pygame.event.wait(100).type == pygame.NOEVENT
    assert runtime.now - begun == 100 * MILLISECOND
