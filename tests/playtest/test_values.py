"""Values come up plain: the same words in every process, and never the game's own objects."""

import pytest

EXPRESSIONS = [
    ("walker.x", 0),
    ("walker", "walker"),
    ("[walker, ball]", ["walker", "ball"]),
    ("ball.position", (100.0, 50.0)),
    ("walker.bag", [1, 2, 3]),
    ("walker.kit", {"rope": {"metres": 3}}),
    ("{3, 1, 2}", [1, 2, 3]),
    ("{'b', 'a'}", ["a", "b"]),
    ("{walker: ball}", {"walker": "ball"}),
    ("ball.body", "Body"),
    ("walker.rng", "Random"),
    ("raycast", "function"),
    ("b'a'", b"a"),
    ("1j", "complex"),
    ("find('#2')", "ball"),
    ("(frame, seed, math.floor(time))", [0, 0, 0]),
    ("Vec2d(1, 2) + (1, 1)", (2, 3)),
]


@pytest.mark.parametrize(("expression", "value"), EXPRESSIONS)
def test_a_value_is_plain(opened, expression, value):
    found = opened().value(expression)
    assert found == value
    assert type(found).__module__ in ("builtins", "harness.values.sight")


def test_a_value_is_a_copy(opened):
    play = opened()
    play.value("walker.bag").append(4)
    play.value("walker.kit")["rope"]["metres"] = 9
    assert play.value("(walker.bag, walker.kit)") == [[1, 2, 3], {"rope": {"metres": 3}}]


def test_a_value_that_holds_itself_ends(opened):
    play = opened("""
        from honest import Honest
        class Stub(Honest):
            def reset(self, scene, seed):
                super().reset(scene, seed)
                self.walker.bag.append(self.walker.bag)
    """)
    assert "list" in str(play.value("walker.bag"))


def test_the_parts_of_an_expression_are_explained(opened):
    assert opened().explain("walker.x + 1 > len(walker.bag)") == [
        ("walker.x", 0),
        ("len(walker.bag)", 3),
        ("walker.bag", [1, 2, 3]),
    ]


def test_the_same_values_are_printed_in_another_process(opened, game_run, answer_of):
    play = opened()
    asked = [expression for expression, _ in EXPRESSIONS]
    here = game_run(play, frames=1, print=asked).to_json()
    prints = [word for expression in asked for word in ("--print", expression)]
    there = answer_of("run", play.stage.path, "--frames", 1, *prints, hash_seed=3)
    assert there["frames"] == here["frames"]
    assert there["state_hash"] == here["state_hash"]


PYGAMES = """
    import pygame
    from honest import Honest

    class Box(pygame.Rect):
        pass

    class Stub(Honest):
        def reset(self, scene, seed):
            super().reset(scene, seed)
            self.walker.rect, self.walker.box = pygame.Rect(1, 2, 3, 4), Box(5, 6, 7, 8)
            self.walker.colour, self.walker.way = pygame.Color(9, 8, 7), pygame.Vector3(1, 2, 3)
            self.walker.spot, self.walker.spots = pygame.Vector2(3, 4), [pygame.Vector2(5, 6)]
"""
ROWS = [
    ("walker.rect", [1, 2, 3, 4], (4, 3, 2, 1)),
    ("walker.box", [5, 6, 7, 8], [8, 7, 6, 5]),
    ("walker.colour", [9, 8, 7, 255], (1, 2, 3, 4)),
    ("walker.way", [1, 2, 3], (3, 2, 1)),
    ("walker.spot", (3, 4), (4, 3)),
    ("walker.spots[0]", (5, 6), (6, 5)),
]


@pytest.mark.parametrize(("target", "value", "other"), ROWS)
def test_pygames_rows_of_numbers_are_plain_and_stay_what_they_are_when_set(
    opened, target, value, other
):
    play = opened(PYGAMES)
    kind = play.value(f"type({target}).__name__")
    assert play.value(target) == value
    play.edit(target, other)
    assert list(play.value(target)) == list(other)
    assert play.value(f"type({target}).__name__") == kind


def test_a_rectangle_of_pygames_can_be_set(opened):
    import pygame

    play = opened(PYGAMES)
    play.edit("walker.rect", pygame.Rect(9, 9, 2, 2))
    play.edit("walker.spot", pygame.Vector2(7, 7))
    assert play.value("(walker.rect.right, walker.spot.x)") == [11, 7]


def test_a_value_that_no_colour_can_have_is_refused(opened):
    from harness.errors import ArgumentError

    with pytest.raises(ArgumentError, match=r"walker.colour: cannot be set to \(1, 2, 3, 400\)"):
        opened(PYGAMES).edit("walker.colour", (1, 2, 3, 400))
