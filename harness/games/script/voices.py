"""The channels of the mixer as a model on the virtual clock: nothing is heard, all of it ends.

Volumes are SDL_mixer's own whole numbers, 0 to 128, so that what was set reads back as it does
from the real one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

from harness.games.script.runtime import MILLISECOND, SECOND, Alarm, Runtime

FULL = 128
"""The loudest volume, which a program knows as 1.0."""

_CHANNELS = 8
_MOST_HEARD = 1000


class Heard(NamedTuple):
    """A sound or a piece of music that began to play, at a virtual time in nanoseconds."""

    when: int
    name: str
    channel: int | None


class Fade:
    """A volume on its way from one value to another."""

    def __init__(self, since: int, length: int, first: int, last: int) -> None:
        self.since = since
        self._length, self._first, self._last = length, first, last

    def at(self, now: int) -> int:
        """The volume at a time."""
        if self._length <= 0 or now - self.since >= self._length:
            return self._last
        return self._first + (self._last - self._first) * (now - self.since) // self._length


class Playback:
    """Something that plays until a time, can pause, and fades."""

    def __init__(self, runtime: Runtime, volume: int = FULL) -> None:
        self._runtime = runtime
        self._alarm: Alarm | None = None
        self._paused: int | None = None
        self._fade: Fade | None = None
        self.volume = volume
        self.since = 0
        self.ends: int | None = None
        self.playing = False

    def begin(self, length: int | None, fade: int) -> None:
        """Play for so many nanoseconds, None for ever, getting louder over the first ``fade``."""
        now = self._runtime.now
        self.playing, self.since, self._paused = True, now, None
        self._fade = Fade(now, fade, 0, self.volume) if fade > 0 else None
        self._end_at(None if length is None else now + length)

    def fade_out(self, length: int) -> None:
        """Get quieter, and end."""
        if not self.playing:
            return
        now = self._runtime.now
        if length <= 0:
            self.halt()
            return
        self._fade = Fade(now, length, self.loudness, 0)
        if self._paused is not None:
            self.ends = self._paused + length
        elif self.ends is None or self.ends > now + length:
            self._end_at(now + length)

    def halt(self) -> None:
        """End now, if it plays."""
        if self.playing:
            self._end_at(None)
            self._over()

    def forget(self) -> None:
        """Be silent, and tell nobody."""
        self._end_at(None)
        self.playing, self._paused, self._fade = False, None, None

    def pause(self) -> None:
        """Stand still; it goes on playing as far as ``playing`` says."""
        if self.playing and self._paused is None:
            ends, self._paused = self.ends, self._runtime.now
            self._end_at(None)
            self.ends = ends

    def resume(self) -> None:
        """Go on."""
        if self._paused is None:
            return
        late = self._runtime.now - self._paused
        self._paused = None
        self.since += late
        if self._fade is not None:
            self._fade.since += late
        self._end_at(None if self.ends is None else self.ends + late)

    @property
    def paused(self) -> bool:
        """Whether it stands still."""
        return self._paused is not None

    @property
    def elapsed(self) -> int:
        """Nanoseconds that it has played, pauses left out."""
        return (self._runtime.now if self._paused is None else self._paused) - self.since

    @property
    def loudness(self) -> int:
        """The volume as it is now, in the middle of a fade too."""
        if self._fade is None:
            return self.volume
        return self._fade.at(self._runtime.now if self._paused is None else self._paused)

    def set_volume(self, volume: float) -> None:
        """Set the volume, 1.0 at most; a negative one is let be, as SDL_mixer does."""
        if volume >= 0:
            self.volume = quantised(volume)
            self._fade = None

    def finished(self) -> None:
        """Called when it has ended, by itself or by ``halt``."""

    def _end_at(self, when: int | None) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self.ends = when
        self._alarm = None if when is None else self._runtime.at(when, self._over)

    def _over(self) -> None:
        self.playing, self._paused, self._fade, self._alarm = False, None, None, None
        self.finished()


class Voice(Playback):
    """One channel."""

    def __init__(self, voices: Voices, number: int) -> None:
        super().__init__(voices.runtime)
        self.number = number
        self.sound: Any = None
        self.queued: Any = None
        self.end_event = 0
        self._voices = voices

    def play(self, sound: Any, loops: int = 0, maxtime: int = -1, fade_ms: int = 0) -> bool:
        """Play a sound in place of what plays; says whether there is anything to play."""
        length = int(sound.get_length() * SECOND)
        if length <= 0:
            return False
        self.halt()
        if self.playing:  # what was queued has taken its place, and goes too
            self.halt()
        self.sound, self.queued = sound, None
        whole = None if loops < 0 else length * (loops + 1)
        if maxtime > 0:
            limit = maxtime * MILLISECOND
            whole = limit if whole is None else min(whole, limit)
        self.begin(whole, fade_ms * MILLISECOND)
        self._voices.hear(sound.name, self.number)
        return True

    def queue(self, sound: Any) -> None:
        """Play a sound after the one that plays."""
        if self.sound is None:
            self.play(sound)
        else:
            self.queued = sound

    def finished(self) -> None:
        """Say so to the program, and go on with what is queued."""
        self._voices.tell(self.end_event, code=self.number)
        self.sound, following = None, self.queued
        self.queued = None
        if following is not None:
            self.play(following)


class Voices:
    """All channels, and what was played on them. Where there are none, the mixer is not open."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self.heard: deque[Heard] = deque(maxlen=_MOST_HEARD)
        self._reserved = 0
        self._all: list[Voice] = []

    def open(self) -> None:
        """Have the channels that a fresh mixer has."""
        self._reserved = 0
        self._all = [Voice(self, number) for number in range(_CHANNELS)]

    def close(self) -> None:
        """Have none."""
        for voice in self._all:
            voice.forget()
        self._all = []

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Voice]:
        return iter(self._all)

    def __getitem__(self, number: int) -> Voice:
        return self._all[number]

    def resize(self, count: int) -> None:
        """Have so many channels; those that are no more fall silent."""
        for voice in self._all[max(0, count) :]:
            voice.halt()
            voice.forget()
        del self._all[max(0, count) :]
        self._all += [Voice(self, number) for number in range(len(self._all), count)]

    def reserve(self, count: int) -> int:
        """Keep the first channels for those who ask for them by number; gives how many are."""
        self._reserved = max(0, min(count, len(self._all)))
        return self._reserved

    def play(self, sound: Any, loops: int, maxtime: int, fade_ms: int) -> Voice | None:
        """Play on the first channel that is free and not reserved, at full volume."""
        for voice in self._all[self._reserved :]:
            if not voice.playing:
                voice.volume = FULL
                return voice if voice.play(sound, loops, maxtime, fade_ms) else None
        return None

    def free(self) -> Voice | None:
        """The first channel that is free, reserved or not."""
        return next((voice for voice in self._all if not voice.playing), None)

    def oldest(self) -> Voice | None:
        """The channel that has played longest."""
        playing = [voice for voice in self._all if voice.playing]
        return min(playing, key=lambda voice: voice.since, default=None)

    def of(self, sound: Any) -> list[Voice]:
        """The channels that play a sound."""
        return [voice for voice in self._all if voice.playing and voice.sound is sound]

    def hear(self, name: str, channel: int | None) -> None:
        """Note that something began to play."""
        self.heard.append(Heard(self.runtime.now, name, channel))

    def tell(self, event: int, **attributes: int) -> None:
        """Post an end event, if one was asked for and there is a display to post it to."""
        import pygame

        if event and pygame.display.get_init():
            self.runtime.post(event, **attributes)


class OpenMixer(Protocol):
    """The mixer, as far as sounds and music need it."""

    voices: Voices
    sound: type[Any]
    channel: type[Any]

    def check(self) -> None:
        """Refuse what needs an open mixer."""

    def decoding(self) -> None:
        """Have the real mixer open, for what is to be decoded."""


def quantised(volume: float) -> int:
    """A volume as SDL_mixer keeps it."""
    return min(FULL, int(volume * FULL))
