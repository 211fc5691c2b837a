"""Entities as games give them: in any shape, with any names, coming and going."""

import pytest

from harness.errors import RequestError, UnknownName

HEAD = """
    from honest import Honest

    class Thing:
        def __init__(self, name, **more):
            self.name = name
            self.worth = len(name)
            self.__dict__.update(more)

"""


def _things(expression: str, more: str = "") -> str:
    return f"""{HEAD}
    class Stub(Honest):
        def reset(self, scene, seed):
            super().reset(scene, seed)
            self.all = [Thing("hen"), Thing("goat")]
        def entities(self):
            return {expression}
{more}
"""


@pytest.mark.parametrize(
    "expression",
    [
        "self.all",
        "list(self.all)",
        "tuple(self.all)",
        "(thing for thing in self.all)",
        "{thing.name: thing for thing in self.all}",
        "iter(self.all)",
    ],
)
def test_entities_come_in_any_shape(opened, game_run, expression):
    grow = """
        def step(self, inputs):
            super().step(inputs)
            if self.walker.steps == 3:
                self.all.append(Thing("fox"))
            if self.walker.steps == 6:
                self.all.pop(0)
"""
    play = opened(_things(expression, grow))
    run = game_run(play, frames=10, until="fox.worth == 3", print=["hen.worth", "goat.worth"])
    assert (run.stopped, run.frame) == ("until", 3)
    with pytest.raises(UnknownName, match="no name 'hen'; this game has: fox, goat"):
        game_run(play, frames=10, print="hen.worth", every=1)
    play.reset()
    play.step(5)
    play.save("five")
    assert play.value("find_all('hen')") == ["hen"]
    play.step(5)
    assert play.value("find_all('hen')") == []
    assert play.load("five") == 5


def test_a_mapping_gives_its_keys_as_names(opened):
    play = opened(_things("{'bird': self.all[0], 'beast': self.all[1]}"))
    assert play.value("(bird.worth, beast.worth)") == [3, 4]
    assert play.value("bird") == "bird"


def test_a_mapping_from_something_else_than_names_is_an_error(opened, game_run):
    run = game_run(opened(_things("dict.fromkeys(self.all)")), frames=2)
    assert run.error.message == "entities() maps names to objects, and a Thing is no name"


def test_duplicate_names_are_ambiguous_and_list_the_candidates(opened, game_run):
    play = opened(
        _things("[Thing('coin', id=4, kind='gold'), Thing('coin', id=7), Thing('hen', id=9)]")
    )
    for asked in ("find('coin').worth", "coin.worth"):
        with pytest.raises(RequestError, match="'coin' names 2 entities: #4, #7"):
            play.value(asked)
    with pytest.raises(RequestError, match="'coin' names 2 entities: #4, #7"):
        game_run(play, frames=2, **{"assert": "coin.worth"})
    with pytest.raises(RequestError, match="'coin' names 2 entities"):
        game_run(play, frames=2, until="coin.worth > 9")
    assert play.value("[find('#7').id, len(find_all('coin')), find_all('gold')[0].id]") == [7, 2, 4]
    with pytest.raises(UnknownName, match="no entity named '#5'"):
        play.value("find('#5')")


def test_entities_of_one_name_are_told_apart_by_their_paths(opened):
    play = opened(_things("[Thing('lamp', parent='Hall'), Thing('lamp', path='Attic/lamp')]"))
    assert play.value("find('Hall/lamp').parent") == "Hall"
    with pytest.raises(RequestError, match="'lamp' names 2 entities: Hall/lamp, Attic/lamp"):
        play.value("find('lamp')")


def test_entities_of_one_path_are_told_apart_by_their_places(opened):
    play = opened(_things("[Thing('hen'), Thing('coin', at=1), Thing('coin', at=2)]"))
    with pytest.raises(RequestError, match=r"'coin' names 2 entities: coin\[1\], coin\[2\]"):
        play.inspect("coin")
    assert play.inspect("coin[2]", all=True).properties["at"] == 2
    with pytest.raises(UnknownName, match=r"no entity named 'coin\[3\]'"):
        play.inspect("coin[3]")


def test_what_was_seen_of_an_entity_is_that_entity_again(opened):
    play = opened(_things("[Thing('coin', id=4), Thing('coin', id=7)]"))
    seen = play.inspect("#7")
    assert play.inspect(seen).id == play.inspect(seen.entity).id == 7


def test_a_name_that_is_no_identifier_is_found_by_find(opened):
    play = opened(_things("[Thing('Big Door'), Thing('2nd'), Thing('')]"))
    assert play.value("find('Big Door').worth") == 8
    assert play.value("find('2nd').worth") == 3
    assert play.value("thing2.worth") == 0


def test_an_entity_cannot_take_the_place_of_frame_time_or_find(opened, game_run):
    more = """
        def names(self):
            return {"seed": "not this", "math": None, "extra": 5, "hen": "the game's own"}
        def step(self, inputs):
            super().step(inputs)
            if self.walker.steps == 2:
                self.all += [Thing("frame"), Thing("time"), Thing("find"), Thing("max")]
            if self.walker.steps == 4:
                del self.all[:]
"""
    play = opened(_things("self.all", more))
    run = game_run(play, frames=5, every=1, seed=8, print=["frame", "time", "seed", "extra", "hen"])
    assert [row["frame"] for row in run.frames.values()] == [1, 2, 3, 4, 5]
    assert run.frames[3]["time"] == pytest.approx(3 / 60)
    assert {row["seed"] for row in run.frames.values()} == {8}
    assert [row["hen"] for row in run.frames.values()] == ["hen"] * 3 + ["the game's own"] * 2
    play.reset()
    play.step(3)
    assert play.value("find('frame').worth") == 5


def test_entities_with_an_equality_of_their_own_are_told_apart(opened, game_run):
    more = """
        def step(self, inputs):
            super().step(inputs)
            if self.walker.steps == 3:
                self.all = [Equal("hen", age=3), self.all[1]]
"""
    equal = """
    class Equal(Thing):
        def __eq__(self, other):
            return self.name == getattr(other, "name", None)
        __hash__ = None
"""
    source = _things("self.all", more).replace('[Thing("hen")', '[Equal("hen", age=0)') + equal
    run = game_run(opened(source), frames=4, print="hen.age", every=1)
    assert [row["hen.age"] for row in run.frames.values()] == [0, 0, 3, 3]


def test_entities_that_refer_to_each_other_and_to_the_world_end(opened, game_run):
    more = """
        def step(self, inputs):
            super().step(inputs)
            hen, goat = self.all
            hen.friend, goat.friend, hen.world, hen.parent = goat, hen, self, hen
            hen.me = hen.deep = [[[[[[[[[[hen]]]]]]]]]]
"""
    run = game_run(opened(_things("self.all", more)), frames=70, print="hen.friend")
    assert run.frames[70] == {"hen.friend": "goat"}


def test_until_waits_for_a_name_that_comes_later(opened, game_run):
    more = """
        def step(self, inputs):
            super().step(inputs)
            if self.walker.steps == 5:
                self.all.append(Thing("boss", health=9))
            if self.walker.steps > 5 and len(self.all) == 3:
                self.all[2].health -= 1
                if not self.all[2].health:
                    self.all.pop()
"""
    play = opened(_things("self.all", more))
    run = game_run(play, frames=60, until="boss.health < 7")
    assert (run.stopped, run.frame) == ("until", 8)
    play.reset()
    assert play.until("boss.health < 7") == 8
    gone = game_run(play, frames=60, until="boss.health < 0")
    assert (gone.status, gone.stopped) == ("failed", "frames")
    assert "boss.health < 0 never became True" in gone.failure.message


def test_a_name_that_never_came_is_the_error(opened, game_run):
    play = opened()
    with pytest.raises(UnknownName, match="no name 'wlaker'; this game has: walker"):
        game_run(play, frames=5, until="wlaker.x > 3")
    play.reset()
    with pytest.raises(UnknownName, match="no name 'boss'"):
        play.until("boss.health < 0", within=5)
    assert play.frame == 5
