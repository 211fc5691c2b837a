"""Servers to talk to, each in a process of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
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


@pytest.fixture(scope="module")
def shared_piped() -> Iterator[Callable[..., Piped]]:
    """Start servers that many tests speak to."""
    started: list[Piped] = []

    def start(*arguments: object) -> Piped:
        started.append(Piped(*arguments))
        return started[-1]

    yield start
    for server in started:
        server.close()


@pytest.fixture(scope="module")
def shared_http(shared_piped: Callable[..., Piped]) -> Callable[..., int]:
    """Start a server on HTTP that many tests speak to; gives its port."""
    return lambda *arguments: port_of(shared_piped(*arguments, "--http", "0"))


@pytest.fixture
def slow(stub: Callable[..., Path]) -> Path:
    """A game of which each frame takes 10 ms."""
    return stub(
        """
        import time
        from honest import Honest

        class Stub(Honest):
            def step(self, inputs):
                super().step(inputs)
                time.sleep(0.01)
        """,
        name="slow",
    )


@pytest.fixture
def background() -> Iterator[Callable[..., Future[Any]]]:
    """Do something meanwhile."""
    with ThreadPoolExecutor(80) as threads:
        yield threads.submit


@pytest.fixture
def on_http(piped: Callable[..., Piped]) -> Callable[..., tuple[Piped, int]]:
    """Start servers on HTTP; gives each with its port."""

    def start(*arguments: object) -> tuple[Piped, int]:
        server = piped(*arguments, "--http", "0")
        return server, port_of(server)

    return start


def port_of(server: Piped) -> int:
    """The port that a server says it listens on."""
    told = server.errors.get(timeout=WAIT).decode()
    found = re.search(r"http://127\.0\.0\.1:(\d+)/mcp", told)
    assert found, told + server.error_text()
    return int(found[1])
