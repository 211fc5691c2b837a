"""What one step of the game reads; the harness's own input frames have the same parts."""

from dataclasses import dataclass

STICK_REACH = 0.4  # a stick that is pushed less far rests


@dataclass(frozen=True)
class Inputs:
    """The buttons that are down and those that just went down, and where one aims.

    `pointer` is in window pixels, (0, 0) until the mouse moves; axes go from -1 to 1.
    """

    held: frozenset[str] = frozenset()
    pressed: frozenset[str] = frozenset()
    pointer: tuple[float, float] = (0.0, 0.0)
    axes: tuple[tuple[str, float], ...] = ()

    def axis(self, name: str) -> float:
        """Say how far a stick is pushed."""
        return dict(self.axes).get(name, 0.0)
