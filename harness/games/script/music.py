"""``pygame.mixer.music`` on the virtual clock: one piece, and one that waits for its end."""

from __future__ import annotations

import io
import os
from typing import Any, NamedTuple

from harness.games.script.lengths import seconds
from harness.games.script.runtime import MILLISECOND, SECOND, Patches, Runtime
from harness.games.script.voices import FULL, OpenMixer, Playback

_FUNCTIONS = (
    "load",
    "unload",
    "play",
    "queue",
    "stop",
    "pause",
    "unpause",
    "fadeout",
    "rewind",
    "get_busy",
    "get_pos",
    "set_pos",
    "get_endevent",
    "set_endevent",
    "get_volume",
    "set_volume",
)


class Piece(NamedTuple):
    """A piece of music; one whose length is None is taken to play for ever."""

    name: str
    length: int | None


class Music:
    """The module: its functions are the methods of the same names."""

    def __init__(self, runtime: Runtime, mixer: OpenMixer) -> None:
        self._runtime = runtime
        self._mixer = mixer
        self._piece: Piece | None = None
        self._queued: tuple[Piece, int] | None = None
        self._end_event = 0
        self._lengths: dict[tuple[str, int, int], int | None] = {}
        self._load: Any = None
        self._unload: Any = None
        self._track = Track(runtime, self._ended)

    def install(self, patches: Patches) -> None:
        """Replace the module's functions."""
        import pygame

        module = pygame.mixer.music
        self._load = patches.original(module, "load")
        self._unload = patches.original(module, "unload")
        for name in _FUNCTIONS:
            patches.put(module, name, getattr(self, name))

    def begin(self) -> None:
        """Be as in a process that has just begun."""
        self.close()
        self._end_event = 0
        self._track = Track(self._runtime, self._ended)

    def close(self) -> None:
        """Fall silent, with nothing loaded."""
        self._track.forget()
        self._piece = self._queued = None

    # the module's functions

    def load(self, filename: Any, namehint: str = "") -> None:
        """Load a piece in place of the one that plays."""
        piece = self._opened(filename, namehint)
        self.close()
        self._piece = piece

    def unload(self) -> None:
        """Let go of the piece, and of the one that waits."""
        self._mixer.check()
        self.close()

    def play(self, loops: int = 0, start: float = 0.0, fade_ms: int = 0) -> None:
        """Play, so many times in all (a negative number: for ever), from seconds in."""
        import pygame

        self._mixer.check()
        if self._piece is None:
            raise pygame.error("music not loaded")
        self._track.forget()
        self._begin(self._piece, loops, int(start * SECOND), fade_ms)

    def queue(self, filename: Any, namehint: str = "", loops: int = 0) -> None:
        """Have a piece follow the one that plays."""
        self._queued = (self._opened(filename, namehint), loops)

    def stop(self) -> None:
        """End it, and what was to follow."""
        self._mixer.check()
        self._queued = None
        self._track.halt()

    def pause(self) -> None:
        """Have it stand still."""
        self._mixer.check()
        self._track.pause()

    def unpause(self) -> None:
        """Have it go on."""
        self._mixer.check()
        self._track.resume()

    def fadeout(self, time: int, /) -> None:
        """End it in milliseconds, and what was to follow."""
        self._mixer.check()
        self._queued = None
        self._track.fade_out(time * MILLISECOND)

    def rewind(self) -> None:
        """Play from its beginning; ``get_pos`` goes on as it was."""
        self._mixer.check()
        if self._track.playing:
            self._track.move_to(0)

    def get_busy(self) -> bool:
        """Whether it plays, and does not stand still."""
        self._mixer.check()
        return self._track.playing and not self._track.paused

    def get_pos(self) -> int:
        """Milliseconds that it has played; -1 where it does not."""
        self._mixer.check()
        return self._track.elapsed // MILLISECOND if self._track.playing else -1

    def set_pos(self, pos: float, /) -> None:
        """Go to a place, in seconds."""
        import pygame

        self._mixer.check()
        if not isinstance(pos, int | float):
            raise TypeError("set_pos expects 1 float argument")
        if not self._track.playing:
            raise pygame.error("Music isn't playing")
        self._track.move_to(int(pos * SECOND))

    def set_endevent(self, type: int = 0, /) -> None:
        """Have an event posted when a piece ends."""
        self._end_event = type

    def get_endevent(self) -> int:
        """The event that is posted when a piece ends."""
        return self._end_event

    def set_volume(self, volume: float, /) -> None:
        """Set the volume, 1.0 at most."""
        self._mixer.check()
        self._track.set_volume(volume)

    def get_volume(self) -> float:
        """The volume, as it was set."""
        self._mixer.check()
        return self._track.volume / FULL

    # how they do it

    def _begin(self, piece: Piece, loops: int, start: int, fade_ms: int) -> None:
        self._track.length = piece.length
        self._track.times = None if loops < 0 else max(1, loops)
        self._track.begin(self._track.left(start), fade_ms * MILLISECOND)
        self._mixer.voices.hear(piece.name, None)

    def _ended(self) -> None:
        self._mixer.voices.tell(self._end_event)
        if self._queued is not None:
            (piece, loops), self._queued = self._queued, None
            self._piece = piece
            self._begin(piece, loops, 0, 0)

    def _opened(self, file: Any, namehint: str) -> Piece:
        """Have the real one open it, for its errors; it is closed again at once."""
        self._mixer.decoding()
        if isinstance(file, str | bytes | os.PathLike):
            path = os.fsdecode(file)
            length = self._length_of(os.path.abspath(path))
            self._try(length, path, file, *([namehint] if namehint else []))
        else:
            path = str(getattr(file, "name", namehint))
            data = _read(file)
            length = _nanoseconds(data)
            self._try(length, path, io.BytesIO(data), namehint or path)
        name = os.path.basename(path) or "music"
        if length is None:
            self._runtime.note(f"the length of {name} cannot be read: it is taken to play for ever")
        return Piece(name, length)

    def _try(self, length: int | None, path: str, *given: Any) -> None:
        """Load a piece and let go of it.

        The instruments that MIDI needs are not on every machine, and nobody hears them here.
        """
        import pygame

        try:
            self._load(*given)
        except pygame.error:
            if length is None or not path.lower().endswith((".mid", ".midi")):
                raise
            return
        self._unload()

    def _length_of(self, path: str) -> int | None:
        try:
            stat = os.stat(path)
            key = (path, stat.st_size, stat.st_mtime_ns)
            if key not in self._lengths:
                with open(path, "rb") as file:
                    self._lengths[key] = _nanoseconds(file.read())
            return self._lengths[key]
        except OSError:  # pygame finds files in places of its own, too
            return None


class Track(Playback):
    """What plays: a piece of some length, so many times in all, None for ever."""

    def __init__(self, runtime: Runtime, ended: Any) -> None:
        super().__init__(runtime)
        self.length: int | None = None
        self.times: int | None = None
        self.finished = ended  # type: ignore[method-assign]

    def left(self, place: int) -> int | None:
        """Nanoseconds to the end, from a place in the first time through."""
        if self.length is None or self.times is None:
            return None
        return max(0, self.length * self.times - place)

    def move_to(self, place: int) -> None:
        """Play on from a place."""
        left = self.left(place)
        here = self._runtime.now if self._paused is None else self._paused
        ends = None if left is None else here + left
        self._end_at(ends if self._paused is None else None)
        self.ends = ends


def _nanoseconds(data: bytes) -> int | None:
    found = seconds(data)
    return None if found is None else int(found * SECOND)


def _read(file: Any) -> bytes:
    """What an open file still has, which is left where it was."""
    place = file.tell()
    data: bytes = file.read()
    file.seek(place)
    return data
