"""The pytest entry point: options, markers and the fixtures' names, and nothing heavy.

``harness`` is imported when a fixture is first used, and privately where a project has a module of
that name itself (``tests/harness.py``), so that both go on working.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import sys
from collections.abc import Callable, Generator, Iterator
from glob import glob
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

TOOL_FIXTURES = (
    "game_run", "game_query", "game_shot", "game_branch", "game_check",
    "scene_list", "scene_get", "scene_edit", "scene_diff",
)  # fmt: skip
"""One fixture for each tool; a test compares this with the registry."""

_HOME = Path(__file__).resolve().parent / "harness"
_SCENARIO = ".scenario.yaml"
_CONTEXT: pytest.StashKey[Any] = pytest.StashKey()
_private: dict[str, ModuleType] = {}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options and the ini key."""
    group = parser.getgroup("playtest", "playtests of a game")
    group.addoption("--game", metavar="PATH", help="the game to play, a folder with a harness.yaml")
    group.addoption(
        "--game-seed", metavar="N", type=int, help="seed where a test gives none (default: 0)"
    )
    group.addoption(
        "--game-repeat",
        metavar="N",
        type=_at_least_one,
        default=1,
        help="replay every run's movie N-1 times, each in a fresh process under another hash seed",
    )
    group.addoption(
        "--game-output",
        metavar="DIR",
        default="game-results",
        help="where a failed test leaves its movie (default: game-results)",
    )
    group.addoption(
        "--isolation",
        choices=("auto", "in-process", "fork", "spawn"),
        default="auto",
        help="where a game is played (default: auto, the first one in this process)",
    )
    help = "how long one frame may take (default: 30)"
    group.addoption("--game-budget", metavar="SECONDS", type=float, default=30.0, help=help)
    help = "approve what is drawn: write the goldens that are missing or differ"
    group.addoption("--golden-update", action="store_true", default=False, help=help)
    parser.addini("game", "the game to play, as --game")


def _at_least_one(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {number}")
    return number


def pytest_configure(config: pytest.Config) -> None:
    """Declare the markers."""
    config.addinivalue_line(
        "markers", "game(seed=, scene=, path=): the game, scene and seed that a test plays"
    )
    config.addinivalue_line(
        "markers", "movie(pattern, ...): run the test once for each movie, as its argument `movie`"
    )
    config.pluginmanager.register(_Goldens(config), "playtest-goldens")


class _Goldens:
    """Which goldens the tests used, here or in the workers of pytest-xdist."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._used: set[str] = set()
        self._files: dict[str, bool] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note what a report says."""
        self._used.update(getattr(report, "playtest_goldens", ()))
        file = report.nodeid.partition("::")[0]
        self._files[file] = self._files.get(file, True) and report.passed

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Tell of goldens that no test used; they stay where they are."""
        if not self._used:
            return
        found = _testing().unused_goldens(self._config, self._used, self._files)
        if found:
            terminalreporter.section("unused goldens")
            for path in found:
                terminalreporter.line(path)


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Say how a picture differs from its golden."""
    kinds = {type(side).__module__.rpartition(".")[0] for side in (left, right)}
    if op != "==" or not kinds & {"harness.golden", "harness.values"}:
        return None
    lines: list[str] | None = _testing().explanation(left, right)
    return lines


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect ``*.scenario.yaml`` beside ``test_*.py``."""
    if not file_path.name.endswith(_SCENARIO):
        return None
    return ScenarioFile.from_parent(parent, path=file_path)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a test marked ``movie`` each movie that its patterns match."""
    marks = list(metafunc.definition.iter_markers("movie"))
    if not marks:
        return
    folder = metafunc.definition.path.parent
    movies, _ = _movies(marks, folder)
    if "movie" in metafunc.fixturenames:
        # Without one the test fails at its setup, and nothing else of its file does.
        ids = [_movie_id(path, folder) for path in movies]
        metafunc.parametrize("movie", movies or [None], ids=ids or ["none"])


def _movies(marks: list[pytest.Mark], folder: Path) -> tuple[list[Path], str]:
    """The movies that marks mean, and what is wrong with them."""
    patterns = [pattern for mark in marks for pattern in mark.args]
    wrong = not all(isinstance(pattern, str) and pattern for pattern in patterns)
    if wrong or not patterns or any(mark.kwargs for mark in marks):
        return [], 'mark.movie takes patterns, as in movie("repros/*.movie")'
    found = {Path(path) for p in patterns for path in glob(str(folder / p), recursive=True)}
    problem = "" if found else f"no movie matches {', '.join(patterns)} in {folder}"
    return sorted(found), problem


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Fail a test whose marker ``movie`` means none."""
    marks = list(item.iter_markers("movie"))
    if not marks:
        return
    _, problem = _movies(marks, item.path.parent)
    if "movie" not in getattr(item, "fixturenames", ()):
        problem = problem or "a test marked movie takes each as its argument `movie`"
    if problem:
        pytest.fail(problem, pytrace=False)


def _movie_id(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.as_posix()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Replay what a passed test played, when --game-repeat asks for it."""
    result = yield
    context = item.stash.get(_CONTEXT, None)
    if context is not None:
        problem = context.repeat(item.config.getoption("game_repeat"))
        if problem:
            pytest.fail(problem, pytrace=False)
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keep what a failed test played, and say how to play it again."""
    report = yield
    context = item.stash.get(_CONTEXT, None)
    if context is not None:
        error = call.excinfo.value if call.excinfo is not None else None
        section = ""
        if report.failed:
            section = context.evidence(error)
        if report.when == "teardown":
            context.forget()
            context.play.close()
            # A test that is run again, as plugins for flaky tests do, starts anew.
            del item.stash[_CONTEXT]
        goldens = context.goldens_used()
        if goldens and report.when == "call":
            report.playtest_goldens = goldens  # type: ignore[attr-defined]
        if section:
            report.sections.append(("playtest", section))
    return report


@pytest.fixture
def play(request: pytest.FixtureRequest) -> Any:
    """One play of the game: step, hold, until, value, inspect, raycast, screenshot, and more."""
    return _context(request.node).play


@pytest.fixture
def tools(request: pytest.FixtureRequest) -> Any:
    """Every tool as a method: ``tools.game_run(frames=60)``."""
    return _context(request.node).tools


@pytest.fixture
def game_golden(request: pytest.FixtureRequest) -> Any:
    """The goldens beside the test's file, by name; a picture is compared with one by ``==``."""
    return _context(request.node).golden


@pytest.fixture
def game_dir(request: pytest.FixtureRequest) -> Path:
    """The folder of the game that the test plays."""
    path: Path = _context(request.node).path
    return path


def _tool_fixture(name: str) -> Callable[..., Any]:
    def fixture(request: pytest.FixtureRequest) -> Any:
        return getattr(_context(request.node).tools, name)

    fixture.__doc__ = f"The tool {name}; it raises when the run does not pass, but for check=False."
    return pytest.fixture(name=name)(fixture)


game_query = _tool_fixture("game_query")
game_shot = _tool_fixture("game_shot")
game_run = _tool_fixture("game_run")
game_branch = _tool_fixture("game_branch")
game_check = _tool_fixture("game_check")
scene_list = _tool_fixture("scene_list")
scene_get = _tool_fixture("scene_get")
scene_edit = _tool_fixture("scene_edit")
scene_diff = _tool_fixture("scene_diff")


class ScenarioFile(pytest.File):
    """A ``*.scenario.yaml``: one test a document."""

    def collect(self) -> Iterator[ScenarioItem]:
        """Read the file; a mistake in it is an error that names the line."""
        testing = _private_testing()
        try:
            scenarios = testing.scenario_titles(self.path)
        except testing.HarnessError as error:
            raise self.CollectError(str(error)) from None
        for name, line in scenarios:
            yield ScenarioItem.from_parent(self, name=name, line=line)


class ScenarioItem(pytest.Item):
    """One scenario of a file."""

    def __init__(self, *, line: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.line = line

    def runtest(self) -> None:
        """Play the scenario."""
        testing = _testing()
        testing.run_scenario(self, lambda scenario: _context(self, scenario))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Tell a scenario's failure in its own words, not by a traceback of ours."""
        if isinstance(excinfo.value, _testing().HarnessError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the scenario stands."""
        return self.path, self.line - 1, self.name


def _context(item: Any, scenario: Any = None) -> Any:
    if _CONTEXT not in item.stash:
        testing, problem = _testing(), ""
        try:
            item.stash[_CONTEXT] = testing.Context(item, scenario)
        except testing.HarnessError as error:
            problem = str(error)
        if problem:  # out here, where pytest shows it once
            pytest.fail(problem, pytrace=False)
    return item.stash[_CONTEXT]


def _testing() -> ModuleType:
    """``harness.testing``: the importable one, else, beside another `harness`, a private copy."""
    known = sys.modules.get("harness")
    if known is None and _found_is_ours():
        sys.modules.update(_private)
        return importlib.import_module("harness.testing")
    if known is not None and _is_ours(getattr(known, "__file__", None)):
        return importlib.import_module("harness.testing")
    return _private_testing()


def _private_testing() -> ModuleType:
    """``harness.testing`` without leaving anything of the name `harness` behind."""
    if "harness.testing" in _private:
        return _private["harness.testing"]
    known = sys.modules.get("harness")
    if known is not None and _is_ours(getattr(known, "__file__", None)):
        return importlib.import_module("harness.testing")
    theirs = _taken_out()
    try:
        spec = importlib.util.spec_from_file_location(
            "harness", _HOME / "__init__.py", submodule_search_locations=[str(_HOME)]
        )
        assert spec is not None
        assert spec.loader is not None
        sys.modules["harness"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules["harness"])
        importlib.import_module("harness.testing")
    finally:
        _private.update(_taken_out())
        sys.modules.update(theirs)
    return _private["harness.testing"]


def _taken_out() -> dict[str, ModuleType]:
    names = [name for name in sys.modules if name == "harness" or name.startswith("harness.")]
    return {name: sys.modules.pop(name) for name in names}


def _found_is_ours() -> bool:
    try:
        spec = importlib.util.find_spec("harness")
    except (ImportError, ValueError):
        return False
    return spec is not None and _is_ours(spec.origin)


def _is_ours(file: str | None) -> bool:
    return file is not None and Path(file).resolve() == _HOME / "__init__.py"
