"""Pictures of a play: one frame, or a strip of several, and the facts beside the pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from harness.driver.driver import Driver
from harness.errors import ArgumentError, GameError
from harness.games.loaded import GameRaised
from harness.golden.capture import draw, shown_part
from harness.golden.sheet import cell_width, columns, strip
from harness.playtest.plan import names_movie
from harness.playtest.run import execute
from harness.playtest.savestates import field_difference
from harness.playtest.steps import told, whole_number
from harness.query.world import World
from harness.values.answers import Shot
from harness.values.movie_reader import MOST_FRAMES
from harness.values.picture import Picture
from harness.values.run import DEFAULT_FRAMES, ErrorInfo, RunRequest, RunResult
from harness.values.sight import Box

if TYPE_CHECKING:
    from harness.playtest.stage import Stage

MOST_SHOTS = 64


def picture_of(driver: Driver, camera: str | None = None, width: int | None = None) -> Picture:
    """Draw the present frame; the game must be active.

    Raises:
        GameRaised: the draw failed, or changed the game.
    """
    game = driver.game
    before = driver.state_hash()
    with game.guarded(driver.frame):
        picture = draw(game, camera, width)
    if driver.state_hash() != before:
        raise GameRaised(_changed_by_drawing(driver, camera))
    with game.guarded(driver.frame):
        # Where a program's things are in its window only its own code knows.
        part = shown_part(game, camera) if game.declared else None
        boxes = _in_picture(World(driver), part, picture) if part is not None else {}
    return replace(picture, boxes=boxes)


def _changed_by_drawing(driver: Driver, camera: str | None) -> ErrorInfo:
    values = driver.values()
    with driver.game.guarded(driver.frame):
        draw(driver.game, camera)
    found = field_difference(values, driver.values())
    name, was, now = found if found is not None else ("the game's state", "", "")
    how = f": {name} was {was!r} and is {now!r} after another draw" if found is not None else ""
    message = f"draw changed the game{how}; it may only read, so that being seen changes nothing"
    return ErrorInfo("DrawChangedGame", message, driver.frame)


def _in_picture(world: World, part: Box, picture: Picture) -> dict[str, Box]:
    """Where each entity that is not hidden is in the picture, in its pixels."""
    across, down = picture.width / part.width, picture.height / part.height
    boxes: dict[str, Box] = {}
    for name, (x, y, width, height) in world.seen().items():
        if not width or not height:
            continue
        boxes[name] = Box((x - part.x) * across, (y - part.y) * down, width * across, height * down)
    return boxes


def shot(
    stage: Stage,
    request: RunRequest,
    frames: Sequence[int] | None,
    camera: str | None,
    width: int | None,
) -> Shot:
    """Play a request and draw its last frame, or those ``frames`` as one strip.

    Raises:
        GameError: the game failed on the way there, or when it was drawn.
    """
    wanted = [request.frames or 0] if frames is None else frames_of(frames)
    each = width if frames is None else cell_width(len(wanted), width or 640)
    drawn: dict[int, Picture] = {}

    def watch(frame: int) -> None:
        if frame in wanted:
            drawn[frame] = picture_of(stage.driver, camera, each)

    run = arrived(execute(stage, replace(request, frames=max(wanted)), watch, 0), max(wanted))
    pictures = [drawn[frame] for frame in wanted]
    one = pictures[0] if frames is None else strip([(str(frame), drawn[frame]) for frame in wanted])
    before, stage.last_shot = stage.last_shot, one
    return Shot(
        one.size,
        one.pixels,
        one.boxes,
        one.scale,
        frames=tuple(wanted),
        seed=run.seed,
        scene=run.scene,
        build=run.build,
        state_hash=run.state_hash,
        camera=camera,
        changed=changed_since(one, before),
        notes=run.notes,
    )


def filmed(stage: Stage, request: RunRequest) -> RunResult:
    """Execute a run, and draw the frames that it asks for, those that it comes to.

    Raises:
        RequestError: the request is wrong, or the game cannot be drawn.
    """
    wanted = frames_of(request.shots, "shots")
    if len(wanted) > MOST_SHOTS:
        raise ArgumentError("shots", f"takes at most {MOST_SHOTS} frames, not {len(wanted)}")
    last = request.frames if request.frames is not None else DEFAULT_FRAMES
    by_movie = isinstance(request.input, str) and names_movie(request.input)
    if wanted[-1] > last and (request.frames is not None or not by_movie):
        raise ArgumentError("shots", f"must be frames of the run, 0 to {last}, not {wanted[-1]}")
    across = cell_width(len(wanted))
    shots: dict[int, Picture] = {}
    cells: list[tuple[str, Picture]] = []

    def watch(frame: int) -> None:
        if frame in wanted:
            shots[frame] = picture_of(stage.driver)
            cells.append((str(frame), picture_of(stage.driver, width=across)))

    run = execute(stage, request, watch)
    missed = [str(frame) for frame in wanted if frame not in shots]
    notes = (f"no shot of {', '.join(missed)}: the run ended before",) if missed else ()
    one = strip(cells, columns(len(wanted))) if cells else None
    return replace(run, shots=shots, strip=one, notes=(*run.notes, *notes))


def changed_since(one: Picture, before: Picture | None) -> float | None:
    """The share of pixels that changed since the picture before, of the same size."""
    if before is None or before.size != one.size:
        return None
    return one.share_changed(before)


def arrived(run: RunResult, frames: int) -> RunResult:
    """A run that came as far as was asked.

    Raises:
        GameError: it did not.
    """
    if run.error is not None and run.stopped != "exit":
        raise GameError(told(run.error), run)
    if run.frame < frames or run.stopped == "exit":
        message = f"the game ended itself after frame {run.frame}, before frame {frames}"
        raise GameError(f"{message}: {run.error}" if run.error else message, run)
    return run


def frames_of(value: Any, name: str = "frames") -> list[int]:
    """The frames of a strip.

    Raises:
        ArgumentError: they are none, or not in order.
    """
    frames = list(value) if isinstance(value, Sequence) else [value]
    for frame in frames:
        whole_number(name, frame, 0, MOST_FRAMES)
    if not frames or sorted(set(frames)) != frames:
        raise ArgumentError(name, f"must be in order, each once, not {frames}")
    return frames
