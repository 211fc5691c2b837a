"""The game that ``harness new`` writes: a few lines, one scenario, and it runs at once."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from harness.errors import RequestError
from harness.values.files import reason, write_atomically

_FILES = Path(__file__).parent / "files"


def write_starter(folder: Path) -> Iterator[str]:
    """Write the starter game into a new or empty folder; gives the lines to tell.

    Raises:
        RequestError: the folder holds something, or cannot be written to.
    """
    _make(folder)
    game_id = re.sub(r"[^a-z0-9]+", "-", folder.resolve().name.lower()).strip("-") or "game"
    for source in sorted(path for path in _FILES.rglob("*") if path.suffix in (".py", ".yaml")):
        name = source.relative_to(_FILES)
        text = source.read_text(encoding="utf-8").replace("GAME_ID", game_id)
        yield f"wrote {write_atomically(folder / name, text)}"
    typed = shlex.quote(f"./{folder}" if str(folder).startswith("-") else str(folder))
    yield ""
    yield "play it:"
    yield f'  harness run {typed} --input "right@1-60" --print ball.position --every 20'
    yield f"  pytest {typed}"


def _make(folder: Path) -> None:
    if not folder.name.isprintable():
        raise RequestError(f"cannot make {str(folder)!r}: a name must be in one line")
    try:
        if folder.exists() and not folder.is_dir():
            raise RequestError(f"{folder} is a file; give a new folder")
        # What is hidden (.git, .venv) is no part of a game.
        if folder.exists() and any(not path.name.startswith(".") for path in folder.iterdir()):
            raise RequestError(f"{folder} is not empty; give a new folder")
        (folder / "scenarios").mkdir(parents=True)
    except (OSError, ValueError) as error:
        raise RequestError(f"cannot make {folder}: {reason(error)}") from None
