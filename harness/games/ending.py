"""How a game ends the process: ``os._exit`` is told as the game's exit, and pymunk is kept alive.

A failed test, a debugger or a global keeps a game alive until Python takes its modules apart. By
then pymunk's callbacks are gone, and freeing a space that holds anything is a segmentation fault.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


@atexit.register
def keep_spaces() -> None:
    """Keep every space that is left, and with it its bodies and shapes, to the very end."""
    pymunk = sys.modules.get("pymunk")
    if pymunk is None or sys.implementation.name != "cpython":
        return
    # Of its type, not of its __class__: a proxy's may be anything, or run code.
    for space in [left for left in gc.get_objects() if issubclass(type(left), pymunk.Space)]:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(space))


@contextmanager
def exits_told() -> Iterator[None]:
    """Have ``os._exit`` end the game as ``sys.exit`` does, and not the process that plays it.

    Other threads, and processes that the game forks, leave by it as ever.
    """
    leave, here, told = os._exit, os.getpid(), True

    def exit_told(status: int) -> NoReturn:
        if told and os.getpid() == here and threading.current_thread() is threading.main_thread():
            raise SystemExit(status)
        leave(status)

    os._exit = exit_told
    try:
        yield
    finally:
        told = False
        os._exit = leave
