"""Scenarios without Python: ``*.scenario.yaml``, one play a document, one verb a step."""

from __future__ import annotations

import inspect
import reprlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.documents import Listed, Mapped, read_documents
from harness.errors import ArgumentError, ConfigError, HarnessError, RequestError, UnknownName
from harness.expressions import compiled
from harness.looking import LOOKS, Sight, look, look_at_picture
from harness.playtest.play import Playtest
from harness.playtest.protocol import Play
from harness.values.run import MOST_SEED, shown

SUFFIX = ".scenario.yaml"

_KEYS = ("scenario", "seed", "scene", "game", "steps")
_NEEDED = "scenario: and steps:"
ACTS = ("reset", "step", "hold", "tap", "until", "edit", "save", "load", "movie")
VERBS = (*ACTS, *LOOKS)


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
    scenarios, refusals = fitting_scenarios(path)
    if refusals:
        raise refusals[0]
    return scenarios


def fitting_scenarios(path: Path) -> tuple[list[Scenario], list[ConfigError]]:
    """What fits of a scenario file, and a refusal for each step and scenario that does not.

    Raises:
        ConfigError: nothing of it can be read.
    """
    documents = [document for document in read_documents(path) if document is not None]
    if not documents:
        raise ConfigError(f"{path}: holds no scenario; one is a mapping with {_NEEDED}")
    scenarios, refusals = [], []
    lines: dict[str, int] = {}
    for document in documents:
        try:
            scenario, wrong_steps = _scenario(path, document)
        except ConfigError as refusal:
            refusals.append(refusal)
            continue
        scenarios.append(scenario)
        refusals += wrong_steps
        first = lines.setdefault(scenario.name, scenario.line)
        if first != scenario.line:
            problem = f"the scenario {scenario.name!r} is there already, on line {first}"
            refusals.append(_refused(path, scenario.line, problem))
    return scenarios, refusals


def _scenario(path: Path, document: Any) -> tuple[Scenario, list[ConfigError]]:
    if not isinstance(document, Mapped):
        line = getattr(document, "line", None)
        place = f"{path}, line {line}" if line else str(path)
        raise ConfigError(f"{place}: a scenario is a mapping with {_NEEDED}")
    for key in document:
        if key not in _KEYS:
            unknown = UnknownName("key", str(key), _KEYS, "a scenario")
            raise _refused(path, document.lines[key], unknown)
    name, seed = document.get("scenario"), document.get("seed")
    if not isinstance(name, str) or not name.strip().isprintable() or not name.strip():
        line = document.lines.get("scenario", document.line)
        raise _refused(path, line, "scenario: must say in a line what happens")
    if "::" in name:
        problem = "scenario: must be without ::, which pytest puts between a file and a test"
        raise _refused(path, document.lines["scenario"], problem)
    if seed is not None and not _is_whole(seed):
        problem = f"seed: must be a whole number, not {_short(seed)}"
        raise _refused(path, document.lines["seed"], problem)
    if seed is not None and not 0 <= seed <= MOST_SEED:
        raise _refused(path, document.lines["seed"], f"seed: must be 0 to {MOST_SEED}, not {seed}")
    for key in ("scene", "game"):
        if not isinstance(document.get(key), str | None):
            problem = f"{key}: must be text, not {_short(document[key])}"
            raise _refused(path, document.lines[key], problem)
    steps, refusals = _steps(path, document)
    scene, game = document.get("scene"), document.get("game")
    return Scenario(path, name.strip(), document.line, seed, scene, game, tuple(steps)), refusals


def _steps(path: Path, document: Mapped) -> tuple[list[Step], list[ConfigError]]:
    steps = document.get("steps")
    if not isinstance(steps, Listed) or not steps:
        line = document.lines.get("steps", document.line)
        raise _refused(path, line, "steps: must be a list of steps, as in - step: 60")
    found, refusals = [], []
    for line, step in zip(steps.lines, steps, strict=True):
        try:
            found.append(_step(step, line))
        except RequestError as error:
            refusals.append(_refused(path, line, error))
    return found, refusals


def _step(step: Any, line: int) -> Step:
    if isinstance(step, str):
        step = {step: None}
    if not isinstance(step, Mapping) or len(step) != 1:
        raise RequestError("a step is one verb with its arguments, as in - step: 60")
    verb, argument = next(iter(step.items()))
    if verb != "expect" and verb not in VERBS:
        raise UnknownName("verb", str(verb), (*VERBS, "expect"), "a scenario")
    try:
        _check(verb, argument)
    except RequestError as error:
        raise RequestError(f"{verb}: {error}") from None
    return Step(verb, argument, line)


def _refused(path: Path, line: int, problem: object) -> ConfigError:
    return ConfigError(f"{path}, line {line}: {problem}")


def play_scenario(play: Play, scenario: Scenario, shown_as: str = "") -> None:
    """Play a scenario; ``shown_as`` is what messages call its file.

    Raises:
        ScenarioFailed: a step did not hold.
        ConfigError: a step asks for what cannot be done.
        GameError, Divergence: the game failed.
    """
    name = shown_as or scenario.path.name
    with _told_at(f"{name}:{scenario.line}"):
        play.reset(scene=scenario.scene, seed=scenario.seed)
    for step in scenario.steps:
        with _told_at(f"{name}:{step.line}", step.verb):
            _take(play, step, scenario.path.parent)


@contextmanager
def _told_at(place: str, verb: str = "") -> Iterator[None]:
    """Put the place before what is raised, and the verb before what was asked wrongly."""
    try:
        yield
    except RequestError as error:
        asked = f"{verb}: " if verb else ""
        raise ConfigError(f"{place}: {asked}{error}") from None
    except HarnessError as error:
        error.args = (f"{place}: {error}",)
        raise


def _take(play: Play, step: Step, folder: Path) -> None:
    asked: Play | Sight = play
    argument, expected = _split(step.verb, step.argument)
    positional, named = _arguments(step.verb, argument)
    if step.verb == "screenshot":
        asked = look_at_picture(play, folder, *positional, **named)
    elif step.verb in LOOKS:
        asked = look(play, step.verb, positional, named)
    elif step.verb in ACTS:
        verb: Callable[..., Any] = getattr(play, step.verb)
        verb(*positional, **named)
    for expression, wanted in expected:
        _expect(asked, expression, wanted)


def _split(verb: str, argument: Any) -> tuple[Any, list[tuple[str, Any]]]:
    """Split a step's argument from what is expected."""
    if verb == "expect":
        return None, list(_expectations(argument))
    if verb not in LOOKS or not isinstance(argument, Mapping) or "expect" not in argument:
        return argument, []
    rest = {name: value for name, value in argument.items() if name != "expect"}
    return rest, list(_expectations(argument["expect"]))


def _check(verb: str, argument: Any) -> None:
    """Refuse what a step cannot mean, before anything is played."""
    argument, expected = _split(verb, argument)
    for expression, _ in expected:
        compiled(expression)
    if verb == "expect":
        return
    positional, named = _arguments(verb, argument)
    if verb in LOOKS and not expected and not (verb == "screenshot" and (positional or named)):
        raise ArgumentError("expect", f"is required: what {verb} must find")
    parameters = _parameters(verb)
    given: dict[str, Any] = dict(named)
    for name, parameter in parameters.items():
        if parameter.kind is parameter.VAR_POSITIONAL:
            given[name] = positional
        elif positional and name not in named and parameter.kind is not parameter.KEYWORD_ONLY:
            given[name], positional = positional[0], positional[1:]
        if name not in given and parameter.default is parameter.empty:
            raise ArgumentError(name, "is required")
        if name in given:
            _check_kind(name, parameter, given[name])
    if verb == "until":
        compiled(given["value"])


def _check_kind(name: str, parameter: inspect.Parameter, value: Any) -> None:
    if parameter.kind is parameter.VAR_POSITIONAL and not value:
        raise ArgumentError(name, "names no button")
    hint = str(parameter.annotation)
    if value is None and "None" in hint:
        return
    if hint.startswith("int") and not _is_whole(value):
        raise ArgumentError(name, f"must be a whole number, not {_short(value)}")
    if name in ("frames", "within") and value < 1:
        raise ArgumentError(name, f"must be at least 1, not {value}")
    if hint.startswith("str") and not isinstance(value, str):
        raise ArgumentError(name, f"must be text, not {_short(value)}")
    if hint.startswith("Buttons") and not all(
        isinstance(word, str) for word in (value if isinstance(value, list) else [value])
    ):
        raise ArgumentError(name, f"must be a button or a list of buttons, not {_short(value)}")


def _parameters(verb: str) -> dict[str, inspect.Parameter]:
    if verb == "expect":
        return {}
    asked = look_at_picture if verb == "screenshot" else getattr(Playtest, verb)
    parameters = inspect.signature(asked).parameters
    given = ("self", "play", "folder")
    return {name: parameter for name, parameter in parameters.items() if name not in given}


def _arguments(verb: str, argument: Any) -> tuple[list[Any], dict[str, Any]]:
    parameters = _parameters(verb)
    if argument is None:
        return [], {}
    if not isinstance(argument, Mapping):
        first = next(iter(parameters.values()))
        spread = first.kind is first.VAR_POSITIONAL and isinstance(argument, list)
        return (list(argument) if spread else [argument]), {}
    if verb == "edit" and not set(argument) & set(parameters):
        # `edit: {player.health: 1}` reads better than target and value spelled out.
        if len(argument) != 1:
            raise RequestError("one value a step, as in - edit: {player.health: 1}")
        return list(*argument.items()), {}
    named = dict(argument)
    positional: list[Any] = []
    for name in argument:
        if name not in parameters:
            raise UnknownName("argument", str(name), parameters, verb)
    for name, parameter in parameters.items():
        if parameter.kind is parameter.VAR_POSITIONAL and name in named:
            given = named.pop(name)
            positional += given if isinstance(given, list) else [given]
    return positional, named


def _expectations(argument: Any) -> Iterator[tuple[str, Any]]:
    """Each expression with the value it must have; _TRUE where it must only hold."""
    if isinstance(argument, Mapping):
        pairs = [(expression, wanted) for expression, wanted in argument.items()]
    else:
        listed = argument if isinstance(argument, list) else [argument]
        pairs = [(expression, _TRUE) for expression in listed]
    for expression, _ in pairs or [(None, _TRUE)]:
        if not isinstance(expression, str):
            what = "takes values, as in {door.open: true}, or expressions that must hold"
            raise RequestError(f"{what}, not {_short(argument)}")
    yield from pairs


_TRUE: Any = object()


def _expect(asked: Play | Sight, expression: str, wanted: Any) -> None:
    value = asked.value(expression)
    if wanted is _TRUE:
        if not value:
            raise ScenarioFailed(f"expected {expression}{_found(asked, expression, value)}")
        return
    plain = list(value) if isinstance(value, tuple) else value
    if plain != wanted or isinstance(plain, bool) is not isinstance(wanted, bool):
        found = _found(asked, expression, value)
        raise ScenarioFailed(f"expected {expression} to be {shown(wanted)}{found}")


def _found(asked: Play | Sight, expression: str, value: Any) -> str:
    lines = [f" at frame {asked.frame}, and it is {shown(value)}"]
    lines += [
        f"  {part} = {shown(value)}"
        for part, value in asked.explain(expression)
        if part != expression
    ]
    return "\n".join(lines)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _short(value: Any) -> str:
    return reprlib.repr(value)
