"""What is found in programs, by the names that these have for it."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from harness.games.script import discovery
from harness.games.script.discovery import discover
from harness.games.script.scopes import Scope, Scopes

SPRITES = """
    import pygame

    class Thing(pygame.sprite.Sprite):
        def __init__(self, x, *groups):
            super().__init__(*groups)
            self.rect = pygame.Rect(x, 0, 8, 8)

    class Coin(Thing):
        pass
"""


def _scopes(source: str, passing: frozenset[str] = frozenset()) -> Scopes:
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(textwrap.dedent(source), names)
    return Scopes((), (Scope("", names, passing),))


def found(*sources: str, passing: frozenset[str] = frozenset()) -> dict[str, str]:
    """The kinds of what a program holds, by path."""
    source = "\n".join(map(textwrap.dedent, sources))
    discovery = discover(_scopes(source, passing), lambda file: False, (640, 480))
    assert not discovery.cut
    return {one.path: one.kind for one in discovery.found}


def test_sprites_are_called_by_variable_and_by_group():
    assert found(
        SPRITES,
        """
        coins = pygame.sprite.Group()
        everything = pygame.sprite.LayeredUpdates()
        player = Thing(0, everything)
        for x in range(2): Coin(x, coins, everything)
        """,
    ) == {"player": "Thing", "coins[0]": "Coin", "coins[1]": "Coin"}


def test_a_rect_behind_a_property_places_an_object():
    assert found("""
        import pygame

        class Door:
            def __init__(self):
                self.__rect = pygame.Rect(1, 2, 3, 4)

            @property
            def rect(self):
                return self.__rect

        door = Door()
        """) == {"door": "Door"}


def test_the_smallest_group_names_a_sprite_whichever_was_made_first():
    paths = found(
        SPRITES,
        """
        everything, mobs, walls = (pygame.sprite.Group() for _ in range(3))
        for x in range(2): Coin(x, everything, mobs)
        for x in range(3): Thing(x, everything, walls)
        """,
    )
    assert sorted(paths) == ["mobs[0]", "mobs[1]", "walls[0]", "walls[1]", "walls[2]"]


def test_a_group_of_one_names_its_sprite():
    group = "player = pygame.sprite.GroupSingle(Thing(3))"
    scopes = _scopes(textwrap.dedent(SPRITES) + group)
    (one,) = discover(scopes, lambda file: False).found
    assert (one.name, one.path) == ("player", "player.sprite")


def test_the_variable_of_a_loop_names_nothing_that_has_another_name():
    program = "coins = [Coin(x) for x in range(2)]\ncoin = coins[-1]"
    assert set(found(SPRITES, program, passing=frozenset({"coin"}))) == {"coins[0]", "coins[1]"}
    assert set(found(SPRITES, "coin = Coin(3)", passing=frozenset({"coin"}))) == {"coin"}


def test_rects_are_things_and_those_of_things_are_their_parts():
    assert found(
        SPRITES,
        """
        paddle = pygame.Rect(5, 5, 60, 10)
        screen_rect = pygame.Rect(0, 0, 640, 480)
        walls = [pygame.Rect(0, 0, 9, 9)]
        player = Thing(4)
        player.hitbox = pygame.Rect(4, 4, 4, 4)
        """,
    ) == {"paddle": "Rect", "walls[0]": "Rect", "player": "Thing"}


@pytest.mark.parametrize(
    "making",
    [
        "self.x, self.y, self.hp = 1, 2.5, 3",
        "self.pos, self.hp = pygame.Vector2(1, 2), 3",
        "self.position, self.hp = [1, 2], 3",
        "self.position = Place()",
        "self.rect = pygame.Rect(1, 2, 3, 4)",
        "self.body = pymunk.Body(1, 1)",
        "self.shape = pymunk.Circle(pymunk.Body(1, 1), 5)",
    ],
)
def test_an_object_that_has_a_place_is_a_thing(making):
    program = f"""
        import pygame, pymunk
        class Place:
            def __init__(self): self.x, self.y, self.z = 1, 2, 3
        class Crab:
            def __init__(self): {making}
        class Game:
            def __init__(self): self.crab = Crab()
        game = Game()
    """
    assert found(program) == {"game.crab": "Crab"}


@pytest.mark.parametrize(
    "making",
    [
        "self.x, self.y = 1, 2",  # a vector: a speed, perhaps
        "self.x, self.hp, self.mp = 1, 2, 3",
        "self.name, self.text = 'a', 'b'",
        "self.x, self.y, self.on = True, False, True",
    ],
)
def test_an_object_without_a_place_is_none(making):
    assert found(f"class Crab:\n    def __init__(self): {making}\ncrab = Crab()") == {}


def test_slots_and_class_attributes_and_dicts_hold_things_too():
    assert found(
        SPRITES,
        """
        class Slotted:
            __slots__ = ("x", "y", "hp")
            all = []
        one = Slotted(); one.x, one.y, one.hp = 1, 2, 3
        Slotted.all.append(Coin(3))
        rows = {"boss": Thing(1), (1, 2): Thing(2), 3: {"x": 1, "y": 2, "colour": "red"}}
        """,
    ) == {
        "one": "Slotted",
        "rows['boss']": "Thing",
        "rows[(1, 2)]": "Thing",
        "rows[3]": "dict",
        "Slotted.all[0]": "Coin",
    }


def test_bodies_are_called_by_what_holds_them_and_else_by_their_space():
    assert found(
        """
        import pymunk
        space = pymunk.Space()
        def ball(x):
            body = pymunk.Body(1, 1); body.position = x, 0
            shape = pymunk.Circle(body, 4); space.add(body, shape)
            return shape
        class Player:
            def __init__(self): self.body = ball(0).body
        player = Player()
        balls = [ball(x) for x in range(2)]
        ball(7)
        walls = [pymunk.Segment(space.static_body, (0, 0), (9, 0), 1) for _ in range(2)]
        floor = pymunk.Segment(space.static_body, (0, 9), (9, 9), 1)
        space.add(*walls, floor)
        """
    ) == {
        "player": "Player",
        "floor": "Segment",
        "balls[0]": "Circle",
        "balls[1]": "Circle",
        "walls[0]": "Segment",
        "walls[1]": "Segment",
        "space.bodies[3]": "Body",
    }


def test_nothing_of_the_games_own_is_run():
    assert found(
        """
        class Trap:
            def __getattr__(self, name): raise SystemExit(name)
            def __eq__(self, other): raise SystemExit("eq")
            def __len__(self): raise SystemExit("len")
            def __iter__(self): raise SystemExit("iter")
            def __repr__(self): raise SystemExit("repr")
            __hash__ = None
            @property
            def rect(self): raise SystemExit("rect")
        class Many(list):
            __len__, __iter__, __repr__ = Trap.__len__, Trap.__iter__, Trap.__repr__
        trap, many = Trap(), Many()
        trap.x, trap.y, trap.z = 1, 2, 3
        many.append(trap)
        class Game:
            def __init__(self): self.many, self.game = many, self
        game = Game()
        """
    ) == {"trap": "Trap"}


def test_a_game_goes_before_the_self_of_its_methods():
    scopes = _scopes(
        SPRITES + "\n    class Game: pass\n    game = Game()\n    game.hero = Thing(1)"
    )
    names = scopes.modules[0].names
    run = Scope("run()", {"self": names["game"], "dt": 1})
    found = discover(Scopes((run,), scopes.modules), lambda file: False).found
    assert [one.path for one in found] == ["game.hero"]
    hidden = {name: value for name, value in names.items() if name != "game"}
    found = discover(Scopes((run,), (Scope("", hidden),)), lambda file: False).found
    assert [one.path for one in found] == ["run().self.hero"]


def test_a_map_of_numbers_costs_nothing_and_too_much_is_cut_in_words(monkeypatch):
    program = textwrap.dedent(SPRITES) + textwrap.dedent(
        """
        tiles = [[0] * 1000 for _ in range(1000)]
        coin = Coin(1)
        coins = [Coin(x) for x in range(100)]
        """
    )
    scopes = _scopes(program)
    monkeypatch.setattr(discovery, "MOST_LOOKS", 1500)
    assert len(discover(scopes, lambda file: False).found) == 101
    monkeypatch.setattr(discovery, "MOST_ENTITIES", 50)
    some = discover(scopes, lambda file: False)
    assert len(some.found) == 50
    assert some.cut == "what comes after 50 entities was not looked at"
    assert some.found[0].path == "coin"
    monkeypatch.setattr(discovery, "MOST_LOOKS", 20)
    assert discover(scopes, lambda file: False).cut.startswith("what lies beyond 20 objects")


def test_names_are_the_same_in_every_process():
    program = textwrap.dedent(SPRITES) + textwrap.dedent(
        """
        import sys
        from harness.games.script.discovery import discover
        from harness.games.script.scopes import Scope, Scopes
        coins = {Coin(x) for x in range(40)}
        script = Scopes((), (Scope("", globals()),))
        print([(one.path, one.thing.rect.x) for one in discover(script, lambda file: False).found])
        """
    )
    said = set()
    for seed in ("1", "2"):
        root = Path(__file__).parents[3]
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)}
        command = [sys.executable, "-c", program]
        said.add(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
    assert len(said) == 1
