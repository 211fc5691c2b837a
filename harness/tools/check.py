"""The tool that finds what is wrong before anything is played."""

from __future__ import annotations

from typing import Annotated

from harness.check.check import check
from harness.check.problems import Checked
from harness.registry import REGISTRY, Describe
from harness.tools.desk import Desk


@REGISTRY.tool(runs_game_code=True, limit=600, narrow="mend some of these and ask again")
def game_check(
    desk: Desk,
    *,
    determinism: Annotated[
        bool, Describe("also play each scene twice, which takes seconds, and compare")
    ] = False,
) -> Checked:
    """Find everything that is wrong in scripts, scenes, assets, harness.yaml and scenarios.

    After an edit: one list with file, line and what to do. It plays frame 0 of each scene,
    and no tests.
    """
    return check(desk.path, desk.playing if desk.may_play else None, determinism)
