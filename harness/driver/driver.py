"""Steps a game, keeps every input, hashes every frame: what was played is a movie at any moment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, MutableSequence
from typing import Any, TypeVar

from harness.driver.discovered import Discovered
from harness.driver.edits import literal, set_path
from harness.driver.entities import Entities
from harness.driver.environment import movie_header
from harness.driver.statehash import NotFinite, NotPlaced, entity_values, frame_hasher, state_hasher
from harness.driver.trees import entity_trees
from harness.errors import HarnessError
from harness.games.loaded import GameRaised, LoadedGame
from harness.games.watch import GameHung
from harness.values.inputs import InputFrame
from harness.values.kinds import text
from harness.values.movie import MARK_EVERY, WHOLE_EVERY, Edit, Mark, Movie
from harness.values.run import ErrorInfo

T = TypeVar("T")

Look = Callable[[int], bool]
"""Called after a frame with its number; True stops the driver there."""

DIGEST = 8
"""Bytes of a frame's hash."""

FRAME, CANCEL = 0, 1
"""The words of a driver's beat: the frame that is finished (-1 before the first), a wish to stop.

Another process, thread or signal handler may read the first and set the second.
"""


class Cancelled(HarnessError):
    """The play was cancelled; it stands at a finished frame."""


class Driver:
    """One play of a loaded game from a reset on. Every method needs ``game.active()`` around it."""

    def __init__(self, game: LoadedGame) -> None:
        self.game = game
        self.frame = 0
        self.scene = ""
        self.seed = 0
        self.inputs: list[InputFrame] = []
        self.edits: list[Edit] = []
        self.marks: list[Mark] = []
        self.hashes = bytearray()
        self._whole = (-1, 0, "")
        self.on_mark: Callable[[Driver], None] | None = None
        self.beat: MutableSequence[int] | memoryview = [-1, 0]
        self.kept: Callable[[], list[Any]] = list
        """Makes the lists of inputs and of edits."""
        self.loaded: dict[str, Any] = {}
        """The tree of each entity at frame 0, as the scene was loaded."""

    @property
    def dt(self) -> float:
        """Seconds from one frame to the next."""
        return 1 / self.game.folder.tick_rate

    def reset(self, scene: str, seed: int) -> None:
        """Begin anew; frame 0 is the state that the game's reset leaves."""
        self.frame, self.scene, self.seed = 0, scene, seed
        self.inputs, self.edits = self.kept(), self.kept()
        self.marks, self.hashes = [], bytearray()
        self._whole = (-1, 0, "")
        self.beat[FRAME] = -1
        self.game.reset(scene, seed)
        with self.game.guarded(0):
            self.entities = self._entities()
            self._hash_frame, self._frame_bytes = frame_hasher(self.game)
            self._hash_state = state_hasher(self.game)
            self.hashes += self._finite(self._hash_frame)
            self._mark()
            self.loaded = self.trees() if self.game.declared else {}
        self.beat[FRAME] = 0

    def _entities(self) -> Entities:
        if self.game.declared:
            return Entities(self.game)
        return Discovered(self.game)

    def advance(self, timeline: Iterable[InputFrame], look: Look | None = None) -> bool:
        """Step once for each input frame; says whether ``look`` stopped it.

        Raises:
            GameRaised, GameExit: the game failed or ended itself, in the frame after ``frame``.
            Cancelled: somebody asked for it; the last frame is finished.
        """
        step, keep, unraised = self.game.instance.step, self.inputs.append, self.game.unraised
        hash_frame, hashes, frame = self._hash_frame, self.hashes, self.frame
        beat = self.beat
        try:
            for inputs in timeline:
                if beat[CANCEL]:
                    raise Cancelled(f"cancelled after frame {frame}")
                keep(inputs)
                step(inputs)
                frame += 1
                hashes += hash_frame()
                if unraised:
                    raise GameRaised(self.game.first_unraised(frame))
                self.frame = beat[FRAME] = frame
                if frame % MARK_EVERY == 0:
                    self._mark()
                if look is not None and look(frame):
                    return True
        except BaseException as error:
            self._settle(error)
            self._reraise(error, len(self.inputs))
        return False

    def _settle(self, error: BaseException) -> None:
        """Forget the frame that was not finished.

        Its input stays where the game failed: it makes the movie fail there again. After an
        interrupt the game is anywhere in its step, so that it must be played here again.
        """
        del self.hashes[(self.frame + 1) * DIGEST :]
        if not isinstance(error, Exception | SystemExit | GameHung):
            del self.inputs[self.frame :]
            self.game.owner = None

    def _reraise(self, error: BaseException, frame: int) -> None:
        if isinstance(error, NotFinite | NotPlaced):
            raise GameRaised(self._not_finite(error, frame)) from None
        with self.game.guarded(frame):
            raise error

    def _finite(self, read: Callable[[], T]) -> T:
        try:
            return read()
        except (NotFinite, NotPlaced) as error:
            raise GameRaised(self._not_finite(error, self.frame)) from None

    def _not_finite(self, error: NotFinite | NotPlaced, frame: int) -> ErrorInfo:
        if isinstance(error, NotPlaced):
            return ErrorInfo("NotFinite", str(error), frame)
        space = self.game.space
        culprits = [
            path
            for path, entity in self.entities.labelled.items()
            if (body := getattr(entity, "body", None)) is not None
            and body in space.bodies
            and not all(
                v == v and abs(v) != float("inf")
                for v in (*body.position, *body.velocity, body.angle)
            )
        ]
        whose = (
            f"the body of {', '.join(culprits)}" if culprits else f"body {error.body} of the space"
        )
        x, y, angle, vx, vy, spin = (f"{value:g}" for value in error.values)
        return ErrorInfo(
            "NotFinite",
            f"{whose} is no longer finite: position ({x}, {y}), angle {angle},"
            f" velocity ({vx}, {vy}), spin {spin}",
            frame,
        )

    def edit(self, target: str, value: str) -> None:
        """Set a value from outside, as an input of its own that the movie keeps.

        ``target`` is a path such as ``player.health``; ``value`` a literal, else taken as text.

        Raises:
            ArgumentError: the target is no path, or cannot be set.
        """
        self._apply(Edit(self.frame, text("target", target).strip(), value.strip()))

    def _apply(self, edit: Edit) -> None:
        with self.game.guarded(self.frame):
            if edit.target.isidentifier() and self.game.assign(edit.target, literal(edit.value)):
                self.edits.append(edit)
                return
            self.entities.refresh()
            names = {**self.game.known(), **self.game.names(), **self.entities.unique}
            set_path(names, edit.target, literal(edit.value))
            self.game.forget()
            self._reindex(names.get(edit.target.split(".")[0].split("[")[0]))
        self.edits.append(edit)

    def _reindex(self, entity: Any) -> None:
        """A static body that was moved by hand is found by queries at its old place until then."""
        body, space = getattr(entity, "body", None), self.game.space
        if body is not None and space is not None and body in space.bodies:
            space.reindex_shapes_for_body(body)

    def replay(self, movie: Movie, frames: int | None = None, look: Look | None = None) -> None:
        """Reset and play a movie's inputs and edits, up to ``frames`` or to its end."""
        end = movie.frames if frames is None else min(frames, movie.frames)
        self.reset(movie.header.scene, movie.header.seed)
        edits = [edit for edit in movie.edits if edit.frame <= end]
        for edit in edits:
            if edit.frame > self.frame:
                self.advance(movie.inputs[self.frame : edit.frame], look)
            self._apply(edit)
        self.advance(movie.inputs[self.frame : end], look)

    def state_hash(self) -> str:
        """Hash the whole state as it is now: 16 hex digits."""
        self._whole = (self.frame, len(self.edits), self._state_hash())
        return self._whole[2]

    def last_hash(self) -> str:
        """The hash of the whole state when it was last asked for, if nothing was played since."""
        known = self._whole[:2] == (self.frame, len(self.edits))
        return self._whole[2] if known else self.state_hash()

    def _state_hash(self) -> str:
        with self.game.guarded(self.frame):
            self.entities.refresh()
            frame = self._finite(self._frame_bytes)
            named = self.entities.named
            labelled = self.entities.labelled if self.game.declared else {}
            return self._finite(lambda: self._hash_state(frame, named, labelled))

    def trees(self) -> dict[str, Any]:
        """What each entity holds now, as trees; bodies are told by their numbers."""
        entities = self.entities
        return entity_trees(self.game.space, entities.named, entities.labelled)

    def values(self) -> dict[str, Any]:
        """Everything that the entities hold now, and ``state()``, as plain values by path."""
        with self.game.guarded(self.frame):
            self.entities.refresh()
            values = entity_values(self.entities.named, self.entities.labelled)
            state = self.game.instance.state()
            values.update(self.game.numbers())
        told = self.game.state_names or [f"state()[{i}]" for i in range(len(state))]
        values.update(zip(told, state, strict=True))
        return values

    def digest(self, frame: int) -> bytes:
        """The checksum that ``frame`` had when it was played."""
        return bytes(self.hashes[frame * DIGEST : (frame + 1) * DIGEST])

    def _mark(self) -> None:
        whole = self.state_hash() if self.frame % WHOLE_EVERY == 0 else ""
        self.marks.append(self._marked(whole))
        if self.on_mark is not None:
            self.on_mark(self)

    def trail(self, since: int) -> str:
        """Four hex digits of each frame after ``since``: they tell which of them differs first."""
        hashes = self.hashes[(since + 1) * DIGEST : (self.frame + 1) * DIGEST]
        digits = bytearray(len(hashes) * 2 // DIGEST)
        digits[::2], digits[1::2] = hashes[::DIGEST], hashes[1::DIGEST]
        return digits.hex()

    def movie(self) -> Movie:
        """Everything so far as a movie, with a mark on its last frame."""
        header = movie_header(self.game, self.scene, self.seed, len(self.inputs))
        return Movie(header, tuple(self.inputs), tuple(self.edits), tuple(self.movie_marks()))

    def movie_marks(self) -> list[Mark]:
        """The marks so far, and one of the whole state on the present frame, edits included."""
        marks = self.marks[:-1] if self.marks[-1].frame == self.frame else self.marks
        return [*marks, self._marked(self.last_hash())]

    def unfinished_marks(self) -> list[Mark]:
        """The marks so far, and one of the frames alone on the last that was finished."""
        marks = self.marks
        return marks if not marks or marks[-1].frame == self.frame else [*marks, self._marked("")]

    def _marked(self, whole: str) -> Mark:
        since = next((mark.frame for mark in reversed(self.marks) if mark.frame < self.frame), 0)
        return Mark(self.frame, whole, self.trail(since))
