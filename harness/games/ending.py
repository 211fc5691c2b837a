"""The end of the process: what is left of pymunk is never freed, since that would crash it.

A failed test, a debugger or a global keeps a game alive until Python takes its modules apart. By
then pymunk's callbacks are gone, and freeing a space that holds anything is a segmentation fault.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import sys


@atexit.register
def keep_spaces() -> None:
    """Keep every space that is left, and with it its bodies and shapes, to the very end."""
    pymunk = sys.modules.get("pymunk")
    if pymunk is None or sys.implementation.name != "cpython":
        return
    # Of its type, not of its __class__: a proxy's may be anything, or run code.
    for space in [left for left in gc.get_objects() if issubclass(type(left), pymunk.Space)]:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(space))
