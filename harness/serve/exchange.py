"""Which requests of one connection wait for an answer, and which of them came as one batch."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from harness.serve.wire import INVALID_REQUEST, Refusal, RequestId, checked, is_request

BATCHES = "2025-03-26"
"""The one revision that has batches."""


@dataclass(eq=False)
class _Batch:
    """Requests that came together, to be answered together."""

    waiting: set[RequestId] = field(default_factory=set)
    answers: list[dict[str, Any]] = field(default_factory=list)


class Exchange:
    """Takes messages in, and gives answers out through ``send``."""

    def __init__(self, send: Callable[[Any], None]) -> None:
        self.send = send
        self._waiting: dict[RequestId, _Batch | None] = {}
        self._opening: RequestId | None = None
        self._revision = ""
        self._idle = asyncio.Event()
        self._idle.set()

    def accept(self, value: Any) -> list[dict[str, Any]]:
        """The messages that a value holds, to be worked on; each wrong one of a batch is refused.

        Raises:
            Refusal: it holds none.
        """
        if not isinstance(value, list) or self._revision != BATCHES:
            return [self._accepted(checked(value), None)]
        if not value:
            raise Refusal(INVALID_REQUEST, "a batch holds at least one message")
        batch, found = _Batch(), []
        for item in value:
            try:
                found.append(self._accepted(checked(item), batch))
            except Refusal as refusal:
                batch.answers.append(refusal.to_json())
        self._give(batch)
        return found

    def _accepted(self, message: dict[str, Any], batch: _Batch | None) -> dict[str, Any]:
        if is_request(message):
            id = message["id"]
            if id in self._waiting:
                raise Refusal(INVALID_REQUEST, "id: a request of this id is not answered yet", id)
            self._waiting[id] = batch
            self._idle.clear()
            if batch is not None:
                batch.waiting.add(id)
            if message["method"] == "initialize":
                self._opening = id
        elif message.get("method") == "notifications/cancelled":
            # What is cancelled is never answered.
            self._settle(message.get("params", {}).get("requestId"))
        return message

    def answer(self, message: dict[str, Any]) -> None:
        """Send what the server says, an answer or a notification."""
        id = message.get("id")
        if "method" in message or id not in self._waiting:
            self.send(message)
            return
        if id == self._opening:
            self._opening = None
            self._revision = message.get("result", {}).get("protocolVersion", "")
        batch = self._waiting[id]
        if batch is None:
            self.send(message)
        else:
            batch.answers.append(message)
        self._settle(id)

    def refuse(self, refusal: Refusal) -> None:
        """Answer a request that the server cannot be given."""
        self.answer(refusal.to_json())

    def _settle(self, id: Any) -> None:
        if isinstance(id, str | int) and id in self._waiting:
            batch = self._waiting.pop(id)
            if batch is not None:
                batch.waiting.discard(id)
                self._give(batch)
        if not self._waiting:
            self._idle.set()

    def _give(self, batch: _Batch) -> None:
        if not batch.waiting and batch.answers:
            self.send(batch.answers)
            batch.answers = []

    def give_up(self) -> None:
        """Wait for no answer any more."""
        self._waiting.clear()
        self._idle.set()

    async def settled(self) -> None:
        """Wait until every request is answered."""
        await self._idle.wait()
