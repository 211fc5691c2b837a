"""A play in processes of its own: the same verbs, the same answers, and no harm to this process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.driver.edits import written
from harness.errors import GameError, UnknownName
from harness.playtest.plan import NO_INPUT, names_movie
from harness.playtest.protocol import Buttons, GoldenOf
from harness.playtest.replaying import Replayed, lost
from harness.playtest.savestates import Savestate, left_changed
from harness.playtest.shots import changed_since, frames_of
from harness.playtest.standing import remembered
from harness.playtest.steps import is_request, told
from harness.query.places import Place
from harness.values import kinds
from harness.values.answers import QueryAnswer, Shot
from harness.values.log import Level
from harness.values.movie import MOVIE_FILE, Movie
from harness.values.picture import Picture
from harness.values.run import RunRequest, RunResult, run_id
from harness.values.sight import Contact, EntityView, Inspection, RayHits
from harness.worker.member import WorkerLost
from harness.worker.processes import Processes
from harness.worker.reel import Reel, late


class WorkerPlay(Processes):
    """One play of a game whose steps run elsewhere: it may hang, crash or print as it likes."""

    golden_of: GoldenOf | None = None

    # verbs

    def reset(self, scene: str | None = None, seed: int | None = None) -> int:
        """As ``Playtest.reset``, in a fresh process."""
        self._hand_over()
        with self._loss_told():
            self._begin(self._first(scene, seed))
        return int(self._verb("reset", scene, seed))

    def step(self, frames: int = 1, input: str | None = None) -> int:
        """As ``Playtest.step``."""
        return int(self._verb("step", frames, input))

    def hold(self, *buttons: Buttons, frames: int = 1) -> int:
        """As ``Playtest.hold``."""
        return int(self._verb("hold", *buttons, frames=frames))

    def tap(self, *buttons: Buttons, frames: int = 1) -> int:
        """As ``Playtest.tap``."""
        return int(self._verb("tap", *buttons, frames=frames))

    def until(
        self, value: str, within: int = 600, holding: Buttons = (), input: str | None = None
    ) -> int:
        """As ``Playtest.until``."""
        return int(self._verb("until", value, within, holding, input))

    def value(self, expression: str) -> Any:
        """As ``Playtest.value``."""
        return self._verb("value", expression)

    def names(self) -> dict[str, Any]:
        """As ``Playtest.names``."""
        names: dict[str, Any] = self._verb("names")
        return names

    def explain(self, expression: str) -> list[tuple[str, Any]]:
        """As ``Playtest.explain``."""
        parts: list[tuple[str, Any]] = self._verb("explain", expression)
        return parts

    def inspect(self, entity: Place, all: bool = False) -> Inspection:
        """As ``Playtest.inspect``."""
        seen: Inspection = self._verb("inspect", entity, all)
        return seen

    def raycast(self, start: Place, end: Place, ignore: Sequence[Place] = ()) -> RayHits:
        """As ``Playtest.raycast``."""
        hits: RayHits = self._verb("raycast", start, end, ignore)
        return hits

    def overlap(
        self,
        at: Place = None,
        radius: float = 0.0,
        box: Sequence[float] | None = None,
        ignore: Sequence[Place] = (),
    ) -> list[EntityView]:
        """As ``Playtest.overlap``."""
        found: list[EntityView] = self._verb("overlap", at, radius, box, ignore)
        return found

    def at(self, point: Place) -> list[EntityView]:
        """As ``Playtest.at``."""
        found: list[EntityView] = self._verb("at", point)
        return found

    def contacts(self, entity: Place = None) -> list[Contact]:
        """As ``Playtest.contacts``."""
        found: list[Contact] = self._verb("contacts", entity)
        return found

    def screenshot(self, camera: str | None = None, width: int | None = None) -> Picture:
        """As ``Playtest.screenshot``."""
        picture: Picture = self._verb("screenshot", camera, width)
        self._last_shot = picture
        return picture

    def edit(self, target: str, value: Any) -> None:
        """As ``Playtest.edit``."""
        self._verb("edit_written", target, written(value))

    def save(self, name: str) -> None:
        """As ``Playtest.save``: the process stands still, and another goes on."""
        with self._loss_told():
            self._be_there()
            self._park(name)

    def load(self, name: str) -> int:
        """As ``Playtest.load``: exactly the state that was saved."""
        self._require(name)
        looked = self._looked and self._failed is None and self._seat.member is not None
        changed = self._verb("changed") if looked else self._changed
        self._hand_over()
        with self._loss_told():
            there = self._stand(name, to_load=True)
        frame = self._frame if there else int(self._verb("load", name))
        if changed is not None:
            raise left_changed(changed)
        return frame

    def movie(self, path: str | Path | None = None) -> Movie:
        """As ``Playtest.movie``."""
        target = None if path is None else MOVIE_FILE.check(self.base / kinds.path("path", path))
        if self._failed is not None and self._failed.movie is not None:
            movie = self._failed.movie
        else:
            reel = self._sync("movie")
            assert reel is not None
            movie = reel.movie()
        if target is not None:
            movie.write(target)
        return movie

    @property
    def frame(self) -> int:
        """Frames since reset."""
        return self._frame

    @property
    def reached(self) -> int:
        """As ``Playtest.reached``."""
        return self._seat.reached()

    def logged(self) -> list[tuple[Level, str]]:
        """As ``Playtest.logged``."""
        lines, self._seat.logged = self._seat.logged, []
        return lines

    # whole runs

    def run(self, request: RunRequest) -> RunResult:
        """As ``Playtest.run``, in a fresh process or from a savestate."""
        is_request(request)
        against = self._against(request)
        try:
            result: RunResult
            result, tail = self._played_out("run", request, against)
        except WorkerLost as lost:
            return self._lost(request, lost.info)
        movie = late(self._add(Reel(tail, self._reel)).movie) if tail is not None else None
        asked = replace(result.request, save=request.save)
        name = run_id(asked, result.build, result.state_hash)
        result = replace(result, request=asked, run_id=name, movie=movie)
        remembered(self._runs, replace(result, shots={}, strip=None))
        if request.save is not None and result.stopped in ("frames", "until", "assert"):
            self._park(request.save)
        return result

    def query(self, request: RunRequest, action: str, given: Mapping[str, Any]) -> QueryAnswer:
        """As ``Playtest.query``."""
        is_request(request)
        answer: QueryAnswer
        with self._loss_told():
            answer, tail = self._played_out("query", request, action, dict(given))
        self._add(Reel(tail, self._reel))
        return answer

    def shot(
        self,
        request: RunRequest,
        frames: Sequence[int] | None = None,
        camera: str | None = None,
        width: int | None = None,
    ) -> Shot:
        """As ``Playtest.shot``."""
        is_request(request)
        picture: Shot
        with self._loss_told():
            given = None if frames is None else frames_of(frames), camera, width
            picture, tail = self._played_out("shot", request, *given)
        self._add(Reel(tail, self._reel))
        before, self._last_shot = self._last_shot, picture
        return replace(picture, changed=changed_since(picture, before))

    def _played_out(self, act: str, request: RunRequest, *more: Any) -> Any:
        """Have a request played where it begins; gives what came of it."""
        self._hand_over()
        if request.start is not None:
            self._stand(request.start)
        elif isinstance(request.input, str) and names_movie(request.input):
            self._begin()  # the movie says where
        else:
            self._begin(self._first(request.scene, request.seed))
        return self._asked(act, self._sent(request), self._since(), *more).value

    def _against(self, request: RunRequest) -> dict[str, RunResult]:
        """The run that a request names, which its process never saw."""
        name = request.against
        if name is None or name == NO_INPUT or (names_movie(name) and name not in self._runs):
            return {}
        if name not in self._runs:
            raise UnknownName("run or movie", name, [NO_INPUT, *self._runs], "this play")
        run = self._runs[name]
        movie = run.movie and Movie(
            run.movie.header, run.movie.inputs, run.movie.edits, run.movie.marks
        )
        return {name: replace(run, movie=movie)}

    # what surfaces ask of a play

    def replayed(self, movie: Movie, frame: int | None = None, late: bool = False) -> Replayed:
        """As ``Replayer.replayed``, in a fresh process; that it is lost is how the game ends."""
        self._hand_over()
        try:
            self._begin()
            found: Replayed = self._asked("replayed", movie, frame, late).value
            return found
        except WorkerLost as gone:
            info = gone.info
            run = self._lost(RunRequest(game=str(self.path)), info)
        if info.frame < 1:
            raise GameError(told(info), run) from None
        with self._loss_told():  # what was seen went with the process
            self._begin()
            before: Replayed = self._asked("replayed", movie, info.frame - 1, late).value
        return lost(before, movie, info)

    def left_behind(self, movie: Movie) -> str:
        """As ``Replayer.left_behind``."""
        try:
            return str(self._asked("left_behind", movie).value) if self._seat.member else ""
        except WorkerLost:
            return ""

    def kept(self, name: str) -> Savestate | None:
        """As ``Playtest.kept``."""
        return self._shelf.value(name)

    def keep(self, state: Savestate) -> None:
        """As ``Playtest.keep``."""
        self._shelf.put(state.name, state)

    def cancel(self) -> None:
        """As ``Playtest.cancel``."""
        self._seat.cancel()

    def close(self) -> None:
        """End every process; the play can be reset anew, and its savestates are movies then."""
        self._shelf.evict_all()
        self._seat.leave()
        self._reel, self._known, self._frame = None, False, 0
