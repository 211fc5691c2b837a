"""What every play offers, wherever its game runs: tools and surfaces know no more of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from harness.golden.golden import Golden
from harness.playtest.savestates import Savestate
from harness.query.places import Place
from harness.values.answers import QueryAnswer, Shot
from harness.values.log import Level
from harness.values.movie import Movie
from harness.values.picture import Picture
from harness.values.run import RunRequest, RunResult
from harness.values.sight import Contact, EntityView, Inspection, RayHits

Buttons = str | Sequence[str]
GoldenOf = Callable[..., Golden]


class Play(Protocol):
    """One play of one game: the verbs, whole runs, and what surfaces ask of it."""

    on_movie: Callable[[Movie], None] | None
    golden_of: GoldenOf | None
    """Gives the golden of a name (``tolerance=``, ``mask=``) in place of the tools' own."""

    @property
    def path(self) -> Path:
        """The game's folder."""

    @property
    def base(self) -> Path:
        """The folder that paths in requests are relative to."""

    @property
    def frame(self) -> int:
        """Frames since reset."""

    @property
    def reached(self) -> int:
        """The frame that is finished of what is being played; for another thread."""

    def logged(self) -> list[tuple[Level, str]]:
        """What the game logged since this was last asked."""

    @property
    def notes(self) -> list[str]:
        """What was noticed on the way."""

    def reset(self, scene: str | None = None, seed: int | None = None) -> int:
        """Begin a scene anew."""

    def step(self, frames: int = 1, input: str | None = None) -> int:
        """Play frames."""

    def hold(self, *buttons: Buttons, frames: int = 1) -> int:
        """Hold controls for some frames."""

    def tap(self, *buttons: Buttons, frames: int = 1) -> int:
        """Press controls, and let go for a frame."""

    def until(
        self, value: str, within: int = 600, holding: Buttons = (), input: str | None = None
    ) -> int:
        """Play until an expression is true."""

    def value(self, expression: str) -> Any:
        """The value of an expression."""

    def names(self) -> dict[str, Any]:
        """What expressions can use now."""

    def explain(self, expression: str) -> list[tuple[str, Any]]:
        """The parts of an expression and their values."""

    def edit(self, target: str, value: Any) -> None:
        """Set a value."""

    def save(self, name: str) -> None:
        """Keep the present frame under a name."""

    def load(self, name: str) -> int:
        """Return to a saved frame."""

    def movie(self, path: str | Path | None = None) -> Movie:
        """Everything since reset as a movie."""

    def run(self, request: RunRequest) -> RunResult:
        """Execute a whole run."""

    def inspect(self, entity: Place, all: bool = False) -> Inspection:
        """Look at one entity."""

    def raycast(self, start: Place, end: Place, ignore: Sequence[Place] = ()) -> RayHits:
        """What lies between two places."""

    def overlap(
        self,
        at: Place = None,
        radius: float = 0.0,
        box: Sequence[float] | None = None,
        ignore: Sequence[Place] = (),
    ) -> list[EntityView]:
        """What a circle or a box touches."""

    def at(self, point: Place) -> list[EntityView]:
        """What stands or is seen at a point."""

    def contacts(self, entity: Place = None) -> list[Contact]:
        """The pairs that touch."""

    def screenshot(self, camera: str | None = None, width: int | None = None) -> Picture:
        """Draw the present frame."""

    def query(self, request: RunRequest, action: str, given: Mapping[str, Any]) -> QueryAnswer:
        """Play a request, and ask about its last frame."""

    def shot(
        self,
        request: RunRequest,
        frames: Sequence[int] | None = None,
        camera: str | None = None,
        width: int | None = None,
    ) -> Shot:
        """Play a request, and draw its last frame or several."""

    def played(self) -> Movie | None:
        """The movie since reset, of a game that has ended too."""

    def kept(self, name: str) -> Savestate | None:
        """A savestate as a value."""

    def keep(self, state: Savestate) -> None:
        """Take in a savestate from elsewhere."""

    def cancel(self) -> None:
        """End what is being played at its next frame."""

    def close(self) -> None:
        """Let go of what the play holds."""
