"""Writes the server into a client's own file for the project in the working directory."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import tools as _registers_the_tools  # noqa: F401
from harness.errors import RequestError
from harness.games.folder import find_game, read_folder
from harness.registry import REGISTRY
from harness.serve.command import Serving
from harness.serve.entries import NotReadable, with_json_entry, with_toml_entry
from harness.serve.shown import shown
from harness.values.files import made_folder, reason, write_atomically

_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class _Client:
    """Where a client reads of servers, and the words that it uses."""

    file: str
    table: str
    typed: bool
    """Whether an entry says of which type it is."""


_CLIENTS = {
    "claude": _Client(".mcp.json", "mcpServers", typed=True),
    "cursor": _Client(".cursor/mcp.json", "mcpServers", typed=False),
    "vscode": _Client(".vscode/mcp.json", "servers", typed=True),
    "codex": _Client(".codex/config.toml", "mcp_servers", typed=False),
}


def install(serving: Serving, client: str, folder: Path) -> list[str]:
    """Write the entry of a server; gives what to tell.

    Raises:
        RequestError: a name is unknown, or the file cannot be read or written, and is left as it
            was.
    """
    shown(REGISTRY, serving.toolset, serving.read_only, serving.allow)
    known = _CLIENTS[client]
    file = folder / known.file
    path = find_game(serving.game)
    name = f"playtest-{_plain(read_folder(path).id)}"
    entry = _entry(serving, path, typed=known.typed)
    add = with_toml_entry if file.suffix == ".toml" else with_json_entry
    before = _read(file)
    mark = _BOM if before.startswith(_BOM) else ""
    try:
        after = mark + add(before.removeprefix(_BOM), known.table, name, entry)
        if after == before:
            return [f"{name} is in {known.file} already"]
        made_folder(file.parent)
        # As bytes: ends of lines are the file's own. A link stays one, and leads to the same file.
        write_atomically(Path(os.path.realpath(file)), after.encode())
    except (NotReadable, RequestError) as error:
        problem = f"{file}: {error}" if isinstance(error, NotReadable) else str(error)
        words = add("", known.table, name, entry).rstrip()
        raise RequestError(
            f"{problem}\n  it is left as it was; the entry to add is:\n{words}"
        ) from None
    return [f"{name} is in {known.file}; start {client} here, or have it read its servers anew"]


def _read(file: Path) -> str:
    if file.exists() and not file.is_file():  # a pipe would be waited for
        raise RequestError(f"{file}: is no regular file; it is left as it was")
    try:
        return file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise RequestError(
            f"{file}: not UTF-8 at byte {error.start}; it is left as it was"
        ) from None
    except OSError as error:
        raise RequestError(f"cannot read {file}: {reason(error)}") from None


def _plain(id: str) -> str:
    return "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in id)


def _entry(serving: Serving, path: Path, typed: bool) -> dict[str, Any]:
    if serving.port is not None:
        url = f"http://127.0.0.1:{serving.port}/mcp"
        return {"type": "http", "url": url} if typed else {"url": url}
    words = ["-m", "harness", "mcp", str(path), *_options(serving)]
    command = {"command": sys.executable, "args": words}
    return {"type": "stdio", **command} if typed else command


def _options(serving: Serving) -> list[str]:
    defaults = Serving()
    words = ["--read-only"] if serving.read_only else []
    if serving.allow is not None:
        words += ["--allow", ",".join(serving.allow)]
    if serving.toolset is not None:
        words += ["--toolset", serving.toolset]
    for name in ("budget", "memory"):
        value = getattr(serving, name)
        if value != getattr(defaults, name):
            words += [f"--{name}", json.dumps(value)]
    return words
