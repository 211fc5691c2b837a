"""``pygame.mixer`` as a program sees it: sounds of their real lengths, heard by nobody."""

from __future__ import annotations

from typing import Any

from harness.games.script.device import Device
from harness.games.script.imports import Imports
from harness.games.script.music import Music
from harness.games.script.runtime import MILLISECOND, Patches, Runtime
from harness.games.script.sounds import channel_class, sound_class
from harness.games.script.voices import Heard, Voice, Voices

_FUNCTIONS = (
    "init",
    "quit",
    "get_init",
    "get_busy",
    "get_num_channels",
    "set_num_channels",
    "set_reserved",
    "find_channel",
    "stop",
    "pause",
    "unpause",
    "fadeout",
)


class Mixer:
    """The virtual mixer: opens wherever it is asked to, and plays on the virtual clock."""

    def __init__(self, runtime: Runtime, imports: Imports) -> None:
        self.device = Device()
        self.voices = Voices(runtime)
        self.sound: type[Any] = object
        self.channel: type[Any] = object
        self._format: tuple[int, int, int] | None = None
        self._music = Music(runtime, self)
        imports.when("pygame.sndarray", self._sndarray_loaded)

    @property
    def heard(self) -> list[Heard]:
        """What began to play, the last thousand, in order."""
        return list(self.voices.heard)

    def install(self, patches: Patches) -> None:
        """Replace the module's functions and classes, and those of ``mixer.music``."""
        import pygame

        self.device.install(pygame.mixer, patches)
        self.sound = sound_class(self, pygame.mixer.Sound)
        self.channel = channel_class(self)
        for name in ("Sound", "SoundType"):
            patches.put(pygame.mixer, name, self.sound)
        for name in ("Channel", "ChannelType"):
            patches.put(pygame.mixer, name, self.channel)
        for name in _FUNCTIONS:
            patches.put(pygame.mixer, name, getattr(self, name))
        patches.put(pygame.mixer, "_internal_mod_init", self.init)  # it is what pygame.init calls
        self._music.install(patches)

    def begin(self) -> None:
        """Be closed, with nothing loaded."""
        self.quit()
        self.voices.heard.clear()
        self._music.begin()

    def check(self) -> None:
        """Refuse what needs an open mixer.

        Raises:
            pygame.error: it is closed.
        """
        if self._format is None:
            import pygame

            raise pygame.error("mixer not initialized")

    def decoding(self) -> None:
        """Have the real mixer open, for what is to be decoded."""
        self.check()
        self.device.open()

    def _sndarray_loaded(self, module: Any, patches: Patches) -> None:
        for name in ("array", "samples"):
            real = patches.original(module, name)

            def opened(sound: Any, real: Any = real) -> Any:
                self.decoding()
                return real(sound)

            patches.put(module, name, opened)

    # the module's functions

    def init(self, *args: Any, **keywords: Any) -> None:
        """Open as a program asks for; where it is open that changes nothing."""
        if self._format is None:
            self._format = self.device.start(*args, **keywords)
            self.voices.open()

    def quit(self) -> None:
        """Fall silent, and forget every channel."""
        self._format = None
        self.voices.close()
        self._music.close()
        self.device.stop()

    def get_init(self) -> tuple[int, int, int] | None:
        """Frequency, format and channels; None while it is closed."""
        return self._format

    def get_busy(self) -> bool:
        """Whether any channel plays."""
        return any(voice.playing for voice in self.voices)

    def get_num_channels(self) -> int:
        """How many channels there are."""
        self.check()
        return len(self.voices)

    def set_num_channels(self, count: int, /) -> None:
        """Have so many channels."""
        self.check()
        self.voices.resize(count)

    def set_reserved(self, count: int, /) -> int:
        """Keep the first channels for those who name them."""
        self.check()
        return self.voices.reserve(count)

    def find_channel(self, force: bool = False) -> Any:
        """A channel that is free; when there is none, None, or by ``force`` the oldest."""
        self.check()
        voice = self.voices.free() or (self.voices.oldest() if force else None)
        return None if voice is None else self.channel(voice.number)

    def stop(self) -> None:
        """End what plays on every channel."""
        for voice in self._every():
            voice.halt()

    def pause(self) -> None:
        """Have every channel stand still."""
        for voice in self._every():
            voice.pause()

    def unpause(self) -> None:
        """Have every channel go on."""
        for voice in self._every():
            voice.resume()

    def fadeout(self, time: int, /) -> None:
        """End every channel in milliseconds."""
        for voice in self._every():
            voice.fade_out(time * MILLISECOND)

    def _every(self) -> list[Voice]:
        self.check()
        return list(self.voices)
