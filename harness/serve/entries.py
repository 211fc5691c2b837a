"""Puts one entry into a client's configuration file, and leaves every other byte as it is."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from typing import Any

_SPACE = " \t\r\n"
_DECODER = json.JSONDecoder()


class NotReadable(ValueError):
    """A file that is not what its name says, with the place of the first mistake."""


def with_json_entry(text: str, table: str, name: str, entry: dict[str, Any]) -> str:
    """A JSON file with the entry in its table; the text itself where it is there already.

    Raises:
        NotReadable: it is no JSON object, or its table is none.
    """
    if not text.strip():
        return json.dumps({table: {name: entry}}, indent=2) + "\n"
    try:
        json.loads(text)
    except ValueError as error:
        raise NotReadable(str(error)) from None
    outer = _Object.read(text, _skipped(text, 0), "the file")
    place = outer.find(table)
    if place is None:
        return outer.added(text, table, {name: entry})
    inner = _Object.read(text, place[0], table)
    old = inner.find(name)
    if old is None:
        return inner.added(text, name, entry)
    start, end = old
    if json.loads(text[start:end]) == entry:
        return text
    return text[:start] + _written(entry, inner.indent(text), _line_end(text)) + text[end:]


@dataclass(frozen=True, slots=True)
class _Object:
    """Where an object and each of its members begin and end in a text."""

    start: int
    end: int
    members: tuple[tuple[str, int, int, int], ...]

    @staticmethod
    def read(text: str, start: int, what: str) -> _Object:
        if text[start] != "{":
            raise NotReadable(f"{what} is no object")
        members, at = [], _skipped(text, start + 1)
        while text[at] != "}":
            key, after = _DECODER.raw_decode(text, at)
            value = _skipped(text, _skipped(text, after) + 1)
            _, end = _DECODER.raw_decode(text, value)
            members.append((key, at, value, end))
            at = _skipped(text, end)
            at = _skipped(text, at + 1) if text[at] == "," else at
        names = [member[0] for member in members]
        if len(set(names)) < len(names):
            raise NotReadable(f"{what} has a key twice")
        return _Object(start, at, tuple(members))

    def find(self, key: str) -> tuple[int, int] | None:
        return next(((start, end) for name, _, start, end in self.members if name == key), None)

    def indent(self, text: str) -> str:
        """The white space that its members stand behind, if each begins a line."""
        at = self.members[0][1] if self.members else self.start
        line = text[text.rfind("\n", 0, at) + 1 : at]
        return line if not line.strip() else re.match(r"\s*", line)[0]  # type: ignore[index]

    def added(self, text: str, key: str, value: Any) -> str:
        """The text with one more member behind the others."""
        end_of_line = _line_end(text)
        inner = self.indent(text) if self.members else f"{self.indent(text)}  "
        member = f"{json.dumps(key)}: {_written(value, inner, end_of_line)}"
        if self.members:
            last = self.members[-1][3]
            return f"{text[:last]},{end_of_line}{inner}{member}{text[last:]}"
        closing = f"{end_of_line}{self.indent(text)}"
        before, after = text[: self.start + 1], text[self.end :]
        return f"{before}{end_of_line}{inner}{member}{closing}{after}"


def _skipped(text: str, at: int) -> int:
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _written(value: Any, indent: str, end_of_line: str) -> str:
    return json.dumps(value, indent=2).replace("\n", f"{end_of_line}{indent}")


def with_toml_entry(text: str, table: str, name: str, entry: dict[str, Any]) -> str:
    """A TOML file with the entry as a table of its own, at its end or where it was.

    Raises:
        NotReadable: it is no TOML, or holds the entry in another form.
    """
    try:
        known = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise NotReadable(str(error)) from None
    if known.get(table, {}).get(name) == entry:
        return text
    end_of_line = _line_end(text)
    lines = [
        f"[{table}.{_key(name)}]",
        *(f"{key} = {_toml(value)}" for key, value in entry.items()),
    ]
    section = end_of_line.join(lines) + end_of_line
    if name not in known.get(table, {}):
        gap = "" if not text else end_of_line if text.endswith("\n") else end_of_line * 2
        changed = text + gap + section
    else:
        header = re.compile(rf"^\[{table}\.{re.escape(_key(name))}\][^\n]*\n", re.MULTILINE)
        found = header.search(text)
        if found is None:
            raise NotReadable(f"{table}.{name} is there in a form that is not understood")
        following = re.compile(r"^\s*\[", re.MULTILINE).search(text, found.end())
        end = following.start() if following else len(text)
        kept = text[end:]
        changed = text[: found.start()] + section + (end_of_line + kept if kept else "")
    wanted = {**known, table: {**known.get(table, {}), name: entry}}
    try:
        understood = tomllib.loads(changed) == wanted
    except tomllib.TOMLDecodeError:
        understood = False
    if not understood:
        raise NotReadable(f"{table} is there in a form that cannot be added to")
    return changed


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name)


def _toml(value: Any) -> str:
    # A basic string of TOML is written as one of JSON.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
