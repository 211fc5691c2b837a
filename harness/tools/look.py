"""Tools that look at the game: ask its world, and draw it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any, Literal

from harness.errors import ArgumentError
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
    Describe("seeds every generator that the game can reach; 0 unless given", 0, MOST_SEED),
]
Scene = Annotated[str | None, Describe("the scene to play; the game's first unless given")]
Input = Annotated[
    str | list[dict[str, Any]] | Callable[..., Any] | None,
    Describe("what is pressed on the way there, as game_run takes it", file="source"),
]
Start = Annotated[str | None, Describe("start at this savestate, with its seed and scene")]


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
    object: Annotated[
        str | None, Describe("inspect, contacts: an entity's name, #id or path")
    ] = None,
    from_: Annotated[
        str | list[float] | None, Describe("raycast: a point x,y or an entity, which is not met")
    ] = None,
    to: Annotated[str | list[float] | None, Describe("raycast: a point x,y or an entity")] = None,
    at: Annotated[
        str | list[float] | None, Describe("overlap, at: a point x,y or an entity")
    ] = None,
    radius: Annotated[float | None, Describe("overlap: of the circle; 0 unless given", 0)] = None,
    box: Annotated[
        str | list[float] | None, Describe("overlap: x,y,width,height in place of at and radius")
    ] = None,
    ignore: Annotated[Names, Describe("raycast, overlap: entities to leave out")] = None,
    all: Annotated[
        bool,
        Describe("inspect: every property, not only those that changed since the scene loaded"),
    ] = False,
    frames: Annotated[
        int,
        Describe("how many frames to play first; 0 asks the scene as it is loaded", 0, None, 600),
    ] = DEFAULT_FRAMES,
    seed: Seed = None,
    scene: Scene = None,
    input: Input = None,
    start: Start = None,
) -> QueryAnswer:
    """Ask what is where in the game's world, after playing some frames.

    inspect: where an object is, how it moves, whether it stands on ground, what it touches, and
    what changed about it. raycast: what lies between two places, nearest first. overlap: what is
    within a circle or box. contacts: what touches what. at: what is at a point, topmost first.
    Use it rather than a picture to find out where things are. Examples: action="inspect",
    object="player"; action="raycast", from="guard", to="player"; action="overlap", at="4,1",
    radius=1.5. Points are in the game's own units, for most games pixels with y down.
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
    at: Annotated[
        float | None, Describe("seconds of the game to play first; 1 unless given", 0)
    ] = None,
    frame: Annotated[
        int | None, Describe("frames to play first, in place of at", 0, None, 600)
    ] = None,
    frames: Annotated[
        list[int] | None, Describe("with strip: the frames to show, as in [1, 30, 60, 90]")
    ] = None,
    strip: Annotated[bool, Describe("show several frames as one picture, numbered")] = False,
    width: Annotated[
        int | None,
        Describe("width in pixels, the height by the game's own; 512, a strip 640", 1, 8192),
    ] = None,
    camera: Annotated[str | None, Describe("one of the game's own cameras")] = None,
    seed: Seed = None,
    scene: Scene = None,
    input: Input = None,
    start: Start = None,
    golden: Annotated[str | None, Describe("also compare with the golden of this name")] = None,
    tolerance: Annotated[float, Describe("share of pixels that may differ from it", 0, 1)] = 0.0,
    mask: Annotated[
        list[str] | None, Describe("what is not compared: entities' names, boxes x,y,width,height")
    ] = None,
) -> Shot:
    """Draw the game off screen after playing for some time, and answer with the picture.

    Use it to see how something looks. Whether something works is told by game_run, and where
    things are by game_query, at a fraction of the cost. Beside the picture stand its hash, whether
    it is blank, and which entities are in view. Drawing never changes the game.
    """
    if strip != (frames is not None):
        raise ArgumentError("frames", "goes with strip, and strip with frames")
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
    picture = play.shot(request, shown, camera, width or (None if strip else DEFAULT_WIDTH))
    return picture if golden is None else _compared(play, picture, golden, tolerance, mask or [])


DEFAULT_WIDTH = 512


def _compared(play: Play, picture: Shot, name: str, tolerance: float, mask: list[str]) -> Shot:
    golden = Golden(Store(golden_folder(play)), name, tolerance, mask=tuple(mask))
    verdict = golden.judge(picture)
    differs = verdict.differs.share if verdict.differs is not None else 0.0
    words = "\n".join(golden.told) or f"is golden {name}"
    if verdict.same and differs:
        words = f"is golden {name} but for {percent(differs)} of its pixels"
    return replace(picture, golden=name, differs=differs, matches=verdict.same, told=words)


def golden_folder(play: Play) -> Any:
    """Where a play's goldens lie: beside its test, else where harness.yaml says."""
    beside = play.base / "goldens"
    told = read_folder(play.path).config.get("goldens")
    return play.path / told if isinstance(told, str) and not beside.is_dir() else beside


def _events(given: Any) -> Any:
    return tuple(given) if isinstance(given, list) else given
