"""The generators that a whole process shares, Python's and numpy's, swapped as one."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Generators:
    """Somebody's own state of the shared generators; ``seed`` is where it begins."""

    def __init__(self, seed: int | str = 0) -> None:
        self._seed = seed
        self._state: tuple[Any, Any] | None = None

    @contextmanager
    def swapped_in(self) -> Iterator[None]:
        """Put this state in, keep what becomes of it, and put back what was there."""
        theirs = states()
        if self._state is None:
            seed_all(self._seed)
        else:
            _put(self._state)
        try:
            yield
        finally:
            self._state = states()
            _put(theirs)


@contextmanager
def given_back() -> Iterator[None]:
    """Put the shared generators back afterwards, as if nothing had been drawn from them."""
    python, numpy = states()
    try:
        yield
    finally:
        random.setstate(python)
        if numpy is not None:
            _numpy_random().set_state(numpy)


def seed_all(seed: int | str) -> None:
    """Seed every shared generator that is loaded."""
    random.seed(seed)
    numpy = _numpy_random()
    if numpy is not None:
        numpy.seed(seed if isinstance(seed, int) else random.Random(seed).getrandbits(32))


def states() -> tuple[Any, Any]:
    """The state of Python's generator and of numpy's; None for numpy where it is not loaded."""
    numpy = _numpy_random()
    return random.getstate(), None if numpy is None else numpy.get_state()


def _put(state: tuple[Any, Any]) -> None:
    random.setstate(state[0])
    numpy = _numpy_random()
    if numpy is not None:
        if state[1] is None:
            numpy.seed()  # first loaded meanwhile: as it would be in a process that just began
        else:
            numpy.set_state(state[1])


def _numpy_random() -> Any:
    return getattr(sys.modules.get("numpy"), "random", None)
