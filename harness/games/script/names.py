"""The names of a program that expressions can use: locals on its stack, its `self`, its globals."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import FrameType, FunctionType, ModuleType
from typing import Any

from harness.errors import ArgumentError
from harness.games.attributes import public
from harness.games.script.scopes import locals_of

Own = Callable[[str], bool]
"""Whether a file, as a code object or a module names it, is the program's own."""


class Stack:
    """Where a program stands: its own frames, innermost first, and its own modules."""

    def __init__(self, frame: FrameType | None, main: ModuleType, own: Own) -> None:
        self.frames = list(own_frames(frame, own))
        self._main, self._own = main, own
        self._modules: list[ModuleType] | None = None
        calls = [each for each in self.frames if each.f_locals is not each.f_globals]
        self._locals = [locals_of(call) for call in calls]
        self._selves = list(_selves(zip(calls, self._locals, strict=True)))
        self._loose: list[dict[str, Any]] | None = None

    @property
    def modules(self) -> list[ModuleType]:
        """The program's own modules, its first one first."""
        if self._modules is None:
            self._modules = [self._main, *own_modules(self._main, self._own)]
        return self._modules

    @property
    def loose(self) -> list[dict[str, Any]]:
        """The globals of code that stands in no module: what ``runpy`` or ``exec`` has run."""
        if self._loose is None:
            known = {id(vars(module)) for module in self.modules}
            found = {id(each.f_globals): each.f_globals for each in self.frames}
            self._loose = [names for key, names in found.items() if key not in known]
        return self._loose

    def lookups(self) -> Iterator[Mapping[str, Any]]:
        """Where a name is looked up, one place after another."""
        yield from self._locals
        yield from map(_Attributes, self._selves)
        yield from self.loose
        yield vars(self._main)
        yield from map(vars, self.modules[1:])

    def assign(self, name: str, value: Any) -> bool:
        """Set a name where it is looked up; says whether it is there at all.

        Raises:
            ArgumentError: it is a local.
        """
        if any(name in names for names in self._locals):
            problem = "is a local of a function, which nothing from outside can set"
            raise ArgumentError(name, f"{problem}; set what it holds, or a global")
        for owner in self._selves:
            if name in _Attributes(owner):
                try:
                    setattr(owner, name, value)
                except AttributeError as error:
                    raise ArgumentError(name, f"cannot be set: {error}") from None
                return True
        for names in (*self.loose, *map(vars, self.modules)):
            if name in names:
                names[name] = value
                return True
        return False


def _selves(calls: Iterable[tuple[FrameType, Mapping[str, Any]]]) -> Iterator[Any]:
    """The objects whose methods the program stands in."""
    met: list[Any] = []
    for frame, names in calls:
        code = frame.f_code
        owner = names.get(code.co_varnames[0]) if code.co_argcount else None
        known = owner is None or any(owner is other for other in met)
        if not known and code.co_varnames[0] in ("self", "cls"):
            met.append(owner)
            yield owner


class _Attributes(Mapping[str, Any]):
    """An object's attributes, as a mapping."""

    def __init__(self, owner: Any) -> None:
        self._owner = owner

    def __getitem__(self, name: str) -> Any:
        if name.startswith("__"):
            raise KeyError(name)
        try:
            return getattr(self._owner, name)
        except AttributeError:
            raise KeyError(name) from None

    def __iter__(self) -> Iterator[str]:
        return iter(public(type(self._owner), getattr(self._owner, "__dict__", {})))

    def __len__(self) -> int:
        return len(list(iter(self)))


class Namespace(dict[str, Any]):
    """What expressions are evaluated in: what is put there, else a name of the program's.

    ``stack`` gives where the program stands now, ``elsewhere`` what has a name wherever it is.
    """

    def __init__(
        self, stack: Callable[[], Stack], elsewhere: Callable[[str], Any] | None = None
    ) -> None:
        super().__init__()
        self._stack = stack
        self._elsewhere = elsewhere

    def __missing__(self, name: str) -> Any:
        for place in self._stack().lookups():
            try:
                return place[name]
            except KeyError:
                continue
        # All of the program is looked through for it, which a name of Python's is not worth.
        if self._elsewhere is None or hasattr(builtins, name):
            raise KeyError(name)
        return self._elsewhere(name)

    def __contains__(self, name: object) -> bool:
        if super().__contains__(name):
            return True
        try:
            self.__missing__(str(name))
        except KeyError:
            return False
        return True

    def there(self) -> dict[str, Any]:
        """The names that are worth telling, nearest first; no functions, classes or modules."""
        found: dict[str, Any] = {}
        for place in self._stack().lookups():
            for name in place:
                if name not in found and not name.startswith("_") and name not in ("self", "cls"):
                    value = place[name]
                    if not isinstance(value, _DULL) and not callable(value):
                        found[name] = value
        return found


_DULL = (ModuleType, FunctionType, type)


def own_frames(frame: FrameType | None, own: Own) -> Iterator[FrameType]:
    """The program's own frames, innermost first."""
    while frame is not None:
        if own(frame.f_code.co_filename):
            yield frame
        frame = frame.f_back


def own_modules(main: ModuleType, own: Own) -> Iterator[ModuleType]:
    """The program's own modules apart from its first, in the order of their import."""
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if module is not main and isinstance(file, str) and own(file):
            yield module
