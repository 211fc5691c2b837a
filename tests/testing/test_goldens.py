"""Goldens in a project of a user: missing, differing, updated, unused, approved from CI."""

import json
import re
import shutil
from pathlib import Path

import pytest

pytest.importorskip("pygame")
pytest.importorskip("PIL")

GALLERY = Path(__file__).parents[1] / "gallery"

TEST = """
def test_hall(play, game_golden):
    play.step(3)
    assert play.screenshot() == game_golden("hall")
"""


@pytest.fixture
def gallery(project):
    """A project whose game is the gallery, with one test of its hall."""
    shutil.rmtree(project.path / "game")
    shutil.copytree(GALLERY, project.path / "game", ignore=shutil.ignore_patterns("__pycache__"))
    (project.path / "test_hall.py").write_text(TEST, encoding="utf-8")
    return project


def files(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.png"))


def repaint(project, old="(90, 140, 90)", new="(90, 140, 93)"):
    file = project.path / "game" / "gallery.py"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_a_missing_golden_fails_and_keeps_the_picture(gallery):
    out = gallery.output()

    assert "no golden at goldens/hall.png" in out
    assert "run with --golden-update to approve this picture" in out
    assert "see game-results/test_hall-test_hall/actual.png" in out
    assert files(gallery.path / "game-results") == ["test_hall-test_hall/actual.png"]
    assert not (gallery.path / "goldens").exists()


def test_an_update_approves_and_then_the_test_passes(gallery):
    gallery.passes("--golden-update", passed=1)
    assert files(gallery.path) == ["goldens/hall.png"]
    told = json.loads((gallery.path / "goldens" / "hall.json").read_text(encoding="utf-8"))
    assert set(told) == {"size", "pixels", "file", "drawn_with", "masks"}
    gallery.passes(passed=1)
    assert not (gallery.path / "game-results").exists()


def test_a_difference_is_told_and_shown_and_forgotten_once_it_is_gone(gallery):
    gallery.passes("--golden-update", passed=1)
    repaint(gallery)
    out = gallery.output()

    assert re.search(r"picture differs from golden 'goldens/hall.png': \d+ of 14400 pixels", out)
    assert "approved and drawn under pygame" in out
    assert "see game-results/test_hall-test_hall/sheet.png" in out
    results = gallery.path / "game-results" / "test_hall-test_hall"
    assert {path.name for path in results.iterdir()} == {
        "expected.png", "actual.png", "diff.png", "sheet.png", "golden.json", "run.movie",
    }  # fmt: skip
    repaint(gallery, "(90, 140, 93)", "(90, 140, 90)")
    gallery.passes(passed=1)
    assert not (gallery.path / "game-results").exists()


def test_several_differences_of_a_test_are_all_kept(gallery):
    (gallery.path / "test_hall.py").write_text(
        "def test_hall(play, game_golden):\n"
        "    same = [play.screenshot() == game_golden(name) for name in ('a', 'b')]\n"
        "    assert all(same)\n",
        encoding="utf-8",
    )
    gallery.passes("--golden-update", passed=1)
    repaint(gallery)
    gallery.output()
    results = gallery.path / "game-results" / "test_hall-test_hall"
    assert (results / "sheet.png").is_file()
    assert (results / "b-1" / "sheet.png").is_file()
    gallery.passes("--golden-update", passed=1)
    assert not (gallery.path / "game-results").exists()


def test_a_golden_that_is_not_equal_can_be_asked_for(gallery):
    (gallery.path / "test_hall.py").write_text(
        TEST
        + "    play.reset(scene='empty')\n    assert play.screenshot() != game_golden('hall')\n",
        encoding="utf-8",
    )
    gallery.output("--golden-update")
    (gallery.path / "test_b.py").write_text(
        "def test_b(play, game_golden):\n    assert play.screenshot() != game_golden('nothing')\n",
        encoding="utf-8",
    )
    assert "no golden at goldens/nothing.png" in gallery.output("test_b.py")


def test_two_pictures_are_told_apart_in_words(gallery):
    (gallery.path / "test_hall.py").write_text(
        "def test_hall(play):\n"
        "    one = play.screenshot()\n"
        "    play.hold('right')\n"
        "    assert one == play.screenshot()\n",
        encoding="utf-8",
    )
    assert re.search(r"<picture 160x90 \w+> and .*: 0\.\d+% of the pixels differ", gallery.output())


def test_unused_goldens_are_told_and_stay(gallery):
    gallery.passes("--golden-update", passed=1)
    for end in (".png", ".json", "@other.png", "@other.json"):
        shutil.copy(
            gallery.path / "goldens" / f"hall.{end.rpartition('.')[2]}",
            gallery.path / "goldens" / f"old{end}",
        )
    theirs = gallery.path / "goldens" / "theirs.png"
    shutil.copy(gallery.path / "goldens" / "hall.png", theirs)
    out = gallery.output()

    assert "unused goldens" in out
    assert "goldens/old.png" in out
    assert "goldens/old@other.png" in out
    assert "theirs.png" not in out
    assert (gallery.path / "goldens" / "old.png").is_file()
    for part in (("-k", "hall"), ("test_hall.py::test_hall",)):
        assert "unused goldens" not in gallery.output(*part)


def test_a_run_in_which_a_test_fails_knows_nothing_of_unused_goldens(gallery):
    gallery.passes("--golden-update", passed=1)
    shutil.copy(gallery.path / "goldens" / "hall.png", gallery.path / "goldens" / "old.png")
    shutil.copy(gallery.path / "goldens" / "hall.json", gallery.path / "goldens" / "old.json")
    (gallery.path / "test_b.py").write_text("def test_b():\n    assert 0\n", encoding="utf-8")

    assert "unused goldens" not in gallery.output()
    assert "unused goldens" not in gallery.output("test_hall.py")


def test_goldens_of_nobodys_tests_are_left_alone(gallery):
    (gallery.path / "goldens").mkdir()
    (gallery.path / "goldens" / "a.png").write_bytes(b"theirs")
    (gallery.path / "test_hall.py").write_text("def test_a():\n    pass\n", encoding="utf-8")
    assert "unused" not in gallery.output()


@pytest.mark.parametrize("update", [True, False])
def test_workers_of_xdist_share_goldens(gallery, update):
    pytest.importorskip("xdist")
    (gallery.path / "test_hall.py").write_text(
        "import pytest\n"
        "@pytest.mark.parametrize('n', range(6))\n"
        "def test_hall(play, game_golden, n):\n"
        "    play.step(n % 3 + 1)\n"
        "    assert play.screenshot() == game_golden(f'hall-{n % 3}')\n",
        encoding="utf-8",
    )
    words = ["--golden-update"] if update else []
    done = gallery.pytester.runpytest_subprocess("-n", "2", "-p", "no:cacheprovider", *words)
    if update:
        done.assert_outcomes(passed=6)
        assert files(gallery.path / "goldens") == [f"hall-{n}.png" for n in range(3)]
        assert "unused goldens" not in done.stdout.str()
        shutil.copy(gallery.path / "goldens/hall-0.png", gallery.path / "goldens/old.png")
        shutil.copy(gallery.path / "goldens/hall-0.json", gallery.path / "goldens/old.json")
        again = gallery.pytester.runpytest_subprocess("-n", "2", "-p", "no:cacheprovider")
        again.assert_outcomes(passed=6)
        assert "goldens/old.png" in again.stdout.str()
    else:
        done.assert_outcomes(failed=6)


def test_a_ci_run_is_approved_from_its_artefact(gallery, tmp_path):
    (gallery.path / "scenarios").mkdir()
    shutil.move(gallery.path / "test_hall.py", gallery.path / "scenarios" / "test_hall.py")
    gallery.passes("--golden-update", passed=1)
    repaint(gallery)
    gallery.output()
    artefact = tmp_path / "artefact"
    shutil.move(gallery.path / "game-results", artefact)
    done = gallery.shell(f"harness golden approve {artefact}")

    assert done.stdout == "approved scenarios/goldens/hall.png\n", done.stderr
    gallery.passes(passed=1)

    record = next(artefact.rglob("golden.json"))
    told = json.loads(record.read_text(encoding="utf-8"))
    told["drawn_with"]["machine"] = "riscv64"
    record.write_text(json.dumps(told), encoding="utf-8")
    done = gallery.shell(f"harness golden approve {artefact}")
    assert re.fullmatch(r"approved scenarios/goldens/hall@pygame.*riscv64\.png\n", done.stdout)

    told["folder"] = "../elsewhere"
    record.write_text(json.dumps(told), encoding="utf-8")
    assert "outside of" in gallery.shell(f"harness golden approve {artefact}").stderr
    record.write_text("{}", encoding="utf-8")
    assert (
        "is no record of a comparison" in gallery.shell(f"harness golden approve {artefact}").stderr
    )


def test_an_actual_picture_that_is_another_is_not_approved(gallery, tmp_path):
    gallery.output()
    actual = gallery.path / "game-results" / "test_hall-test_hall" / "actual.png"
    shutil.copy(Path(actual), tmp_path / "kept.png")
    from harness.golden.png import read_png
    from harness.values.picture import Picture

    size = read_png(actual).size
    Picture(size, bytes(size[0] * size[1] * 3)).write(actual)
    done = gallery.shell("harness golden approve game-results")
    assert done.returncode == 1
    assert "is not the picture that was kept" in done.stderr


def test_the_tool_fixtures_look(gallery):
    (gallery.path / "test_hall.py").write_text(
        "def test_query(game_query):\n"
        "    hits = game_query('raycast', from_=(0, 38), to='clock', frames=3, seed=1)\n"
        "    assert hits[0].entity.name == 'sprite' and hits[0].distance < 90\n"
        "    assert game_query('inspect', object='sprite').position == (28, 38)\n"
        "def test_shot(game_shot, game_golden):\n"
        "    assert game_shot(at=0.5, camera='near') == game_golden('near')\n"
        "def test_golden_of_a_shot(game_shot):\n"
        "    assert game_shot(at=0.5, camera='near', golden='near').matches\n"
        "    game_shot(at=0, golden='near')\n",
        encoding="utf-8",
    )
    gallery.run("--golden-update", "-k", "not of_a_shot").assert_outcomes(passed=2, deselected=1)
    result = gallery.run()
    result.assert_outcomes(passed=2, failed=1)
    out = result.stdout.str()
    assert "picture differs from golden 'goldens/near.png'" in out
    assert "see game-results/test_hall-test_golden_of_a_shot/sheet.png" in out
    assert "unused goldens" not in out
    assert "give one of the two another name" in gallery.output("--golden-update")
    (gallery.path / "test_hall.py").write_text(
        "def test_shot(game_shot):\n    assert game_shot(at=0, golden='near').matches\n",
        encoding="utf-8",
    )
    gallery.run("--golden-update").assert_outcomes(passed=1)
    gallery.run().assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("check", "words"),
    [
        ("play.screenshot() == game_golden('a/b')", "name: a golden's is a file's name without"),
        ("play.screenshot() == game_golden('hall', tolerance=2)", "tolerance: must be a share"),
        ("play.screenshot() == game_golden('hall', mask=['clok'])", "no entity to mask named"),
        ("play.screenshot().hash == game_golden('hall')", "compared with pictures, not with a str"),
        ("not play.screenshot() == game_golden('hall')", "> is <golden hall>"),
    ],
)
def test_a_wrong_comparison_is_told_in_the_test_and_not_in_the_harness(gallery, check, words):
    gallery.passes("--golden-update", passed=1)
    source = f"def test_hall(play, game_golden):\n    play.step(3)\n    assert {check}\n"
    (gallery.path / "test_hall.py").write_text(source, encoding="utf-8")
    out = gallery.output()
    assert words in out
    assert "harness/" not in out.replace("harness/errors", "")
    assert "__init__" not in out


def test_a_name_that_is_used_for_two_pictures_is_told_when_they_are_approved(gallery):
    (gallery.path / "test_other.py").write_text(TEST.replace("(3)", "(9)"), encoding="utf-8")
    out = gallery.output("--golden-update")
    assert "1 failed, 1 passed" in out
    assert "picture differs from golden 'goldens/hall.png'" in out
    assert "this run drew that, too; give one of the two another name" in out
    assert "1 failed, 1 passed" in gallery.output("--golden-update")


def test_goldens_that_cannot_be_written_are_told(gallery):
    (gallery.path / "goldens").write_text("a file", encoding="utf-8")
    out = gallery.output("--golden-update")
    assert re.search(r"RequestError: cannot make \S*goldens: File exists", out)


def test_the_shots_of_a_run_are_compared(gallery):
    (gallery.path / "test_hall.py").write_text(
        "def test_run(game_run, play, game_golden):\n"
        "    run = game_run(frames=9, input='right@1-9', shots=[1, 9])\n"
        "    assert run.strip == game_golden('strip')\n"
        "    assert list(run.shots) == [1, 9]\n"
        "    assert run.shots[9] == play.screenshot()\n",
        encoding="utf-8",
    )
    gallery.run("--golden-update").assert_outcomes(passed=1)
    gallery.run().assert_outcomes(passed=1)
