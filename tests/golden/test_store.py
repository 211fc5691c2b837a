"""Goldens as files: what is read, what is refused, and which file belongs to whom."""

import random
import struct
import zlib

import pytest

from harness.errors import ArgumentError, GoldenError
from harness.golden.golden import Golden
from harness.golden.png import read_png
from harness.golden.store import Store, described, golden_file, variant
from harness.values.picture import Picture

images = pytest.importorskip("PIL.Image")

HERE = {"pygame": "2.6.1", "SDL": "2.28.4", "SDL_ttf": "2.20.1", "machine": "x86_64"}
THERE = {"pygame-ce": "2.5.8", "SDL": "2.32.0", "SDL_ttf": "2.24.0", "machine": "aarch64"}


def noise(width=12, height=8, seed=0):
    return Picture((width, height), random.Random(seed).randbytes(width * height * 3))


def save(picture, path, mode="RGB", **more):
    image = images.frombytes("RGB", picture.size, picture.pixels).convert(mode)
    image.save(path, **more)
    return path


def test_a_png_is_read_as_it_was_written(tmp_path):
    assert read_png(noise().write(tmp_path / "a.png")) == noise()
    assert read_png(save(noise(), tmp_path / "b.png", interlace=1)) == noise()


def test_grey_black_and_white_and_palettes_are_read_as_what_they_show(tmp_path):
    for mode in ("L", "1", "P"):
        path = save(noise(), tmp_path / f"{mode}.png", mode)
        shown = images.open(path).convert("RGB").tobytes()
        assert read_png(path).pixels == shown


def test_alpha_is_read_where_it_is_opaque_and_refused_where_not(tmp_path):
    path = save(noise(), tmp_path / "a.png", "RGBA")
    assert read_png(path) == noise()
    image = images.open(path)
    image.putpixel((3, 3), (1, 2, 3, 254))
    image.save(tmp_path / "b.png")
    with pytest.raises(GoldenError, match=r"b\.png: is transparent in places"):
        read_png(tmp_path / "b.png")
    grey = images.open(path).convert("P")
    grey.save(tmp_path / "c.png", transparency=0)
    with pytest.raises(GoldenError, match=r"c\.png: is transparent"):
        read_png(tmp_path / "c.png")


def test_sixteen_bits_are_refused(tmp_path):
    images.new("I;16", (4, 4), 300).save(tmp_path / "deep.png")
    with pytest.raises(GoldenError, match=r"deep\.png: has 16 bits a channel"):
        read_png(tmp_path / "deep.png")


def test_a_png_that_is_cut_anywhere_is_refused_by_name(tmp_path):
    whole = noise().to_png()
    for length in range(len(whole)):
        (tmp_path / "cut.png").write_bytes(whole[:length])
        with pytest.raises(GoldenError, match=r"cut\.png: is n") as refused:
            read_png(tmp_path / "cut.png")
        assert "--golden-update" in str(refused.value)
        assert refused.value.path == tmp_path / "cut.png"


def test_a_png_whose_middle_is_lost_is_refused(tmp_path):
    whole = noise(60, 40).to_png()
    for start in range(45, len(whole) - 40, 97):
        (tmp_path / "holed.png").write_bytes(whole[:start] + whole[start + 20 :])
        with pytest.raises(GoldenError, match=r"holed\.png"):
            read_png(tmp_path / "holed.png")


def png(width, height, lines):
    """A PNG of RGB whose lines, each with its filter before it, are given."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = (b"IHDR" + header, b"IDAT" + zlib.compress(lines), b"IEND")
    chunks = [
        struct.pack(">I", len(part) - 4) + part + struct.pack(">I", zlib.crc32(part))
        for part in parts
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


@pytest.mark.parametrize("size", [(0, 2), (2, 0), (2**31 - 1, 2), (2, 2**31 - 1), (2**31 - 1,) * 2])
def test_a_png_of_no_size_or_of_too_much_is_refused(tmp_path, size):
    (tmp_path / "a.png").write_bytes(png(*size, bytes(14)))
    with pytest.raises(
        GoldenError, match=r"a\.png: (is not a whole PNG|says that it is \d+x\d+ pixels large)"
    ):
        read_png(tmp_path / "a.png")


@pytest.mark.parametrize("kind", range(5))
def test_a_png_with_any_filter_of_its_lines_is_read(tmp_path, kind):
    line = noise(2, 1).pixels
    (tmp_path / "a.png").write_bytes(png(2, 2, b"\0" + line + bytes([kind]) + line))
    with images.open(tmp_path / "a.png") as image:
        assert read_png(tmp_path / "a.png").pixels == image.tobytes()


def test_what_is_no_png_is_refused(tmp_path):
    (tmp_path / "a.png").write_bytes(b"\xff\xd8\xff\xe0 a jpeg")
    with pytest.raises(GoldenError, match=r"a\.png: is no PNG"):
        read_png(tmp_path / "a.png")
    with pytest.raises(GoldenError, match=r"gone\.png: cannot be read"):
        read_png(tmp_path / "gone.png")


def test_each_environment_finds_and_writes_its_own(tmp_path):
    store = Store(tmp_path / "goldens")
    assert store.find("title", HERE) is None
    plain = store.write("title", noise(), HERE, {})
    assert plain.name == "title.png"
    assert store.find("title", HERE).path == plain
    assert store.find("title", THERE).path == plain
    assert store.target("title", HERE) == plain

    other = store.write("title", noise(seed=1), THERE, {})
    assert other.name == "title@pygame-ce-2.5.8-sdl-2.32.0-sdl_ttf-2.24.0-aarch64.png"
    assert store.find("title", HERE).path == plain
    assert store.find("title", THERE).path == other
    assert golden_file(other).name == "title"
    assert plain.read_bytes() == noise().to_png()


def test_a_png_without_a_fingerprint_belongs_to_everybody(tmp_path):
    path = noise().write(tmp_path / "title.png")
    store = Store(tmp_path)
    assert store.find("title", THERE).path == path
    assert store.target("title", THERE) == path
    assert described(golden_file(path).drawn_with) == "an unknown environment"


def test_the_known_hash_counts_only_for_the_very_file(tmp_path):
    path = Store(tmp_path).write("title", noise(), HERE, {})
    assert golden_file(path).is_exactly(noise())
    assert not golden_file(path).is_exactly(noise(seed=1))
    path.write_bytes(noise(seed=1).to_png())
    assert not golden_file(path).is_exactly(noise())
    assert not golden_file(path).is_exactly(noise(seed=1))


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"pixels": 1}', '{"masks": {"a": [1]}}', "<<<<<<"]
)
def test_a_broken_fingerprint_is_refused_by_name(tmp_path, text):
    path = Store(tmp_path).write("title", noise(), HERE, {})
    (tmp_path / "title.json").write_text(text, encoding="utf-8")
    with pytest.raises(GoldenError, match=r"title\.json: "):
        golden_file(path)


def test_environments_in_words_and_in_names():
    assert described(HERE) == "pygame 2.6.1, SDL 2.28.4, SDL_ttf 2.20.1, x86_64"
    assert variant(HERE) == "pygame-2.6.1-sdl-2.28.4-sdl_ttf-2.20.1-x86_64"


@pytest.mark.parametrize("name", ["", "a/b", "../a", ".a", "a@b", "a.", 3, "a\n", "con/", "Con",
    "lpt1.b", "\u00fc" * 81])  # fmt: skip
def test_a_name_that_is_no_files_is_refused(tmp_path, name):
    with pytest.raises(ArgumentError, match="name: a golden's is a file's name"):
        Golden(Store(tmp_path), name)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"tolerance": 1.5}, "tolerance: must be a share of all pixels"),
        ({"tolerance": "much"}, "tolerance: must be a share"),
        ({"tolerance": float("nan")}, "tolerance: must be a share"),
        ({"distance": 256}, "distance: must be 0 to 255"),
        ({"distance": 0.5}, "distance: must be 0 to 255"),
        ({"mask": "clock"}, "mask: must be a list"),
    ],
)
def test_a_wrong_argument_is_refused(tmp_path, given, message):
    with pytest.raises(ArgumentError, match=message):
        Golden(Store(tmp_path), "title", **given)


def test_a_picture_that_says_it_is_huge_is_refused_before_it_is_read(tmp_path):
    path = noise().write(tmp_path / "title.png")
    data = bytearray(path.read_bytes())
    data[16:24] = struct.pack(">II", 60_000, 60_000)
    data[29:33] = zlib.crc32(data[12:29]).to_bytes(4, "big")
    path.write_bytes(data)
    with pytest.raises(GoldenError, match="60000x60000 pixels large, more than any picture"):
        read_png(path)
