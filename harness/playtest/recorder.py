"""Writes a movie while it is being played, so that a crash leaves it up to its last mark."""

from __future__ import annotations

import contextlib
import os
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from harness.driver.driver import Driver
from harness.driver.environment import movie_header
from harness.errors import RequestError
from harness.values.files import reason
from harness.values.movie import (
    FIRST_LINE,
    FORMAT,
    MOVIE_FILE,
    Movie,
    body_lines,
    header_lines,
)

_LONGEST_NAME = 240
"""Bytes; file systems take 255, and the part's name is longer."""


class Recorder:
    """Follows one driver from its reset; ``x.movie.part`` becomes ``x.movie`` when it is done."""

    def __init__(self, path: Path, driver: Driver) -> None:
        if len(os.fsencode(path.name)) > _LONGEST_NAME:
            raise RequestError(f"record: cannot write {path.name[:20]}...: its name is too long")
        MOVIE_FILE.place(path, "record")
        self.path = path
        self._part = path.with_name(f"{path.name}.part")
        self._driver = driver
        self._file: TextIO | None = None
        self._inputs = self._edits = self._marks = 0
        replace(MOVIE_FILE, suffix=".part").check(self._part, "record")
        driver.on_mark = self._write

    def _write(self, driver: Driver) -> None:
        if self._file is None:
            self._file = self._opened(driver)
        if len(driver.inputs) < self._inputs or len(driver.marks) < self._marks:
            return
        lines = body_lines(
            driver.inputs, driver.edits[self._edits :], driver.marks[self._marks :], self._inputs
        )
        self._file.writelines(f"{line}\n" for line in lines)
        self._file.flush()
        self._inputs, self._edits, self._marks = (
            len(driver.inputs),
            len(driver.edits),
            len(driver.marks),
        )

    def _opened(self, driver: Driver) -> TextIO:
        header = movie_header(driver.game, driver.scene, driver.seed, 0)
        lines = header_lines(replace(header, frames=None))
        try:
            file = self._part.open("w", encoding="utf-8", newline="\n")
        except OSError as error:
            raise RequestError(f"record: cannot write {self._part}: {reason(error)}") from None
        file.write("\n".join([f"{FIRST_LINE} {FORMAT}", *lines, "", ""]))
        return file

    def done(self, movie: Movie) -> Path:
        """Write the whole movie under its own name, and remove the part."""
        written = movie.write(self.path)
        self.abandon()
        return written

    def close(self) -> None:
        """Stop following; what was written so far stays as the part."""
        self._driver.on_mark = None
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.close()
            self._file = None

    def abandon(self) -> None:
        """Stop following, and remove the part: nothing came of this run."""
        self.close()
        self._part.unlink(missing_ok=True)
