"""The commands that look: query, shot, golden."""

import json
import re
import shutil
from pathlib import Path

import pytest

from harness import cli, tools  # noqa: F401
from harness.golden.png import read_png
from harness.registry import REGISTRY

ROOT = Path(__file__).parents[1]
GALLERY = Path(__file__).parent / "gallery"


@pytest.fixture
def game(tmp_path, monkeypatch):
    """A copy of the gallery in the working directory."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(GALLERY, tmp_path / "game", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "game"


@pytest.mark.parametrize(("command", "tool"), [("query", "game_query"), ("shot", "game_shot")])
def test_every_argument_of_the_tools_can_be_reached(command, tool):
    parser = next(
        action.choices[command]
        for action in cli._parser()._actions
        if action.choices and command in action.choices
    )
    known = {action.dest for action in parser._actions}
    placed = {"action", "object", "from_", "to", "at"} if command == "query" else set()
    arguments = {argument.python for argument in REGISTRY.find(tool).arguments}
    assert arguments - placed <= known


def test_an_inspection_is_short(harness):
    status, out, _ = harness(
        "query", "game", "inspect", "sprite", "--frames", 5, "--input", "right@1-2"
    )
    assert status == 0
    assert out.splitlines() == [
        "after 5 frames: #0 sprite pos=30,38",
        "  rect[0]=22 (was 20)",
    ]


def test_the_reference_game_is_inspected_as_the_contract_says(harness):
    _, out, _ = harness("query", ROOT / "game", "inspect", "player", "--input", "right@1-60")
    first = out.splitlines()[0]
    number = r"-?\d+(\.\d{1,3})?"
    assert re.fullmatch(
        rf"after 60 frames: #\d+ player pos={number},{number} body=dynamic vel={number},{number}"
        " grounded",
        first,
    )


def test_a_ray_tells_its_hits_nearest_first(harness):
    status, out, _ = harness("query", "game", "raycast", "0,38", "160,38", "--frames", 1)
    assert status == 0
    assert out.splitlines() == [
        "after 1 frame: 1 hit, nearest first:",
        "#0 sprite at 20,38 normal=-1,0 dist=20",
    ]
    assert harness("query", "game", "raycast", "0,0", "9,0")[1] == "after 60 frames: no hit\n"


def test_overlaps_points_and_boxes(harness):
    told = "after 0 frames: 1 entity, {}:\n#0 sprite\n"
    zero = ("--frames", 0)
    assert harness("query", "game", "overlap", "15,38", "--radius", 5, *zero)[1] == told.format(
        "nearest first"
    )
    assert harness("query", "game", "overlap", "--box", "0,0,30,40", *zero)[1] == told.format(
        "nearest first"
    )
    assert harness("query", "game", "at", "25,38", *zero)[1] == told.format("topmost first")
    none = harness("query", "game", "overlap", "25,38", "--ignore", "sprite", *zero)
    assert none[:2] == (0, "after 0 frames: no entity\n")


def test_the_structured_answer_is_exact(harness):
    _, out, _ = harness("query", "game", "raycast", "sprite", "#1", "--json", "--seed", 3)
    answer = json.loads(out)
    assert (answer["action"], answer["frame"], answer["seed"], answer["scene"]) == (
        "raycast", 60, 3, "hall",
    )  # fmt: skip
    (hit,) = answer["found"]
    assert hit["entity"] == {"id": 1, "name": "clock", "path": "clock"}
    assert hit["distance"] > 90
    _, out, _ = harness("query", "game", "inspect", "clock", "--all", "--json")
    assert json.loads(out)["found"]["properties"]["colour[0]"] == 200


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["game", "inspekt", "player"], "action: must be 'inspect' or 'raycast'"),
        (["game", "inspect"], "object: is required by inspect"),
        (["game", "raycast", "0,0"], "to: is required by raycast"),
        (["game", "raycast", "0", "1,1"], "from: must be a point such as 120,300, or an entity"),
        (["game", "raycast", "a,b", "1,1"], "from: must be a point"),
        (["game", "overlap"], "at: is required by overlap, or a box, and not both"),
        (["game", "at", "1,1", "2,2"], "at takes AT, not 1,1 2,2"),
        (["game", "inspect", "sprit"], "no entity named 'sprit'; this game has: sprite"),
        (["game", "inspect", "sprite", "--radius", "3"], "radius: inspect takes object, all"),
        (["game", "contacts"], "this game has no pymunk space"),
        (["game", "inspect", "sprite", "--frames", "-1"], "frames: must be at least 0, not -1"),
        (["nowhere", "inspect", "sprite"], "no game at"),
        (["game"], "action: must be 'inspect' or"),
    ],
)
def test_a_wrong_question_is_refused_in_a_line(harness, words, message):
    status, out, error = harness("query", *words)
    assert (status, out) == (2, "")
    assert message in error
    assert len(error.splitlines()) <= 2


def test_the_game_may_be_left_out(harness):
    assert harness("query", "inspect", "sprite", "--frames", 0)[1].startswith("after 0 frames: #0")


def test_a_game_that_fails_on_the_way_is_told(harness):
    status, _, error = harness("shot", "game", "--input", "crash@2")
    assert status == 1
    assert "ValueError: no paint left" in error


def test_a_savestate_is_where_a_question_starts(harness):
    harness("run", "game", "--frames", 10, "--input", "right@1-10", "--save", "there")
    status, out, _ = harness(
        "query", "game", "inspect", "sprite", "--start", "there", "--frames", 0
    )
    assert status == 0
    assert out.startswith("after 0 frames: #0 sprite pos=38,38")


# shots


def test_a_shot_is_written_and_told(harness, tmp_path):
    pytest.importorskip("PIL")
    status, out, _ = harness("shot", "game", "--at", 0.5, "-o", "a.png")
    assert status == 0
    assert read_png(tmp_path / "a.png").size == (512, 288)
    first, seen, scene, wrote = out.splitlines()
    assert re.fullmatch(r"frame 30: 512x288 pixels, hash [0-9a-f]{16}", first)
    assert seen.startswith("in view (x,y,width,height): sprite 64,96,51.2,51.2; clock ")
    assert scene.startswith("scene hall, seed 0, state ")
    assert wrote == "wrote a.png"


def test_the_picture_at_a_second_is_that_of_its_frame(harness, tmp_path):
    for rate in (50, 60, 144):
        file = tmp_path / "game" / "harness.yaml"
        text = re.sub(r"tick_rate: \d+\n", "", file.read_text(encoding="utf-8"))
        file.write_text(f"{text}tick_rate: {rate}\n", encoding="utf-8")
        harness("shot", "game", "-o", "a.png")
        harness("shot", "game", "--frame", rate, "-o", "b.png")
        assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_a_strip_shows_chosen_frames(harness, tmp_path):
    pytest.importorskip("PIL")
    status, out, _ = harness("shot", "game", "--frames", "0,10,20,30", "--strip", "-o", "s.png")
    assert status == 0
    assert out.startswith("frames 0, 10, 20, 30: 640x")
    assert read_png(tmp_path / "s.png").width == 640


def test_a_shot_in_json_has_facts_beside_the_pixels(harness):
    _, out, _ = harness("shot", "game", "--scene", "empty", "--width", 160, "--json")
    facts = json.loads(out)
    assert facts["blank"] is True
    assert (facts["size"], facts["frame"], facts["golden"]) == ([160, 90], 60, None)
    assert facts["in_view"]["sprite"] == [20, 30, 16, 16]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--frames", "1,2"], "frames: is for a strip; one frame is asked for as frame"),
        (["--strip"], "frames: is required by strip: a list, as 1,30,60"),
        (["--frames", "2,1", "--strip"], "frames: must be in order, each once"),
        (["--frames", "a", "--strip"], "frames: must be a list of whole numbers"),
        (["--at", "1", "--frame", "2"], "at: takes the place of frame"),
        (["--at", "-1"], "at: must be at least 0"),
        (["--width", "0"], "width: must be at least 1"),
        (["--tolerance", "0.5"], "golden: is what tolerance and mask belong to"),
        (["-o", "nowhere/a.png"], "output: no folder nowhere to write a.png in"),
    ],
)
def test_a_wrong_shot_is_refused(harness, words, message):
    status, _, error = harness("shot", "game", *words)
    assert status == 2
    assert message in error


def test_a_shot_is_compared_with_a_golden(harness, tmp_path):
    pytest.importorskip("PIL")
    (tmp_path / "goldens").mkdir()
    harness("shot", "game", "-o", "goldens/hall.png")
    status, out, _ = harness("shot", "game", "--golden", "hall")
    assert (status, "is golden hall" in out) == (0, True)
    late = ("shot", "game", "--frame", 59, "--golden", "hall")
    status, out, _ = harness(*late)
    assert status == 1
    assert "picture differs from golden 'goldens/hall.png'" in out
    assert harness(*late, "--mask", "clock")[0] == 0
    assert harness(*late, "--tolerance", 0.5)[0] == 0


def test_a_golden_is_approved_at_the_games_own_size_and_compared_at_its_own(harness, tmp_path):
    pytest.importorskip("PIL")
    status, out, _ = harness("shot", "game", "--golden", "hall", "-o", "a.png")
    assert (status, "no golden at goldens/hall.png" in out) == (1, True)
    assert "run with --golden-update to approve this picture" in out
    assert read_png(tmp_path / "a.png").size == (160, 90)
    status, out, _ = harness("shot", "game", "--golden", "hall", "--golden-update")
    assert (status, "approved as golden hall" in out) == (0, True)
    assert harness("shot", "game", "--golden", "hall")[0] == 0
    late = ("shot", "game", "--frame", 59, "--golden", "hall", "--width", 80, "--golden-update")
    assert harness(*late)[0] == 0
    assert read_png(tmp_path / "goldens" / "hall.png").size == (80, 45)
    assert harness("shot", "game", "--frame", 59, "--golden", "hall")[0] == 0
    status, _, error = harness("shot", "game", "--golden-update")
    assert (status, error) == (2, "harness: golden: is what --golden-update approves; name one\n")


# shots of a run


def test_the_shots_of_a_run_are_a_strip_or_a_file_each(harness, tmp_path):
    run = ("run", "game", "--frames", 9, "--input", "right@1-9", "--shots", "0,3, 9")
    status, out, _ = harness(*run)
    assert status == 0
    strip = read_png(tmp_path / "game-results" / "shots.png")
    assert strip.width <= 640
    assert f"shots of 0, 3, 9: {strip.width}x{strip.height} pixels, hash {strip.hash}" in out
    assert f"wrote {Path('game-results', 'shots.png')}" in out
    _, out, _ = harness(*run, "-o", "each", "--json")
    assert json.loads(out)["written"] == [f"each/frame-{frame}.png" for frame in (0, 3, 9)]
    assert json.loads(out)["shots"]["frames"] == [0, 3, 9]
    harness("shot", "game", "--frame", 3, "--input", "right@1-9", "--width", 160, "-o", "b.png")
    assert read_png(tmp_path / "each" / "frame-3.png") == read_png(tmp_path / "b.png")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--shots", "3,99"], "shots: must be frames of the run, 0 to 60, not 99"),
        (["--shots", "3,1"], "shots: must be in order, each once, not [3, 1]"),
        (["--shots", "x"], "shots: must be a list of whole numbers, not ['x']"),
        (["--shots", ",".join(map(str, range(1, 66)))], "shots: takes at most 64 frames, not 65"),
        (["-o", "a.png"], "output: is where --shots go; give both"),
        (["--shots", "3", "-o", "nowhere/b"], "output: no folder nowhere to make b in"),
        (["--shots", "3", "-o", "nowhere/b.png"], "output: no folder nowhere to write b.png in"),
        (["--shots", "3", "-o", "b.jpg"], "a picture's name ends in .png, and 'b.jpg' does not"),
        (["--shots", "3", "-o", "notes"], "output: notes is no folder, and no .png"),
        (["--shots", "3", "-o", "notes.png"], "notes.png: what is there is no picture"),
    ],
)
def test_wrong_shots_are_refused_before_anything_is_played(harness, tmp_path, words, message):
    for name in ("notes", "notes.png"):
        (tmp_path / name).write_text("my notes", encoding="utf-8")
    status, _, error = harness("run", "game", "--record", "a.movie", *words)
    assert status == 2
    assert message in error
    assert not list(tmp_path.glob("a.movie*"))


def test_a_run_that_ends_early_has_the_shots_until_then(harness):
    early = ("--until", "sprite.rect[0] > 24", "--input", "right@1-60", "--shots", "1,60")
    _, out, _ = harness("run", "game", *early)
    assert "shots of 1: " in out
    assert "note: no shot of 60: the run ended before" in out


def test_a_run_that_is_drawn_is_the_run_that_is_not(harness):
    plain = json.loads(harness("run", "game", "--json")[1])
    drawn = json.loads(harness("run", "game", "--json", "--shots", "1,2,59,60")[1])
    assert drawn["state_hash"] == plain["state_hash"]


# goldens


def test_goldens_are_listed_and_unused_ones_found(harness, tmp_path):
    assert harness("golden", "list")[:2] == (0, "no goldens\n")
    (tmp_path / "goldens").mkdir()
    for name in ("title", "door-3", "old"):
        harness("shot", "game", "-o", f"goldens/{name}.png")
    (tmp_path / "test_a.py").write_text(
        "def test_a(play, game_golden, n):\n"
        "    assert play.screenshot() == game_golden('title')\n"
        "    assert play.screenshot() == game_golden(f'door-{n}')\n",
        encoding="utf-8",
    )
    assert harness("golden", "list")[1].splitlines()[2] == (
        "goldens/title.png  an unknown environment"
    )
    (tmp_path / "goldens" / "old.json").write_text("{", encoding="utf-8")
    status, out, _ = harness("golden", "list")
    assert (status, "old.json: cannot be read" in out, "title.png  an" in out) == (1, True, True)
    assert harness("golden", "unused")[:2] == (0, "goldens/old.png is named by no test beside it\n")
    assert json.loads(harness("golden", "unused", "--json")[1]) == ["goldens/old.png"]
    (tmp_path / "test_b.py").write_text("not python (", encoding="utf-8")
    assert harness("golden", "unused")[1] == "no unused goldens\n"


def test_what_cannot_be_approved_is_said(harness):
    assert "DIR: is required" in harness("golden", "approve")[2]
    assert (
        "nothing to approve in game: a failed comparison leaves golden.json"
        in (harness("golden", "approve", "game")[2])
    )
    assert "no folder at nowhere" in harness("golden", "list", "nowhere")[2]


def test_a_shot_has_a_place_where_it_changes_no_build(harness, game, monkeypatch):
    monkeypatch.chdir(game)
    _, first, _ = harness("shot", "--json")
    _, second, _ = harness("shot", "--json")
    assert json.loads(first)["build"] == json.loads(second)["build"]
    assert read_png(game / "game-results/shot.png").hash == json.loads(first)["hash"]
    assert json.loads(first)["notes"] == []

    _, out, _ = harness("shot", "-o", "mine.png")
    assert "note: mine.png is among the game's files now" in out


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("game/gallery.py", "output: a picture's name ends in .png, and 'gallery.py' does not"),
        ("game/harness.yaml", "output: a picture's name ends in .png"),
        ("notes.png", "output: cannot write notes.png: what is there is no picture"),
        ("nowhere/a.png", "output: no folder nowhere to write a.png in"),
        ("/", "output: a picture's name ends in .png"),
        ("album.png", "output: album.png is a folder"),
    ],
)
def test_a_shot_is_never_written_over_anything_else(harness, tmp_path, name, message):
    (tmp_path / "notes.png").write_text("my notes", encoding="utf-8")
    (tmp_path / "album.png").mkdir()
    before = {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    status, _, error = harness("shot", "game", "-o", name)
    assert status == 2
    assert message in error
    assert {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()} == before


def test_a_camera_that_the_game_has_not_is_refused(harness, game):
    source = (game / "gallery.py").read_text(encoding="utf-8")
    named = source.replace("class Gallery:", "class Gallery:\n    cameras = ['near', 'far']")
    (game / "gallery.py").write_text(named, encoding="utf-8")
    assert harness("shot", "game", "--camera", "near")[0] == 0
    status, _, error = harness("shot", "game", "--camera", "naer")
    assert (status, error) == (2, "harness: no camera named 'naer'; this game has: near, far\n")
