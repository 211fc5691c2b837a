"""Tools that play the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from harness.playtest.protocol import Play
from harness.registry import REGISTRY, Describe
from harness.values.run import DEFAULT_FRAMES, MOST_SEED, RunRequest, RunResult

Texts = str | list[str] | None


@REGISTRY.tool(runs_game_code=True, narrow="print fewer values, or leave every larger")
def game_run(
    play: Play,
    *,
    frames: Annotated[
        int | None,
        Describe(
            f"how many frames to play; {DEFAULT_FRAMES} unless given, or a movie's length",
            1,
            None,
            600,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        Describe("seeds every generator that the game can reach; 0 unless given", 0, MOST_SEED),
    ] = None,
    scene: Annotated[
        str | None, Describe("the scene to play; the game's first unless given")
    ] = None,
    input: Annotated[
        str | list[dict[str, Any]] | Callable[..., Any] | None,
        Describe(
            "what is pressed: 'right@1-40, jump@30+6, click(320,180)@60', a list of events,"
            " the path of a movie, or bot.py:function",
            file="source",
        ),
    ] = None,
    assert_: Annotated[Texts, Describe("expressions that must hold after every frame")] = None,
    until: Annotated[
        str | None, Describe("stop at the first frame where this holds; fail if it never does")
    ] = None,
    print: Annotated[Texts, Describe("expressions whose values are in the answer")] = None,
    every: Annotated[
        int | None, Describe("print every so many frames (1 = each); the last is always printed", 1)
    ] = None,
    assignments: Annotated[
        Texts, Describe("name=value, set at the start and kept in the movie")
    ] = None,
    start: Annotated[
        str | None, Describe("start at this savestate, with its seed and scene")
    ] = None,
    save: Annotated[
        str | None, Describe("keep the end of the run as a savestate of this name")
    ] = None,
    against: Annotated[
        str | None,
        Describe(
            "no-input, a movie or a run_id: also answer the first frame and value that differ",
            file="source",
        ),
    ] = None,
    record: Annotated[
        str | None, Describe("write the run to this file as a movie, from frame 0", file="written")
    ] = None,
) -> RunResult:
    """Play the game headless under an input and tell what happened.

    Use it to find out whether something works: give the input, what must hold (assert), what to
    wait for (until) and what to read (print). Expressions are Python over the game's entities:
    player.position.x > 40, door.open. The same arguments give the same answer, bit for bit.
    Example: frames=240, input="right@1-180", until="door.open", print=["player.position.x"].
    """
    request = RunRequest(
        game="",
        scene=scene,
        seed=seed,
        input=tuple(input) if isinstance(input, list) else input,
        start=start,
        frames=frames,
        assert_=as_texts(assert_),
        until=until,
        print=as_texts(print),
        every=every,
        assignments=as_texts(assignments),
        save=save,
        against=against,
        record=record,
    )
    return play.run(request)


def as_texts(given: Texts) -> tuple[str, ...]:
    """One text or several, as several."""
    if given is None:
        return ()
    return (given,) if isinstance(given, str) else tuple(given)
