"""Where a script's names live: the calls on its stack at the flip, and its own modules."""

from __future__ import annotations

import dis
import functools
import inspect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any


@dataclass(frozen=True, slots=True)
class Scope:
    """The names of one call (labelled ``main()``) or of one module (``settings``).

    The script's own top level has no label. ``passing`` are the names that only loops bind: after
    a loop over enemies, ``enemy`` is still the last of them, and not what it is called.
    """

    label: str
    names: Mapping[str, Any]
    passing: frozenset[str] = frozenset()

    def path(self, name: str) -> str:
        """What the value of a name is called from outside, as in ``main().player``."""
        return f"{self.label}.{name}" if self.label else name


@dataclass(frozen=True, slots=True)
class Scopes:
    """All scopes of one moment: the calls innermost first, the modules with the script's first."""

    calls: tuple[Scope, ...]
    modules: tuple[Scope, ...]


def live_scopes(
    frames: Iterable[FrameType], script: Mapping[str, Any], modules: Iterable[ModuleType] = ()
) -> Scopes:
    """Read the scopes of a game that stands at a flip.

    ``frames`` are its own, innermost first; ``script`` is what the program runs in at its top
    level, ``modules`` are its further ones.
    """
    calls, passing = [], frozenset[str]()
    loose = []
    for frame in frames:
        code = frame.f_code
        if frame.f_locals is frame.f_globals:
            passing = loop_names(code) if frame.f_globals is script else passing
            loose.append((code, frame.f_globals))
        elif not code.co_name.startswith("<"):
            calls.append(Scope(f"{code.co_name}()", locals_of(frame), loop_names(code)))
    further = [
        Scope(module.__name__, vars(module))
        for module in sorted(modules, key=lambda module: module.__name__)
        if vars(module) is not script
    ]
    known = [script, *(scope.names for scope in further)]
    for code, names in loose:
        if not any(names is other for other in known):
            known.append(names)
            further.append(Scope(Path(code.co_filename).stem, names, loop_names(code)))
    return Scopes(tuple(_told_apart(calls)), (Scope("", script, passing), *further))


def locals_of(frame: FrameType) -> dict[str, Any]:
    """A copy of a call's locals, which leaves nothing behind in the call."""
    seen = frame.f_locals
    copy = dict(seen)
    # Before 3.13 the frame keeps what it has shown, and with it objects that the game drops.
    if type(seen) is dict and frame.f_code.co_flags & inspect.CO_OPTIMIZED:
        seen.clear()
    return copy


def _told_apart(calls: list[Scope]) -> Iterator[Scope]:
    """Number the calls of one function from the outermost in: ``draw()``, ``draw()2``."""
    left = [scope.label for scope in calls]
    for scope in calls:
        count = left.count(scope.label)
        left.remove(scope.label)
        label = f"{scope.label}{count}" if count > 1 else scope.label
        yield Scope(label, scope.names, scope.passing)


@functools.lru_cache(maxsize=512)
def loop_names(code: CodeType) -> frozenset[str]:
    """The variables of a piece of code that are bound nowhere but in its ``for`` loops."""
    in_loops, outside, hidden = set[str](), set[str](), set[str]()
    loop_end, before = 0, ""
    for instruction in dis.get_instructions(code):
        if instruction.opname == "FOR_ITER":
            loop_end = max(loop_end, instruction.argval)
        elif instruction.opname == "LOAD_FAST_AND_CLEAR":
            hidden.add(instruction.argval)
        for name in _stored(instruction):
            # Since 3.12 a comprehension puts back what its variable has hidden, with what it gave.
            if not (name in hidden and before.startswith(("SWAP", "STORE_FAST"))):
                (in_loops if instruction.offset < loop_end else outside).add(name)
            before = instruction.opname
        before = instruction.opname
    return frozenset(in_loops - outside)


def _stored(instruction: dis.Instruction) -> tuple[str, ...]:
    name, value = instruction.opname, instruction.argval
    if name in ("STORE_FAST", "STORE_NAME", "STORE_GLOBAL", "STORE_DEREF"):
        return (value,)
    if name == "STORE_FAST_STORE_FAST":
        return tuple(value)
    return (value[0],) if name == "STORE_FAST_LOAD_FAST" else ()
