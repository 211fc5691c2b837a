"""The game drawn off screen: the same each time, and never noticed by the game."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from harness.errors import ArgumentError, GameError, RequestError
from harness.golden.golden import Golden
from harness.golden.store import Store
from harness.playtest.play import Playtest
from harness.values.picture import Picture
from harness.values.run import RunRequest

pytest.importorskip("pygame")

ROOT = Path(__file__).parents[2]
GALLERY = ROOT / "tests" / "gallery"
GAME = ROOT / "game"


@pytest.fixture
def play():
    play = Playtest(GALLERY, seed=4)
    play.reset()
    return play


def pixel(picture, x, y):
    start = (y * picture.width + x) * 3
    return tuple(picture.pixels[start : start + 3])


def test_a_picture_has_the_games_own_size_and_colours(play):
    picture = play.screenshot()
    assert picture.size == (160, 90)
    assert pixel(picture, 22, 32) == (200, 60, 60)
    assert pixel(picture, 1, 50) == (30, 40, 60)
    assert not picture.blank
    assert picture == play.screenshot()


def test_a_picture_is_scaled_to_a_width(play):
    assert play.screenshot(width=80).size == (80, 45)
    assert play.screenshot(width=512).size == (512, 288)
    for width in (0, -3, 9000, 1.5, True):
        with pytest.raises(ArgumentError, match="width: must be a whole number from 1 to 8192"):
            play.screenshot(width=width)


def test_a_camera_is_the_games_own(play):
    assert play.screenshot(camera="near") != play.screenshot()
    with pytest.raises(GameError, match=r"gallery\.py:\d+: ValueError: no camera named 'far'"):
        play.screenshot(camera="far")


def test_the_boxes_are_where_things_are_in_the_picture(play):
    assert play.screenshot().boxes["sprite"] == (20, 30, 16, 16)
    assert play.screenshot(width=320).boxes["sprite"] == (40, 60, 32, 32)
    assert play.screenshot(camera="near").boxes["sprite"] == (40, 60, 32, 32)
    assert play.screenshot().in_view == ("sprite", "clock")
    play.edit("sprite.visible", False)
    assert "sprite" not in play.screenshot().boxes


def test_a_blank_picture_is_said_to_be(play):
    play.reset(scene="empty")
    assert play.screenshot().blank


def every_hash(game, frames, draws, input):
    play = Playtest(game, seed=3)
    play.reset()
    for start in range(0, frames):
        play.step(input=input(start))
        if draws:
            play.screenshot()
    return bytes(play.stage.driver.hashes), play.stage.driver.state_hash()


@pytest.mark.parametrize(
    ("game", "frames"), [(GALLERY, 60), (GAME, 240)], ids=["gallery", "reference game"]
)
def test_drawing_every_frame_is_never_noticed_by_the_game(game, frames):
    def walk(frame):
        return "right@1, jump@1" if frame % 50 == 40 else "right@1"

    if game == GALLERY:
        walk = lambda frame: "right@1"  # noqa: E731
    assert every_hash(game, frames, True, walk) == every_hash(game, frames, False, walk)


def test_a_movie_of_a_drawn_play_is_that_of_an_undrawn_one(play):
    play.hold("right", frames=30)
    drawn = Playtest(GALLERY, seed=4)
    for _ in range(30):
        drawn.hold("right")
        drawn.screenshot()
    assert drawn.movie().marks[-1] == play.movie().marks[-1]


def test_a_draw_that_changes_the_game_is_told(play):
    play.tap("spoil")
    with pytest.raises(GameError, match=r"draw changed the game: sprite\.colour\[0\] was 19\d and"):
        play.screenshot()


def test_a_draw_that_fails_is_the_games_error_and_the_play_goes_on(play):
    play.tap("crash")
    with pytest.raises(GameError, match=r"gallery\.py:\d+: ValueError: no paint left"):
        play.screenshot()
    assert play.step() == 3


def test_a_game_that_cannot_be_drawn_says_so():
    play = Playtest(ROOT / "tests" / "walker")
    with pytest.raises(RequestError, match=r"cannot be drawn: its adapter has no draw\(surface"):
        play.screenshot()


def test_a_draw_that_takes_no_camera_says_so(opened):
    play = opened(
        """
        from honest import Honest

        class Stub(Honest):
            def draw(self, surface):
                surface.fill((1, 2, 3))
        """
    )
    assert play.screenshot().pixels[:3] == bytes([1, 2, 3])
    with pytest.raises(ArgumentError, match="camera: this game's draw takes none"):
        play.screenshot(camera="far")


def test_two_processes_draw_the_same():
    code = (
        "import sys, harness; play = harness.open(sys.argv[1], seed=3);"
        "play.step(90, 'right@1-90');"
        "print(play.screenshot().hash, play.screenshot('overview', 320).hash)"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", code, str(GAME)], cwd=ROOT, capture_output=True, text=True,
            check=True,
        ).stdout.split()[-2:]
        for _ in range(2)
    ]  # fmt: skip
    here = Playtest(GAME, seed=3)
    here.step(90, "right@1-90")
    assert told[0] == told[1]
    assert told[0] == [here.screenshot().hash, here.screenshot("overview", 320).hash]


# liars against a golden


@pytest.fixture
def golden(play, tmp_path):
    """The gallery's golden of frame 0, approved."""
    pytest.importorskip("PIL")

    def make(**more):
        golden = Golden(Store(tmp_path / "goldens"), "hall", **more)
        return golden

    make(update=True).judge(play.screenshot())
    return make


def told(golden, picture):
    assert picture != golden
    return "\n".join(golden.told)


def test_what_was_approved_is_equal(play, golden):
    assert play.screenshot() == golden()
    assert golden() == play.screenshot()
    assert play.screenshot() == golden(tolerance=0.1, mask=["clock", (0, 0, 5, 5)])
    assert golden() != "hall"


def test_a_sprite_moved_by_a_pixel_is_told(play, golden):
    play.hold("right")
    play.edit("game.frame", 0)
    words = told(golden(), play.screenshot())

    assert "32 of 14400 pixels (0.222%), all within (20, 30, 37, 46), tolerance 0%" in words
    assert "near sprite" in words
    assert "clock" not in words


def test_a_colour_that_is_off_by_three_is_told(play, golden):
    play.edit("sprite.colour[2]", 63)
    words = told(golden(), play.screenshot())

    assert "256 of 14400 pixels (1.778%), all within (20, 30, 36, 46)" in words
    assert "a channel is off by at most 3 of 255" in words
    assert play.screenshot() == golden(distance=3)
    assert play.screenshot() != golden(distance=2)
    assert play.screenshot() == golden(tolerance=256 / 14400)
    assert play.screenshot() != golden(tolerance=255 / 14400)


def test_a_letter_that_is_off_is_told(play, golden):
    play.edit("game.words", "score 16")
    words = told(golden(), play.screenshot())

    left, top, right, bottom = json.loads(
        words.partition("within (")[2].partition(")")[0].join("[]")
    )
    assert 30 < left < right < 60
    assert 3 < top < bottom < 17
    assert "near" not in words


def test_a_change_inside_a_mask_passes(play, golden):
    play.edit("game.frame", 7)  # the clock's hand moves
    assert play.screenshot() != golden()
    assert play.screenshot() == golden(mask=["clock"])
    assert play.screenshot() == golden(mask=[(110, 0, 50, 20)])
    assert play.screenshot() == golden(mask=["110,0,50,20"])
    play.edit("sprite.colour[2]", 63)
    assert play.screenshot() != golden(mask=["clock"])


def test_a_thing_that_is_masked_may_move(play, golden):
    masked = golden(mask=["sprite"], update=True)
    play.hold("right", frames=20)
    play.edit("game.frame", 0)
    before = golden(mask=["sprite"])
    assert play.screenshot() != before  # approved without a mask: where it was is not known
    play.reset()
    (masked.store.folder / "hall.png").unlink()
    masked.judge(play.screenshot())
    play.hold("right", frames=20)
    play.edit("game.frame", 0)
    assert play.screenshot() == golden(mask=["sprite"])


def test_a_picture_that_tells_of_no_entity_is_masked_by_boxes_alone(golden):
    with pytest.raises(RequestError, match="the picture has: none\n  where a program draws"):
        assert Picture((1, 1), bytes(3)) == golden(mask=["clock"])


def test_a_mask_of_nothing_there_is_an_error(play, golden):
    with pytest.raises(
        RequestError, match="no entity to mask named 'clok'; the picture has: clock"
    ):
        assert play.screenshot() == golden(mask=["clok"])
    for mask in (["1,2,3"], [(1, 2)], [7]):
        with pytest.raises(ArgumentError, match="mask: takes entities' names and boxes"):
            assert play.screenshot() == golden(mask=mask)


def test_another_size_is_told(play, golden):
    words = told(golden(tolerance=1), play.screenshot(width=80))
    assert "the golden is 160x90 pixels, the picture 80x45" in words


def test_another_environment_is_told_and_gets_a_variant(play, golden, monkeypatch):
    from harness.golden import golden as module

    other = {"pygame-ce": "9.9.9", "SDL": "2", "SDL_ttf": "3", "machine": "x86_64"}
    monkeypatch.setattr(module, "fingerprint", lambda: other)
    assert play.screenshot() == golden()  # the same pixels are the same anywhere
    assert play.screenshot() == golden(update=True)
    folder = golden().store.folder
    assert {path.name for path in folder.iterdir()} == {"hall.png", "hall.json"}

    before = (folder / "hall.png").read_bytes()
    play.edit("sprite.colour[2]", 63)
    words = told(golden(), play.screenshot())
    assert "; drawn under pygame-ce 9.9.9, SDL 2, SDL_ttf 3, x86_64" in words
    assert "approved under pygame" in words
    assert play.screenshot() == golden(update=True)
    assert (folder / "hall.png").read_bytes() == before
    assert (folder / "hall@pygame-ce-9.9.9-sdl-2-sdl_ttf-3-x86_64.png").is_file()
    assert play.screenshot() == golden()
    monkeypatch.undo()
    assert play.screenshot() != golden()


def test_an_update_writes_only_what_changed(play, golden):
    file = golden().store.folder / "hall.png"
    file.touch()
    stamp = file.stat().st_mtime_ns
    assert play.screenshot() == golden(update=True)
    assert file.stat().st_mtime_ns == stamp
    play.edit("sprite.colour[2]", 63)
    assert play.screenshot() == golden(update=True, distance=3)
    assert file.stat().st_mtime_ns == stamp
    assert play.screenshot() == golden(update=True)
    assert play.screenshot() == golden()


def test_a_broken_golden_is_an_error_and_an_update_mends_it(play, golden):
    file = golden().store.folder / "hall.png"
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(AssertionError, match=r"hall\.png: is not whole: the file ends too early"):
        assert play.screenshot() == golden()
    assert play.screenshot() == golden(update=True)
    assert play.screenshot() == golden()


def test_a_run_shot_in_the_middle_is_the_run_that_is_not(play):
    from harness.playtest.shots import shot

    request = RunRequest(seed=4, frames=40, input="right@1-40")
    plain = play.run(request)
    strip = shot(play.stage, request, [0, 10, 40], None, None)
    assert strip.state_hash == plain.state_hash
    assert strip.frames == (0, 10, 40)
    assert strip.width <= 640
