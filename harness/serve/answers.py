"""What tools answer, as MCP says it: short text, the same structured, pictures as images."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Mapping
from typing import Any

import mcp_types as types

from harness.errors import (
    ArgumentError,
    ConfigError,
    Divergence,
    GameError,
    GoldenError,
    HarnessError,
    MissingDependency,
    NotForThisGame,
    RequestError,
    RunCancelled,
    RunError,
    RunFailed,
    UnknownName,
)
from harness.registry import Tool
from harness.serve.bridge import NotBegun, TookTooLong
from harness.values.picture import Picture

MOST_TEXT = 8 << 10
"""Bytes of an answer's text, pictures and a crash's traceback apart."""

MOST_STRUCTURED = 32 << 10
"""Bytes of the structured answer, as JSON."""

_RETRY = "correct_arguments_and_retry"


def answered(tool: Tool, answer: Any) -> types.CallToolResult:
    """A tool's answer. A run that did not pass is a tool error, and so is a golden that differs."""
    if answer is None:
        return types.CallToolResult(content=[])
    told = plain(answer.to_json() if hasattr(answer, "to_json") else answer)
    if hasattr(answer, "text"):
        text = answer.text()
    else:
        text = told if isinstance(told, str) else _json(told)
    content: list[types.ContentBlock] = [_text(text, tool.narrow)]
    picture = answer if isinstance(answer, Picture) else getattr(answer, "strip", None)
    if isinstance(picture, Picture):
        data = base64.b64encode(picture.to_png()).decode()
        content.append(types.ImageContent(type="image", data=data, mime_type="image/png"))
    failed = getattr(answer, "passed", True) is False or getattr(answer, "matches", None) is False
    structured = fitted(told, tool.narrow) if isinstance(told, dict) else None
    return types.CallToolResult(content=content, structured_content=structured, is_error=failed)


def refused(error: HarnessError, tool: Tool, queued: bool) -> types.CallToolResult:
    """An error as a tool error: words first, then what a program can act on."""
    told: dict[str, Any] = {"code": _code(error), "message": str(error)}
    if isinstance(error, RunError):
        told = {**error.run.to_json(), **told}
    if isinstance(error, ArgumentError):
        told["argument"] = error.argument
    elif isinstance(error, UnknownName):
        told["known"] = error.known[:64]
    told["recovery"] = _recovery(error)
    told["tool_queued"] = queued
    return types.CallToolResult(
        content=[_text(str(error), tool.narrow)],
        structured_content=fitted(plain(told), tool.narrow),
        is_error=True,
    )


def broken(error: Exception, tool: Tool) -> types.CallToolResult:
    """A failure of ours, told without its traceback."""
    message = f"{tool.name} failed for a fault of the harness: {type(error).__name__}: {error}"
    told = {"code": "tool_broken", "message": message, "recovery": {"action": "report_the_fault"}}
    return types.CallToolResult(
        content=[_text(message, tool.narrow)],
        structured_content=plain({**told, "tool_queued": True}),
        is_error=True,
    )


CODES: tuple[tuple[type[HarnessError], str, str], ...] = (
    (TookTooLong, "took_too_long", _RETRY),
    (MissingDependency, "missing_dependency", "install_and_retry"),
    (NotForThisGame, "not_for_this_game", "use_another_tool"),
    (ConfigError, "game_is_wrong", "correct_the_game_and_retry"),
    (RequestError, "invalid_arguments", _RETRY),
    (RunCancelled, "cancelled", "retry"),
    (RunFailed, "check_failed", "look_into_it"),
    (GameError, "game_failed", "correct_the_game_and_retry"),
    (GoldenError, "golden_differs", "look_into_it"),
    (Divergence, "diverged", "look_into_it"),
)
"""What a refusal is called, and what to do about it; the first that fits."""


def _code(error: HarnessError) -> str:
    if isinstance(error, NotBegun):
        return error.code
    return next((code for kind, code, _ in CODES if isinstance(error, kind)), "failed")


def _recovery(error: HarnessError) -> dict[str, str]:
    if isinstance(error, NotBegun):
        return {"action": "retry_later"}
    action = next((how for kind, _, how in CODES if isinstance(error, kind)), "look_into_it")
    schema = {"schema_method": "tools/list"} if action == _RETRY else {}
    return {"action": action, **schema}


def output_schema(tool: Tool) -> dict[str, Any] | None:
    """The schema of a tool's structured answers, the refusals among them, if it declares one.

    A client that knows it holds errors against it too.
    """
    if tool.output_schema is None:
        return None
    return {"type": "object", "anyOf": [dict(tool.output_schema), _REFUSAL]}


_REFUSAL = {
    "type": "object",
    "required": ["code", "message", "recovery", "tool_queued"],
    "properties": {"code": {"type": "string"}, "tool_queued": {"type": "boolean"}},
}


def plain(value: Any) -> Any:
    """A value that JSON and every client can read: finite numbers, text that UTF-8 can write."""
    if isinstance(value, str):
        return _writable(value)
    if isinstance(value, Mapping):
        return {_writable(str(key)): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return type(value).__name__


def _writable(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def _text(text: str, narrow: str) -> types.TextContent:
    return types.TextContent(type="text", text=cut(_writable(text), narrow))


def cut(text: str, narrow: str, most: int = MOST_TEXT) -> str:
    """Shorten a text to so many bytes, and say how to get the rest."""
    data = text.encode()
    if len(data) <= most:
        return text
    notice = f"\n... cut, {len(data)} bytes in all; {narrow}"
    kept = data[: most - len(notice.encode())].decode(errors="ignore")
    return kept.rpartition("\n")[0] + notice if "\n" in kept else kept + notice


def fitted(told: dict[str, Any], narrow: str, most: int = MOST_STRUCTURED) -> dict[str, Any]:
    """Shorten a structured answer: of its longest lists and tables less and less is left."""
    length, left = len(_json(told)), 1 << 16
    if length <= most:
        return told
    found = told
    while left > 1 and len(_json(found)) > most:
        left //= 2
        found = _thinned(told, left)
    return {**found, "cut": f"{length} characters in all; {narrow}"}


def _thinned(value: Any, left: int) -> Any:
    """The first so many items of everything, and of what has keys the last one too."""
    if isinstance(value, dict):
        keys = list(value)
        keys = keys if len(keys) <= max(left, 24) else [*keys[: left - 1], keys[-1]]
        return {key: _thinned(value[key], left) for key in keys}
    if isinstance(value, list):
        return [_thinned(item, left) for item in value[:left]]
    return value[: left * 64] if isinstance(value, str) else value


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
