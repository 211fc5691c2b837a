"""What one test has: its play, its tools, and what is kept of them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from harness import tools as _registers_the_tools  # noqa: F401
from harness.check.problems import Checked
from harness.errors import (
    ArgumentError,
    ConfigError,
    GameError,
    GoldenError,
    HarnessError,
    ProblemsFound,
    RunCancelled,
    RunError,
    RunFailed,
    UnknownName,
)
from harness.games.folder import find_game
from harness.golden.golden import Golden
from harness.golden.store import Store
from harness.golden.unused import FOLDER as GOLDENS
from harness.playtest.play import Playtest
from harness.playtest.protocol import Play
from harness.playtest.steps import told
from harness.registry import REGISTRY, Tool
from harness.testing.evidence import Keeper
from harness.tools.desk import Desk, called
from harness.values.answers import Shot
from harness.values.files import shown_path
from harness.values.movie import Movie
from harness.values.run import RunRequest, RunResult, command_line
from harness.worker.isolation import is_program, play_in, settled
from harness.worker.play import WorkerPlay

if TYPE_CHECKING:
    from harness.scenario import Scenario


_FIRST = pytest.StashKey[Path]()
"""The first game of a run of pytest."""
_SETTLED = pytest.StashKey[set[Path]]()
"""The goldens that a run of pytest drew exactly so, or approved."""


class Context:
    """The play and the tools of one test, on the game that it names."""

    def __init__(self, item: pytest.Item, scenario: Scenario | None = None) -> None:
        self._options = _options(item, scenario)
        self.path = _game_of(item, self._options.get("path"))
        self.play = play_in(
            _isolation_of(item, self.path),
            self.path,
            seed=self._options.get("seed", item.config.getoption("game_seed") or 0),
            scene=self._options.get("scene"),
            base=item.path.parent,
            budget=item.config.getoption("game_budget"),
            kinds=(quiet(Playtest), quiet(WorkerPlay)),
        )
        self.tools = Tools(self.play, item.config.invocation_params.dir)
        self._movies: list[Movie] = []
        self.play.on_movie = self._movies.append
        self._keeper = Keeper(item, self.path)
        self._kept = self._failed = False
        self._goldens: list[Golden] = []
        self._store = Store(item.path.parent / GOLDENS)
        self._update = bool(item.config.getoption("golden_update"))
        self._settled = item.config.stash.setdefault(_SETTLED, set())
        self.play.golden_of = self.golden

    def golden(
        self, name: str, *, tolerance: float = 0.0, distance: int = 0, mask: Sequence[Any] = ()
    ) -> Golden:
        """The golden of a name, beside the test's file; a picture is compared with it by ``==``."""
        __tracebackhide__ = True
        given = name, tolerance, distance, mask, self._update, self._keeper.golden
        try:
            golden = Golden(self._store, *given, self._settled)
        except HarnessError as error:
            raise error.with_traceback(None) from None
        self._goldens.append(golden)
        return golden

    def goldens_used(self) -> list[str]:
        """The files of the goldens that the test compared with."""
        return list(dict.fromkeys(str(path) for golden in self._goldens for path in golden.used))

    def movies(self) -> list[Movie]:
        """Everything that the test played, one movie a play, the present one last."""
        last = self.play.played()
        return [*self._movies, *([last] if last is not None else [])]

    def repeat(self, times: int) -> str:
        """Replay everything in fresh processes, ``times`` - 1 times each; gives what differed."""
        if times < 2:
            return ""
        try:
            problem = self._keeper.repeat(self.movies(), times - 1)
        except (HarnessError, OSError) as error:
            return str(error)
        self._kept = bool(problem)
        return problem

    def evidence(self, error: BaseException | None) -> str:
        """Keep the movie of a failed test, and give the words for its report."""
        self._failed = True
        if self._kept:
            return ""
        try:
            movie = error.run.movie if isinstance(error, RunError) else self.movies()[-1]
        except (IndexError, HarnessError):
            return ""
        if movie is None or not movie.frames:
            return ""
        self._kept = True
        return self._keeper.keep(movie)

    def forget(self) -> None:
        """Remove what an earlier failure of the test left, unless it failed again."""
        if not self._kept and not (self._failed and self._keeper.keeps_goldens):
            self._keeper.forget()


_MARKED: dict[str, Any] = {"seed": int, "scene": str, "path": (str, os.PathLike)}
_WORDS = {"seed": "a whole number", "scene": "text", "path": "a path"}


def _options(item: pytest.Item, scenario: Scenario | None) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for mark in reversed(list(item.iter_markers("game"))):
        if mark.args or set(mark.kwargs) - set(_MARKED):
            raise ConfigError("mark.game takes seed=, scene= and path=")
        for name, value in mark.kwargs.items():
            if not isinstance(value, _MARKED[name]):
                raise ConfigError(f"mark.game: {name}: must be {_WORDS[name]}, not {value!r}")
        found.update(mark.kwargs)
    if scenario is not None and scenario.game is not None:
        found["path"] = scenario.game
    return found


def _game_of(item: pytest.Item, marked: str | None) -> Path:
    config = item.config
    if marked is not None:
        return find_game(marked, item.path.parent)
    if config.getoption("game"):
        return find_game(config.getoption("game"), config.invocation_params.dir)
    if config.getini("game"):
        return find_game(
            config.getini("game"), config.inipath.parent if config.inipath else config.rootpath
        )
    try:
        return find_game(None, item.path.parent, or_in=config.rootpath)
    except ConfigError as error:
        raise ConfigError(f"{error}\n{_NAME_ONE}") from None


def _isolation_of(item: pytest.Item, game: Path) -> str:
    """Where a test's game is played: the first of a run of pytest may be alone in its process."""
    first = item.config.stash.setdefault(_FIRST, game)
    isolation = item.config.getoption("isolation")
    return settled(isolation, alone=game == first, program=is_program(game))


_NAME_ONE = "  or name one: --game PATH, the ini key game, or @pytest.mark.game(path=...)"


class Tools:
    """Every tool as a method that raises when the run does not pass, but for ``check=False``."""

    def __init__(self, play: Play, here: Path) -> None:
        self._desk = Desk(play.path, play.base, lambda: play)
        self._here = here

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_") or name not in REGISTRY:
            raise AttributeError(str(UnknownName("tool", name, dir(self), "the registry")))
        return _Call(REGISTRY.find(name), self._desk, self._here)

    def __dir__(self) -> list[str]:
        return [tool.name for tool in REGISTRY]


class _Call:
    """A tool bound to what a test acts on."""

    def __init__(self, tool: Tool, desk: Desk, here: Path) -> None:
        self._tool = tool
        self._desk = desk
        self._here = here
        self.__doc__ = tool.description

    def __repr__(self) -> str:
        return f"<tool {self._tool.name}>"

    def __call__(self, *args: Any, check: bool = True, **given: Any) -> Any:
        __tracebackhide__ = True
        try:
            for name, value in zip((a.name for a in self._tool.arguments), args, strict=False):
                if name in given:
                    raise ArgumentError(name, "is given twice")
                given[name] = value
            plain = {k: os.fspath(v) if isinstance(v, os.PathLike) else v for k, v in given.items()}
            result = called(self._tool, self._desk, self._tool.checked(plain))
        except HarnessError as error:
            raise error.with_traceback(None) from None
        if check and isinstance(result, RunResult) and not result.passed:
            raise failure_of(result, again(result.request, self._desk.path, self._here))
        if check and isinstance(result, Checked) and not result.passed:
            raise ProblemsFound(result.text(), result)
        if check and isinstance(result, Shot) and result.matches is False:
            raise GoldenError(result.told, result.golden)
        return result


def failure_of(run: RunResult, command: str | None) -> RunError:
    """The exception that tells a run which did not pass."""
    lines = []
    if run.failure is not None:
        lines.append(run.failure.message)
    elif run.stopped == "exit":
        lines.append(f"the game ended itself after frame {run.frame}: {run.error}")
    elif run.error is not None:
        lines.append(told(run.error))
    else:
        lines.append(f"cancelled after frame {run.frame}")
    lines += [f"  note: {note}" for note in run.notes]
    lines.append(f"  scene {run.scene}, seed {run.seed}, build {run.build}")
    if command is not None:
        lines.append(f"  play it again: {command}")
    kind = RunCancelled if run.stopped == "cancelled" else GameError
    return (kind if run.failure is None else RunFailed)("\n".join(lines), run)


def again(request: RunRequest, game: Path, here: Path) -> str | None:
    """The command that, typed in ``here``, plays a request again; None where no line can say it."""
    given = request.input
    if isinstance(given, tuple):
        given = json.dumps(list(given))
    elif isinstance(given, str) and Path(given).is_absolute():
        given = shown_path(given, here)
    return command_line(
        replace(request, game=shown_path(game, here), input=given, against=None, record=None)
    )


def quiet(kind: type[Any]) -> type[Any]:
    """The same kind of play for the fixture: a traceback starts in the test, not in the harness."""
    verbs = {
        name: _shortened(verb)
        for name, verb in vars(kind).items()
        if callable(verb) and not name.startswith("_")
    }
    return type("TestPlay", (kind,), {"__test__": False, "__repr__": _shown, **verbs})


def _shown(play: Play) -> str:
    # pytest shows it with each failed assert.
    return f"<play of {play.path.name}, frame {play.frame}>"


def _shortened(verb: Callable[..., Any]) -> Callable[..., Any]:
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        try:
            return verb(self, *args, **kwargs)
        except HarnessError as error:
            raise error.with_traceback(None) from None

    call.__name__, call.__doc__ = verb.__name__, verb.__doc__
    call.__wrapped__ = verb  # type: ignore[attr-defined]
    return call
