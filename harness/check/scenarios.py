"""What is wrong in scenarios, tests and movies: read, and never run."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from harness.check.files import GameFiles
from harness.check.problems import Problem, refused
from harness.check.scripts import syntax
from harness.errors import HarnessError, RequestError, UnknownName
from harness.games.folder import GameFolder
from harness.playtest.plan import check_fits, names_movie
from harness.scenario import SUFFIX, Scenario, Step, fitting_scenarios
from harness.values.movie_reader import read_movie
from harness.values.notation import parse

_STEP = "write the step so that it fits; harness api lists the verbs of play"


def problems_of(
    folder: GameFolder | None,
    files: GameFiles,
    counts: dict[str, int],
    unsure: Collection[str] = (),
) -> Iterator[Problem]:
    """Check every scenario, test file and movie that belongs to the game.

    What harness.yaml says under a key that is ``unsure`` is not relied on; without a folder,
    nothing that it says.
    """
    for path in files.tests():
        name = files.shown(path)
        if path.name.endswith(SUFFIX):
            counts["scenario files"] = counts.get("scenario files", 0) + 1
            yield from _scenarios(folder, path, name, unsure)
        elif path.suffix == ".py":
            counts["test files"] = counts.get("test files", 0) + 1
            problem = syntax(path, name)[1]
            if problem is not None:
                yield problem
        elif path.suffix == ".movie":
            counts["movies"] = counts.get("movies", 0) + 1
            if folder is not None and not unsure:
                yield from _movie(folder, path, name)


def _movie(folder: GameFolder, path: Path, name: str) -> Iterator[Problem]:
    try:
        check_fits(read_movie(path), folder)
    except HarnessError as error:
        yield refused(error, name, path, "record it anew, or remove it")


def _scenarios(
    folder: GameFolder | None, path: Path, name: str, unsure: Collection[str]
) -> Iterator[Problem]:
    try:
        scenarios, refusals = fitting_scenarios(path)
    except HarnessError as error:
        yield refused(error, name, path, "correct the line, or the one before it")
        return
    yield from (refused(error, name, path, _STEP) for error in refusals)
    for scenario in scenarios:
        if folder is not None and scenario.game is None:
            yield from _scenario(folder, scenario, name, unsure)


def _scenario(
    folder: GameFolder, scenario: Scenario, name: str, unsure: Collection[str]
) -> Iterator[Problem]:
    fix = "write one that is there"
    if "scenes" not in unsure:
        try:
            folder.scene(scenario.scene)
        except RequestError as error:
            yield Problem(name, scenario.line, f"scene: {error}", fix)
    for step in scenario.steps:
        try:
            _check_step(folder, step, unsure)
        except RequestError as error:
            yield Problem(name, step.line, f"{step.verb}: {error}", fix)
    yield from _savestates(scenario, name)


def _savestates(scenario: Scenario, name: str) -> Iterator[Problem]:
    """A savestate that is loaded before it is saved; each scenario has its own."""
    saved: list[str] = []
    for step in scenario.steps:
        argument = step.argument
        named = argument.get("name") if isinstance(argument, dict) else argument
        if step.verb == "save":
            saved.append(str(named))
        elif step.verb == "load" and str(named) not in saved:
            unknown = UnknownName("savestate", str(named), saved, "the scenario, up to there,")
            yield Problem(name, step.line, f"load: {unknown}", "save it in a step before")


def _check_step(folder: GameFolder, step: Step, unsure: Collection[str]) -> None:
    """Refuse a step that names no scene, button or input of this game.

    Raises:
        RequestError: what it names is not there.
    """
    argument = step.argument
    named = argument if isinstance(argument, dict) else {}
    if step.verb == "reset" and "scenes" not in unsure:
        folder.scene(named.get("scene", argument if isinstance(argument, str) else None))
    if "buttons" in unsure:
        return
    if step.verb in ("hold", "tap"):
        buttons = named.get("buttons") if named else argument
        _resolve(folder, buttons)
    if step.verb == "until":
        _resolve(folder, named.get("holding"))
    text = named.get("input")
    if isinstance(text, str) and not names_movie(text):
        parse(text, folder.vocabulary)


def _resolve(folder: GameFolder, words: Any) -> None:
    for word in words if isinstance(words, list) else [words]:
        if isinstance(word, str):
            folder.vocabulary.resolve(word)
