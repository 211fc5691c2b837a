from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from harness.games.script.runtime import SECOND, Runtime
from harness.games.script.toolkit import Toolkit

tkinter = pytest.importorskip("tkinter")


@pytest.fixture
def tk(interposed: Callable[..., Any]) -> Any:
    interposed(Toolkit)
    return tkinter


def test_a_window_that_asks_before_a_game_goes_on_as_if_it_were_closed(
    tk: Any, runtime: Runtime
) -> None:
    from tkinter import ttk

    class Launcher(tk.Tk):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.title("Launcher")
            self.frame = tk.Frame(self, bg="black")
            self.frame.pack(fill=tk.BOTH)
            self.name = tk.StringVar(self, value="Ann")
            self.entry = tk.Entry(self.frame, textvariable=self.name)
            self.level = ttk.Combobox(self.frame, values=["one", "two"])
            self.level.current(0)
            self.entry["width"] = 20
            tk.Button(self.frame, text="Go", command=self.destroy).grid(row=0, column=1)

    root = Launcher()
    root.mainloop()
    assert root.entry.get() == "Ann"
    assert root.entry["width"] == 20
    assert (root.winfo_screenwidth(), root.winfo_screenheight()) == (1024, 768)
    assert tk.IntVar().get() == 0
    assert runtime.notes == ["the game opens a window of tkinter, of which nothing is shown here"]


def test_what_is_planned_happens_in_the_main_loop_on_the_virtual_clock(
    tk: Any, runtime: Runtime
) -> None:
    root, ticks = tk.Tk(), []

    def tick() -> None:
        ticks.append(runtime.now / SECOND)
        root.after(500, tick) if len(ticks) < 4 else root.after(250, root.destroy)

    root.after(500, tick)
    never = root.after(10_000, lambda: ticks.append(-1.0))
    root.after_cancel(never)
    root.after(100_000, lambda: ticks.append(-2.0))
    root.mainloop()
    assert ticks == [0.5, 1.0, 1.5, 2.0]
    assert runtime.now == 2.25 * SECOND


def test_a_program_that_turns_the_window_itself_has_done_what_is_due(
    tk: Any, runtime: Runtime
) -> None:
    root, done = tk.Tk(), []
    root.after(100, done.append, 1)
    root.update()
    assert done == []
    runtime.advance(SECOND // 10)
    root.update()
    assert done == [1]
