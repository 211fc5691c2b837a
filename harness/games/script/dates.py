"""The module ``datetime`` as a program has it: its now is the virtual clock's."""

from __future__ import annotations

import datetime as real
from types import ModuleType
from typing import Any

from harness.games.script.runtime import Runtime

EPOCH = 1_735_689_600
"""What a program's ``time.time()`` begins at: 2025-01-01 00:00:00 UTC."""

_FIRST = real.datetime(2025, 1, 1, tzinfo=real.UTC)


class _AlsoReal(type):
    """A date that the standard library made is one of the program's, too."""

    real: type

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, cls.real)

    def __subclasscheck__(cls, kind: type) -> bool:
        return issubclass(kind, cls.real)


def datetime_module(runtime: Runtime) -> ModuleType:
    """Make the module for a runtime."""
    read = runtime.read

    def present() -> real.datetime:
        return _FIRST + real.timedelta(microseconds=read() // 1000)

    class date(real.date, metaclass=_AlsoReal):
        real = real.date

        @classmethod
        def today(cls) -> Any:
            return cls.fromordinal(present().toordinal())

        @classmethod
        def fromtimestamp(cls, stamp: float, /) -> Any:
            return cls.fromordinal(real.datetime.fromtimestamp(stamp, real.UTC).toordinal())

    class datetime(real.datetime, metaclass=_AlsoReal):
        real = real.datetime

        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return cls.fromtimestamp(present().timestamp(), tz)

        @classmethod
        def today(cls) -> Any:
            return cls.now()

        @classmethod
        def utcnow(cls) -> Any:
            return cls.now()

        @classmethod
        def fromtimestamp(cls, stamp: float, tz: Any = None) -> Any:
            moment = super().fromtimestamp(stamp, tz or real.UTC)
            return moment if tz is not None else moment.replace(tzinfo=None)

    module = ModuleType("datetime", real.__doc__)
    vars(module).update(vars(real))
    for kind in (date, datetime):
        kind.__module__, kind.__qualname__ = "datetime", kind.__name__
        setattr(module, kind.__name__, kind)
    return module
