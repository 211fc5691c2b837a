"""What is wrong in scenarios, tests and movies: read, and never run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.check.files import GameFiles
from harness.check.problems import Problem, refused
from harness.check.scripts import syntax
from harness.errors import HarnessError, RequestError
from harness.games.folder import GameFolder
from harness.playtest.plan import check_fits, names_movie
from harness.scenario import SUFFIX, Scenario, Step, read_scenarios
from harness.values.movie_reader import read_movie
from harness.values.notation import parse


def problems_of(folder: GameFolder, files: GameFiles, counts: dict[str, int]) -> Iterator[Problem]:
    """Check every scenario, test file and movie that belongs to the game."""
    for path in files.tests():
        name = files.shown(path)
        if path.name.endswith(SUFFIX):
            counts["scenario files"] = counts.get("scenario files", 0) + 1
            yield from _scenarios(folder, path, name)
        elif path.suffix == ".py":
            counts["test files"] = counts.get("test files", 0) + 1
            problem = syntax(path, name)[1]
            if problem is not None:
                yield problem
        elif path.suffix == ".movie":
            counts["movies"] = counts.get("movies", 0) + 1
            yield from _movie(folder, path, name)


def _movie(folder: GameFolder, path: Path, name: str) -> Iterator[Problem]:
    try:
        check_fits(read_movie(path), folder)
    except HarnessError as error:
        yield refused(error, name, path, "record it anew, or remove it")


def _scenarios(folder: GameFolder, path: Path, name: str) -> Iterator[Problem]:
    try:
        scenarios = read_scenarios(path)
    except HarnessError as error:
        yield refused(error, name, path)
        return
    for scenario in scenarios:
        if scenario.game is None:
            yield from _scenario(folder, scenario, name)


def _scenario(folder: GameFolder, scenario: Scenario, name: str) -> Iterator[Problem]:
    try:
        folder.scene(scenario.scene)
    except RequestError as error:
        yield Problem(name, scenario.line, f"scene: {error}")
    for step in scenario.steps:
        try:
            _check_step(folder, step)
        except RequestError as error:
            yield Problem(name, step.line, f"{step.verb}: {error}")


def _check_step(folder: GameFolder, step: Step) -> None:
    """Refuse a step that names no scene, button or input of this game.

    Raises:
        RequestError: what it names is not there.
    """
    argument = step.argument
    named = argument if isinstance(argument, dict) else {}
    if step.verb == "reset":
        folder.scene(named.get("scene", argument if isinstance(argument, str) else None))
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
