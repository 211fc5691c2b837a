"""The entities of a game that declares none: looked for when somebody asks, and only then."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from harness.driver.entities import Bound, Entities
from harness.errors import RequestError, UnknownName
from harness.games.found import Found
from harness.games.loaded import LoadedGame
from harness.values.sight import EntityView


class Discovered(Entities):
    """Names for what is found in a game.

    Nothing of it is kept here: the game forgets what was found when it moves on.
    """

    def __init__(self, game: LoadedGame) -> None:
        self._asked: dict[str, Found] = {}
        super().__init__(game)

    def refresh(self) -> bool:
        """Say whether anything may have changed; nothing is looked for yet."""
        return self._game.discovery is None

    def _present(self) -> Bound:
        discovery = self._game.discovered()
        if discovery.bound is None:
            self._bindings += 1
            things = [one.thing for one in discovery.found]
            views = [EntityView(None, one.name, one.path) for one in discovery.found]
            discovery.bound = Bound(things, views)
        bound: Bound = discovery.bound
        return bound

    def _of(self, entity: object) -> Found | None:
        return next((one for one in self._game.discovered().found if one.thing is entity), None)

    def unique_one(self, name: str) -> Any:
        """The entity whose own that name is, else a KeyError.

        Asked for again, it is looked for where it was: a hundredth of the time, each frame.
        """
        known = self._asked.get(name)
        if known is not None and self._game.discovery is None:
            thing = self._game.followed(known)
            if thing is not None:
                return thing
        thing = self.unique[name]
        found = self._of(thing)
        assert found is not None
        self._asked[name] = replace(found, thing=None)
        return thing

    def kind(self, entity: object) -> str | None:
        """The name of the entity's class."""
        return type(entity).__name__ if self._of(entity) is not None else None

    def _is_a(self, entity: Any, kind: str) -> bool:
        """By its class, however it is written, or by the collection that it is in."""
        view = self._present().views[id(entity)]
        whole = view.name.rpartition("[")[0]
        return kind == whole or kind.casefold() == type(entity).__name__.casefold()

    def _unknown(self, wanted: str) -> RequestError:
        unknown = super()._unknown(wanted)
        cut = self._game.discovered().cut
        return (
            RequestError(f"{unknown}\n  {cut}") if cut and type(unknown) is UnknownName else unknown
        )
