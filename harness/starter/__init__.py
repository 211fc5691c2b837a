"""The game that ``harness new`` writes: a few lines, one scenario, and it runs at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from harness.errors import RequestError
from harness.values.files import write_atomically

_FILES = Path(__file__).parent / "files"


def write_starter(folder: Path) -> Iterator[str]:
    """Write the starter game into a new or empty folder; gives the lines to tell.

    Raises:
        RequestError: the folder holds something, or cannot be written to.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise RequestError(f"{folder} is not empty; give a new folder")
    game_id = re.sub(r"[^a-z0-9]+", "-", folder.resolve().name.lower()).strip("-") or "game"
    try:
        (folder / "scenarios").mkdir(parents=True)
    except OSError as error:
        raise RequestError(f"cannot make {folder}: {error.strerror}") from None
    for source in sorted(path for path in _FILES.rglob("*") if path.suffix in (".py", ".yaml")):
        name = source.relative_to(_FILES)
        text = source.read_text(encoding="utf-8").replace("GAME_ID", game_id)
        yield f"wrote {write_atomically(folder / name, text)}"
    yield ""
    yield "play it:"
    yield f'  harness run {folder} --input "right@1-60" --print ball.position --every 20'
    yield f"  pytest {folder}"
