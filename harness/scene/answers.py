"""Answers of the scene tools: short lines as text, plain values as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.values.answers import numbers
from harness.values.run import jsonable, shown

_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Named:
    """Which entity of a scene: its id (None where it has none), name, path and kind."""

    id: Any
    name: str
    path: str
    kind: str

    def __str__(self) -> str:
        words = [f"#{self.id}"] if self.id is not None else []
        words.append(self.path)
        return " ".join([*words, f"({self.kind})"] if self.kind else words)

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {"id": self.id, "name": self.name, "path": self.path, "kind": self.kind}


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of a scene's tree; ``depth`` is 1 for the outermost."""

    entity: Named
    depth: int
    position: Any = None

    def line(self) -> str:
        """As one line, indented by its depth."""
        found = self.entity
        words = [f"#{found.id}"] if found.id is not None else []
        words.append(found.name)
        if found.kind:
            words.append(f"({found.kind})")
        if self.position is not None:
            words.append(_place(self.position))
        return "  " * (self.depth - 1) + " ".join(words)


def _place(value: Any) -> str:
    plain = isinstance(value, list) and all(isinstance(part, int | float) for part in value)
    return numbers(value) if plain else shown(value)


@dataclass(frozen=True, slots=True)
class SceneTree:
    """The entities of a scene, parents before children.

    ``left_out`` are those not listed, ``below`` those of them that stand deeper than was asked for.
    """

    scene: str
    file: str
    count: int
    objects: tuple[Listed, ...]
    scenes: tuple[str, ...] = ()
    left_out: int = 0
    below: int = 0
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The structured answer."""
        rows = [
            {**one.entity.to_json(), "depth": one.depth, "position": jsonable(one.position)}
            for one in self.objects
        ]
        return {
            "scene": self.scene, "file": self.file, "count": self.count, "objects": rows,
            "left_out": self.left_out, "scenes": list(self.scenes), "notes": list(self.notes),
        }  # fmt: skip

    def text(self) -> str:
        """The tree in words."""
        others = [name for name in self.scenes if name != self.scene]
        more = f"; other scenes: {', '.join(others)}" if others else ""
        lines = [f"scene {self.scene} ({self.file}): {_counted(self.count, 'object')}{more}"]
        lines += [one.line() for one in self.objects]
        if self.left_out:
            lines.append(f"... {self.left_out} more: {self._more()}, scene_get shows one")
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])

    def _more(self) -> str:
        if not self.below:
            return "limit=0 lists all, depth=1 only the outermost"
        if self.below < self.left_out:
            return "limit=0 without depth lists all"
        return "without depth all are listed"


def _counted(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


@dataclass(frozen=True, slots=True)
class SceneObject:
    """One entity of a scene with all that the file says of it, and the line where it stands."""

    scene: str
    file: str
    line: int
    entity: Named
    properties: Mapping[str, Any]
    children: tuple[Named, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The structured answer."""
        return {
            "scene": self.scene, "file": self.file, "line": self.line, **self.entity.to_json(),
            "properties": {str(key): jsonable(value) for key, value in self.properties.items()},
            "children": [child.to_json() for child in self.children],
        }  # fmt: skip

    def text(self) -> str:
        """The properties in words, each on its line."""
        lines = [f"{self.entity} in {self.file}, line {self.line}"]
        skipped = ("id", "name", "kind") if self.entity.id is not None else ("name", "kind")
        rows = [(k, v) for k, v in self.properties.items() if k not in skipped]
        lines += [f"  {key}={_short(value)}" for key, value in rows]
        if self.children:
            lines.append(f"  children: {', '.join(child.name for child in self.children)}")
        return "\n".join(lines)


def _short(value: Any) -> str:
    text = shown(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


@dataclass(frozen=True, slots=True)
class Change:
    """One property before and after; ``was_there`` and ``is_there`` tell an absent one apart."""

    key: str
    before: Any
    after: Any
    was_there: bool = True
    is_there: bool = True

    def __str__(self) -> str:
        if not self.was_there:
            return f"{self.key}: {_short(self.after)}, new"
        if not self.is_there:
            return f"{self.key}: gone, was {_short(self.before)}"
        before, after = _short(self.before), _short(self.after)
        if before == after:
            before, after = repr(self.before), repr(self.after)
        return f"{self.key}: {before} -> {after}"

    def to_json(self) -> dict[str, Any]:
        """As plain values; what is absent is left out."""
        found = {"property": self.key}
        if self.was_there:
            found["before"] = jsonable(self.before)
        if self.is_there:
            found["after"] = jsonable(self.after)
        return found


@dataclass(frozen=True, slots=True)
class SceneDiff:
    """What was added to a scene, removed from it, and changed in it."""

    scene: str
    file: str
    against: str
    added: tuple[Named, ...] = ()
    removed: tuple[Named, ...] = ()
    changed: tuple[tuple[Named, tuple[Change, ...]], ...] = ()
    notes: tuple[str, ...] = field(default_factory=tuple)

    def to_json(self) -> dict[str, Any]:
        """The structured answer."""
        return {
            "scene": self.scene,
            "file": self.file,
            "against": self.against,
            "added": [one.to_json() for one in self.added],
            "removed": [one.to_json() for one in self.removed],
            "changed": [
                {**one.to_json(), "changes": [row.to_json() for row in rows]}
                for one, rows in self.changed
            ],
            "notes": list(self.notes),
        }

    def text(self) -> str:
        """The differences in words."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        counts = [
            f"{len(found)} {word}"
            for found, word in (
                (self.added, "added"), (self.removed, "removed"), (self.changed, "changed")
            )
            if found
        ]  # fmt: skip
        against = f" against {self.against}" if self.against else ""
        yield f"scene {self.scene} ({self.file}){against}: {', '.join(counts) or 'no difference'}"
        yield from (f"+ {one}" for one in self.added)
        yield from (f"- {one}" for one in self.removed)
        for one, rows in self.changed:
            yield f"~ {one}"
            yield from (f"    {row}" for row in rows)
        yield from (f"note: {note}" for note in self.notes)
