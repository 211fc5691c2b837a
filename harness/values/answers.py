"""Answers of the tools that look: exact as values, short and rounded as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from harness.values.numbers import rounded
from harness.values.picture import Picture
from harness.values.run import jsonable, shown
from harness.values.sight import Box, Contact, EntityView, Inspection, RayHit

_MOST_LINES = 60
_LONGEST = 120


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    """What was found: an Inspection for inspect, else a sequence, which this one is too.

    ``frame`` counts from the start of the call. Attributes of what was found are its own.
    """

    action: str
    frame: int
    found: Any
    start_frame: int = 0
    seed: int = 0
    scene: str = ""
    build: str = ""
    state_hash: str = ""
    notes: tuple[str, ...] = ()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "found":
            raise AttributeError(name)
        return getattr(self.found, name)

    def __len__(self) -> int:
        return len(self.found)

    def __bool__(self) -> bool:
        return isinstance(self.found, Inspection) or bool(self.found)

    def __getitem__(self, index: Any) -> Any:
        return self.found[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.found)

    def to_json(self) -> dict[str, Any]:
        """The structured answer: plain values, numbers as they are."""
        answer = {item.name: getattr(self, item.name) for item in fields(self)}
        answer["found"] = _plain(self.found)
        answer["notes"] = list(self.notes)
        return answer

    def text(self) -> str:
        """The answer in words: short lines, rounded numbers."""
        frames = "1 frame" if self.frame == 1 else f"{self.frame} frames"
        first, *rest = _inspected(self.found) if self.action == "inspect" else self._listed()
        if len(rest) > _MOST_LINES:
            rest[_MOST_LINES:] = [f"... and {len(rest) - _MOST_LINES} more; --json has them all"]
        notes = [f"note: {note}" for note in self.notes]
        return "\n".join([f"after {frames}: {first}", *rest, *notes])

    def _listed(self) -> list[str]:
        one, several, order = _WORDS[self.action]
        count = len(self.found)
        if not count:
            return [f"no {one}"]
        return [
            f"{count} {one if count == 1 else several}{order}:",
            *(_line(item) for item in self.found),
        ]


_WORDS = {
    "raycast": ("hit", "hits", ", nearest first"),
    "overlap": ("entity", "entities", ", nearest first"),
    "at": ("entity", "entities", ", topmost first"),
    "contacts": ("contact", "contacts", ""),
}


def numbers(values: Sequence[float]) -> str:
    """Numbers as ``120,300``."""
    return ",".join(map(rounded, values))


def _line(item: Any) -> str:
    if isinstance(item, RayHit):
        return (
            f"{item.entity} at {numbers(item.point)} normal={numbers(item.normal)}"
            f" dist={rounded(item.distance)}"
        )
    if isinstance(item, Contact):
        how = "sensor" if item.sensor else f"impulse={numbers(item.impulse)}"
        return (
            f"{item.entity} touches {item.other} at {numbers(item.point)}"
            f" normal={numbers(item.normal)} {how}"
        )
    return str(item)


def _inspected(found: Inspection) -> list[str]:
    words = [str(found.entity)]
    for name, value in (("pos", found.position), ("rot", found.rotation)):
        if isinstance(value, tuple):
            words.append(f"{name}={numbers(value)}")
        elif value:
            words.append(f"{name}={rounded(value)}")
    if found.body is not None:
        words.append(f"body={found.body}")
    if found.velocity is not None:
        words.append(f"vel={numbers(found.velocity)}")
    flags = {"grounded": found.grounded, "sleeping": found.sleeping, "hidden": found.hidden}
    words += [name for name, holds in flags.items() if holds]
    lines = [" ".join(words)]
    if found.touching:
        lines.append(f"  touching {', '.join(map(str, found.touching))}")
    for name, value in found.properties.items():
        was = f" (was {_short(found.loaded[name])})" if name in found.loaded else ""
        lines.append(f"  {name}={_short(value)}{was}")
    return lines


def _short(value: Any) -> str:
    text = shown(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _plain(value: Any) -> Any:
    if isinstance(value, EntityView):
        return {"id": value.id, "name": value.name, "path": value.path}
    if isinstance(value, RayHit | Contact):
        return {name: _plain(getattr(value, name)) for name in value._fields}
    if isinstance(value, Inspection):
        return {item.name: _plain(getattr(value, item.name)) for item in fields(value)}
    if issubclass(type(value), Mapping):
        return {key: jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple) and not isinstance(value, Box):
        return [_plain(item) for item in value]
    return jsonable(value)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Shot(Picture):
    """A picture of the game with what is known of it.

    ``changed`` is the share of pixels that differ from the shot before, ``differs`` that from the
    golden, ``matches`` whether it is that golden; None where there was none.
    """

    frames: tuple[int, ...] = ()
    seed: int = 0
    scene: str = ""
    build: str = ""
    state_hash: str = ""
    camera: str | None = None
    changed: float | None = None
    golden: str | None = None
    differs: float | None = None
    matches: bool | None = None
    told: str = ""
    notes: tuple[str, ...] = ()

    @property
    def frame(self) -> int:
        """The frame that is shown; of a strip, its last."""
        return self.frames[-1] if self.frames else 0

    def to_json(self) -> dict[str, Any]:
        """The facts beside the pixels."""
        answer = {
            name: getattr(self, name)
            for name in ("frame", "seed", "scene", "build", "state_hash", "camera", "hash", "blank",
                         "changed", "golden", "differs", "matches")
        }  # fmt: skip
        answer.update(size=list(self.size), frames=list(self.frames), notes=list(self.notes))
        answer["in_view"] = {name: list(self.boxes[name]) for name in self.in_view}
        return answer

    def text(self) -> str:
        """The facts in words."""
        which = ", ".join(map(str, self.frames))
        blank = ", blank" if self.blank else ""
        word = "frame" if len(self.frames) == 1 else "frames"
        lines = [f"{word} {which}: {self.width}x{self.height} pixels, hash {self.hash}{blank}"]
        if self.changed is not None:
            lines.append(f"{rounded(self.changed * 100)}% changed since the shot before")
        names = self.in_view
        if names:
            more = f" and {len(names) - _MOST_LINES} more" if len(names) > _MOST_LINES else ""
            seen = [f"{name} {numbers(self.boxes[name])}" for name in names[:_MOST_LINES]]
            lines.append(f"in view (x,y,width,height): {'; '.join(seen)}{more}")
        if self.golden is not None:
            lines += [self.told or f"is golden {self.golden}"]
        lines += [f"note: {note}" for note in self.notes]
        lines.append(
            f"scene {self.scene}, seed {self.seed}, state {self.state_hash}, build {self.build}"
        )
        return "\n".join(lines)
