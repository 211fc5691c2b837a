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
