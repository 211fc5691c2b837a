"""Every error the harness raises, in one tree.

HarnessError
├── RequestError            what was asked for cannot be done as written (exit status 2)
│   ├── ArgumentError       one argument is out of its range or of the wrong kind
│   ├── UnknownName         a name that is not there, with those that are
│   ├── InputError          input notation or an event that says nothing playable
│   ├── ExpressionError     text that is not one Python expression
│   ├── MovieError          a movie that cannot be read, or belongs elsewhere
│   ├── ConfigError         a harness.yaml, scenario or game folder that does not fit
│   ├── NotForThisGame      a tool for another kind of game; nothing is wrong with this one
│   └── MissingDependency   an optional package that is not installed
├── RunError                a run that did not pass; carries it as ``run``
│   ├── RunFailed           a check did not hold (also an AssertionError)
│   ├── RunCancelled        it was cancelled, and ended at a frame
│   └── GameError           the game itself failed
├── ProblemsFound           game_check found some; carries its answer (also an AssertionError)
├── GoldenError             a golden that is missing or unreadable (also an AssertionError)
└── Divergence              the same input gave another state (also an AssertionError)

Messages are lower case without a full stop: what was asked, then what there is.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Any

MOST_NAMES = 12
_LONGEST_NAME = 80


class HarnessError(Exception):
    """Anything the harness refuses or reports; its text is written for the user."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Errors cross from worker processes, and those made from parts are not made from a text.
        return _rebuilt, (type(self), self.args, self.__dict__)


def _rebuilt(
    kind: type[HarnessError], args: tuple[Any, ...], state: dict[str, Any]
) -> HarnessError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class RequestError(HarnessError):
    """What was asked for cannot be done as written."""


class ArgumentError(RequestError):
    """One argument is out of its range or of the wrong kind."""

    def __init__(self, argument: str, problem: str) -> None:
        self.argument = argument
        self.problem = problem
        super().__init__(f"{argument}: {problem}")


class UnknownName(RequestError):
    """A name that is not there; ``known`` holds those that are, nearest first."""

    def __init__(
        self, kind: str, name: str, known: Iterable[str], place: str = "this game"
    ) -> None:
        self.name = name
        self.known = nearest_first(name, known)
        there = shortened(self.known) if self.known else "none"
        asked = name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}..."
        what = kind if kind == "name" else f"{kind} named"
        super().__init__(f"no {what} {asked!r}; {place} has: {there}")


class InputError(RequestError):
    """Input notation, or an event, that says nothing playable."""


class ExpressionError(RequestError):
    """Text that is not one Python expression."""


class MovieError(RequestError):
    """A movie that cannot be read, or that was recorded for something else."""


class ConfigError(RequestError):
    """A file of the game's folder that does not fit, with the place in it."""


class NotForThisGame(RequestError):
    """A tool for another kind of game; nothing is wrong with this one."""


class MissingDependency(RequestError):
    """An optional package that is not installed, with the command that mends it."""

    def __init__(self, package: str, purpose: str, extra: str) -> None:
        self.package = package
        super().__init__(
            f"{purpose} needs {package}, which is not installed\n"
            f"  pip install 'playtest-harness[{extra}]'"
        )


class RunError(HarnessError):
    """A run that did not pass; ``run`` is the whole RunResult."""

    def __init__(self, message: str, run: Any) -> None:
        self.run = run
        super().__init__(message)


class RunFailed(RunError, AssertionError):
    """A check of a run did not hold."""


class RunCancelled(RunError):
    """A run was cancelled; the play stands at the frame where it ended, and can go on."""


class GameError(RunError):
    """The game raised, or left a state that is no state (NaN), while it was run."""


class ProblemsFound(HarnessError, AssertionError):
    """game_check found something wrong; ``answer`` is all of it."""

    def __init__(self, message: str, answer: Any) -> None:
        self.answer = answer
        super().__init__(message)


class GoldenError(HarnessError, AssertionError):
    """A golden that is missing, or whose file cannot be read; ``path`` is that file."""

    def __init__(self, message: str, path: Any) -> None:
        self.path = path
        super().__init__(message)


class Divergence(HarnessError, AssertionError):
    """The same start and input gave another state; ``frame`` is the first that differs."""

    def __init__(self, message: str, frame: int, expected: str = "", actual: str = "") -> None:
        self.frame = frame
        self.expected = expected
        self.actual = actual
        super().__init__(message)


_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """Show the characters that would steer a terminal, but for tabs and new lines."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def nearest_first(name: str, known: Iterable[str]) -> list[str]:
    """Order names by likeness to the one that was asked for, then by alphabet."""
    # What it knows of the second text serves for all; the first bounds are cheap.
    matcher = difflib.SequenceMatcher(b=name.lower()[:_LONGEST_NAME])

    def unlikeness(other: str) -> tuple[float, str]:
        matcher.set_seq1(other.lower())
        alike = matcher.real_quick_ratio() >= 0.5 and matcher.quick_ratio() >= 0.5
        ratio = matcher.ratio() if alike else 0.0
        return (-ratio if ratio >= 0.5 else 0.0, other)

    return sorted(set(known), key=unlikeness)


def shortened(names: list[str], most: int = MOST_NAMES) -> str:
    """Join names for a message, saying how many were left out."""
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most} more"
