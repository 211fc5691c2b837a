"""What a comparison leaves behind when it fails, and how that is approved afterwards."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from harness.errors import ArgumentError, GoldenError, RequestError
from harness.golden.compare import diff_picture
from harness.golden.golden import Golden, Verdict
from harness.golden.png import read_png
from harness.golden.sheet import sheet
from harness.golden.store import Store, checked_name
from harness.values.files import is_folder, read_file, write_atomically
from harness.values.picture import Picture
from harness.values.sight import Box

RECORD = "golden.json"
ACTUAL, SHEET = "actual.png", "sheet.png"
FILES = ("expected.png", ACTUAL, "diff.png", SHEET, RECORD)


def keep(folder: Path, root: Path, golden: Golden, actual: Picture, verdict: Verdict) -> Path:
    """Write the pictures and a record of whose they are; gives the one to look at.

    Raises:
        RequestError, OSError: the folder may not be written to.
    """
    folder.mkdir(parents=True, exist_ok=True)
    forget(folder)
    shown = actual.write(folder / ACTUAL)
    expected = verdict.expected
    if expected is not None:
        diff = diff_picture(actual, expected, golden.distance, verdict.regions)
        expected.write(folder / "expected.png")
        diff.write(folder / "diff.png")
        shown = sheet(expected, actual, diff).write(folder / SHEET)
    record = {
        "name": golden.name,
        "folder": Path(os.path.relpath(golden.store.folder, root)).as_posix(),
        "pixels": actual.hash,
        "drawn_with": dict(verdict.drawn_with),
        "masks": {name: list(box) for name, box in verdict.masks.items()},
    }
    write_atomically(folder / RECORD, json.dumps(record, indent=2) + "\n")
    return shown


def forget(folder: Path) -> None:
    """Remove what an earlier failure left in a folder."""
    for name in FILES:
        with suppress(OSError):
            (folder / name).unlink()


def approve(results: Path, root: Path) -> Iterator[Path]:
    """Take each kept actual picture under a folder as its golden, in the project at ``root``.

    Raises:
        RequestError: there is none, or it belongs outside of the project.
        GoldenError: a picture is not the one that was kept.
    """
    records = sorted(results.rglob(RECORD)) if is_folder(results) else []
    if not records:
        raise RequestError(
            f"nothing to approve in {results}: a failed comparison leaves {RECORD} and {ACTUAL}"
        )
    for record in records:
        yield _approved(record, _read(record), root)


def _read(record: Path) -> dict[str, Any]:
    try:
        told = json.loads(read_file(record))
        name, folder, pixels = told["name"], told["folder"], told["pixels"]
        if not all(isinstance(part, str) for part in (name, folder, pixels)):
            raise TypeError
        checked_name(name)
        drawn_with = {str(key): str(value) for key, value in told["drawn_with"].items()}
        masks = {str(key): Box(*map(float, box)) for key, box in told["masks"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, ArgumentError):
        raise RequestError(f"{record}: is no record of a comparison") from None
    return {
        "name": name,
        "folder": folder,
        "pixels": pixels,
        "drawn_with": drawn_with,
        "masks": masks,
    }


def _approved(record: Path, told: dict[str, Any], root: Path) -> Path:
    folder = (root / told["folder"]).resolve()
    if not folder.is_relative_to(root.resolve()):
        raise RequestError(f"{record}: its golden belongs to {folder}, outside of {root}")
    if not folder.parent.is_dir():
        raise RequestError(
            f"{record}: there is no {folder.parent}\n  run this where pytest was started"
        )
    actual = read_png(record.with_name(ACTUAL))
    if actual.hash != told["pixels"]:
        problem = "is not the picture that was kept"
        raise GoldenError(f"{record.with_name(ACTUAL)}: {problem}", record.with_name(ACTUAL))
    return Store(folder).write(told["name"], actual, told["drawn_with"], told["masks"])
