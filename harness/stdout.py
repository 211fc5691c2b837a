"""Keeps standard output for answers: what a game prints, native code included, goes to stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import TextIO


@contextmanager
def answers_only() -> Iterator[TextIO]:
    """Give a stream for answers, and point everything else that is written to stdout at stderr."""
    sys.stdout.flush()
    try:
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError, AttributeError):
        # Already captured in this process, as pytest does: there is no descriptor to turn around.
        answers = sys.stdout
        with redirect_stdout(sys.stderr):
            yield answers
        return
    kept = os.dup(descriptor)
    with open(kept, "w", encoding="utf-8", closefd=True) as answers_file:
        os.dup2(sys.stderr.fileno(), descriptor)
        try:
            with redirect_stdout(sys.stderr):
                yield answers_file
        finally:
            answers_file.flush()
            os.dup2(kept, descriptor)
