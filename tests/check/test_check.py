"""game_check finds what is planted, with its file and line, and nothing in a game that is well."""

import contextlib
import shutil
import textwrap
from pathlib import Path

import pytest

from harness.check.check import check
from harness.playtest.play import Playtest

ROOT = Path(__file__).parents[2]
LEVEL = """\
objects:
  - {id: 1, name: Level, kind: group}
  - {id: 2, name: Door, kind: door, parent: Level, size: [12, 60]}
"""


def opened(folder):
    return lambda: contextlib.nullcontext(Playtest(folder))


@pytest.fixture
def game(stub):
    """A stub game of one scene with a file, and a way to plant files beside it."""
    folder = stub(scenes="first")
    config = (folder / "harness.yaml").read_text(encoding="utf-8")
    config = config.replace("scenes: [first]", "scenes: {first: levels/first.yaml}")
    (folder / "harness.yaml").write_text(config, encoding="utf-8")

    def plant(name, content):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = content if isinstance(content, bytes) else textwrap.dedent(content).encode()
        path.write_bytes(data)

    plant("levels/first.yaml", LEVEL)
    plant.folder = folder
    return plant


def found(game, determinism=False, play=True):
    folder = game.folder
    answer = check(folder, opened(folder) if play else None, determinism)
    assert answer.passed is not bool(answer.problems)
    return [(problem.file, problem.line, problem.what) for problem in answer.problems]


def test_a_game_that_is_well_has_no_problems(game):
    assert found(game) == []
    answer = check(game.folder, opened(game.folder))
    assert answer.text() == "no problems in 2 scripts, 0 assets, 1 scene"
    assert answer.to_json()["status"] == "passed"


def test_the_reference_game_is_well():
    assert check(ROOT / "game", opened(ROOT / "game")).problems == ()


def test_one_fault_of_each_kind_is_found_in_one_list(game):
    game("adapter.py", "from honest import Honest as Stub\nimport nowhere_at_all\n")
    game("enemies.py", "def spawn(:\n    pass\n")
    game("pictures.py", 'import pygame\nPLAYER = pygame.image.load("img/plaier.png")\n')
    game("levels/first.yaml", LEVEL.replace("parent: Level", "parent: Levle"))
    game("img/broken.png", b"no picture")
    game("data.json", '{\n"a": 1,,\n}')
    game(
        "scenarios/a.scenario.yaml",
        "scenario: a\nsteps:\n  - hold: {buttons: [rihgt], frames: 3}\n",
    )
    game("scenarios/b.movie", "playtest movie 99\n")
    game("scenarios/test_a.py", "def test_a(\n")

    assert [(file, line) for file, line, _ in found(game)] == [
        ("adapter.py", 2), ("data.json", 2), ("enemies.py", 1), ("img/broken.png", 0),
        ("levels/first.yaml", 3), ("pictures.py", 2), ("scenarios/a.scenario.yaml", 3),
        ("scenarios/b.movie", 0), ("scenarios/test_a.py", 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("import arcade\n", "imports arcade, a game library of its own, over pyglet"),
        ("import nowhere_at_all.part\n", "imports nowhere_at_all, which is not there"),
        ("from .nowhere import a\n", "imports .nowhere, and there is no such module"),
        ('print("a")\nload("img/boat.png")\n', "img/boat.png: no file of the game ends in"),
        ('load("IMG/hero.png")\n', "IMG/hero.png: the file is img/Hero.png: Linux tells"),
        ('name + "_gray.png"\n', "_gray.png: no file of the game ends in"),
        ("x = 1 +\n", "SyntaxError: invalid syntax"),
        ("x = '\x00'\n", ""),
        ("x = " + "(" * 400 + ")" * 400 + "\n", ""),
    ],
)
def test_what_is_wrong_in_a_script_is_found_without_running_it(game, source, what):
    game("img/Hero.png", (ROOT / "docs/pictures/crate-and-door.png").read_bytes())
    game("more.py", source)
    ((file, line, told),) = found(game, play=False)
    assert (file, told[: len(what)]) == ("more.py", what)
    assert line == source.count("\n") or not what


@pytest.mark.parametrize(
    "source",
    [
        "try:\n    import nowhere_at_all\nexcept ImportError:\n    pass\n",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import nowhere_at_all\n",
        'import pygame\npygame.image.save(s, "shot.png")\n',
        'open("save.png", "wb")\n',
        'f"img/{name}.png"\n',
        'name + "ro.png"\n',
        '"""Draws a.png."""\n',
        "from honest import Honest\nimport harness, json.decoder, pymunk\n",
        'NAME = "hero.png"\n',
        "x = " + "+".join(["1"] * 700) + "\n",
    ],
)
def test_what_may_well_be_right_is_no_problem(game, source):
    game("img/hero.png", (ROOT / "docs/pictures/crate-and-door.png").read_bytes())
    game("more.py", source)
    assert found(game, play=False) == []


def test_the_games_tests_are_never_run(game):
    marker = game.folder / "ran"
    for name in ("test_a.py", "conftest.py", "scenarios/test_b.py", "tests/test_c.py"):
        game(name, f"import pathlib\npathlib.Path({str(marker)!r}).touch()\n")
    assert found(game) == []
    assert not marker.exists()


def test_an_exception_at_frame_0_is_told_with_its_place(game):
    source = """\
        from honest import Honest

        class Stub(Honest):
            def reset(self, scene, seed):
                raise KeyError("hero")
        """
    game("adapter.py", source)
    assert found(game) == [("adapter.py", 5, "KeyError: 'hero' (scene first, frame 0)")]
    assert found(game, play=False) == []


@pytest.mark.parametrize("broken", ["scenarios/test_a.py", "attic.py", "adapter.py"])
def test_frame_0_is_looked_at_whatever_script_does_not_parse(game, broken):
    if broken != "adapter.py":
        game("adapter.py", "class Stub:\n    def __init__(self):\n        raise ValueError('no')\n")
    game(broken, "def f(:\n")
    told = [(file, line) for file, line, _ in found(game)]
    assert told == [(broken, 1)] if broken == "adapter.py" else (broken, 1) in told
    assert len(told) == 1 + (broken != "adapter.py")


def test_a_harness_yaml_that_does_not_fit_keeps_nothing_else_from_being_told(game):
    game(
        "harness.yaml", "entry: adapter:Stub\nsize: 3\nscenes: {a: levels/first.yaml, b: no.yaml}\n"
    )
    game("levels/first.yaml", LEVEL.replace("parent: Level", "parent: Levle"))
    game(
        "scenarios/a.scenario.yaml",
        "scenario: a\nscene: c\nsteps:\n  - hodl: left\n  - tap: lfet\n",
    )

    assert [(file, line) for file, line, _ in found(game)] == [
        ("harness.yaml", 2), ("harness.yaml", 3), ("levels/first.yaml", 3),
        ("scenarios/a.scenario.yaml", 4), ("scenarios/a.scenario.yaml", 5),
    ]  # fmt: skip
    answer = check(game.folder, opened(game.folder))
    assert answer.notes == ("frame 0 is looked at when what is told of harness.yaml is mended",)


def test_buttons_that_do_not_fit_make_no_button_of_a_scenario_wrong(game):
    game("harness.yaml", "entry: adapter:Stub\nbuttons: {fly: nokey}\nscenes: 5\n")
    game("scenarios/a.scenario.yaml", "scenario: a\nscene: c\nsteps:\n  - tap: fly\n  - step: no\n")
    assert [(file, line) for file, line, _ in found(game)] == [
        ("harness.yaml", 2), ("harness.yaml", 3), ("scenarios/a.scenario.yaml", 5)
    ]  # fmt: skip


def test_of_a_harness_yaml_that_is_no_yaml_the_rest_is_told_and_what_waits(game):
    game("harness.yaml", "entry: adapter:Stub\n\tsize: 3\n")
    game("scenarios/a.scenario.yaml", "scenario: a\nsteps:\n  - hodl: left\n")
    assert found(game) == [
        ("harness.yaml", 2, "a tab stands where YAML wants blanks"),
        ("scenarios/a.scenario.yaml", 3, found(game)[1][2]),
    ]
    (note,) = check(game.folder, opened(game.folder)).notes
    assert note == (
        "scene files, what scenarios name, and frame 0 are looked at when harness.yaml can be read"
    )


READS = """\
    import pathlib, yaml
    from honest import Honest

    class Stub(Honest):
        def reset(self, scene, seed):
            super().reset(scene, seed)
            text = pathlib.Path(__file__).with_name("levels").joinpath(f"{scene}.yaml").read_text()
            names = [one["name"] for one in yaml.safe_load(text)["objects"]]
            {fails}
    """


def test_a_scene_that_fails_for_what_its_file_holds_is_told_once(game):
    game("adapter.py", READS.replace("{fails}", "assert 'Nobody' in names, 'no Nobody'"))
    game("levels/first.yaml", LEVEL.replace("parent: Level", "parent: Nobody"))
    assert [(file, line) for file, line, _ in found(game)] == [("levels/first.yaml", 3)]
    answer = check(game.folder, opened(game.folder))
    assert answer.notes == (
        "scene first does not start, as levels/first.yaml is: AssertionError: no Nobody",
    )


def test_what_every_scene_meets_is_a_problem_whatever_their_files_hold(game):
    config = (game.folder / "harness.yaml").read_text(encoding="utf-8")
    game("harness.yaml", config.replace("{first:", "{other: levels/other.yaml, first:"))
    game("levels/other.yaml", LEVEL)
    game("levels/first.yaml", LEVEL.replace("parent: Level", "parent: Nobody"))
    game("adapter.py", READS.replace("{fails}", "names / 0"))
    assert [(file, line) for file, line, _ in found(game)] == [
        ("adapter.py", 9), ("levels/first.yaml", 3)
    ]  # fmt: skip


def test_every_step_of_a_scenario_that_does_not_fit_is_told(game):
    game(
        "scenarios/a.scenario.yaml",
        """\
        scenario: one
        steps:
          - hodl: left
          - step: lots
          - step: -1
          - until: {value: x = 3, within: 9}
          - load: nowhere
          - save: here
          - load: here
        ---
        scenaro: two
        steps: [step]
        ---
        scenario: three
        steps:
          - expect: {}
        """,
    )
    assert [line for _, line, _ in found(game)] == [3, 4, 5, 6, 7, 11, 16]


def test_an_adapter_whose_methods_cannot_be_called_is_told_of_all_of_them(game):
    game("adapter.py", "class Stub:\n    def reset(self, level): ...\n    def step(self): ...\n"
         "    def state(self): ...\n    def entities(self): ...\n")  # fmt: skip
    ((file, line, what),) = found(game)
    assert (file, line) == ("adapter.py", 2)
    assert what == "reset must take scene, seed, not (level); step must take inputs, not ()"


def test_each_problem_says_what_to_do_and_shows_code_apart_from_that(game):
    game("adapter.py", "from honest import Honest as Stub\nimport nowhere\n")
    game("more.py", "x = (\n")
    game("levels/first.yaml", LEVEL + "  - {id: 2, name: Door, image: no.png, parent: 7}\n")
    game("data.json", "{")
    game("snd/a.wav", b"RIFF")
    game("scenarios/a.scenario.yaml", "scenario: a\nsteps: [hodl]\n")
    game("scenarios/a.movie", "playtest movie 99\n")
    answer = check(game.folder, opened(game.folder))
    assert len(answer.problems) == 9
    assert answer.notes == ()
    for problem in answer.problems:
        assert problem.fix[0].islower()
        assert "|" not in problem.fix
        assert "Traceback" not in problem.text()
    (syntax,) = (one for one in answer.problems if one.file == "more.py")
    assert syntax.source == ("x = (",)
    assert "    | x = (\n    mend the line" in syntax.text()


def test_what_a_merge_key_brings_is_not_guessed(game):
    config = (game.folder / "harness.yaml").read_text(encoding="utf-8")
    game("harness.yaml", config + "kinds: {group: , door: {size: point}}\n")
    game("levels/first.yaml", "objects:\n  - &a {name: A, kind: group}\n  - {<<: *a, name: B}\n")
    assert found(game) == []


def test_a_state_of_another_type_is_told_in_the_games_own_file(game):
    source = """\
        from honest import Honest

        class Stub(Honest):
            def state(self):
                return {}
        """
    game("adapter.py", source)
    assert found(game) == [("adapter.py", 4, "state() must give a tuple, not dict")]


def test_an_exception_in_drawing_is_told_with_its_place(game):
    source = """\
        from honest import Honest

        class Stub(Honest):
            def draw(self, surface, camera=None):
                surface.fill("no colour")
        """
    game("adapter.py", source)
    ((file, line, what),) = found(game)
    assert (file, line) == ("adapter.py", 5)
    assert what.startswith("ValueError: ")


def test_an_adapter_that_is_no_game_is_told_once(game):
    game("adapter.py", "class Stub:\n    pass\n")
    ((file, _, what),) = found(game)
    assert file == "harness.yaml"
    assert "is no game: it has no reset, no step" in what


def test_every_key_of_harness_yaml_that_does_not_fit_is_told(game):
    game(
        "harness.yaml",
        "id: a\nentry: nonsense\nsize: 3\ntick_rate: -1\nbutons: {}\nscenes: {a: b.yaml}\n",
    )
    assert [(file, line) for file, line, _ in found(game)] == [
        ("harness.yaml", n) for n in (2, 3, 4, 5, 6)
    ]


@pytest.mark.parametrize(
    ("level", "line", "what"),
    [
        ("objects:\n- {id: 1, name: A}\n- {id: 1, name: B}\n", 3,
         "#1 B: 2 objects have the id 1"),
        ("objects:\n- {name: A}\n- {name: A}\n", 3, "A: 2 objects have the path 'A'"),
        ("objects:\n- {name: A}\n- name: B\n  parent: B\n", 4, "B: parent: 'B' is itself"),
        ("objects:\n- name: A\n  image: img/no.png\n", 3, "A: image: no file of the game"),
        ("objects: [\n", 2, "did not find expected node content"),
        ("title: A\n", 0, "is no scene file"),
        ('objects:\n- {name: A, image: "' + "x" * 5000 + '.png"}\n', 2, "no file of the game"),
        ('objects:\n- {name: A, image: "a\\0.png"}\n', 2, "no file of the game"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_scene_file_is_found(game, level, line, what):
    game("levels/first.yaml", level)
    ((file, found_line, told),) = found(game)
    assert (file, found_line) == ("levels/first.yaml", line), told
    assert what in told or "expected the node content" in told


def test_scenes_are_held_against_what_harness_yaml_declares(game):
    config = (game.folder / "harness.yaml").read_text(encoding="utf-8")
    game("harness.yaml", config + "kinds: {group: , door: {size: point, opened_by: [name]}}\n")
    assert found(game) == []
    game(
        "levels/first.yaml",
        LEVEL + "  - {id: 3, name: Gate, kind: door, size: 3}\n"
        "  - {id: 4, name: Hole, kind: door, opened_by: [Dor]}\n"
        "  - {id: 5, name: Trap, kind: dore}\n  - {id: 6, name: Lid, kind: door, sise: [1, 2]}\n",
    )
    assert [line for _, line, _ in found(game)] == [4, 5, 6, 7]


def test_a_game_that_reads_a_clock_is_found_out_by_frame_and_value(game):
    source = """\
        import time
        from honest import Honest

        class Stub(Honest):
            def step(self, inputs):
                super().step(inputs)
                if self.walker.steps == 9:
                    self.walker.stamp = int(time.time() * 1000)
        """
    game("adapter.py", source)
    ((file, _, what),) = found(game, determinism=True)
    assert file == "scene first"
    assert what.startswith("two runs differ first at frame 9 of 240: walker.stamp is ")
    answer = check(game.folder, opened(game.folder), determinism=True)
    assert answer.problems[0].fix == "look first at adapter.py:8 time.time()"


def test_a_deterministic_game_passes_with_determinism(game):
    assert found(game, determinism=True) == []


def test_a_copy_of_the_reference_game_with_a_planted_fault_is_not_well(tmp_path):
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "game", tmp_path / "game", ignore=ignore)
    level = tmp_path / "game/levels/ledge.yaml"
    text = level.read_text(encoding="utf-8")
    level.write_text(text.replace("opened_by: [Plate]", "opened_by: [Crate]"), encoding="utf-8")
    ((file, line, what),) = (
        (p.file, p.line, p.what)
        for p in check(tmp_path / "game", opened(tmp_path / "game")).problems
    )
    assert (file, line > 0) == ("level.py", True)
    assert "opened_by names no plate: 'Crate'" in what
