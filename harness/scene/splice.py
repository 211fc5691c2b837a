"""Changes to the text of a YAML document, node by node: what is not named stays as it stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from harness.scene.writing import fitting, written

_BREAK = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
_COMMA = re.compile(r"(?:\s|#[^\r\n]*)*,")


@dataclass(frozen=True, slots=True)
class Cut:
    """Text to put in place of what stands from ``start`` to ``end``."""

    start: int
    end: int
    text: str = ""


def spliced(text: str, cuts: Sequence[Cut]) -> str:
    """Make all changes at once; those at one place keep their order."""
    found, at = [], 0
    for cut in sorted(cuts, key=lambda cut: cut.start):
        if cut.end <= at and cut.start < at:
            continue  # inside of what was cut already
        found += [text[at : max(at, cut.start)], cut.text]
        at = max(at, cut.end)
    return "".join([*found, text[at:]])


def newline_of(text: str) -> str:
    """How the lines of a text end."""
    found = _BREAK.search(text)
    return found.group() if found and found.group() in ("\r\n", "\r") else "\n"


def start_of(node: Any) -> int:
    """Where a node begins, its anchor and tag included."""
    return int(node.start_mark.index)


def end_of(text: str, node: Any) -> int:
    """Where what a node says ends: comments and blank lines after it are not part of it."""
    end = int(node.end_mark.index)
    if node.id == "scalar":
        if node.style in ("|", ">") and not getattr(node, "alias", False):
            return len(text[:end].rstrip()) if "+" not in _indicator(text, node) else end
        return end
    if node.flow_style or getattr(node, "alias", False) or not node.value:
        return end
    last = node.value[-1]
    return end_of(text, last[1] if node.id == "mapping" else last)


def _indicator(text: str, node: Any) -> str:
    return text[start_of(node) : line_end(text, start_of(node))]


def line_end(text: str, at: int) -> int:
    """Where the line of a place ends, before its break."""
    found = _BREAK.search(text, at)
    return found.start() if found else len(text)


def line_start(text: str, at: int) -> int:
    """Where the line of a place begins."""
    while at > 0 and not _BREAK.match(text[at - 1]):
        at -= 1
    return at + (at == 0 and text[:1] == "\ufeff")


def after_break(text: str, at: int) -> int:
    """Where the next line begins, of a place at the end of a line."""
    found = _BREAK.match(text, at)
    return found.end() if found else at


def replaced(text: str, key: Any, node: Any, value: Any, json: bool = False) -> list[Cut]:
    """Put a value in the place of a node; ``key`` is the node before it, if it has one."""
    end = end_of(text, node)
    if node.id != "scalar" and not node.flow_style and not getattr(node, "alias", False):
        # A block stands on lines of its own: the value goes behind the key.
        start = text.index(":", int(key.end_mark.index)) + 1 if key is not None else start_of(node)
        return [Cut(start, end, (" " if key is not None else "") + written(value, json))]
    start, end = start_of(node), max(end, start_of(node))
    style = node.style if node.id == "scalar" else None
    new = fitting(value, style, json)
    if start == end and text[start - 1 : start] == ":":
        new = f" {new}"
    return [Cut(start, end, new)]


def key_added(
    text: str, mapping: Any, pairs: Sequence[tuple[str, Any]], json: bool, last: Sequence[str] = ()
) -> list[Cut]:
    """Add keys at the end of a mapping, but before those that are to come ``last``."""
    lines = [f"{written(key, json)}: {written(value, json)}" for key, value in pairs]
    if mapping.flow_style or not mapping.value:
        if not mapping.value:
            at = start_of(mapping) + text[start_of(mapping) : mapping.end_mark.index].index("{") + 1
            return [Cut(at, at, ", ".join(lines))]
        index = _index_before(mapping, last)
        at = end_of(text, mapping.value[index][1])
        before = end_of(text, mapping.value[index - 1][1]) if index else start_of(mapping)
        key = mapping.value[index][0]
        broken = _BREAK.search(text, before, start_of(key))
        between = f",{newline_of(text)}{_indent_at(text, key)}" if broken else ", "
        return [Cut(at, at, "".join(between + line for line in lines))]
    indent = " " * int(mapping.value[0][0].start_mark.column)
    at = end_of(text, mapping.value[_index_before(mapping, last)][1])
    return lines_added(text, at, [indent + line for line in lines])


def _index_before(mapping: Any, last: Sequence[str]) -> int:
    """The last pair of a mapping behind which another may come."""
    indexes = range(len(mapping.value) - 1, -1, -1)
    return next((i for i in indexes if mapping.value[i][0].value not in last), len(indexes) - 1)


def lines_added(text: str, at: int, lines: Sequence[str]) -> list[Cut]:
    """Add lines below the line of a place."""
    if at and _BREAK.match(text[at - 1]):  # a block of text that keeps its last breaks
        return [Cut(at, at, "".join(line + newline_of(text) for line in lines))]
    at = line_end(text, at)
    return [Cut(at, at, "".join(newline_of(text) + line for line in lines))]


def items_added(text: str, listed: Any, after: Any, items: Sequence[str]) -> list[Cut]:
    """Add items, each written in one piece, to a list that has some, behind one of them."""
    at = end_of(text, after)
    if listed.flow_style:
        index = next(i for i, item in enumerate(listed.value) if item is after)
        before = end_of(text, listed.value[index - 1]) if index else start_of(listed)
        broken = _BREAK.search(text, before, start_of(after))
        between = f",{newline_of(text)}{_indent_at(text, after)}" if broken else ", "
        return [Cut(at, at, "".join(between + item for item in items))]
    dash = int(listed.start_mark.column)
    begin = " " * dash + "-" + " " * max(1, int(after.start_mark.column) - dash - 1)
    return lines_added(text, at, [begin + item for item in items])


def pairs_added(text: str, mapping: Any, after: Any, items: Sequence[str]) -> list[Cut]:
    """Add keys with values, each written in one piece, to a mapping behind one of its keys."""
    pairs = mapping.value
    index = next(i for i, pair in enumerate(pairs) if pair[0] is after)
    at = end_of(text, pairs[index][1])
    if mapping.flow_style:
        before = end_of(text, pairs[index - 1][1]) if index else start_of(mapping)
        broken = _BREAK.search(text, before, start_of(after))
        between = f",{newline_of(text)}{_indent_at(text, after)}" if broken else ", "
        return [Cut(at, at, "".join(between + item for item in items))]
    return lines_added(text, at, [" " * int(after.start_mark.column) + item for item in items])


def _indent_at(text: str, node: Any) -> str:
    """The blanks before a node that begins its line, or else as many as bring one below it."""
    before = text[line_start(text, start_of(node)) : start_of(node)]
    return before if not before.strip() else " " * int(node.start_mark.column)


def items_removed(text: str, key: Any, listed: Any, items: Sequence[Any]) -> list[Cut]:
    """Remove items of a list, each with its own lines; comments above and between stay."""
    gone = {id(item) for item in items}
    kept = [item for item in listed.value if id(item) not in gone]
    if listed.flow_style:
        spans = [(start_of(item), end_of(text, item)) for item in listed.value]
        return _flow_removed(text, spans, [id(item) in gone for item in listed.value])
    if not kept:
        return _emptied(text, key, listed)
    found = []
    for item in items:
        dash = text.rindex("-", 0, start_of(item))
        start, end = line_start(text, dash), line_end(text, end_of(text, item))
        if text[start:dash].strip():  # the first of a list within a list stands behind its dash
            found.append(Cut(dash, end))
        else:
            found.append(Cut(start, after_break(text, end)))
    return found


def keys_removed(text: str, mapping: Any, pairs: Sequence[tuple[Any, Any]]) -> list[Cut]:
    """Remove some of a mapping's keys with what stands there; others must stay."""
    gone = {id(key) for key, _ in pairs}
    if mapping.flow_style:
        spans = [(start_of(key), end_of(text, value)) for key, value in mapping.value]
        return _flow_removed(text, spans, [id(key) in gone for key, _ in mapping.value])
    found = []
    for key, value in pairs:
        start, end = line_start(text, start_of(key)), line_end(text, end_of(text, value))
        if text[start : start_of(key)].strip():  # the next moves up, behind the dash of a list
            blank = len(text[end:]) - len(text[end:].lstrip())
            found.append(Cut(start_of(key), end + blank))
        else:
            found.append(Cut(start, after_break(text, end)))
    return found


def _emptied(text: str, key: Any, listed: Any) -> list[Cut]:
    if key is None:
        return [Cut(start_of(listed), end_of(text, listed), "[]")]
    at = text.index(":", int(key.end_mark.index)) + 1
    found = [Cut(at, at, " []")]
    for item in listed.value:
        dash = text.rindex("-", 0, start_of(item))
        end = line_end(text, end_of(text, item))
        found.append(Cut(line_start(text, dash), after_break(text, end)))
    return found


def _flow_removed(text: str, spans: Sequence[tuple[int, int]], gone: Sequence[bool]) -> list[Cut]:
    found = []
    for (start, end), goes in zip(spans, gone, strict=True):
        if goes:
            comma = _COMMA.match(text, end)
            found.append(_tidied(text, start, comma.end() if comma else end))
    kept = [index for index, goes in enumerate(gone) if not goes]
    if kept and gone[-1] and not _COMMA.match(text, spans[-1][1]):
        comma = _COMMA.match(text, spans[kept[-1]][1])
        assert comma is not None
        following = spans[kept[-1] + 1][0]
        blank = not text[comma.end() : following].strip(" \t")
        found.append(Cut(comma.end() - 1, following if blank else comma.end()))
    return found


def _tidied(text: str, start: int, end: int) -> Cut:
    """Take the blanks behind a cut along, and the line when nothing else is on it."""
    while text[end : end + 1] in (" ", "\t") and end < len(text):
        end += 1
    begin = line_start(text, start)
    alone = not text[begin:start].strip() and line_end(text, end) == end
    return Cut(begin, after_break(text, end)) if alone else Cut(start, end)
