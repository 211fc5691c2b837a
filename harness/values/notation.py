"""Input as one line of text, the way people and agents write it.

``right@1-40, jump@30+6, click(320,180)@60, drag(10,10,200,50)@70-90, text("hi")@50, quit@300``
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from harness.errors import InputError, UnknownName
from harness.values.gestures import GESTURES, single
from harness.values.timeline import Timeline, Vocabulary

_ITEM = re.compile(
    r"(?P<word>[^\s()@,]+)\s*(?:\((?P<args>.*)\)\s*)?@\s*(?P<when>[^\s()@,]+)", re.DOTALL
)
_WHEN = re.compile(r"([0-9]{1,9})(?:([-+])([0-9]{1,9}))?")
_QUOTED = re.compile(r"""\"(?:[^"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'""", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t"}


def parse(text: str, vocabulary: Vocabulary) -> Timeline:
    """Read a line of input notation.

    Raises:
        InputError, UnknownName: with the part that cannot be played.
    """
    timeline = Timeline()
    for item in filter(None, map(str.strip, _split(text, ",\n"))):
        _read_item(item, timeline, vocabulary)
    return timeline


def _read_item(item: str, timeline: Timeline, vocabulary: Vocabulary) -> None:
    match = _ITEM.fullmatch(item)
    if match is None:
        usage = "write NAME@FRAME, NAME@FIRST-LAST or NAME@FIRST+FRAMES"
        raise InputError(f"cannot read {_cut(item)!r}; {usage}")
    word, args = match["word"], match["args"]
    first, last = _frames(match["when"], _cut(item))
    if args is None and (word in vocabulary.buttons or word not in (*GESTURES, "quit")):
        timeline.hold(word, vocabulary.resolve(word), first, last)
    elif args is None and word == "quit":
        timeline.quits.add(single(word, first, last))
    elif word in GESTURES:
        GESTURES[word](timeline, vocabulary, _arguments(args or "", _cut(item)), first, last)
    else:
        known = [f"{name}(...)" for name in GESTURES]
        raise UnknownName("input", f"{word}(...)", known, "the notation")


def _split(text: str, separators: str) -> Iterator[str]:
    """Split text at separators that stand outside of brackets and quotes."""
    depth, quote, start, escaped = 0, "", 0, False
    for index, char in enumerate(text):
        if quote:
            if not escaped and char == quote:
                quote = ""
            escaped = char == "\\" and not escaped
        elif char in "\"'":
            quote = char
        elif char in "()":
            depth += 1 if char == "(" else -1
            if depth < 0:
                raise InputError(f"a bracket too many in {_cut(text[start : index + 1])!r}")
        elif char in separators and depth == 0:
            yield text[start:index]
            start = index + 1
    if quote or depth:
        raise InputError(f"unclosed {quote or 'bracket'} in {_cut(text[start:].strip())!r}")
    yield text[start:]


def _frames(text: str, item: str) -> tuple[int, int]:
    match = _WHEN.fullmatch(text)
    if match is None:
        raise InputError(f"{item}: {text!r} is no frame; write 30, 30-40 or 30+6")
    first, sign, number = int(match[1]), match[2], int(match[3] or 1)
    last = number if sign == "-" else first + number - 1
    if first < 1:
        raise InputError(f"{item}: input starts at frame 1, which the first step reads")
    if last < first:
        raise InputError(f"{item}: ends before it starts")
    return first, last


def _arguments(text: str, item: str) -> list[str]:
    if not text.strip():
        return []
    return [_argument(part.strip(), item) for part in _split(text, ",")]


def _argument(text: str, item: str) -> str:
    if _QUOTED.fullmatch(text):
        return re.sub(r"\\(.)", lambda m: _ESCAPED.get(m[1], m[1]), text[1:-1], flags=re.DOTALL)
    if not text or '"' in text or "'" in text:
        raise InputError(f"{item}: cannot read {text!r} as an argument")
    return text


def _cut(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."
