"""From the calls of clients to the desk: one run at a time, in order; what only reads meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
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


class _Call:
    """One call, on its way from asked to done. Its answer is had on the event loop."""

    def __init__(self, tool: Tool, keywords: Mapping[str, Any]) -> None:
        self.tool, self._keywords = tool, keywords
        self._loop = asyncio.get_running_loop()
        self.asked = time.monotonic()
        self.began: float | None = None
        self.answer: asyncio.Future[Any] = self._loop.create_future()
        self._claim = threading.Lock()
        """Taken by whoever comes first: the thread that begins it, or the loop that drops it."""
        self.looks: asyncio.TimerHandle | None = None
        self.told: asyncio.Future[None] | None = None
        self.ended = False
        """Somebody wants it to end."""

    def run(self, desk: Desk, finished: Callable[[_Call, Any, BaseException | None], None]) -> None:
        """Call the tool, unless it was dropped meanwhile."""
        if not self._claim.acquire(blocking=False):
            return
        self.began = time.monotonic()
        answer, error = None, None
        try:
            answer = called(self.tool, desk, self._keywords)
        except BaseException as raised:
            error = raised
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(finished, self, answer, error)

    def drop(self) -> bool:
        """Have it never begin; says whether it had not."""
        return self._claim.acquire(blocking=False)

    def give(self, answer: Any, error: BaseException | None) -> None:
        """Answer, if it is still waited for."""
        if self.answer.done():
            return
        if error is None:
            self.answer.set_result(answer)
        else:
            self.answer.set_exception(error)

    async def close(self) -> None:
        """Look after it no more, when what was being told of it is told."""
        if self.looks is not None:
            self.looks.cancel()
        if self.told is not None:
            await asyncio.wait({self.told})


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
            call.run(self.desk, self._finished)

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
        if tool.at_once:
            return called(tool, self.desk, keywords)
        call = _Call(tool, keywords)
        self._held.add(call)
        (self._runs if tool.runs_game_code else self._reads).put(call)
        self._look_later(call, report)
        try:
            return await call.answer
        except asyncio.CancelledError:
            self._end(call)
            raise
        finally:
            await call.close()

    def _finished(self, call: _Call, answer: Any, error: BaseException | None) -> None:
        self._held.discard(call)
        call.give(answer, self._stopped(call) if call.ended else error)

    def _drop(self, call: _Call) -> bool:
        dropped = call.drop()
        if dropped:
            self._held.discard(call)
        return dropped

    def _look_later(self, call: _Call, report: Report) -> None:
        loop = asyncio.get_running_loop()
        call.looks = loop.call_later(_LOOK, self._look_after, call, report)

    def _look_after(self, call: _Call, report: Report) -> None:
        now = time.monotonic()
        if call.began is None:
            if now - call.asked >= self._wait and self._drop(call):
                call.give(None, self._never(call))
        elif now - call.began >= self._limit(call) + self._patience:
            call.give(None, self._stopped(call))
        elif now - call.began >= self._limit(call):
            self._end(call)
        elif call.told is None or call.told.done():
            call.told = asyncio.ensure_future(report(self.desk.reached))
        self._look_later(call, report)

    def _limit(self, call: _Call) -> float:
        return self._total if call.tool.limit is None else call.tool.limit

    def _end(self, call: _Call) -> None:
        """Drop a call, or have it end at its next frame."""
        if call.ended or self._drop(call):
            return
        call.ended = True
        task = asyncio.ensure_future(self._insist(call))
        self._insisting.add(task)
        task.add_done_callback(self._insisting.discard)

    async def _insist(self, call: _Call) -> None:
        # Between two plays of one call there is nothing to cancel: it is wished until it is so.
        while call in self._held:
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
            self._drop(call)
        self._runs.put(None)
        for _ in range(_READERS):
            self._reads.put(None)
        self.desk.cancel()
        self._runner.join(0.2)
        if not self._runner.is_alive():
            with contextlib.suppress(HarnessError):
                self.desk.close()
