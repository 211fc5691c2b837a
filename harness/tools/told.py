"""Answers of the reference tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.tools.names import Name

_TITLES = {
    "game": "the game's classes and functions",
    "now": "what expressions can use at this frame",
    "harness": "the harness's",
}


@dataclass(frozen=True, slots=True)
class Told:
    """An answer as plain values and as lines of words."""

    answer: Mapping[str, Any]
    lines: Sequence[str]

    def to_json(self) -> dict[str, Any]:
        """The structured answer."""
        return dict(self.answer)

    def text(self) -> str:
        """The answer in words."""
        return "\n".join(self.lines)


@dataclass(frozen=True, slots=True)
class Found:
    """Names that were looked up, by where they come from."""

    kind: str
    names: Mapping[str, Sequence[Name]]
    word: str = ""

    def to_json(self) -> dict[str, Any]:
        """The structured answer; of the index, names without their members."""
        if self.kind == "index":
            return {
                group: [{"name": one.name, "where": one.where, "about": one.about} for one in names]
                for group, names in self.names.items()
            }
        return {"names": [one.to_json() for names in self.names.values() for one in names]}

    def text(self) -> str:
        """The names in words."""
        return "\n".join(self._index() if self.kind == "index" else self._each())

    def _index(self) -> list[str]:
        lines: list[str] = []
        for group, names in self.names.items():
            if names:
                lines.append(f"{_TITLES[group]}:")
                lines += _by_place(names) if group == "game" else _short(names)
        return [*lines, 'more with name="..." or search="..."']

    def _each(self) -> list[str]:
        found = [one for names in self.names.values() for one in names]
        if self.kind == "search":
            if not found:
                return [f"no name has to do with {self.word!r}; try a shorter word"]
            return [f"{one.line()}  [{one.where}]" if one.where else one.line() for one in found]
        lines: list[str] = []
        for one in found:
            lines.append(f"{one.line()}  [{one.where}]")
            lines += _short(one.members)
        return lines


def _by_place(names: Sequence[Name]) -> list[str]:
    places: dict[str, list[str]] = {}
    for one in names:
        places.setdefault(one.where.rpartition(":")[0], []).append(one.name)
    return [f"  {place}: {', '.join(words)}" for place, words in places.items()]


def _short(names: Sequence[Name]) -> list[str]:
    plain = [one.name for one in names if not (one.about or one.signature)]
    told = [f"  {one.line()}" for one in names if one.about or one.signature]
    return [*([f"  {', '.join(plain)}"] if plain else []), *told]
