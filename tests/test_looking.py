"""Steps of a YAML scenario that look, on the gallery and on the reference game."""

import shutil
from pathlib import Path

import pytest

from harness.errors import ConfigError, GoldenError
from harness.golden.png import read_png
from harness.golden.unused import unused
from harness.playtest.play import Playtest
from harness.scenario import ScenarioFailed, play_scenario, read_scenarios

ROOT = Path(__file__).parents[1]
GALLERY = ROOT / "tests" / "gallery"


@pytest.fixture
def looks(tmp_path):
    """Play these steps in a game."""

    def play(*steps, game=ROOT / "game"):
        path = tmp_path / "a.scenario.yaml"
        lines = "".join(f"  - {step}\n" for step in steps)
        path.write_text(f"scenario: it\nseed: 3\nsteps:\n{lines}", encoding="utf-8")
        (scenario,) = read_scenarios(path)
        play_scenario(Playtest(game, base=tmp_path), scenario)

    return play


@pytest.mark.parametrize(
    "step",
    [
        "inspect: {entity: player, expect: {grounded: true, body: dynamic, touching: [ledge]}}",
        "inspect: {entity: player, expect: [position.y > 100, name == 'player', not hidden]}",
        "inspect: {entity: coin, all: true, expect: 'len(properties) > 2'}",
        "raycast: {start: player, end: crate, expect: {entity: crate, names: [crate]}}",
        "raycast: {start: [60, 208], end: '400,208', ignore: [player], expect: [distance > 9]}",
        "raycast: {start: [0, -500], end: [9, -500], expect: {entity: null, names: []}}",
        "overlap: {at: crate, radius: 20, expect: {names: [crate, ledge]}}",
        "overlap: {box: [50, 300, 9, 9], expect: {names: [ledge]}}",
        "at: {point: [110, 300], expect: {names: [ledge]}}",
        "contacts: {entity: crate, expect: {names: [ledge]}}",
        "contacts: {expect: [\"['player', 'ledge'] in pairs or ['ledge', 'player'] in pairs\"]}",
        "screenshot: {expect: {size: [640, 360], blank: false}}",
        "screenshot: {width: 64, camera: overview, expect: [\"'door' in in_view\"]}",
    ],
)
def test_what_is_seen_can_be_expected(looks, step):
    looks("step: 60", step)


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("inspect: {entity: player, expect: {grounded: false}}", "expected grounded to be False"),
        ("raycast: {start: player, end: crate, expect: [distance < 9]}", "expected distance < 9"),
        ("overlap: {at: crate, radius: 20, expect: {names: [crate]}}", "it is ['crate', 'ledge']"),
        ("screenshot: {expect: blank}", "expected blank at frame 60, and it is False"),
    ],
)
def test_what_is_not_so_names_the_line_and_what_there_is(looks, step, message):
    with pytest.raises(ScenarioFailed) as failed:
        looks("step: 60", step)
    assert str(failed.value).startswith("a.scenario.yaml:5: expected")
    assert message in str(failed.value)


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("inspect: player", "inspect: expect: is required: what inspect must find"),
        ("screenshot", "screenshot: expect: is required: what screenshot must find"),
        ("raycast: {start: player, expect: distance}", "raycast: end: is required"),
        ("overlap: {att: crate, expect: names}", "no argument named 'att'; overlap has: at"),
        ("at: {point: [1, 2], expect: {names: [], 3: 4}}", "takes values, as in"),
        ("at: {point: [1, 2], expect: 'x ='}", "cannot read 'x ='"),
    ],
)
def test_what_a_step_cannot_mean_is_refused_before_anything_is_played(looks, step, message):
    with pytest.raises(ConfigError) as refused:
        looks("step: 60", step)
    assert ", line 5: " in str(refused.value)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("inspect: {entity: plyer, expect: grounded}", "no entity named 'plyer'"),
        ("inspect: {entity: player, expect: grounde}", "no name 'grounde'; inspect has: grounded"),
        ("raycast: {start: player, end: 7, expect: distance}", "to: must be a point"),
        ("raycast: {start: [0, 0], end: [1, 0], expect: [entity.name]}", "cannot evaluate"),
    ],
)
def test_what_there_is_not_is_told_with_what_there_is(looks, step, message):
    with pytest.raises(ConfigError) as refused:
        looks("step: 60", step)
    assert str(refused.value).startswith("a.scenario.yaml:5: ")
    assert message in str(refused.value)


def test_a_screenshot_is_compared_with_the_golden_beside_the_file(looks, tmp_path):
    pytest.importorskip("PIL")
    with pytest.raises(GoldenError, match=r"no golden at .*hall\.png"):
        looks("screenshot: hall", game=GALLERY)
    play = Playtest(GALLERY, seed=3)
    play.reset()
    (tmp_path / "goldens").mkdir()
    play.screenshot().write(tmp_path / "goldens" / "hall.png")
    looks("screenshot: hall", "screenshot: {golden: hall}", game=GALLERY)
    with pytest.raises(GoldenError, match=r"a\.scenario\.yaml:5: picture differs"):
        looks("step: 9", "screenshot: hall", game=GALLERY)
    looks("step: 9", "screenshot: {golden: hall, mask: [clock]}", game=GALLERY)
    assert unused(tmp_path) == []
    play.screenshot().write(tmp_path / "goldens" / "other.png")
    assert [path.name for path in unused(tmp_path)] == ["other.png"]


def test_a_golden_of_yaml_is_approved_and_kept_by_pytest(pytester):
    pytest.importorskip("PIL")
    shutil.copytree(GALLERY, pytester.path / "game")
    file = pytester.path / "hall.scenario.yaml"
    text = "scenario: it\nsteps:\n  - step: 5\n  - screenshot: {golden: hall, width: 80}\n"
    file.write_text(text, encoding="utf-8")
    quiet = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest")
    result = pytester.runpytest_inprocess(*quiet)
    result.assert_outcomes(failed=1)
    assert "see game-results/hall.scenario.yaml-it" in result.stdout.str()
    pytester.runpytest_inprocess(*quiet, "--golden-update").assert_outcomes(passed=1)
    assert read_png(pytester.path / "goldens" / "hall.png").size == (80, 45)
    pytester.runpytest_inprocess(*quiet).assert_outcomes(passed=1)
