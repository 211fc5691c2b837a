from __future__ import annotations

import sys
import weakref
from types import FrameType, ModuleType
from typing import Any

from harness.games.script.scopes import Scope, live_scopes, loop_names


def _frames() -> list[FrameType]:
    """The frames of this file that are live, innermost first, without this function's."""
    frame: FrameType | None = sys._getframe(1)
    found = []
    while frame is not None and frame.f_code.co_filename == __file__:
        found.append(frame)
        frame = frame.f_back
    return found


def _names(scopes: tuple[Scope, ...]) -> list[str]:
    return [scope.label for scope in scopes]


def test_calls_come_innermost_first_and_are_called_by_their_functions():
    def draw(surface: str) -> Any:
        return live_scopes(_frames(), {})

    def main() -> Any:
        player = "here"
        return draw(player)

    calls = main().calls
    assert _names(calls)[:2] == ["draw()", "main()"]
    assert calls[0].names["surface"] == "here"
    assert calls[1].path("player") == "main().player"


def test_calls_of_one_function_are_numbered_from_the_outermost_in():
    def dive(depth: int) -> Any:
        return dive(depth - 1) if depth else live_scopes(_frames(), {})

    assert _names(dive(2).calls)[:3] == ["dive()3", "dive()2", "dive()"]


def test_the_script_comes_first_and_its_modules_by_name_whatever_their_import_order():
    script = ModuleType("__main__")
    modules = [ModuleType(name) for name in ("settings", "enemies")]
    scopes = live_scopes([], vars(script), [script, *modules])
    assert _names(scopes.modules) == ["", "enemies", "settings"]
    assert scopes.modules[0].path("player") == "player"
    assert scopes.modules[1].path("boss") == "enemies.boss"


def test_a_local_that_was_looked_at_is_dropped_as_if_it_had_not_been():
    class Coin:
        pass

    def main() -> bool:
        coin: Coin | None = Coin()
        gone = weakref.ref(coin)
        live_scopes([sys._getframe()], {})
        coin = None
        return gone() is None

    assert main()


def _passing(source: str) -> frozenset[str]:
    whole = compile(source, "<test>", "exec")
    inner = [part for part in whole.co_consts if hasattr(part, "co_code")]
    return loop_names(inner[0] if inner else whole)


def test_what_only_for_loops_bind_is_no_name():
    assert _passing("for enemy in enemies: pass\nplayer = 1") == {"enemy"}
    assert _passing("def f(a):\n for (i, [x, y]) in a:\n  enemy = x\n") == {"i", "x", "y", "enemy"}


def test_what_is_bound_beside_a_loop_too_is_a_name():
    assert _passing("def f(a):\n ball = a[0]\n for ball in a: pass\n") == frozenset()
    assert _passing("def f(a):\n for ball in a: pass\n best = ball\n") == {"ball"}


def test_the_variable_of_a_comprehension_leaves_that_of_a_loop_as_it_is():
    assert _passing("def f(a):\n for e in a: pass\n b = [e for e in a]\n") >= {"e"}


def test_a_while_loop_is_where_a_game_lives():
    assert _passing("def f():\n while True:\n  player = 1\n") == frozenset()
