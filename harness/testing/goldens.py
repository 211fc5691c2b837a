"""What pytest tells of goldens: why a picture is not one, and which were not used."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.golden.golden import Golden
from harness.golden.unused import FOLDER
from harness.scenario import SUFFIX
from harness.values.files import shown_path
from harness.values.picture import Picture

if TYPE_CHECKING:
    import pytest


def explanation(left: object, right: object) -> list[str] | None:
    """Why two sides of an ``==`` differ, where one is a golden or both are pictures."""
    for side, other in ((left, right), (right, left)):
        if isinstance(side, Golden):
            if not isinstance(other, Picture):
                return [f"{side!r} is compared with pictures, not with a {type(other).__name__}"]
            return side.told or [f"{other!r} is {side!r}"]
    if isinstance(left, Picture) and isinstance(right, Picture):
        if left.size != right.size:
            return [f"{left!r} and {right!r} have other sizes"]
        return [f"{left!r} and {right!r}: {left.share_changed(right):.3%} of the pixels differ"]
    return None


def unused_goldens(config: pytest.Config, used: Iterable[str], files: dict[str, bool]) -> list[str]:
    """The goldens that a whole run did not use, as one would type them; none of a partial run.

    ``files`` are the test files that ran, and whether every test of each passed. A folder is told
    of where all its test files ran, and passed.
    """
    if _is_partial(config):
        return []
    known = {Path(path).resolve() for path in used}
    ran = {(config.rootpath / file).resolve(): passed for file, passed in files.items()}
    found: list[Path] = []
    for folder in sorted({path.parent for path in ran}):
        globs = (*config.getini("python_files"), f"*{SUFFIX}")
        tests = {path for glob in globs for path in folder.glob(glob)}
        if not all(ran.get(path, False) for path in {*tests, *_in(folder, ran)}):
            continue
        names = {path.stem.partition("@")[0] for path in known if path.parent == folder / FOLDER}
        for path in sorted((folder / FOLDER).glob("*.png")):
            ours = path.with_suffix(".json").is_file()
            if ours and path.stem.partition("@")[0] not in names:
                found.append(path)
    here = config.invocation_params.dir
    return [shown_path(path, here) for path in found]


def _in(folder: Path, paths: Iterable[Path]) -> list[Path]:
    return [path for path in paths if path.parent == folder]


def _is_partial(config: pytest.Config) -> bool:
    option: Any = config.option
    chosen = ("keyword", "markexpr", "deselect", "lf", "last_failed", "maxfail", "stepwise")
    return any(getattr(option, name, None) for name in chosen) or any(
        "::" in str(arg) for arg in config.args
    )
