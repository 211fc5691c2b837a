"""What one step reads: the controls that are held, and what moved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Controls:
    """The part of a frame's input that a movie stores: states, not edges.

    A control is a button of the game (``jump``), a key (``key:space``), a mouse button
    (``mouse:left``) or a pad button (``pad:a``).
    """

    held: frozenset[str] = NOTHING
    pointer: tuple[float, float] = (0.0, 0.0)
    wheel: tuple[float, float] = (0.0, 0.0)
    text: str = ""
    axes: tuple[tuple[str, float], ...] = ()
    quit: bool = False


IDLE = Controls()


@dataclass(frozen=True, slots=True)
class InputFrame:
    """What one step reads.

    ``held``, ``pressed`` and ``released`` hold controls: ``"jump" in inputs.pressed`` is true
    for the one step in which the button went down. ``pointer`` is in window pixels from the top
    left, ``wheel`` in notches (x, y), each axis in -1 to 1, ``dt`` in seconds.
    """

    held: frozenset[str] = NOTHING
    pressed: frozenset[str] = NOTHING
    released: frozenset[str] = NOTHING
    pointer: tuple[float, float] = (0.0, 0.0)
    wheel: tuple[float, float] = (0.0, 0.0)
    text: str = ""
    axes: tuple[tuple[str, float], ...] = ()
    quit: bool = False
    dt: float = 1 / 60

    @property
    def controls(self) -> Controls:
        """The states alone, without the edges that follow from the frame before."""
        return Controls(self.held, self.pointer, self.wheel, self.text, self.axes, self.quit)

    def axis(self, name: str) -> float:
        """The position of one pad axis, -1 to 1; 0 when nothing moves it."""
        return dict(self.axes).get(name, 0.0)


def input_frame(controls: Controls, before: frozenset[str], dt: float) -> InputFrame:
    """Add the edges: what went down and what went up since ``before`` was held."""
    held = controls.held
    return InputFrame(
        held,
        held - before,
        before - held,
        controls.pointer,
        controls.wheel,
        controls.text,
        controls.axes,
        controls.quit,
        dt,
    )


def chained(
    spans: Iterable[tuple[int, Controls]], before: frozenset[str], dt: float
) -> Iterator[InputFrame]:
    """Turn (frames, controls) spans into input frames, one object for each steady stretch."""
    for frames, controls in spans:
        if frames <= 0:
            continue
        yield input_frame(controls, before, dt)
        before = controls.held
        if frames > 1:
            steady = input_frame(controls, before, dt)
            for _ in range(frames - 1):
                yield steady
