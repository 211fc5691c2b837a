"""Keeps standard output for answers: what a game prints, native code included, goes to stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from typing import TextIO


@contextmanager
def answers_only() -> Iterator[TextIO]:
    """Give a stream for answers, and point everything else that is written to stdout at stderr.

    Raises:
        BrokenPipeError: whoever read the answers has gone.
    """
    descriptor = _descriptor(sys.stdout)
    if descriptor is None or _descriptor(sys.stderr) is None:
        # Already captured in this process, as pytest does: there is no descriptor to turn around.
        answers = sys.stdout
        with redirect_stdout(sys.stderr):
            yield answers
        return
    sys.stdout.flush()
    kept = os.dup(descriptor)
    answers = open(kept, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    os.dup2(sys.stderr.fileno(), descriptor)
    try:
        with redirect_stdout(sys.stderr):
            yield answers
        answers.flush()
    finally:
        with suppress(OSError):
            answers.close()
        os.dup2(kept, descriptor)
        os.close(kept)


def _descriptor(stream: TextIO | None) -> int | None:
    try:
        return None if stream is None else stream.fileno()
    except (OSError, ValueError, AttributeError):
        return None
