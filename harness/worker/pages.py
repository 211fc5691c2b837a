"""The pages of memory that forks of one process write to, had in one go instead of a fault each.

A fork shares all memory with the process that it came from, and takes each page for itself when it
first writes there. Forks of one process write to much the same pages.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import sys
from array import array
from collections.abc import Iterator
from pathlib import Path

_PRESENT, _EXCLUSIVE = 1 << 63, 1 << 56
_POPULATE_WRITE = 23
_SKIPPED = 2
"""Pages between two of our own that are cheaper taken along than left out."""


def note_own(file: Path) -> None:
    """Write down which pages this process has for itself, where the system tells."""
    if sys.platform != "linux":
        return
    places = array("Q")
    with contextlib.suppress(OSError, ValueError):
        with open("/proc/self/pagemap", "rb", buffering=0) as table:
            for start, end in _written_regions():
                entries = array("Q")
                data = os.pread(
                    table.fileno(), (end - start) // mmap.PAGESIZE * 8, start // mmap.PAGESIZE * 8
                )
                entries.frombytes(data)
                for first, count in _own(entries):
                    places.extend((start + first * mmap.PAGESIZE, count * mmap.PAGESIZE))
        new = file.with_name(f"{file.name}-{os.getpid()}")
        new.write_bytes(places.tobytes())
        os.replace(new, file)


def have(file: Path) -> None:
    """Have the pages for oneself that were written down, if any were."""
    import ctypes

    places = array("Q")
    try:
        places.frombytes(file.read_bytes())
    except (OSError, ValueError):
        return
    advise = ctypes.CDLL(None).madvise
    advise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    for start, size in zip(places[::2], places[1::2], strict=True):
        # A kernel older than 5.14 does not know how, and a place may be gone: no harm is done.
        advise(start, size, _POPULATE_WRITE)


def _written_regions() -> Iterator[tuple[int, int]]:
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as regions:
        for line in regions:
            place, rights, _ = line.split(None, 2)
            if rights.startswith("rw-p"):
                start, _, end = place.partition("-")
                yield int(start, 16), int(end, 16)


def _own(entries: array[int]) -> list[tuple[int, int]]:
    """Stretches of pages that are present and nobody else's: each its first and how many."""
    wanted = _PRESENT | _EXCLUSIVE
    found: list[tuple[int, int]] = []
    for place, entry in enumerate(entries):
        if entry & wanted != wanted:
            continue
        first, count = found[-1] if found else (-_SKIPPED - 2, 0)
        if place - (first + count) <= _SKIPPED:
            found[-1] = first, place - first + 1
        else:
            found.append((place, 1))
    return found
