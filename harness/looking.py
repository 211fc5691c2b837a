"""Steps of a scenario that look: what each finds, as names that its expectations are told in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from harness.errors import ExpressionError, GoldenError, UnknownName
from harness.expressions import compiled
from harness.golden.golden import Golden
from harness.golden.store import Store
from harness.golden.unused import FOLDER
from harness.playtest.protocol import Play
from harness.values.picture import Picture
from harness.values.sight import Contact, EntityView, Inspection, RayHits

LOOKS = ("inspect", "raycast", "overlap", "at", "contacts", "screenshot")


@dataclass(frozen=True, slots=True)
class Sight:
    """What a step found. It is asked as a play is, by expressions over its ``names``."""

    verb: str
    frame: int
    names: dict[str, Any]

    def value(self, expression: str) -> Any:
        """The value of an expression over what was found.

        Raises:
            UnknownName, ExpressionError: it has none.
        """
        wanted = compiled(expression)
        for name in wanted.missing(self.names):
            raise UnknownName("name", name, self.names, self.verb)
        try:
            return wanted.bind(dict(self.names))()
        except Exception as error:
            why = " ".join(f"{type(error).__name__}: {error}".split())
            raise ExpressionError(f"cannot evaluate {expression!r}: {why}") from None

    def explain(self, expression: str) -> list[tuple[str, Any]]:
        """The parts of an expression and their values."""
        return list(compiled(expression).parts(dict(self.names)))


def look(play: Play, verb: str, positional: Sequence[Any], named: Mapping[str, Any]) -> Sight:
    """Take a step that looks."""
    find: Callable[..., Any] = getattr(play, verb)
    names = _touching if verb == "contacts" else _names
    return Sight(verb, play.frame, names(find(*positional, **named)))


def look_at_picture(
    play: Play,
    folder: Path,
    golden: str | None = None,
    tolerance: float = 0.0,
    distance: int = 0,
    mask: Sequence[Any] = (),
    camera: str | None = None,
    width: int | None = None,
) -> Sight:
    """Draw the present frame, and compare it with a golden beside the scenario, in ``folder``.

    Raises:
        GoldenError: it is not that golden, or there is none.
    """
    picture = play.screenshot(camera, width)
    if golden is not None:
        given: dict[str, Any] = {"tolerance": tolerance, "distance": distance, "mask": mask}
        if play.golden_of is not None:
            approved = play.golden_of(golden, **given)
        else:
            approved = Golden(Store(folder / FOLDER), golden, **given)
        verdict = approved.judge(picture)
        if not verdict.same:
            raise GoldenError("\n".join(approved.told), verdict.path)
    return Sight("screenshot", play.frame, _names(picture))


def _names(found: Any) -> dict[str, Any]:
    if isinstance(found, Picture):
        return {
            "size": found.size,
            "blank": found.blank,
            "hash": found.hash,
            "in_view": list(found.in_view),
        }
    if isinstance(found, Inspection):
        seen = {item.name: getattr(found, item.name) for item in fields(found)}
        return {key: _plain(value) for key, value in seen.items()} | {"name": found.name}
    if isinstance(found, RayHits):
        nearest = {key: getattr(found, key) for key in ("entity", "point", "normal", "distance")}
        names = [hit.entity.name for hit in found]
        return {key: _plain(value) for key, value in nearest.items()} | {"names": names}
    return {"names": [view.name for view in found]}


def _touching(found: Sequence[Contact]) -> dict[str, Any]:
    pairs = [[one.entity.name, one.other.name] for one in found]
    return {"names": [other for _, other in pairs], "pairs": pairs}


def _plain(value: Any) -> Any:
    """Entities as their names, and what is immutable as what YAML has for it."""
    if isinstance(value, EntityView):
        return value.name
    if isinstance(value, Mapping):
        return dict(value)
    return [_plain(item) for item in value] if type(value) is tuple else value
