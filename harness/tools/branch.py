"""The tool that tries several inputs from one state."""

from __future__ import annotations

from typing import Annotated

from harness.errors import ArgumentError, HarnessError
from harness.games.folder import read_folder
from harness.playtest.bots import BOT
from harness.playtest.plan import names_movie
from harness.playtest.protocol import Play
from harness.registry import REGISTRY, Describe
from harness.tools.play import Texts, as_texts
from harness.values.branches import Branches
from harness.values.notation import parse
from harness.values.run import DEFAULT_FRAMES, MOST_SEED, RunRequest, RunResult

MOST_INPUTS = 64


@REGISTRY.tool(runs_game_code=True, narrow="give fewer inputs, or print fewer values")
def game_branch(
    play: Play,
    *,
    inputs: Annotated[
        list[str],
        Describe(
            "1 to 64, each as game_run's input",
            file="source",
        ),
    ],
    start: Annotated[str | None, Describe("the savestate that each begins at")] = None,
    frames: Annotated[
        int | None,
        Describe(f"frames to play each; {DEFAULT_FRAMES}", 1, None, 600),
    ] = None,
    seed: Annotated[int | None, Describe("without start; 0", 0, MOST_SEED)] = None,
    scene: Annotated[str | None, Describe("without start")] = None,
    assert_: Annotated[Texts, Describe("must hold after every frame")] = None,
    until: Annotated[str | None, Describe("stop where this holds, else fail")] = None,
    print: Annotated[Texts, Describe("values to answer in each row")] = None,
    assignments: Annotated[Texts, Describe("name=value, set at the start")] = None,
) -> Branches:
    """Play several inputs from one state, and tell in a row each how it ended.

    Use it to search: which jump clears the gap? First game_run(save="gap"). Example: start="gap",
    inputs=["right@1-40", "right@1-40, jump@20+8"], until="door.open".
    """
    _check(play, inputs)
    requests = [
        RunRequest(
            scene=scene,
            seed=seed,
            input=text,
            start=start,
            frames=frames,
            assert_=as_texts(assert_),
            until=until,
            print=as_texts(print),
            assignments=as_texts(assignments),
        )
        for text in inputs
    ]
    runs: list[RunResult] = []
    for request in requests:
        runs.append(play.run(request))
        if runs[-1].stopped == "cancelled":
            break
    return Branches(tuple(inputs[: len(runs)]), tuple(runs))


def _check(play: Play, inputs: list[str]) -> None:
    """Refuse what says nothing playable before anything runs."""
    if not 1 <= len(inputs) <= MOST_INPUTS:
        raise ArgumentError("inputs", f"takes 1 to {MOST_INPUTS} variants, not {len(inputs)}")
    vocabulary = read_folder(play.path).vocabulary
    for number, text in enumerate(inputs, 1):
        if names_movie(text) or BOT.fullmatch(text):
            continue
        try:
            parse(text, vocabulary)
        except HarnessError as error:
            raise ArgumentError("inputs", f"variant {number}: {error}") from None
