"""Servers to talk to, each in a process of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra mcp is not installed")

from .client import WAIT, Piped


@pytest.fixture
def piped() -> Iterator[Callable[..., Piped]]:
    """Start servers on pipes."""
    started: list[Piped] = []

    def start(*arguments: object, **more: Any) -> Piped:
        started.append(Piped(*arguments, **more))
        return started[-1]

    yield start
    for server in started:
        server.close()


@pytest.fixture
def on_http(piped: Callable[..., Piped]) -> Callable[..., tuple[Piped, int]]:
    """Start servers on HTTP; gives each with its port."""

    def start(*arguments: object) -> tuple[Piped, int]:
        server = piped(*arguments, "--http", "0")
        told = server.errors.get(timeout=WAIT).decode()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/mcp", told)
        assert found, told + server.error_text()
        return server, int(found[1])

    return start
