"""``Sound`` and ``Channel`` as a program has them: they play on no device."""

from __future__ import annotations

import os
from typing import Any

from harness.games.script.runtime import MILLISECOND
from harness.games.script.voices import FULL, OpenMixer, Voice, quantised


def sound_class(mixer: OpenMixer, real: Any) -> type[Any]:
    """Make ``pygame.mixer.Sound`` out of the real one, which goes on decoding."""
    kept = {"__module__": real.__module__, "__qualname__": real.__qualname__, "_mixer": mixer}
    if hasattr(real, "copy"):  # pygame-ce alone has it
        kept["copy"] = _copy
    return type(real.__name__, (_Sound, real), kept)


def channel_class(mixer: OpenMixer) -> type[Any]:
    """Make ``pygame.mixer.Channel``."""
    kept = {"__module__": "pygame.mixer", "__qualname__": "Channel", "_mixer": mixer}
    return type("Channel", (_Channel,), kept)


class _Sound:
    """What of a sound is not decoding."""

    _mixer: OpenMixer

    def __init__(self, *args: Any, **keywords: Any) -> None:
        self._mixer.decoding()
        super().__init__(*args, **keywords)
        self._length: float = super().get_length()  # type: ignore[misc]
        self._volume = FULL
        self.name = _named(*args, *keywords.values())

    def play(self, loops: int = 0, maxtime: int = -1, fade_ms: int = 0) -> Any:
        self._mixer.check()
        voice = self._mixer.voices.play(self, loops, maxtime, fade_ms)
        return None if voice is None else self._mixer.channel(voice.number)

    def stop(self) -> None:
        for voice in self._voices():
            voice.halt()

    def fadeout(self, time: int, /) -> None:
        for voice in self._voices():
            voice.fade_out(time * MILLISECOND)

    def get_num_channels(self) -> int:
        return len(self._voices())

    def set_volume(self, value: float, /) -> None:
        self._mixer.check()
        if value >= 0:
            self._volume = quantised(value)

    def get_volume(self) -> float:
        self._mixer.check()
        return self._volume / FULL

    def get_length(self) -> float:
        self._mixer.check()
        return self._length

    def get_raw(self) -> bytes:
        self._mixer.decoding()
        raw: bytes = super().get_raw()  # type: ignore[misc]
        return raw

    def __buffer__(self, flags: int, /) -> memoryview:
        self._mixer.decoding()
        view: memoryview = super().__buffer__(flags)  # type: ignore[misc]
        return view

    @property
    def __array_interface__(self) -> Any:
        self._mixer.decoding()
        return super().__array_interface__  # type: ignore[misc]

    @property
    def __array_struct__(self) -> Any:
        self._mixer.decoding()
        return super().__array_struct__  # type: ignore[misc]

    def _voices(self) -> list[Voice]:
        self._mixer.check()
        return self._mixer.voices.of(self)


def _copy(sound: Any) -> Any:
    twin = type(sound)(buffer=sound.get_raw())
    twin._volume, twin.name = sound._volume, sound.name
    return twin


def _named(*given: Any) -> str:
    """What a sound is called in the list of what was heard: its file's name, if it has one."""
    for each in given:
        name = getattr(each, "name", each)
        if isinstance(name, str | os.PathLike):
            return os.path.basename(os.fspath(name))
    return "a buffer"


class _Channel:
    """A channel, by its number."""

    _mixer: OpenMixer

    def __init__(self, id: int, /) -> None:
        self._mixer.check()
        if not 0 <= id < len(self._mixer.voices):
            raise IndexError("invalid channel index")
        self._number = id

    @property
    def id(self) -> int:
        """Its number."""
        return self._number

    @property
    def _voice(self) -> Voice:
        self._mixer.check()
        return self._mixer.voices[self._number]

    def play(self, Sound: Any, loops: int = 0, maxtime: int = -1, fade_ms: int = 0) -> None:
        self._voice.play(self._audible(Sound), loops, maxtime, fade_ms)

    def queue(self, sound: Any, /) -> None:
        self._voice.queue(self._audible(sound))

    def stop(self) -> None:
        self._voice.halt()

    def pause(self) -> None:
        self._voice.pause()

    def unpause(self) -> None:
        self._voice.resume()

    def fadeout(self, time: int, /) -> None:
        self._voice.fade_out(time * MILLISECOND)

    def get_busy(self) -> bool:
        return self._voice.playing

    def get_sound(self) -> Any:
        return self._voice.sound

    def get_queue(self) -> Any:
        return self._voice.queued

    def set_volume(self, value: float, right: float | None = None, /) -> None:
        # With two, they are where it is heard, and the volume is full.
        self._voice.set_volume(value if right is None else 1.0)

    def get_volume(self) -> float:
        return self._voice.loudness / FULL

    def set_endevent(self, type: int = 0, /) -> None:
        self._voice.end_event = type

    def get_endevent(self) -> int:
        return self._voice.end_event

    def set_source_location(self, angle: float, distance: float, /) -> None:
        self._mixer.check()

    def _audible(self, sound: Any) -> Any:
        if not isinstance(sound, self._mixer.sound):
            raise TypeError("The argument must be an instance of Sound")
        return sound
