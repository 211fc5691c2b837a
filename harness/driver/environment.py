"""What a movie was recorded on: the versions and the machine that can change the bits."""

from __future__ import annotations

import functools
import platform
import sys
from importlib import metadata

from harness.games.loaded import LoadedGame
from harness.values.movie import Header

SAME_BITS = ("python", "pymunk", "platform", "cpu")
"""Header fields that must agree before two state hashes can be compared."""


def movie_header(game: LoadedGame, scene: str, seed: int, frames: int) -> Header:
    """The header of a movie that is recorded here and now."""
    return Header(
        game=game.folder.id,
        scene=scene,
        seed=seed,
        tick_rate=game.folder.tick_rate,
        frames=frames,
        build=game.build,
        **_environment(),
    )


@functools.cache
def _environment() -> dict[str, str]:
    return {
        "harness": _version("playtest-harness"),
        "python": platform.python_version(),
        "pymunk": _version("pymunk"),
        "pygame": _pygame(),
        "platform": f"{sys.platform}-{platform.machine().lower()}",
        "cpu": cpu_class(),
    }


def elsewhere(header: Header, here: Header, drawn: bool = False) -> list[str]:
    """In what a movie's environment differs from this one, as far as that can change bits.

    What is ``drawn`` is part of them for a program, and comes out otherwise in another pygame.
    """
    found = []
    for key in (*SAME_BITS, "pygame") if drawn else SAME_BITS:
        there, now = getattr(header, key), getattr(here, key)
        if key == "python":
            there, now = _minor(there), _minor(now)
        if there and there != now:
            found.append(f"{key} {there} there, {now} here")
    return found


def _minor(version: str) -> str:
    return ".".join(version.split(".")[:2])


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _pygame() -> str:
    for package in ("pygame-ce", "pygame"):
        version = _version(package)
        if version:
            return f"{package} {version}"
    return ""


def cpu_class() -> str:
    """``fma`` or ``no-fma``: libm's sin, exp and pow differ by it in the last bit."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return platform.machine().lower()
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            flags = next((line for line in file if line.startswith("flags")), "")
    except OSError:
        return "x86_64"
    return "fma" if " fma " in f"{flags.strip()} " else "no-fma"
