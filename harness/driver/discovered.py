"""The entities of a game that declares none: looked for when somebody asks, and only then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from harness.driver.entities import Bound, Entities
from harness.errors import RequestError
from harness.games.found import Found
from harness.games.loaded import LoadedGame
from harness.values.sight import EntityView


class Discovered(Entities):
    """Names for what is found in a game. ``moment`` is another value once the game moved on."""

    def __init__(self, game: LoadedGame, moment: Callable[[], object]) -> None:
        self._moment = moment
        self._looked_at: object = None
        self._found: list[Found] = []
        self._kinds: dict[int, str] = {}
        self._asked: dict[str, Found] = {}
        self._cut = ""
        super().__init__(game)

    def refresh(self) -> bool:
        """Say whether the game moved on since it was looked at; nothing is looked for yet."""
        return self._looked_at != self._moment()

    def _present(self) -> Bound:
        moment = self._moment()
        if self._looked_at != moment:
            self._looked_at = moment
            self._bindings += 1
            discovery = self._game.discovered()
            self._found = found = discovery.found
            things = [one.thing for one in found]
            views = [EntityView(None, one.name, one.path) for one in found]
            self._bound = Bound(things, views)
            self._kinds = {id(one.thing): one.kind for one in found}
            self._cut = discovery.cut
        return self._bound

    def unique_one(self, name: str) -> Any:
        """The entity whose own that name is, else a KeyError.

        Asked for again, it is looked for where it was: a hundredth of the time, each frame.
        """
        known = self._asked.get(name)
        if known is not None and self.refresh():
            thing = self._game.followed(known)
            if thing is not None:
                return thing
        thing = self.unique[name]
        self._asked[name] = next(one for one in self._found if one.thing is thing)
        return thing

    def kind(self, entity: object) -> str | None:
        """The name of the entity's class."""
        self._present()
        return self._kinds.get(id(entity))

    def _is_a(self, entity: Any, kind: str) -> bool:
        """By its class, however it is written, or by the collection that it is in."""
        view = self._present().views[id(entity)]
        whole = view.name.rpartition("[")[0]
        return kind == whole or kind.casefold() == (self.kind(entity) or "").casefold()

    def _unknown(self, wanted: str) -> RequestError:
        unknown = super()._unknown(wanted)
        return RequestError(f"{unknown}\n  {self._cut}") if self._cut else unknown
