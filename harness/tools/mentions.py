"""Files beside a scene's that name what is renamed or gone: scenarios, tests and scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from harness.check.files import GameFiles
from harness.check.scenes import scene_files
from harness.games.folder import GameFolder

_SCRIPTS = (".py", ".pyw")
_OTHERS = (".yaml", ".yml", ".json", ".toml")
_LARGEST = 1 << 20
_MOST = 6


def mentioned(folder: GameFolder, name: str) -> Iterator[str]:
    """A note with the files that have a name.

    In scenarios and tests it is a word in upper or lower case, as a game may call its entities, in
    the game's own files a text. Other scenes are no part of it: what they hold has its own names.
    """
    files = GameFiles(folder.own)
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
    text = re.compile(rf"([\"']){re.escape(name)}\1")
    tests = list(files.tests())
    scenes = {(folder.path / file).parent for file in scene_files(folder).values()} - {files.path}
    own = [files.path / one for one in files.ending(*_SCRIPTS, *_OTHERS)]
    own = [path for path in own if path.parent not in scenes and path not in tests]
    found = [*_having(word, tests), *_having(text, own)]
    if found:
        shown = ", ".join(map(files.shown, found[:_MOST]))
        more = f" and {len(found) - _MOST} more" if len(found) > _MOST else ""
        yield f"these files name {name}, too: {shown}{more}"


def _having(pattern: re.Pattern[str], paths: list[Path]) -> list[Path]:
    endings = (*_SCRIPTS, *_OTHERS)
    return [p for p in paths if p.suffix.lower() in endings and pattern.search(_text(p))]


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _LARGEST:
            return ""
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
