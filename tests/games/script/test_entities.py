"""The entities of a program, asked for at the doors that native games have."""

from __future__ import annotations

import textwrap
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import harness
from harness.driver.discovered import Discovered
from harness.errors import RequestError, UnknownName
from harness.games.found import Discovery, Found
from harness.games.loaded import LoadedGame

PROGRAM = """
    import pygame

    class Coin(pygame.sprite.Sprite):
        def __init__(self, x, y=100):
            super().__init__()
            self.image = pygame.Surface((10, 10))
            self.rect = self.image.get_rect(topleft=(x, y))
            self.worth = 5

    class Level:
        def __init__(self, number):
            self.hero = Hero(10 * number)

    class Hero:
        def __init__(self, x):
            self.x, self.y, self.w, self.h = x, 40, 16, 20
            self.bag = [1, 2, 3]

    def main():
        pygame.init()
        screen, clock = pygame.display.set_mode((320, 240)), pygame.time.Clock()
        coins = pygame.sprite.Group(Coin(100), Coin(200))
        level, turn = Level(1), 0
        while True:
            for event in pygame.event.get():
                if event.type == pygame.QUIT:
                    return
            turn += 1
            if turn == 20:
                level = Level(7)
            level.hero.x += 1
            if turn == 30:
                coins.sprites()[0].kill()
            coins.draw(screen)
            pygame.display.flip()
            clock.tick(60)

    main()
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("program") / "main.py"
    file.write_text(textwrap.dedent(PROGRAM), encoding="utf-8")
    return file


@pytest.fixture
def play(program: Path) -> Iterator[Any]:
    playing = harness.open(program)
    yield playing
    playing.close()


def test_entities_are_inspected_by_name_and_by_path(play):
    play.step(4)
    hero = play.inspect("hero")
    assert (hero.name, hero.path, hero.kind) == ("hero", "main().level.hero", "Hero")
    assert hero.box == (15, 40, 16, 20)
    assert hero.position == (23, 50)
    assert hero.properties == {"x": 15, "y": 40, "w": 16, "h": 20, "bag": "list of 3"}
    assert play.inspect("hero", all=True).properties["bag[2]"] == 3
    assert play.inspect("main().coins[1]").position == (205, 105)


def test_a_name_is_a_thing_wherever_it_lives_and_whichever_lives_there_now(play):
    play.step(10)
    assert play.value("hero.x") == 21
    assert play.until("hero.x > 70", within=60) == 19
    assert play.value("[coin.rect.x for coin in find_all('coin')]") == [100, 200]
    assert play.value("[coin.rect.x for coin in find_all('coins')]") == [100, 200]
    play.step(10)
    assert play.value("find('coins[0]').rect.x") == 200
    play.edit("hero.x", 5)
    assert play.value("hero.x") == 5
    with pytest.raises(RequestError, match=r"no name 'herro'; this game has: hero, "):
        play.value("herro.x")


@pytest.mark.parametrize("name", ["turn", "level", "coins", "hero.x"])
def test_what_has_no_place_is_no_entity_and_says_how_it_is_read(play, name):
    play.step(1)
    for ask in (play.inspect, play.at, lambda name: play.raycast(name, (0, 0))):
        with pytest.raises(
            RequestError, match=rf"\n  {name} is .*, and no entity.*; print tells it"
        ):
            ask(name)
    with pytest.raises(UnknownName, match="no entity named 'turns'; this game has: "):
        play.inspect("turns")


def test_rays_and_boxes_meet_what_is_there(play):
    play.step(1)
    assert play.overlap((105, 120), radius=12) == ["coins[0]"]
    assert [hit.entity.name for hit in play.raycast((0, 105), (300, 105))] == [
        "coins[0]",
        "coins[1]",
    ]
    assert play.raycast("hero", "coins[1]").entity == "coins[1]"
    assert play.at((205, 105)) == ["coins[1]"]
    assert play.at((300, 10)) == []


def test_looking_changes_no_bit(program, play):
    bare = harness.open(program)
    bare.step(45)
    for _ in range(45):
        play.step(1)
        play.value("len(find_all('coin')) + hero.x")
    assert play.movie().marks[-1] == bare.movie().marks[-1]
    bare.close()


class Crab:
    pass


class _Field(LoadedGame):
    """A game of three moments, that counts how often it is looked through."""

    declared = False

    def __init__(self) -> None:
        self.instance = self
        self.discovery = None
        self.looks = 0
        self.cut = ""
        self.things = [Found(Crab(), "crab", "sea.crab", "Crab"), Found([], "it", "it", "list")]

    def entities(self) -> tuple[Any, ...]:
        return ()

    def discover(self) -> Discovery:
        self.looks += 1
        return Discovery(self.things, self.cut)


def test_nothing_is_looked_for_until_somebody_asks_and_once_a_moment():
    game = _Field()
    entities = Discovered(game)
    for _ in range(5):
        entities.refresh()
        game.forget()
    assert game.looks == 0
    crab = entities.find("crab")
    assert entities.kind(crab) == "Crab"
    assert entities.find("sea.crab") is crab
    assert entities.find_all("CRAB") == [crab]
    assert game.looks == 1
    game.forget()
    entities.refresh()
    assert game.looks == 1
    assert entities.named(crab) == "crab"
    assert game.looks == 2


def test_what_was_seen_lives_no_longer_for_it():
    game = _Field()
    entities = Discovered(game)
    assert entities.unique_one("crab") is entities.find("crab")
    gone = weakref.ref(game.things.pop(0).thing)
    assert gone() is not None
    game.forget()
    assert gone() is None


def test_what_was_left_out_is_told_where_a_name_is_missing():
    game = _Field()
    with pytest.raises(UnknownName, match="no entity named 'cow'; this game has: crab, it"):
        Discovered(game).find("cow")
    game.forget()
    game.cut = "what comes after 2 entities was not looked at"
    with pytest.raises(RequestError, match=r"(?s)no entity named 'cow'.*\n  what comes after 2"):
        Discovered(game).find("cow")


SPACE = """
    import pygame, pymunk

    pygame.init()
    screen, clock = pygame.display.set_mode((320, 240)), pygame.time.Clock()
    space = pymunk.Space()
    space.gravity = 0, 500
    walls = [pymunk.Segment(space.static_body, (0, y), (320, y), 4) for y in (0, 200)]
    space.add(*walls)
    space.add(pymunk.Segment(space.static_body, (0, 0), (0, 200), 4))
    for x in (100, 200):
        body = pymunk.Body(1, 10)
        body.position = x, 190
        space.add(body, pymunk.Circle(body, 6))
    turn = 0
    while not pygame.event.get(pygame.QUIT):
        turn += 1
        if turn == 80:
            gone = list(space.bodies)[0]
            space.remove(gone, *gone.shapes)
        space.step(1 / 60)
        pygame.display.flip()
        clock.tick(60)
"""


def test_bodies_and_walls_are_told_apart(tmp_path):
    program = tmp_path / "main.py"
    program.write_text(textwrap.dedent(SPACE), encoding="utf-8")
    play = harness.open(program)
    play.step(60)
    (touch,) = play.contacts("bodies[0]")
    assert (touch.entity.path, touch.other.name) == ("space.bodies[0]", "walls[1]")
    assert play.inspect("bodies[1]").body == "dynamic"
    assert play.inspect("bodies[1]").touching == ("walls[1]",)
    assert play.inspect("walls[1]").box == (-4, 196, 328, 8)
    assert play.inspect("walls[1]").position == (160, 200)
    assert [hit.entity.name for hit in play.raycast((160, 100), (0, 100))] == ["shapes[2]"]
    assert play.until("raycast((200, 100), (200, 195)).entity == 'bodies[0]'", within=60) == 79
    play.close()
