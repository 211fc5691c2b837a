"""What comes from outside as JSON-RPC: strict, bounded, refused in the protocol's own terms."""

from __future__ import annotations

import json
import math
from typing import Any

PARSE_ERROR, INVALID_REQUEST = -32700, -32600

MOST_LINE = 64 << 10
"""Bytes of one line on stdio, its end left out."""

MOST_BODY = 8 << 20
"""Bytes of one HTTP body."""

MOST_DIGITS = 640
"""Digits of a whole number. No setting of Python refuses that many."""

MOST_LEVELS = 16
"""Objects and arrays within each other, the message itself included."""

RequestId = str | int


class Refusal(Exception):
    """A message that is not worked on; ``id`` is the request's, where it has a usable one."""

    def __init__(self, code: int, message: str, id: RequestId | None = None) -> None:
        self.code, self.message, self.id = code, message, id
        super().__init__(message)

    def to_json(self) -> dict[str, Any]:
        """The answer to whoever sent it."""
        error = {"code": self.code, "message": self.message}
        return {"jsonrpc": "2.0", "id": self.id, "error": error}


def parsed(data: bytes) -> Any:
    """Read JSON that says one thing only: no NaN, no key twice, no number beyond all bounds.

    Raises:
        Refusal: it is no such JSON.
    """
    try:
        value = _DECODER.decode(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Refusal(PARSE_ERROR, f"not UTF-8 at byte {error.start}") from None
    except RecursionError:
        raise _too_deep() from None
    except ValueError as error:
        raise Refusal(PARSE_ERROR, f"not JSON: {error}") from None
    # Most messages cannot hold what is looked for.
    if b"\\u" in data or data.count(b"{") + data.count(b"[") > MOST_LEVELS:
        _check(value)
    return value


def checked(value: Any) -> dict[str, Any]:
    """Give one request, notification or response.

    Raises:
        Refusal: it is none.
    """
    if isinstance(value, list):
        raise Refusal(INVALID_REQUEST, "batches are not served here: send one message at a time")
    if not isinstance(value, dict):
        raise Refusal(INVALID_REQUEST, "a message is one JSON object")
    id, has_id = value.get("id"), "id" in value
    if has_id and (isinstance(id, bool) or not isinstance(id, str | int)):
        raise Refusal(INVALID_REQUEST, "id: must be text or a whole number")
    if value.get("jsonrpc") != "2.0":
        raise Refusal(INVALID_REQUEST, 'jsonrpc: must be "2.0"', id)
    if "method" not in value:
        if has_id and ("result" in value) != ("error" in value):
            return value
        raise Refusal(INVALID_REQUEST, "method: is required", id)
    if not isinstance(value["method"], str):
        raise Refusal(INVALID_REQUEST, "method: must be text", id)
    if not isinstance(value.get("params", {}), dict):
        raise Refusal(INVALID_REQUEST, "params: must be an object", id)
    return value


def is_request(message: dict[str, Any]) -> bool:
    """Whether a message wants an answer."""
    return "method" in message and "id" in message


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice[:40]!a} is there twice")
    return found


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text[:40]} is no finite number")
    return value


def _constant(text: str) -> float:
    raise ValueError(f"{text} is no number")


def _whole(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise ValueError(f"{text[:8]}... is a number of {len(text)} digits, at most {MOST_DIGITS}")
    return int(text)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_pairs, parse_int=_whole, parse_float=_float, parse_constant=_constant
)


def _check(value: Any) -> None:
    """Refuse what is nested too deeply, and half of a surrogate pair, which no UTF-8 can write."""
    left = [(value, 1)]
    while left:
        item, level = left.pop()
        if isinstance(item, str):
            if not item.isascii() and any("\ud800" <= letter <= "\udfff" for letter in item):
                raise Refusal(PARSE_ERROR, "a text holds half of a surrogate pair")
        elif isinstance(item, dict | list):
            if level > MOST_LEVELS:
                raise _too_deep()
            inside = [*item, *item.values()] if isinstance(item, dict) else item
            left += [(each, level + 1) for each in inside]


def _too_deep() -> Refusal:
    return Refusal(INVALID_REQUEST, f"nested more than {MOST_LEVELS} levels deep")
