"""tkinter without a screen: its windows do what they are told, and nobody sees or answers them.

What a program plans with ``after`` happens on the virtual clock while it is in its main loop. With
nothing planned the loop ends at once, as if the window were closed.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count
from typing import Any

from harness.games.script.imports import Imports
from harness.games.script.runtime import MILLISECOND, Patches, Runtime

_SCREEN = (1024, 768)
"""Pixels of SDL's dummy screen."""

_VALUES: dict[str, Any] = {"IntVar": 0, "DoubleVar": 0.0, "BooleanVar": False}
"""What variables hold that are given nothing; others hold a text."""


class Toolkit:
    """``tkinter`` and ``tkinter.ttk``: every kind of window, widget, variable and picture."""

    def __init__(self, runtime: Runtime, imports: Imports) -> None:
        self._runtime = runtime
        self._planned: list[tuple[int, int, Callable[[], object]]] = []
        self._numbers = count(1)
        self._open = True
        imports.when("tkinter", self._loaded)

    def install(self, patches: Patches) -> None:
        """Nothing: tkinter is replaced when it is imported."""

    def begin(self) -> None:
        """Have no window, and nothing planned."""
        self._planned.clear()
        self._numbers = count(1)
        self._open = True

    def _loaded(self, module: Any, patches: Patches) -> None:
        from tkinter import ttk  # now, since it takes the real ones apart

        variable, real = module.Variable, (module.Misc, module.Image, module.Variable)
        for owner in (module, ttk):
            for name, kind in list(vars(owner).items()):
                if isinstance(kind, type) and issubclass(kind, real):
                    base = Variable if issubclass(kind, variable) else Widget
                    extra = {"toolkit": self, "value": _VALUES.get(name, "")}
                    patches.put(owner, name, type(name, (base,), extra))

    def shown(self) -> None:
        """Say that there is a window."""
        self._runtime.note("the game opens a window of tkinter, of which nothing is shown here")

    def plan(self, milliseconds: Any, act: Callable[[], object]) -> str:
        """Have something done after a while; gives a name for it."""
        number = next(self._numbers)
        wait = int(milliseconds) * MILLISECOND if str(milliseconds).isdigit() else 0
        heapq.heappush(self._planned, (self._runtime.now + wait, number, act))
        return f"after#{number}"

    def forget(self, name: str) -> None:
        """Have it not done."""
        self._planned = [each for each in self._planned if f"after#{each[1]}" != name]
        heapq.heapify(self._planned)

    def loop(self) -> None:
        """Do what is planned, until nothing is or the window is closed."""
        self._open = True
        while self._open and self._planned:
            self._next()
        self._open = True

    def turn(self) -> None:
        """Do what is due."""
        while self._planned and self._planned[0][0] <= self._runtime.now:
            self._next()

    def _next(self) -> None:
        when, _, act = heapq.heappop(self._planned)
        if when > self._runtime.now:
            self._runtime.wait(when - self._runtime.now)
        act()

    def close(self) -> None:
        """Have the main loop end."""
        self._open = False


class Widget:
    """A window, or what is in one: takes everything, and says nothing."""

    toolkit: Toolkit
    value: Any = ""

    def __init__(self, master: Any = None, *_: Any, **options: Any) -> None:
        self.master = master
        self.children: dict[str, Any] = {}
        self._options = options
        self._text = str(options.get("text", ""))
        self.toolkit.shown()

    def mainloop(self, n: int = 0) -> None:
        """Go on until nothing is planned."""
        self.toolkit.loop()

    def update(self) -> None:
        """Do what is due."""
        self.toolkit.turn()

    def after(self, ms: Any, func: Any = None, *args: Any) -> str:
        """Have something done after a while."""
        return self.toolkit.plan(ms, lambda: func(*args) if func is not None else None)

    def after_idle(self, func: Any, *args: Any) -> str:
        """Have something done at once in the main loop."""
        return self.after(0, func, *args)

    def after_cancel(self, id: str) -> None:
        """Have it not done."""
        self.toolkit.forget(id)

    def destroy(self) -> None:
        """Close it; the main loop ends with its window."""
        if self.master is None:
            self.toolkit.close()

    def quit(self) -> None:
        """End the main loop."""
        self.toolkit.close()

    def insert(self, index: Any, text: Any = "", *_: Any) -> None:
        """Write into it."""
        self._text += str(text)

    def delete(self, *_: Any) -> None:
        """Make it empty."""
        self._text = ""

    def get(self, *_: Any) -> Any:
        """What was written into it, or what its variable holds: nobody types."""
        variable = self._options.get("textvariable") or self._options.get("variable")
        return variable.get() if variable is not None else self._text

    def curselection(self) -> tuple[int, ...]:
        """Nothing is chosen."""
        return ()

    def configure(self, *_: Any, **options: Any) -> None:
        """Keep what it is told."""
        self._options.update(options)

    config = configure

    def __setitem__(self, name: str, value: Any) -> None:
        self._options[name] = value

    def __getitem__(self, name: str) -> Any:
        return self._options.get(name, "")

    cget = __getitem__

    def winfo_screenwidth(self) -> int:
        """The width of the screen that pygame tells of, too."""
        return _SCREEN[0]

    def winfo_screenheight(self) -> int:
        """The height of the screen."""
        return _SCREEN[1]

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *_, **__: 1 if name.startswith("winfo_") else ""


class Variable:
    """A variable of tkinter: it holds what it is given."""

    toolkit: Toolkit
    value: Any = ""

    def __init__(self, master: Any = None, value: Any = None, name: Any = None) -> None:
        if value is not None:
            self.value = value

    def get(self) -> Any:
        """What it holds."""
        return self.value

    def set(self, value: Any) -> None:
        """Hold something else."""
        self.value = value

    def trace_add(self, *_: Any) -> str:
        """Nobody changes it but the program."""
        return ""

    trace = trace_variable = trace_add
