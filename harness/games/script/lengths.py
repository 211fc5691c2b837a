"""How long a piece of music plays, read from its file: decoding it would take too long."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable

_MPEG_RATES = ((11025, 12000, 8000), (0, 0, 0), (22050, 24000, 16000), (44100, 48000, 32000))
"""Samples a second by version (2.5, none, 2, 1) and index."""

_MPEG1_KBITS = (
    (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0),
    (0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 0),
    (0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 0),
)
_MPEG2_KBITS = (
    (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0),
    (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0),
    (0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256, 0),
)
"""Kilobits a second, for layers III, II and I."""


def seconds(data: bytes) -> float | None:
    """The length of a sound file's content; None where it is of no kind that is known here."""
    for magic, read in _READERS:
        if re.match(magic, data, re.DOTALL):
            try:
                found = read(data)
            except (struct.error, IndexError, ZeroDivisionError, ValueError):
                return None
            return found if found is not None and found > 0 else None
    return None


def _wav(data: bytes) -> float | None:
    place, rate = 12, 0
    kind: bytes
    size: int
    while place + 8 <= len(data):
        kind, size = struct.unpack_from("<4sI", data, place)
        if kind == b"fmt ":
            rate = struct.unpack_from("<I", data, place + 16)[0]
        elif kind == b"data":
            held: int = min(size, len(data) - place - 8)
            return held / rate
        place += 8 + size + size % 2
    return None


def _flac(data: bytes) -> float | None:
    packed = int.from_bytes(data[18:26], "big")
    return (packed & ((1 << 36) - 1)) / (packed >> 44)


def _ogg(data: bytes) -> float | None:
    first = data[28 : 28 + 255]  # the page's header, with one segment
    if first.startswith(b"\x01vorbis"):
        rate, skipped = struct.unpack_from("<I", first, 12)[0], 0
    elif first.startswith(b"OpusHead"):
        rate, skipped = 48000, struct.unpack_from("<H", first, 10)[0]
    else:
        return None
    place = len(data)
    while (place := data.rfind(b"OggS", 0, place)) >= 0:
        samples = struct.unpack_from("<q", data, place + 6)[0]
        if samples >= 0:  # a page on which no packet ends says -1
            return float((samples - skipped) / rate)
    return None


def _mp3(data: bytes) -> float | None:
    place = 0
    if data.startswith(b"ID3"):
        a, b, c, d = data[6:10]
        place = 10 + (a << 21 | b << 14 | c << 7 | d)
    frames, total = 0, 0.0
    while place + 4 <= len(data):
        frame = _mpeg_frame(data[place : place + 4])
        if frame is None:
            place = data.find(b"\xff", place + 1)
            if place < 0:
                break
            continue
        size, samples, rate = frame
        if frames == 0:
            told = _told_frames(data[place : place + size])
            if told:
                return told * samples / rate
        frames += 1
        total += samples / rate
        place += size
    return total if frames else None


def _mpeg_frame(head: bytes) -> tuple[int, int, int] | None:
    """The bytes, samples and samples a second of one frame."""
    version, layer = head[1] >> 3 & 3, head[1] >> 1 & 3
    rate_index = head[2] >> 2 & 3
    if head[0] != 0xFF or head[1] < 0xE0 or version == 1 or layer == 0 or rate_index == 3:
        return None
    rate = _MPEG_RATES[version][rate_index]
    kbits = (_MPEG1_KBITS if version == 3 else _MPEG2_KBITS)[layer - 1][head[2] >> 4]
    if not kbits:
        return None
    padding = head[2] >> 1 & 1
    if layer == 3:
        return (12000 * kbits // rate + padding) * 4, 384, rate
    samples = 576 if layer == 1 and version != 3 else 1152
    return samples * 125 * kbits // rate + padding, samples, rate


def _told_frames(frame: bytes) -> int:
    """The number of frames that an encoder has written into the first one; 0 if it has not."""
    for tag, place in ((b"Xing", 8), (b"Info", 8), (b"VBRI", 14)):
        found = frame.find(tag, 0, 64)
        if found >= 0 and (tag == b"VBRI" or frame[found + 7] & 1):
            return int.from_bytes(frame[found + place : found + place + 4], "big")
    return 0


_TEMPO = 500_000
"""Microseconds that a quarter lasts, where a file of MIDI says nothing."""


def _midi(data: bytes) -> float | None:
    division = struct.unpack_from(">H", data, 12)[0]
    if not division or division & 0x8000:  # counted in pictures of a film, as hardly any is
        return None
    tempos, end, place = [(0, _TEMPO)], 0, 8 + int.from_bytes(data[4:8], "big")
    while data[place : place + 4] == b"MTrk":
        size = int.from_bytes(data[place + 4 : place + 8], "big")
        end = max(end, _track(data[place + 8 : place + 8 + size], tempos))
        place += 8 + size
    tempos.sort()
    total = 0.0
    for (since, tempo), (until, _) in zip(tempos, [*tempos[1:], (end, 0)], strict=True):
        total += (min(until, end) - min(since, end)) * tempo / division / 1e6
    return total


def _track(track: bytes, tempos: list[tuple[int, int]]) -> int:
    """Note where a track of MIDI changes the tempo; gives how many ticks it is long."""
    tick = place = status = 0
    while place < len(track):
        delay, place = _number(track, place)
        tick += delay
        if track[place] & 0x80:
            status, place = track[place], place + 1
        if status < 0xF0:
            place += 1 if status & 0xE0 == 0xC0 else 2
            continue
        kind, place = (track[place], place + 1) if status == 0xFF else (0, place)
        size, place = _number(track, place)
        if kind == 0x51:
            tempos.append((tick, int.from_bytes(track[place : place + size], "big")))
        place += size
    return tick


def _number(data: bytes, place: int) -> tuple[int, int]:
    """A number of as many bytes as it needs, and the place behind it."""
    found = data[place] & 0x7F
    while data[place] & 0x80:
        place += 1
        found = found << 7 | data[place] & 0x7F
    return found, place + 1


_READERS: tuple[tuple[bytes, Callable[[bytes], float | None]], ...] = (
    (b"RIFF.{4}WAVE", _wav),
    (b"OggS", _ogg),
    (b"fLaC", _flac),
    (b"MThd", _midi),
    (b"ID3|\xff[\xe0-\xff]", _mp3),
)
