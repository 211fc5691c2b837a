"""An edit in the making: cuts of a scene's text, and what the text must say when they are made."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from harness.errors import ConfigError, RequestError
from harness.scene.layout import Scene, parsed
from harness.scene.splice import Cut, spliced
from harness.values.files import read_file, reason, write_atomically

_WRITING = threading.Lock()
"""Of two edits that were made of the same text only one is written."""


@dataclass(frozen=True, slots=True)
class Edited:
    """A scene as an edit leaves it, not yet written, and what should be known of it."""

    scene: Scene
    notes: tuple[str, ...] = ()


class Draft:
    """Changes to one scene in the making: cuts of its text, and what it must then say."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.cuts: list[Cut] = []
        self._twins: dict[int, Any] = {}
        self.value = self._copied(scene.document.value)

    @property
    def text(self) -> str:
        """The text as it stands on disk."""
        return self.scene.document.text

    def _copied(self, value: Any) -> Any:
        """A copy of a value, in which an alias has a value of its own: an edit is for one place."""
        found: Any
        if isinstance(value, dict):
            found = {key: self._copied(item) for key, item in value.items()}
        elif isinstance(value, list):
            found = list(map(self._copied, value))
        else:
            return value
        self._twins[id(value)] = found
        return found

    def twin(self, value: Any) -> Any:
        """What is to become of a mapping or list of the scene."""
        return self._twins[id(value)]

    def cut(self, cuts: Sequence[Cut]) -> None:
        """Take in changes of the text.

        Raises:
            RequestError: an anchor or alias stands in what they would replace.
        """
        for cut in cuts:
            self.keep_anchors(cut.start, cut.end)
        self.cuts += cuts

    def keep_anchors(self, start: int, end: int) -> None:
        """Refuse to touch a place with an anchor or alias: what it stands for is elsewhere.

        Raises:
            RequestError: there is one.
        """
        for at in self.scene.document.anchored:
            if start <= at < end:
                line = self.text.count("\n", 0, at) + 1
                raise RequestError(
                    f"{self.scene.file}, line {line}: an anchor or alias of YAML stands there;"
                    " edit this one by hand"
                )

    def done(self, notes: Sequence[str] = ()) -> Edited:
        """Make the changes, read the text again, and compare it with what it must say.

        Raises:
            RequestError: it would say something else.
        """
        scene = self.scene
        try:
            new = parsed(spliced(self.text, self.cuts), scene.path, scene.name, scene.file)
        except ConfigError as error:
            raise RequestError(f"this cannot be written into {scene.file}: {error}") from None
        known = Counter(orphan.wrong for orphan in scene.orphans)
        for orphan in new.orphans:
            if not known[orphan.wrong]:
                raise RequestError(f"this cannot be written into {scene.file}: {orphan}")
            known[orphan.wrong] -= 1
        if not same(new.document.value, self.value):
            raise RequestError(
                f"{scene.file} is written in a way that this edit would change elsewhere, too;"
                " edit it by hand"
            )
        return Edited(new, tuple(notes))


def same(one: Any, other: Any) -> bool:
    """Whether two values of a file are the same, types included; keys have no order."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and bool(one == other)


def write_edited(before: Scene, edited: Edited) -> None:
    """Write an edit over the file that it was made of.

    Raises:
        RequestError: the file is another by now, or cannot be written.
    """
    old, new = before.document.text, edited.scene.document.text
    with _WRITING:
        try:
            present = read_file(before.path)
        except OSError as error:
            raise RequestError(f"cannot read {before.file}: {reason(error)}") from None
        if present != old.encode("utf-8"):
            raise RequestError(f"{before.file} was changed by somebody else meanwhile; ask again")
        if new != old:
            write_atomically(before.path.resolve(), new)
