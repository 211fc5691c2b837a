"""Scenarios without Python: ``*.scenario.yaml``, one play a document, one verb a step."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.documents import Mapped, read_documents
from harness.errors import ConfigError, HarnessError, RequestError, UnknownName
from harness.playtest.play import Playtest
from harness.values.run import shown

SUFFIX = ".scenario.yaml"

_KEYS = ("scenario", "seed", "scene", "game", "steps")
_VERBS = ("reset", "step", "hold", "tap", "until", "edit", "save", "load")


class ScenarioFailed(HarnessError, AssertionError):
    """A step of a scenario did not hold; it names the file and the line."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step: a verb and its arguments, and the line it stands on."""

    verb: str
    argument: Any
    line: int


@dataclass(frozen=True, slots=True)
class Scenario:
    """One document of a scenario file."""

    path: Path
    name: str
    line: int
    seed: int | None
    scene: str | None
    game: str | None
    steps: tuple[Step, ...] = field(default_factory=tuple)


def read_scenarios(path: Path) -> list[Scenario]:
    """Read a scenario file.

    Raises:
        ConfigError: it does not fit, with the line.
    """
    return [_scenario(path, document) for document in read_documents(path) if document is not None]


def _scenario(path: Path, document: Any) -> Scenario:
    if not isinstance(document, Mapped):
        raise ConfigError(f"{path}: a scenario is a mapping with scenario: and steps:")
    for key in document:
        if key not in _KEYS:
            raise _refused(
                path, document.lines[key], UnknownName("key", str(key), _KEYS, "a scenario")
            )
    name, seed = document.get("scenario"), document.get("seed")
    if not isinstance(name, str) or not name.strip():
        raise _refused(path, document.line, "scenario: must say in a line what happens")
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
        raise _refused(path, document.lines["seed"], f"seed: must be a whole number, not {seed!r}")
    for key in ("scene", "game"):
        if not isinstance(document.get(key), str | None):
            raise _refused(path, document.lines[key], f"{key}: must be text, not {document[key]!r}")
    steps = tuple(_steps(path, document))
    return Scenario(
        path, name.strip(), document.line, seed, document.get("scene"), document.get("game"), steps
    )


def _steps(path: Path, document: Mapped) -> Iterator[Step]:
    steps = document.get("steps")
    if not isinstance(steps, list) or not steps:
        raise _refused(path, document.line, "steps: must be a list of steps")
    for line, step in zip(steps.lines, steps, strict=True):  # type: ignore[attr-defined]
        if isinstance(step, str):
            step = {step: None}
        if not isinstance(step, Mapping) or len(step) != 1:
            raise _refused(path, line, "a step is one verb with its arguments, as in: step: 60")
        verb, argument = next(iter(step.items()))
        if verb != "expect" and verb not in _VERBS:
            raise _refused(
                path, line, UnknownName("verb", str(verb), (*_VERBS, "expect"), "a scenario")
            )
        yield Step(verb, argument, line)


def _refused(path: Path, line: int, problem: object) -> ConfigError:
    return ConfigError(f"{path}, line {line}: {problem}")


def play_scenario(play: Playtest, scenario: Scenario) -> None:
    """Play a scenario.

    Raises:
        ScenarioFailed: a step did not hold.
        ConfigError: a step asks for what cannot be done.
        GameError, Divergence: the game failed.
    """
    play.reset(scene=scenario.scene, seed=scenario.seed)
    for step in scenario.steps:
        try:
            _take(play, step)
        except ScenarioFailed as failed:
            raise ScenarioFailed(f"{_place(scenario, step)}: {failed}") from None
        except (RequestError, TypeError) as error:
            raise ConfigError(f"{_place(scenario, step)}: {step.verb}: {error}") from None
        except HarnessError as error:
            error.args = (f"{_place(scenario, step)}: {error}",)
            raise


def _place(scenario: Scenario, step: Step) -> str:
    return f"{scenario.path.name}:{step.line}"


def _take(play: Playtest, step: Step) -> None:
    if step.verb == "expect":
        _expect(play, step.argument)
        return
    verb: Callable[..., Any] = getattr(play, step.verb)
    positional, named = _arguments(verb, step.argument)
    verb(*positional, **named)


def _arguments(verb: Callable[..., Any], argument: Any) -> tuple[list[Any], dict[str, Any]]:
    parameters = inspect.signature(verb).parameters
    if argument is None:
        return [], {}
    if not isinstance(argument, Mapping):
        first = next(iter(parameters.values()))
        spread = first.kind is first.VAR_POSITIONAL and isinstance(argument, list)
        return (list(argument) if spread else [argument]), {}
    if verb.__name__ == "edit" and not set(argument) & set(parameters):
        # `edit: {player.health: 1}` reads better than target and value spelled out.
        if len(argument) != 1:
            raise RequestError("one value a step, as in: edit: {player.health: 1}")
        return list(*argument.items()), {}
    named = dict(argument)
    positional: list[Any] = []
    for name in argument:
        if name not in parameters:
            raise UnknownName("argument", str(name), parameters, verb.__name__)
    for name, parameter in parameters.items():
        if parameter.kind is parameter.VAR_POSITIONAL and name in named:
            given = named.pop(name)
            positional += given if isinstance(given, list) else [given]
    return positional, named


def _expect(play: Playtest, argument: Any) -> None:
    if isinstance(argument, Mapping):
        for expression, wanted in argument.items():
            _expect_equal(play, str(expression), wanted)
        return
    for expression in argument if isinstance(argument, list) else [argument]:
        if not isinstance(expression, str):
            raise RequestError(f"expect takes name: value, or an expression, not {expression!r}")
        if not play.value(expression):
            raise ScenarioFailed(f"expected {expression}{_parts(play, expression)}")


def _expect_equal(play: Playtest, expression: str, wanted: Any) -> None:
    value = play.value(expression)
    plain = list(value) if isinstance(value, tuple) else value
    if plain != wanted or isinstance(plain, bool) is not isinstance(wanted, bool):
        raise ScenarioFailed(
            f"expected {expression} to be {shown(wanted)} at frame {play.frame},"
            f" and it is {shown(value)}"
        )


def _parts(play: Playtest, expression: str) -> str:
    lines = [f" at frame {play.frame}, and it is {shown(play.value(expression))}"]
    lines += [f"  {part} = {shown(value)}" for part, value in play.explain(expression)]
    return "\n".join(lines)
