"""The camera that follows the player. Rules read it: it says where in the world a pointer is."""

from pymunk import Vec2d

from . import rules

HALF = Vec2d(rules.VIEW[0] / 2, rules.VIEW[1] / 2)


class Camera:
    """A view of a level, never beyond its edges. `position` is its middle, in pixels."""

    def __init__(self, level_size: tuple[float, float], target: Vec2d) -> None:
        self._farthest = Vec2d(*level_size) - HALF
        self.position = self._inside(target)

    @property
    def corner(self) -> Vec2d:
        """The upper left corner of the view."""
        return self.position - HALF

    def follow(self, target: Vec2d) -> None:
        """Go just so far that the target is inside the dead zone."""
        (x, y), (across, down) = self.position, rules.DEAD_ZONE
        if abs(target.x - x) > across or abs(target.y - y) > down:
            x = max(target.x - across, min(x, target.x + across))
            y = max(target.y - down, min(y, target.y + down))
            self.position = self._inside(Vec2d(x, y))

    def to_world(self, pointer: tuple[float, float]) -> Vec2d:
        """Turn window pixels into a place in the level."""
        return self.corner + pointer

    def _inside(self, place: Vec2d) -> Vec2d:
        return Vec2d(
            max(HALF.x, min(place.x, self._farthest.x)), max(HALF.y, min(place.y, self._farthest.y))
        )
