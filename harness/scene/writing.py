"""Values as they are written into a scene file: on one line, and read back as the same value."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from harness.documents import parse_documents
from harness.errors import ArgumentError, ConfigError

_WORDS = re.compile(r"[^\W\d][\w.]*(?:[ /-][\w.]+)*")
_OTHERS = frozenset(("yes", "no", "on", "off"))
"""What readers of YAML 1.1, which PyYAML is, take for true and false."""

_HIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_LONE = re.compile("[\ud800-\udfff]")


def written(value: Any, in_json: bool = False) -> str:
    """A value in flow style."""
    if isinstance(value, Mapping):
        pairs = (f"{written(k, in_json)}: {written(v, in_json)}" for k, v in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(written(item, in_json) for item in value) + "]"
    if isinstance(value, str):
        return quoted(value) if in_json or not _is_plain(value) else value
    if value is None:
        return "null"
    text = json.dumps(value, allow_nan=False)
    # YAML 1.1 takes a number without a dot and with an exponent for a text.
    dotless = isinstance(value, float) and "e" in text and "." not in text
    return text.replace("e", ".0e") if dotless else text


def fitting(value: Any, style: str | None, in_json: bool = False) -> str:
    """A value in the quotes of the one whose place it takes."""
    if isinstance(value, str) and style == '"':
        return quoted(value)
    if isinstance(value, str) and style == "'" and not _HIDDEN.search(value):
        return "'" + value.replace("'", "''") + "'"
    return written(value, in_json)


def quoted(text: str) -> str:
    """A text in double quotes, which JSON reads too.

    Raises:
        ArgumentError: it holds half a character, which no file in UTF-8 can.
    """
    if _LONE.search(text):
        raise ArgumentError("assignments", "a text must be whole characters, without surrogates")
    plain = json.dumps(text, ensure_ascii=False)
    return _HIDDEN.sub(lambda found: f"\\u{ord(found.group()):04x}", plain)


def _is_plain(text: str) -> bool:
    """Whether a text can stand without quotes, anywhere."""
    if not _WORDS.fullmatch(text) or text.lower() in _OTHERS:
        return False
    try:
        return parse_documents(text, "") == [text]
    except ConfigError:
        return False
