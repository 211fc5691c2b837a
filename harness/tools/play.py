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
            f"frames to play; {DEFAULT_FRAMES}, or a movie's length",
            1,
            None,
            600,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        Describe("seeds all chance in the game; 0", 0, MOST_SEED),
    ] = None,
    scene: Annotated[str | None, Describe("a scene's name; the first")] = None,
    input: Annotated[
        str | list[dict[str, Any]] | Callable[..., Any] | None,
        Describe(
            "'right@1-40, jump@30+6, click(320,180)@60', a list of events, a .movie, or"
            " bot.py:function",
            file="source",
        ),
    ] = None,
    assert_: Annotated[Texts, Describe("must hold after every frame")] = None,
    until: Annotated[str | None, Describe("stop where this holds, else fail")] = None,
    print: Annotated[Texts, Describe("values to answer")] = None,
    every: Annotated[int | None, Describe("print every so many frames, and the last", 1)] = None,
    assignments: Annotated[Texts, Describe("name=value, set at the start")] = None,
    start: Annotated[str | None, Describe("a savestate to start at")] = None,
    save: Annotated[str | None, Describe("keep the end as this savestate")] = None,
    against: Annotated[
        str | None,
        Describe(
            "no-input, a .movie or run_id: where it first differs",
            file="source",
        ),
    ] = None,
    shots: Annotated[
        list[int] | None,
        Describe("[1, 30, 60]: a film strip of these frames, up to 64"),
    ] = None,
    record: Annotated[
        str | None, Describe("write a .movie of it, from frame 0", file="written")
    ] = None,
) -> RunResult:
    """Play the game headless under an input and tell what happened: does it work?

    Say what must hold (assert), what to wait for (until) and what to read (print), in Python over
    the game's entities: player.position.x > 40. Example: frames=240, input="right@1-180",
    until="door.open", print=["player.position.x"].
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
        shots=tuple(shots) if shots is not None else (),
        record=record,
    )
    return play.run(request)


def as_texts(given: Texts) -> tuple[str, ...]:
    """One text or several, as several."""
    if given is None:
        return ()
    return (given,) if isinstance(given, str) else tuple(given)
