"""Tools that look at the game: ask its world, and draw it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Literal

from harness.errors import ArgumentError, GoldenError
from harness.games.folder import read_folder
from harness.golden.golden import Golden, percent
from harness.golden.store import Store
from harness.playtest.protocol import Play
from harness.playtest.shots import frames_of
from harness.registry import REGISTRY, Describe
from harness.values.answers import QueryAnswer, Shot
from harness.values.run import DEFAULT_FRAMES, MOST_SEED, RunRequest

Names = str | list[str] | None
Action = Literal["inspect", "raycast", "overlap", "contacts", "at"]

Seed = Annotated[
    int | None,
    Describe("as in game_run", 0, MOST_SEED),
]
Scene = Annotated[str | None, Describe("as in game_run")]
Input = Annotated[
    str | list[dict[str, Any]] | Callable[..., Any] | None,
    Describe("as in game_run", file="source"),
]
Start = Annotated[str | None, Describe("as in game_run")]


@REGISTRY.tool(
    reads_only=True,
    idempotent=True,
    runs_game_code=True,
    narrow="look at less: a smaller radius or box, one object, ignore, or without all",
)
def game_query(
    play: Play,
    action: Annotated[Action, Describe("what to ask")],
    *,
    object: Annotated[str | None, Describe("inspect, contacts: a name, #id or path")] = None,
    from_: Annotated[str | list[float] | None, Describe("raycast: x,y or an entity")] = None,
    to: Annotated[str | list[float] | None, Describe("raycast: x,y or an entity")] = None,
    at: Annotated[str | list[float] | None, Describe("overlap, at: x,y or an entity")] = None,
    radius: Annotated[float | None, Describe("overlap; 0", 0)] = None,
    box: Annotated[str | list[float] | None, Describe("overlap: x,y,width,height")] = None,
    ignore: Annotated[Names, Describe("raycast, overlap: entities to leave out")] = None,
    all: Annotated[
        bool,
        Describe("inspect: also what has not changed"),
    ] = False,
    frames: Annotated[
        int,
        Describe("frames to play first", 0, None, 600),
    ] = DEFAULT_FRAMES,
    seed: Seed = None,
    scene: Scene = None,
    input: Input = None,
    start: Start = None,
) -> QueryAnswer:
    """Ask what is where, after playing some frames; far cheaper than a picture.

    inspect: one object, what it touches and what changed of it. raycast: what lies between two
    places. overlap: what is in a circle or box. contacts: what touches what. at: what is at a
    point. Example: action="raycast", from="guard", to="player". y points down.
    """
    given = {
        "object": object, "from": from_, "to": to, "at": at, "radius": radius, "box": box,
        "ignore": ignore, "all": all or None,
    }  # fmt: skip
    _check_fits(action, given)
    request = RunRequest(seed=seed, scene=scene, input=_events(input), start=start, frames=frames)
    return play.query(request, action, given)


_TAKES = {
    "inspect": ("object", "all"),
    "raycast": ("from", "to", "ignore"),
    "overlap": ("at", "radius", "box", "ignore"),
    "contacts": ("object",),
    "at": ("at",),
}
_NEEDS = {"inspect": ("object",), "raycast": ("from", "to"), "at": ("at",)}


def _check_fits(action: str, given: dict[str, Any]) -> None:
    """Refuse what the action does not take, and ask for what it needs."""
    for name, value in given.items():
        if value is not None and name not in _TAKES[action]:
            raise ArgumentError(name, f"{action} takes {', '.join(_TAKES[action])}")
    for name in _NEEDS.get(action, ()):
        if given[name] is None:
            raise ArgumentError(name, f"is required by {action}")
    if action == "overlap" and (given["at"] is None) == (given["box"] is None):
        raise ArgumentError("at", "is required by overlap, or a box, and not both")


@REGISTRY.tool(
    reads_only=True,
    idempotent=True,
    runs_game_code=True,
    narrow="one object's place is told by game_query",
)
def game_shot(
    play: Play,
    *,
    at: Annotated[float | None, Describe("seconds to play first; 1", 0)] = None,
    frame: Annotated[int | None, Describe("frames to play first", 0, None, 600)] = None,
    frames: Annotated[
        list[int] | None, Describe("with strip: [1, 30, 60]", instead="frame takes one")
    ] = None,
    strip: Annotated[bool, Describe("several frames in one picture")] = False,
    width: Annotated[
        int | None,
        Describe("pixels; 512, a strip 640", 1, 8192),
    ] = None,
    camera: Annotated[str | None, Describe("one of the game's")] = None,
    seed: Seed = None,
    scene: Scene = None,
    input: Input = None,
    start: Start = None,
    golden: Annotated[str | None, Describe("a golden to compare with")] = None,
    tolerance: Annotated[float, Describe("share of pixels that may differ", 0, 1)] = 0.0,
    mask: Annotated[list[str] | None, Describe("entities or boxes not compared")] = None,
) -> Shot:
    """Draw the game off screen after playing for some time; answers a PNG and what is in view.

    For how something looks; game_run and game_query tell more for less.
    """
    if strip and frames is None:
        raise ArgumentError("frames", "is required by strip: a list, as 1,30,60")
    if frames is not None and not strip:
        raise ArgumentError("frames", "is for a strip; one frame is asked for as frame")
    if [at, frame, frames].count(None) < 2:
        raise ArgumentError("at", "takes the place of frame and of frames; give one")
    if golden is None and (mask or tolerance):
        raise ArgumentError("golden", "is what tolerance and mask belong to")
    shown = None if frames is None else frames_of(frames)
    seconds = round((1.0 if at is None else at) * read_folder(play.path).tick_rate)
    request = RunRequest(
        seed=seed, scene=scene, input=_events(input), start=start,
        frames=seconds if frame is None else frame,
    )  # fmt: skip
    if golden is None:
        return play.shot(request, shown, camera, width or (None if strip else DEFAULT_WIDTH))
    wanted = (play.golden_of or partial(own_golden, play))(
        golden, tolerance=tolerance, mask=tuple(mask or ())
    )
    if width is None and not strip:
        width = wanted.width  # its own size is what it can be compared at
    return _compared(play.shot(request, shown, camera, width), wanted)


DEFAULT_WIDTH = 512


def own_golden(
    play: Play, name: str, *, tolerance: float, mask: tuple[str, ...], update: bool = False
) -> Golden:
    """The golden of a name where a play's goldens lie."""
    return Golden(Store(golden_folder(play)), name, tolerance, 0, mask, update)


def _compared(picture: Shot, golden: Golden) -> Shot:
    name = golden.name
    try:
        verdict = golden.judge(picture)
    except GoldenError as error:  # the picture is worth as much
        return replace(picture, golden=name, matches=False, told=str(error))
    differs = verdict.differs.share if verdict.differs is not None else 0.0
    words = "\n".join(golden.told) or f"is golden {name}"
    if verdict.written is not None:
        differs, words = 0.0, f"approved as golden {name}"
    elif verdict.same and differs:
        words = f"is golden {name} but for {percent(differs)} of its pixels"
    return replace(picture, golden=name, differs=differs, matches=verdict.same, told=words)


def golden_folder(play: Play) -> Any:
    """Where a play's goldens lie: beside its test, else where harness.yaml says."""
    beside = play.base / "goldens"
    told = read_folder(play.path).config.get("goldens")
    return play.path / told if isinstance(told, str) and not beside.is_dir() else beside


def _events(given: Any) -> Any:
    return tuple(given) if isinstance(given, list) else given
