from __future__ import annotations

import io
import os
import struct
import sys
import wave
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.games.script.mixer import Mixer
from harness.games.script.runtime import MILLISECOND, Runtime

END = 32_900


def written(path: Path, seconds: float) -> Path:
    """A file of silence."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(44100)
        file.writeframes(bytes(2 * round(44100 * seconds)))
    return path


@pytest.fixture
def blip(tmp_path: Path) -> Path:
    return written(tmp_path / "blip.wav", 0.2)


@pytest.fixture
def mixer(interposed: Callable[..., Any]) -> Iterator[Mixer]:
    import pygame

    (mixer,) = interposed(Mixer)
    pygame.display.init()
    pygame.mixer.init()
    pygame.event.clear()
    yield mixer
    mixer.begin()
    pygame.display.quit()


@pytest.fixture
def passes(runtime: Runtime) -> Callable[[float], None]:
    return lambda milliseconds: runtime.advance(round(milliseconds * MILLISECOND))


@pytest.fixture
def told() -> Callable[[], list[dict[str, Any]]]:
    import pygame

    return lambda: [event.dict for event in pygame.event.get(END)]


@pytest.mark.usefixtures("mixer")
def test_a_sound_plays_for_its_length_on_the_virtual_clock(blip: Path, passes: Any) -> None:
    import pygame

    sound = pygame.mixer.Sound(str(blip))
    channel = sound.play()
    passes(199)
    assert channel.get_busy()
    assert channel.get_sound() is sound
    passes(2)
    assert not channel.get_busy()
    assert channel.get_sound() is None
    assert not pygame.mixer.get_busy()


@pytest.mark.usefixtures("mixer")
@pytest.mark.parametrize(
    ("how", "lasts"),
    [
        ({"loops": 2}, 600),
        ({"maxtime": 50}, 50),
        ({"loops": -1, "maxtime": 450}, 450),
        ({"fade_ms": 100}, 200),
    ],
)
def test_a_sound_plays_as_often_and_as_long_as_is_asked(
    blip: Path, passes: Any, how: dict[str, int], lasts: int
) -> None:
    import pygame

    channel = pygame.mixer.Sound(str(blip)).play(**how)
    passes(lasts - 1)
    assert channel.get_busy()
    passes(2)
    assert not channel.get_busy()


@pytest.mark.usefixtures("mixer")
def test_a_sound_that_repeats_for_ever_ends_when_it_is_stopped(blip: Path, passes: Any) -> None:
    import pygame

    sound = pygame.mixer.Sound(str(blip))
    channel = sound.play(-1)
    passes(10**6)
    assert channel.get_busy()
    sound.stop()
    assert not channel.get_busy()


@pytest.mark.usefixtures("mixer")
def test_the_end_of_a_sound_is_told_with_its_channel(blip: Path, passes: Any, told: Any) -> None:
    import pygame

    channel = pygame.mixer.Channel(3)
    channel.set_endevent(END)
    channel.play(pygame.mixer.Sound(str(blip)))
    passes(199)
    assert told() == []
    passes(2)
    assert told() == [{"code": 3}]


@pytest.mark.usefixtures("mixer")
def test_a_queued_sound_follows_at_once_and_each_end_is_told(
    blip: Path, passes: Any, told: Any
) -> None:
    import pygame

    first, second = pygame.mixer.Sound(str(blip)), pygame.mixer.Sound(str(blip))
    channel = pygame.mixer.Channel(0)
    channel.set_endevent(END)
    channel.queue(first)
    channel.queue(second)
    assert channel.get_queue() is second
    passes(300)
    assert channel.get_sound() is second
    assert channel.get_queue() is None
    passes(110)
    assert not channel.get_busy()
    assert told() == [{"code": 0}, {"code": 0}]


@pytest.mark.usefixtures("mixer")
def test_what_is_queued_plays_when_a_channel_is_stopped(blip: Path, told: Any) -> None:
    import pygame

    sound = pygame.mixer.Sound(str(blip))
    channel = sound.play()
    channel.set_endevent(END)
    channel.queue(sound)
    channel.stop()
    assert channel.get_busy()
    channel.play(sound)
    channel.play(sound)
    assert len(told()) == 3
    assert sound.get_num_channels() == 1


@pytest.mark.usefixtures("mixer")
def test_sounds_take_the_first_free_channel_that_is_not_reserved(blip: Path) -> None:
    import pygame

    assert pygame.mixer.set_reserved(2) == 2
    sound = pygame.mixer.Sound(str(blip))
    sound.play()
    busy = [n for n in range(8) if pygame.mixer.Channel(n).get_busy()]
    assert busy == [2]
    assert pygame.mixer.find_channel() is not None
    pygame.mixer.set_reserved(0)
    for _ in range(7):
        assert sound.play() is not None
    assert sound.play() is None
    assert sound.get_num_channels() == 8
    assert pygame.mixer.find_channel() is None


@pytest.mark.usefixtures("mixer")
def test_a_channel_that_is_forced_is_the_one_that_has_played_longest(
    blip: Path, passes: Any
) -> None:
    import pygame

    pygame.mixer.set_num_channels(2)
    first, second = pygame.mixer.Sound(str(blip)), pygame.mixer.Sound(str(blip))
    pygame.mixer.Channel(1).play(first)
    passes(10)
    pygame.mixer.Channel(0).play(second)
    assert pygame.mixer.find_channel(True).get_sound() is first


@pytest.mark.usefixtures("mixer")
def test_channels_that_are_taken_away_fall_silent(blip: Path) -> None:
    import pygame

    channel = pygame.mixer.Channel(7)
    channel.play(pygame.mixer.Sound(str(blip)))
    pygame.mixer.set_num_channels(4)
    assert not pygame.mixer.get_busy()
    with pytest.raises(IndexError, match="invalid channel index"):
        pygame.mixer.Channel(4)
    pygame.mixer.set_num_channels(16)
    assert pygame.mixer.get_num_channels() == 16


@pytest.mark.usefixtures("mixer")
def test_what_is_paused_ends_as_much_later(blip: Path, passes: Any) -> None:
    import pygame

    channel = pygame.mixer.Sound(str(blip)).play()
    passes(100)
    channel.pause()
    passes(1000)
    assert channel.get_busy()
    pygame.mixer.unpause()
    passes(99)
    assert channel.get_busy()
    passes(2)
    assert not channel.get_busy()


@pytest.mark.usefixtures("mixer")
def test_a_fade_is_heard_in_the_volume_and_ends_the_sound(blip: Path, passes: Any) -> None:
    import pygame

    channel = pygame.mixer.Sound(str(blip)).play(-1)
    channel.fadeout(100)
    passes(50)
    assert channel.get_volume() == 0.5
    passes(51)
    assert not channel.get_busy()
    assert channel.get_volume() == 1.0


@pytest.mark.usefixtures("mixer")
def test_volumes_read_back_as_the_real_mixer_keeps_them(blip: Path) -> None:
    import pygame

    sound = pygame.mixer.Sound(str(blip))
    for given, kept in [(0.3, 0.296875), (2, 1.0), (-1, 1.0), (0, 0.0)]:
        sound.set_volume(given)
        assert sound.get_volume() == kept
        pygame.mixer.music.set_volume(given)
        assert pygame.mixer.music.get_volume() == kept
    channel = pygame.mixer.Channel(0)
    channel.set_volume(0.5)
    assert channel.get_volume() == 0.5
    channel.play(sound)
    assert channel.get_volume() == 0.5
    channel.set_volume(0.5, 0.25)
    assert channel.get_volume() == 1.0


@pytest.mark.usefixtures("mixer")
def test_an_empty_sound_does_not_play() -> None:
    import pygame

    assert pygame.mixer.Sound(buffer=b"").play() is None


@pytest.mark.usefixtures("mixer")
def test_missing_and_broken_files_raise_as_the_real_mixer_does(tmp_path: Path) -> None:
    import pygame

    with pytest.raises(FileNotFoundError, match=r"No file 'none.wav' found in working directory"):
        pygame.mixer.Sound("none.wav")
    with pytest.raises((pygame.error, FileNotFoundError), match=r"No file 'none.ogg' found"):
        pygame.mixer.music.load("none.ogg")
    broken = tmp_path / "broken.ogg"
    broken.write_bytes(b"abc")
    with pytest.raises(pygame.error):
        pygame.mixer.Sound(str(broken))
    with pytest.raises(pygame.error):
        pygame.mixer.music.load(str(broken))
    with pytest.raises(pygame.error, match="music not loaded"):
        pygame.mixer.music.play()
    with pytest.raises(TypeError):
        pygame.mixer.Channel(0).play("none.wav")


@pytest.mark.usefixtures("mixer")
def test_midi_plays_for_its_length_without_any_instruments(tmp_path: Path, passes: Any) -> None:
    import pygame

    track = b"\x00\x90\x3c\x40\x83\x60\x80\x3c\x00\x00\xff\x2f\x00"
    head = struct.pack(">4sIHHH4sI", b"MThd", 6, 0, 1, 480, b"MTrk", len(track))
    (tmp_path / "song.mid").write_bytes(head + track)
    pygame.mixer.music.load(tmp_path / "song.mid")
    pygame.mixer.music.play()
    passes(499)
    assert pygame.mixer.music.get_busy()
    passes(1)
    assert not pygame.mixer.music.get_busy()
    (tmp_path / "broken.mid").write_bytes(b"abc")
    with pytest.raises(pygame.error):
        pygame.mixer.music.load(tmp_path / "broken.mid")


def test_nothing_plays_while_the_mixer_is_closed(mixer: Mixer, blip: Path) -> None:
    import pygame

    sound = pygame.mixer.Sound(str(blip))
    pygame.mixer.music.load(str(blip))
    channel = sound.play(-1)
    pygame.mixer.quit()
    assert pygame.mixer.get_init() is None
    assert not pygame.mixer.get_busy()
    for act in (
        sound.play,
        sound.get_length,
        channel.get_busy,
        pygame.mixer.stop,
        pygame.mixer.get_num_channels,
        pygame.mixer.music.get_busy,
        lambda: pygame.mixer.Sound(str(blip)),
        lambda: pygame.mixer.Channel(0),
        lambda: pygame.mixer.music.load(str(blip)),
    ):
        with pytest.raises(pygame.error, match="mixer not initialized"):
            act()
    pygame.mixer.init(22050, -16, 1)
    assert pygame.mixer.get_init() == (22050, -16, 1)
    assert sound.play() is not None
    assert mixer.get_init() == (22050, -16, 1)


@pytest.mark.usefixtures("mixer")
def test_pygame_opens_and_closes_the_mixer_with_the_rest() -> None:
    import pygame

    pygame.mixer.quit()
    pygame.mixer.pre_init(8000, -16, 1)
    pygame.init()
    assert pygame.mixer.get_init() == (8000, -16, 1)
    pygame.quit()
    assert pygame.mixer.get_init() is None
    pygame.mixer.pre_init(0, 0, 0)
    pygame.display.init()


@pytest.mark.usefixtures("mixer")
def test_a_sound_still_has_its_bytes(blip: Path) -> None:
    import pygame

    sound = pygame.mixer.Sound(str(blip))
    assert len(sound.get_raw()) == 4 * 8820
    assert pygame.mixer.Sound(buffer=sound.get_raw()).get_length() == sound.get_length()
    assert len(memoryview(sound).tobytes()) == 4 * 8820


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_leaves_no_thread_of_the_mixer_behind_and_sounds_go_on(
    mixer: Mixer, blip: Path, passes: Any
) -> None:
    import pygame

    sound = pygame.mixer.Sound(str(blip))
    child = os.fork()
    if not child:
        good = len(sound.get_raw()) == 4 * 8820 and pygame.mixer.Sound(str(blip)).play()
        os._exit(0 if good else 1)
    assert os.waitpid(child, 0)[1] == 0
    channel = sound.play()
    assert pygame.mixer.get_init() == (44100, -16, 2)
    assert len(sound.get_raw()) == 4 * 8820
    passes(201)
    assert not channel.get_busy()
    assert mixer.heard[-1].name == "blip.wav"


@pytest.mark.usefixtures("mixer")
def test_samples_are_numpy_arrays_as_ever(blip: Path) -> None:
    pytest.importorskip("numpy")
    import pygame

    sound = pygame.mixer.Sound(str(blip))
    assert pygame.sndarray.array(sound).shape == (8820, 2)
    made = pygame.sndarray.make_sound(pygame.sndarray.samples(sound))
    assert made.play() is not None


# music


@pytest.mark.usefixtures("mixer")
@pytest.mark.parametrize(("loops", "lasts"), [(0, 200), (1, 200), (2, 400), (3, 600)])
def test_music_plays_so_many_times_in_all(
    blip: Path, passes: Any, told: Any, loops: int, lasts: int
) -> None:
    from pygame.mixer import music

    music.set_endevent(END)
    music.load(str(blip))
    music.play(loops)
    passes(lasts - 1)
    assert music.get_busy()
    assert music.get_pos() == lasts - 1
    assert told() == []
    passes(2)
    assert not music.get_busy()
    assert music.get_pos() == -1
    assert told() == [{}]


@pytest.mark.usefixtures("mixer")
def test_music_begins_in_its_middle_goes_elsewhere_and_begins_anew(blip: Path, passes: Any) -> None:
    import pygame
    from pygame.mixer import music

    music.load(blip)
    with pytest.raises(pygame.error, match="Music isn't playing"):
        music.set_pos(0.1)
    music.play(start=0.15)
    passes(51)
    assert not music.get_busy()
    music.play()
    music.set_pos(0.15)
    passes(40)
    music.rewind()
    passes(190)
    assert music.get_busy()
    passes(11)
    assert not music.get_busy()


@pytest.mark.usefixtures("mixer")
def test_music_that_is_paused_is_not_busy_and_stands_still(blip: Path, passes: Any) -> None:
    from pygame.mixer import music

    music.load(str(blip))
    music.play()
    passes(100)
    music.pause()
    passes(1000)
    assert not music.get_busy()
    assert music.get_pos() == 100
    music.unpause()
    assert music.get_busy()
    passes(101)
    assert not music.get_busy()


@pytest.mark.usefixtures("mixer")
def test_queued_music_follows_and_a_stop_ends_both(
    blip: Path, tmp_path: Path, passes: Any, told: Any
) -> None:
    from pygame.mixer import music

    long = written(tmp_path / "long.wav", 1.0)
    music.set_endevent(END)
    music.load(str(blip))
    music.play()
    music.queue(str(long))
    passes(300)
    assert music.get_pos() == 100
    assert told() == [{}]
    music.queue(str(long))
    music.stop()
    assert not music.get_busy()
    assert told() == [{}]


@pytest.mark.usefixtures("mixer")
def test_music_is_loaded_from_an_open_file_and_left_where_it_was(blip: Path, passes: Any) -> None:
    from pygame.mixer import music

    data = io.BytesIO(blip.read_bytes())
    music.load(data)
    assert data.tell() == 0
    music.play()
    music.fadeout(100)
    passes(101)
    assert not music.get_busy()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.usefixtures("mixer")
def test_loaded_music_holds_no_file_open(blip: Path) -> None:
    from pygame.mixer import music

    music.load(str(blip))
    music.play()
    held = [os.path.realpath(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd")]
    assert str(blip) not in held


def test_what_was_heard_is_listed(mixer: Mixer, blip: Path, passes: Any) -> None:
    import pygame

    sound = pygame.mixer.Sound(str(blip))
    passes(5)
    sound.play()
    pygame.mixer.music.load(str(blip))
    pygame.mixer.music.play()
    assert [(heard.when // MILLISECOND, heard.name, heard.channel) for heard in mixer.heard] == [
        (5, "blip.wav", 0),
        (5, "blip.wav", None),
    ]
