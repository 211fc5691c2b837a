"""From the calls of clients to the desk: one run at a time, in order; what only reads meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any

from harness.errors import HarnessError
from harness.registry import Tool
from harness.tools.desk import Desk, called

MOST_CALLS = 64
"""Calls that are queued or running at once."""

QUEUE_LIMIT = 30.0
"""Seconds that a call may wait for its turn."""

TOTAL_LIMIT = 120.0
"""Seconds that a call may run, where its tool declares no other limit."""

PATIENCE = 5.0
"""Seconds that a call is waited for after it was told to end; then it is answered without it."""

_LOOK = 0.25
_INSIST = 0.02
_READERS = 4

Report = Callable[[int], Awaitable[None]]
"""Told now and then which frame is reached."""


class NotBegun(HarnessError):
    """A call that was dropped before anything of it ran; ``code`` says why in one word."""

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        super().__init__(message)


class TookTooLong(HarnessError):
    """A call that was stopped after all of its time."""


@dataclass(eq=False)
class _Call:
    """One call, on its way from asked to done."""

    tool: Tool
    keywords: Mapping[str, Any]
    asked: float = field(default_factory=time.monotonic)
    began: float | None = None
    done: Future[Any] = field(default_factory=Future)
    ended: bool = False
    """Somebody wants it to end."""

    def run(self, desk: Desk) -> None:
        """Call the tool, unless it was dropped meanwhile."""
        if not self.done.set_running_or_notify_cancel():
            return
        self.began = time.monotonic()
        try:
            self.done.set_result(called(self.tool, desk, self.keywords))
        except BaseException as error:
            self.done.set_exception(error)

    def drop(self) -> bool:
        """Have it never begin; says whether it had not."""
        return self.began is None and self.done.cancel()


class Bridge:
    """Takes calls on an event loop, and works on them in threads of its own."""

    def __init__(
        self,
        desk: Desk,
        total: float = TOTAL_LIMIT,
        wait: float = QUEUE_LIMIT,
        patience: float = PATIENCE,
    ) -> None:
        self.desk = desk
        self._total, self._wait, self._patience = total, wait, patience
        self._held: set[_Call] = set()
        self._insisting: set[asyncio.Task[None]] = set()
        self._runs: SimpleQueue[_Call | None] = SimpleQueue()
        self._reads: SimpleQueue[_Call | None] = SimpleQueue()
        self._runner = self._started(self._runs, "playtest runner")
        for _ in range(_READERS):
            self._started(self._reads, "playtest reader")

    def _started(self, queue: SimpleQueue[_Call | None], name: str) -> threading.Thread:
        # Daemons: a game that hangs must not keep the server from ending.
        thread = threading.Thread(target=self._work, args=(queue,), name=name, daemon=True)
        thread.start()
        return thread

    def _work(self, queue: SimpleQueue[_Call | None]) -> None:
        while (call := queue.get()) is not None:
            call.run(self.desk)

    @property
    def calls(self) -> int:
        """Calls that are queued or running."""
        return len(self._held)

    async def call(self, tool: Tool, keywords: Mapping[str, Any], report: Report) -> Any:
        """Call a tool when its turn comes.

        Raises:
            NotBegun: there are too many calls, or its turn did not come.
            TookTooLong: it was stopped.
            HarnessError: what the tool raised.
        """
        if len(self._held) >= MOST_CALLS:
            raise NotBegun("queue_full", f"{MOST_CALLS} calls wait already; try again later")
        call = _Call(tool, keywords)
        self._held.add(call)
        call.done.add_done_callback(lambda _: self._held.discard(call))
        (self._runs if tool.runs_game_code else self._reads).put(call)
        return await self._attended(call, report)

    async def _attended(self, call: _Call, report: Report) -> Any:
        waiting = asyncio.wrap_future(call.done)
        try:
            while not (await asyncio.wait({waiting}, timeout=_LOOK))[0]:
                await self._looked_after(call, report)
        except asyncio.CancelledError:
            self._end(call)
            raise
        if waiting.cancelled():
            raise self._never(call)
        if call.ended:
            waiting.exception()  # looked at, or asyncio would complain
            raise self._stopped(call)
        return waiting.result()

    async def _looked_after(self, call: _Call, report: Report) -> None:
        now = time.monotonic()
        if call.began is None:
            if now - call.asked >= self._wait:
                call.drop()
        elif now - call.began >= self._limit(call) + self._patience:
            raise self._stopped(call)
        elif now - call.began >= self._limit(call):
            self._end(call)
        else:
            await report(self.desk.reached)

    def _limit(self, call: _Call) -> float:
        return self._total if call.tool.limit is None else call.tool.limit

    def _end(self, call: _Call) -> None:
        """Drop a call, or have it end at its next frame."""
        if call.drop() or call.ended:
            return
        call.ended = True
        task = asyncio.ensure_future(self._insist(call))
        self._insisting.add(task)
        task.add_done_callback(self._insisting.discard)

    async def _insist(self, call: _Call) -> None:
        # Between two plays of one call there is nothing to cancel: it is wished until it is so.
        while not call.done.done():
            self.desk.cancel()
            await asyncio.sleep(_INSIST)

    def _never(self, call: _Call) -> NotBegun:
        others = [other.tool.name for other in self._held if other.began is not None]
        busy = f"; {', '.join(others)} is still running" if others else ""
        return NotBegun("not_begun", f"{call.tool.name} did not begin in {self._wait:g} s{busy}")

    def _stopped(self, call: _Call) -> TookTooLong:
        return TookTooLong(
            f"{call.tool.name} was stopped after {self._limit(call):g} s, at frame"
            f" {self.desk.reached}; ask for fewer frames, and continue with save and start"
        )

    def close(self) -> None:
        """Begin nothing more, and let go of the game, whatever it is doing."""
        for call in list(self._held):
            call.drop()
        self._runs.put(None)
        for _ in range(_READERS):
            self._reads.put(None)
        self.desk.cancel()
        self._runner.join(0.2)
        if not self._runner.is_alive():
            with contextlib.suppress(HarnessError):
                self.desk.close()
