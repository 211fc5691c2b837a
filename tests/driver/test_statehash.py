"""What the state hash sees: every body each frame, everything that entities hold at marks."""

import sys

import pymunk
import pytest

from harness.driver.statehash import body_reader, walked_bodies
from harness.errors import GameError

HEAD = """
    import enum, random
    from collections import OrderedDict, defaultdict, deque
    from honest import Honest
    import pygame

    class Mood(enum.Enum):
        CALM, CROSS = 1, 2

    class Slotted:
        __slots__ = ("open", "__hidden", "_half")
        def __init__(self):
            self.open, self.__hidden, self._half = 1, 2, 3
        def change(self):
            self.__hidden += 1

    class Box(pygame.Rect):
        pass

    class Cell:
        def __init__(self, n):
            self.n = n

    class Stub(Honest):
        def reset(self, scene, seed):
            super().reset(scene, seed)
            w = self.walker
            w.queue, w.visited, w.mood = deque([1, 2]), {(1, 2), (3, 4)}, Mood.CALM
            w.slotted, w.box, w.rect = Slotted(), Box(1, 2, 3, 4), pygame.Rect(1, 2, 3, 4)
            w.cells = {"a": Cell(1)}
            w.grid = [[0] * 3 for _ in range(3)]
            w.counts, w.dice = defaultdict(int, a=1), random.Random(3)
            w.v2, w.v3 = pygame.Vector2(1, 2), pygame.Vector3(1, 2, 3)
            w.pair = (Cell(1), Cell(2))
            w.words = frozenset(["a", "b"])
            w.data = b"ab"
"""


@pytest.mark.parametrize(
    "change",
    [
        "w.queue.append(3)", "w.visited.add((5, 6))", "w.mood = Mood.CROSS", "w.slotted.change()",
        "w.slotted._half = 0", "w.box.x += 1", "w.rect.y += 1", "w.cells['a'].n = 2",
        "w.grid[1][2] = 5", "w.counts['b'] += 1", "w.dice.random()", "w.v2.x = 9", "w.v3.z = 9",
        "w.pair[1].n = 9", "w.words = frozenset(['a', 'c'])", "w.data = b'ac'", "w.new = None",
        "del w.data", "w.luck = -w.luck", "self.rng.random()", "random.random()",
        "self.ball.body.force = (1, 2)", "self.ball.body.mass = 2", "self.things.pop()",
    ],
)  # fmt: skip
def test_any_change_of_what_an_entity_holds_changes_the_hash(opened, game_run, change):
    import os

    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    plain = game_run(opened(HEAD, name="plain"), frames=5)
    step = f"""
        def step(self, inputs):
            super().step(inputs)
            w = self.walker
            if w.steps == 5: {change}
"""
    changed = game_run(opened(HEAD + step, name="plain"), frames=5)
    assert changed.status == plain.status == "passed"
    assert changed.state_hash != plain.state_hash


def test_the_order_and_the_addresses_of_objects_are_no_part_of_it(opened, game_run):
    play = opened(HEAD)
    hashes = set()
    for _ in range(4):
        hashes.add(game_run(play, frames=3).state_hash)
        ballast = [object() for _ in range(1000)]
    assert len(hashes) == 1
    assert ballast


def test_numpy_values_are_seen_and_printed(opened, game_run):
    pytest.importorskip("numpy")
    source = """
        import numpy
        from honest import Honest
        class Stub(Honest):
            def reset(self, scene, seed):
                super().reset(scene, seed)
                self.walker.grid = numpy.zeros((3, 3))
                self.walker.world = numpy.zeros((300, 300), dtype=numpy.uint8)
                self.walker.hp = numpy.int64(3)
            def step(self, inputs):
                super().step(inputs)
                if "right" in inputs.held: self.walker.grid[1, 1] = 5
                if "left" in inputs.held: self.walker.world[250, 250] = 5
                if "jump" in inputs.held: self.walker.hp += 1
    """
    play = opened(source)
    runs = [game_run(play, frames=3, input=text) for text in ("", "right@2", "left@2", "jump@2")]
    assert len({run.state_hash for run in runs}) == 4
    printed = game_run(play, frames=3, input="jump@2", print=["walker.hp", "walker.grid[1]"])
    assert printed.frames[3] == {"walker.hp": 4, "walker.grid[1]": [0, 0, 0]}


def test_the_batch_and_the_attributes_read_the_same_bodies():
    space = pymunk.Space()
    space.gravity = 0, 100
    assert body_reader(None)() == b""
    read = body_reader(space)
    assert read() == walked_bodies(space)
    for n in range(30):
        body = pymunk.Body(1 + n, 10, pymunk.Body.KINEMATIC if n % 7 == 0 else pymunk.Body.DYNAMIC)
        body.position, body.angle, body.angular_velocity = (n * 3, -n), n / 7, n
        space.add(body, pymunk.Circle(body, 4))
        if n % 7 == 0:
            body.velocity = n, 0
    for _ in range(50):
        space.step(1 / 60)
        assert sorted(_rows(read())) == sorted(_rows(walked_bodies(space)))


def _rows(data):
    return [data[start : start + 48] for start in range(0, len(data), 48)]


@pytest.mark.parametrize(
    "state",
    [
        "(1, 2.5, 'a', True, None)", "(Mood.CALM,)", "((1, 2), [3])", "(self.walker.position,)",
        "(10**40, -0.0, float('inf'), 'h\\u00e9', '\\ud800')", "()",
    ],
)  # fmt: skip
def test_a_state_of_plain_values_is_hashed_the_same_every_time(opened, game_run, state):
    play = opened(HEAD + f"\n        def state(self):\n            return {state}\n")
    run = game_run(play, frames=3)
    assert run.status == "passed", run.error
    assert game_run(play, frames=3).state_hash == run.state_hash


def test_looking_at_the_static_body_is_no_change(opened, game_run):
    play = opened("""
        import pymunk
        from honest import Honest
        class Stub(Honest):
            def reset(self, scene, seed):
                super().reset(scene, seed)
                self.space = pymunk.Space()
            def names(self):
                return {"world": self}
    """)
    assert game_run(play, frames=3, print="world.space.static_body.position").notes == ()


def test_without_pymunks_batch_bodies_are_walked(monkeypatch):
    monkeypatch.delattr(pymunk, "batch", raising=False)
    monkeypatch.setitem(sys.modules, "pymunk.batch", None)
    space = pymunk.Space()
    space.add(pymunk.Body(1, 1))
    assert body_reader(space)() == walked_bodies(space)


@pytest.mark.parametrize("state", ["(Level.TWO, 1)", "(Word('a'),)"])
def test_scalars_of_the_games_own_classes_are_hashed_as_what_they_are(opened, game_run, state):
    source = """
        import enum
        from honest import Honest
        class Level(enum.IntEnum):
            ONE, TWO = 1, 2
        class Word(str):
            pass
        class Stub(Honest):
            def reset(self, scene, seed):
                super().reset(scene, seed)
                self.walker.word, self.walker.level = Word("b"), Level.ONE
    """
    play = opened(source + f"    def state(self):\n                return {state}\n")
    run = game_run(play, frames=3, print=["walker.word", "walker.level"])
    assert run.status == "passed", run.error
    assert run.frames[3] == {"walker.word": "b", "walker.level": "ONE"}


BREAKS = (
    HEAD
    + """
        def step(self, inputs):
            super().step(inputs)
            w = self.walker
            if w.steps == 5:
                ACT
        def state(self):
            return (*super().state(), (0, self.walker.luck), -8)
"""
)


@pytest.mark.parametrize(
    ("act", "frame", "told"),
    [
        ("w.luck = float('nan')", 5, "state()[4][1] is nan"),
        ("w.luck = float('inf') - float('inf')", 5, "state()[4][1] is nan"),
        ("w.x = float('inf')", 9, "walker.x is inf"),
        ("w.v2.x = float('nan'); w.pos = w.v2", 9, "walker.pos is (nan, 2.0)"),
        ("w.velocity = [0, float('-inf')]", 9, "walker.velocity[1] is -inf"),
    ],
)
def test_a_place_that_is_no_number_is_the_games_error(opened, game_run, act, frame, told):
    play = opened(BREAKS.replace("ACT", act))
    run = game_run(play, frames=9)
    assert (run.status, run.error.type, run.error.frame) == ("error", "NotFinite", frame)
    assert run.error.message == told
    play.reset()
    with pytest.raises(GameError, match="NotFinite"):
        play.step(9)


@pytest.mark.parametrize("act", ["w.best = float('inf')", "w.slotted.open = float('nan')"])
def test_what_is_no_number_may_be_meant_elsewhere(opened, game_run, act):
    assert game_run(opened(BREAKS.replace("ACT", act)), frames=9).status == "passed"


def test_an_object_that_tells_no_class_of_itself_is_told_by_its_type(opened, game_run):
    play = opened("""
        from honest import Honest
        class Shy:  # as pygame.display.Info() is
            def __getattribute__(self, name):
                raise AttributeError("does not exist")
        class Stub(Honest):
            def reset(self, scene, seed):
                super().reset(scene, seed)
                self.walker.shy = Shy()
    """)
    run = game_run(play, frames=3, print="walker.shy")
    assert (run.status, run.frames[3]) == ("passed", {"walker.shy": "Shy"})
    play.save("here")
    play.load("here")
