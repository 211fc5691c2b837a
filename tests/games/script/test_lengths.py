from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.games.script.lengths import seconds


def wav(rate: int, held: int, told: int | None = None) -> bytes:
    form = struct.pack("<HHIIHH", 1, 1, rate, rate * 2, 2, 16)
    chunks = b"LIST" + struct.pack("<I", 3) + b"abc\0" + b"fmt " + struct.pack("<I", 16) + form
    data = b"data" + struct.pack("<I", held if told is None else told) + bytes(held)
    return b"RIFF" + bytes(4) + b"WAVE" + chunks + data


def page(granule: int, body: bytes) -> bytes:
    return b"OggS" + bytes(2) + struct.pack("<q", granule) + bytes(12) + b"\x01" + b"\x1e" + body


def vorbis(rate: int, *granules: int) -> bytes:
    head = b"\x01vorbis" + struct.pack("<IBI", 0, 2, rate) + bytes(12)
    return page(0, head) + b"".join(page(granule, b"sound") for granule in granules)


def mp3(frames: int, first: bytes = b"") -> bytes:
    head = bytes((0xFF, 0xFB, 0x90, 0x00))  # MPEG 1, layer III, 128 kbit/s, 44100 Hz: 417 bytes
    return head + first.ljust(413, b"\0") + (head + bytes(413)) * (frames - 1)


FLAC = b"fLaC" + bytes(4) + bytes(10) + ((44100 << 44) | (1 << 41) | 88200).to_bytes(8, "big")

TRACK = (
    b"\x00\xff\x51\x03\x07\xa1\x20"  # from the start, half a second to the quarter
    b"\x00\x90\x3c\x40\x83\x60\x3c\x00"  # a note of 480 ticks, its end without a status
    b"\x00\xff\x51\x03\x0f\x42\x40"  # and from there a whole second
    b"\x00\xc0\x05\x00\xf0\x01\xf7\x83\x60\xff\x2f\x00"
)
MIDI = b"MThd" + struct.pack(">IHHH4sI", 6, 0, 1, 480, b"MTrk", len(TRACK)) + TRACK


@pytest.mark.parametrize(
    ("data", "length"),
    [
        (MIDI, 1.5),
        (wav(22050, 44100), 1.0),
        (wav(22050, 44100, told=0xFFFFFFFF), 1.0),  # as those write who do not know the end
        (vorbis(44100, 44100, 88200), 2.0),
        (vorbis(44100, 88200, -1), 2.0),
        (page(0, b"OpusHead\x01\x02" + struct.pack("<H", 480)) + page(48480, b""), 1.0),
        (FLAC, 2.0),
        (mp3(100), 100 * 1152 / 44100),
        (b"ID3\x04\0\0" + bytes((0, 0, 1, 0)) + bytes(128) + mp3(100), 100 * 1152 / 44100),
        (mp3(2, bytes(32) + b"Xing" + struct.pack(">II", 1, 1000)), 1000 * 1152 / 44100),
    ],
)
def test_a_length_is_read_from_what_the_file_says(data: bytes, length: float) -> None:
    assert seconds(data) == pytest.approx(length)


@pytest.mark.parametrize(
    "data",
    [b"", b"MThd", b"RIFF", wav(0, 10), wav(22050, 0), vorbis(44100), vorbis(0, 5), FLAC[:20]],
)
def test_what_says_none_has_none(data: bytes) -> None:
    assert seconds(data) is None


@given(
    st.sampled_from([wav(8000, 100), vorbis(8000, 100), FLAC, MIDI, mp3(3), b"ID3" + bytes(9)]),
    st.data(),
)
def test_a_broken_file_never_raises(whole: bytes, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(whole)))
    place = data.draw(st.integers(0, max(0, cut - 1)))
    put = data.draw(st.binary(max_size=8))
    found = seconds((whole[:place] + put + whole[place + len(put) :])[: max(cut, 4)])
    assert found is None or found > 0
