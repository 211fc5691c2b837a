"""Goldens as files: a PNG and, beside it, its fingerprint; one more of each for other machines."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.errors import ArgumentError, GoldenError
from harness.golden.png import broken, read_png
from harness.values.files import made_folder, read_file, write_atomically
from harness.values.kinds import short
from harness.values.picture import Picture
from harness.values.sight import Box

_NAME = re.compile(r"(?!(con|prn|aux|nul|com\d|lpt\d)(\.|$))\w[\w .+-]*", re.IGNORECASE)
"""A file's name on any system: Windows keeps some for its devices."""
_LONGEST_NAME = 160
"""Bytes; file systems take 255, and a variant's file says what it was drawn with."""


@dataclass(frozen=True, slots=True)
class GoldenFile:
    """One golden on disk. ``drawn_with`` is empty where no fingerprint lies beside it."""

    path: Path
    drawn_with: Mapping[str, str] = field(default_factory=dict)
    pixels: str = ""
    file: str = ""
    masks: Mapping[str, Box] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name that tests use."""
        return self.path.stem.partition("@")[0]

    def is_exactly(self, picture: Picture) -> bool:
        """Whether the picture's hash is the one that is kept beside the very file."""
        return bool(self.pixels) and self.pixels == picture.hash and self.file == _digest(self.path)

    def picture(self) -> Picture:
        """Read the file.

        Raises:
            GoldenError: it is no PNG of RGB with 8 bits, or not all of one.
        """
        return read_png(self.path)


def golden_file(path: Path) -> GoldenFile:
    """A golden with what is told beside it.

    Raises:
        GoldenError: that is no fingerprint.
    """
    beside = path.with_suffix(".json")
    try:
        told = json.loads(read_file(beside))
    except FileNotFoundError:
        return GoldenFile(path)
    except (OSError, ValueError) as error:
        raise broken(beside, f"cannot be read: {error}") from None
    try:
        masks = {str(name): Box(*map(float, box)) for name, box in told.get("masks", {}).items()}
        drawn_with = {str(key): str(value) for key, value in told["drawn_with"].items()}
        return GoldenFile(path, drawn_with, str(told["pixels"]), str(told["file"]), masks)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise broken(beside, "is no golden's fingerprint") from None


@dataclass(frozen=True, slots=True)
class Store:
    """The goldens of one folder."""

    folder: Path

    def find(self, name: str, drawn_with: Mapping[str, str]) -> GoldenFile | None:
        """The golden to compare with under an environment: its own variant, else the plain one."""
        plain, variant = self._plain(name), self._variant(name, drawn_with)
        found = golden_file(plain) if plain.is_file() else None
        own = found is not None and found.drawn_with in (drawn_with, {})
        if not own and variant.is_file():
            return golden_file(variant)
        return found

    def target(self, name: str, drawn_with: Mapping[str, str]) -> Path:
        """The file that an environment writes: the plain one where it is its own, or is missing."""
        plain = self._plain(name)
        if not plain.is_file():
            return plain
        try:
            known = golden_file(plain).drawn_with
        except GoldenError:
            return plain
        return plain if known in (drawn_with, {}) else self._variant(name, drawn_with)

    def write(
        self,
        name: str,
        picture: Picture,
        drawn_with: Mapping[str, str],
        masks: Mapping[str, Box],
    ) -> Path:
        """Approve a picture under a name.

        Raises:
            RequestError: the folder may not be written to.
        """
        path = self.target(name, drawn_with)
        png = picture.to_png()
        told = {
            "size": list(picture.size),
            "pixels": picture.hash,
            "file": hashlib.blake2b(png, digest_size=8).hexdigest(),
            "drawn_with": dict(drawn_with),
            "masks": {key: [round(part, 3) for part in box] for key, box in masks.items()},
        }
        made_folder(self.folder)
        write_atomically(path, png)
        write_atomically(path.with_suffix(".json"), json.dumps(told, indent=2) + "\n")
        return path

    def _plain(self, name: str) -> Path:
        return self.folder / f"{checked_name(name)}.png"

    def _variant(self, name: str, drawn_with: Mapping[str, str]) -> Path:
        return self.folder / f"{checked_name(name)}@{variant(drawn_with)}.png"


def variant(drawn_with: Mapping[str, str]) -> str:
    """An environment as a part of a file's name."""
    words = [f"{key}-{value}" for key, value in drawn_with.items() if key != "machine"]
    words.append(drawn_with.get("machine", ""))
    return "-".join(re.sub(r"[^a-z0-9._]+", "-", word.lower()) for word in words if word)


def described(drawn_with: Mapping[str, str]) -> str:
    """An environment in words."""
    if not drawn_with:
        return "an unknown environment"
    words = [f"{key} {value}" for key, value in drawn_with.items() if key != "machine"]
    return ", ".join([*words, drawn_with.get("machine", "")]).rstrip(", ")


def checked_name(name: Any) -> str:
    """Refuse what cannot be a golden's name.

    Raises:
        ArgumentError: with what can.
    """
    plain = isinstance(name, str) and _NAME.fullmatch(name) and not name.endswith((".", " "))
    if not plain or len(name.encode()) > _LONGEST_NAME:
        problem = f"a golden's is a file's name without its end, not {short(name)}"
        raise ArgumentError("name", problem)
    return str(name)


def _digest(path: Path) -> str:
    try:
        return hashlib.blake2b(read_file(path), digest_size=8).hexdigest()
    except OSError:
        return ""
