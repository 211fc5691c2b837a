"""One question to the world of a play, after some frames were played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from harness.playtest.run import execute
from harness.playtest.shots import arrived
from harness.query.world import World
from harness.values.answers import QueryAnswer
from harness.values.run import RunRequest

if TYPE_CHECKING:
    from harness.playtest.stage import Stage


def answer(stage: Stage, request: RunRequest, action: str, given: Mapping[str, Any]) -> QueryAnswer:
    """Play a request, and ask about its last frame.

    Raises:
        GameError: the game failed on the way there.
    """
    run = arrived(execute(stage, request, least=0), request.frames or 0)
    with stage.acting(changes=False), stage.game.guarded(stage.driver.frame):
        found = asked(stage.world, action, given)
    return QueryAnswer(
        action, run.frame, found, run.start_frame, run.seed, run.scene, run.build,
        run.state_hash, run.notes,
    )  # fmt: skip


def asked(world: World, action: str, given: Mapping[str, Any]) -> Any:
    """Ask a world by the name of the question."""
    ignore = given.get("ignore") or ()
    ignore = [ignore] if isinstance(ignore, str) else ignore
    if action == "inspect":
        return world.inspect(given.get("object"), bool(given.get("all")))
    if action == "raycast":
        return world.raycast(given.get("from"), given.get("to"), ignore=ignore)
    if action == "overlap":
        return tuple(
            world.overlap(given.get("at"), given.get("radius") or 0.0, given.get("box"), ignore)
        )
    if action == "contacts":
        return tuple(world.contacts(given.get("object")))
    return tuple(world.at(given.get("at")))
