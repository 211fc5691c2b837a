"""Attributes that a class keeps to itself are asked for by the names that it gives them."""

import pytest

SPRITES = """
    import pygame
    from honest import Honest

    class Chest(pygame.sprite.Sprite):
        def __init__(self):
            super().__init__()
            self.name = "chest"
            self.rect = pygame.Rect(10, 20, 30, 40)
            self.__gold, self.__gems, self.__keys = 1, 2, 3

        @property
        def gold(self):
            return self.__gold

        @property
        def gems(self):
            return self.__gems * 100

        def earn(self):
            self.__gold, self.__gems = 5, 6

    class Locked(Chest):
        @property
        def gold(self):
            return None

    class Stub(Honest):
        def reset(self, scene, seed):
            super().reset(scene, seed)
            self.chest = {kind}()
            pygame.sprite.Group(self.chest)
            self.things.append(self.chest)
        def step(self, inputs):
            super().step(inputs)
            self.chest.earn()
            self.chest.rect.x += 1
            if "jump" in inputs.pressed:
                self.chest.image = pygame.Surface((3, 4))
"""


def looked(play, **more):
    return play.inspect("chest", **more).properties


def test_a_sprite_holds_the_same_under_both_pygames(opened):
    play = opened(SPRITES.format(kind="Chest"))
    play.reset()
    assert list(looked(play, all=True)) == [
        "rect.x", "rect.y", "rect.w", "rect.h", "gold", "Chest__gems", "Chest__keys",
    ]  # fmt: skip
    play.tap("jump")
    assert looked(play)["image"] == "Surface"
    assert looked(play)["rect.x"] > 10


def test_a_private_attribute_has_the_name_of_the_property_that_gives_it_as_it_is(opened):
    play = opened(SPRITES.format(kind="Chest"))
    play.reset()
    play.step(1)
    assert looked(play) == {"rect.x": 11, "gold": 5, "Chest__gems": 6}
    assert play.value("chest.gold") == 5


@pytest.mark.parametrize("kind", ["Locked", "type('Open', (Chest,), {'gold': 3})"])
def test_a_property_that_another_class_replaces_gives_nothing(opened, kind):
    play = opened(SPRITES.format(kind=kind))
    play.reset()
    assert looked(play, all=True)["Chest__gold"] == 1
    assert "gold" not in looked(play, all=True)
