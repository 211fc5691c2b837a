"""Small pieces that the verbs and whole runs share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from harness.driver.driver import Driver
from harness.errors import ArgumentError
from harness.values import kinds
from harness.values.inputs import Controls, InputFrame, chained
from harness.values.notation import parse
from harness.values.run import ErrorInfo, RunRequest


def told(info: ErrorInfo) -> str:
    """A game's failure in words: what and where, then the way there through its own files."""
    lines = [f"the game failed: {info}"]
    return "\n".join([*lines, *(f"  {line}" for line in info.traceback)])


def last_input(driver: Driver) -> InputFrame:
    """What the last frame was given; nothing before the first."""
    return driver.inputs[-1] if driver.inputs else InputFrame()


def whole_number(name: str, value: Any, least: int, most: int | None = None) -> None:
    """Refuse an argument that is no whole number in its range.

    Raises:
        ArgumentError: with the range.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise ArgumentError(name, f"must be a whole number, not {value!r}")
    if value < least:
        raise ArgumentError(name, f"must be at least {least}, not {value}")
    if most is not None and value > most:
        raise ArgumentError(name, f"must be at most {most}, not {_brief(value)}")


def is_request(request: Any) -> None:
    """Refuse what is no RunRequest.

    Raises:
        ArgumentError: it is none.
    """
    if not isinstance(request, RunRequest):
        raise ArgumentError("request", f"must be a RunRequest, not {kinds.short(request)}")


def timeline_input(driver: Driver, frames: int, text: str | None) -> Iterator[InputFrame]:
    """Inline input, counted from 1, for the next frames."""
    given = "" if text is None else kinds.text("input", text)
    timeline = parse(given, driver.game.folder.vocabulary)
    if timeline.first_start() > frames:
        problem = f"begins at frame {timeline.first_start()}, and {frames} are played"
        raise ArgumentError("input", problem)
    before = last_input(driver)
    return chained(timeline.spans(frames, driver.seed, before.pointer), before.held, driver.dt)


def held_input(
    driver: Driver, spans: Sequence[tuple[int, Sequence[str | Sequence[str]]]]
) -> Iterator[InputFrame]:
    """Controls that are held, some frames each."""
    before = last_input(driver)
    resolve = driver.game.folder.vocabulary.resolve
    controls = [
        (frames, Controls(frozenset().union(*map(resolve, _flat(words))), before.pointer))
        for frames, words in spans
    ]
    return chained(controls, before.held, driver.dt)


def _flat(words: Iterable[str | Sequence[str]]) -> Iterator[str]:
    for word in words:
        parts = [word] if isinstance(word, str) else word
        if not isinstance(parts, Iterable) or not all(isinstance(part, str) for part in parts):
            raise ArgumentError(
                "buttons", f"are names, as in hold('right', frames=5), not {word!r}"
            )
        yield from parts


def _brief(value: int) -> str:
    return str(value) if value < _LONG else "a number as long as that"


_LONG = 10**20
