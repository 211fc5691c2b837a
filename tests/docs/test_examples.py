"""Runs the examples of README.md and docs/, page by page: what a page shows is what happens.

The blocks of a page are run in order, in one folder with copies of game/, scenarios/ and examples/.

- ``console``: what stands after ``$ `` is run, and what stands below it must be all that it prints.
  A line ``...`` stands for any lines, and `` ...`` at a line's end for its rest. Versions, seconds
  and the names of runs are not compared. Hashes are, on a machine like the one that wrote them
  (``written_with.json``); elsewhere other libraries or another processor may give other bits.
- ``python`` and ``yaml`` whose first line is a comment with a path are written to that file.
- Other ``python`` with a ``def test_`` becomes a test of its own, any other is executed; other
  ``yaml`` with a ``scenario:`` becomes a scenario, any other must be a mapping.
- Every test and scenario that a page writes must pass, but for those of a block marked ``fails``,
  which must fail.
- ``json`` must be JSON. ``sh``, ``ini`` and ``text`` are only shown.

With ``REWRITE_DOCS=1`` in the environment, outputs that differ are written into the pages instead;
read the diff before you commit it.
"""

import itertools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from harness.cli import main
from harness.documents import parse_documents
from harness.driver.environment import movie_header
from harness.games.native import NativeGame

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

BLOCK = re.compile(r"^```(?P<info>[^\n`]+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"# (?P<path>[\w./-]+\.(?:py|yaml))\n")
REWRITE = bool(os.environ.get("REWRITE_DOCS"))
SHOWN_ONLY = {"sh", "ini", "text"}
WRITTEN_WITH = Path(__file__).with_name("written_with.json")
HASHES = (
    (r"\b(?=[0-9a-f]*[0-9])[0-9a-f]{12,}\b", "#"),
    (r"\bwas [0-9a-f]{4} and is [0-9a-f]{4}\b", "was # and is #"),
)
UNEQUAL = (
    (r"\brun-[0-9a-f]{8}\b", "run-#"),
    (r"^(harness|python|pymunk|pygame|platform|cpu)=.*$", r"\1=#"),
    (r"\b[0-9.]+s\b( \(\d+:\d\d:\d\d\))?", "#s"),
    (r"^=+ (.*?) =+$", r"= \1 ="),
    (r"^_+ (.*?) _+$", r"_ \1 _"),
    (r"^-+ (.*?) -+$", r"- \1 -"),
    (r"[ \t]+$", ""),
)
"""What may differ from one machine to the next, and how it is written before comparing."""


@dataclass
class Page:
    """A page that is run: where, and the tests that it has written."""

    path: Path
    folder: Path
    status: int = 0
    passing: list[str] = field(default_factory=list)
    failing: list[str] = field(default_factory=list)
    numbers: itertools.count = field(default_factory=lambda: itertools.count(1))


def blocks(path):
    text = path.read_text(encoding="utf-8")
    for match in BLOCK.finditer(text):
        kind, *marks = match["info"].split()
        yield text.count("\n", 0, match.start()) + 1, kind, set(marks), match["text"]


def commands(text):
    """Split a console block into (command, the lines it is written on) and what it shows."""
    command, lines, shown = "", [], []
    for line in text.splitlines():
        if lines and not shown and command.endswith("\\"):
            command = f"{command[:-1].rstrip()} {line.strip()}"
            lines.append(line)
        elif line.startswith("$ "):
            if lines:
                yield (command, lines), "\n".join(shown)
            command, lines, shown = line[2:], [line], []
        else:
            shown.append(line)
    assert lines, "a console block begins with '$ '"
    yield (command, lines), "\n".join(shown)


def run(page, command, capfd):
    """Run a command of a console block; gives what it prints."""
    name, *words = shlex.split(command)
    if command == "echo $?":
        return str(page.status)
    if name == "cat":
        return Path(*words).read_text(encoding="utf-8")
    if name == "cp":
        shutil.copy(*words)
        return ""
    if name == "sed":
        substitute(*words)
        return ""
    if name == "harness":
        capfd.readouterr()
        page.status = main(words)
        printed = capfd.readouterr()
        return printed.out + printed.err
    program = {"pytest": ["-m", "pytest", "-p", "no:cacheprovider"], "python": []}.get(name)
    assert program is not None, f"{name} is no command that a page can show"
    done = subprocess.run(
        [sys.executable, *program, *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": "80", "PYTEST_ADDOPTS": ""},
    )
    page.status = done.returncode
    return done.stdout + done.stderr


def substitute(option, script, file):
    """Do what ``sed -i s/OLD/NEW/ FILE`` does, on every system."""
    command, old, new, rest = script.split("/")
    assert (option, command, rest) == ("-i", "s", ""), script
    text = Path(file).read_text(encoding="utf-8")
    changed = re.sub(old, new, text, flags=re.MULTILINE)
    assert changed != text, f"nothing in {file} is {old}"
    Path(file).write_text(changed, encoding="utf-8")


def machine():
    """What decides the bits here, as a movie's header tells it."""
    header = movie_header(NativeGame(ROOT / "game"), "", 0, 0)
    found = {key: getattr(header, key) for key in ("python", "pymunk", "pygame", "platform", "cpu")}
    return {**found, "python": found["python"].rpartition(".")[0]}


def comparable(text, hashes=None):
    if hashes is None:
        hashes = REWRITE or json.loads(WRITTEN_WITH.read_text(encoding="utf-8")) == machine()
    for pattern, equal in (*(() if hashes else HASHES), *UNEQUAL):
        text = re.sub(pattern, equal, text, flags=re.MULTILINE)
    return text.strip("\n").splitlines()


def agrees(shown, printed):
    """Say whether lines are what was printed; ``...`` stands for any lines, or a line's rest."""
    if "..." not in shown:
        return len(shown) == len(printed) and all(map(line_agrees, shown, printed))
    cut = shown.index("...")
    if not agrees(shown[:cut], printed[:cut]):
        return False
    rest = shown[cut + 1 :]
    return any(agrees(rest, printed[start:]) for start in range(cut, len(printed) + 1))


def line_agrees(shown, printed):
    return printed.startswith(shown[:-3]) if shown.endswith(" ...") else printed == shown


def rewritten(shown, printed):
    """Give what was printed, but for the lines whose rest does not matter."""
    open_ended = [line for line in shown.splitlines() if line.endswith(" ...")]
    lines = printed.strip("\n").splitlines()
    return "\n".join(
        next((line for line in open_ended if line_agrees(line, other)), other) for other in lines
    )


def play_console(page, line, text, capfd):
    """Run a console block; gives the block as it would have to be."""
    written = []
    for command, shown in commands(text):
        printed = run(page, command[0], capfd)
        right = agrees(comparable(shown), comparable(printed))
        if not right and not REWRITE:
            pytest.fail(
                f"{page.path.name}:{line}: $ {command[0]}\nshows\n{shown}\n"
                f"and it printed\n{printed}",
                pytrace=False,
            )
        written += [*command[1], *(shown if right else rewritten(shown, printed)).splitlines()]
    return "".join(f"{line.rstrip()}\n" for line in written)


def write(page, kind, marks, text):
    """Write a named block, or one that is a test, to its file; False for any other."""
    named = NAMED.match(text)
    if named is not None:
        name = named["path"]
    elif kind == "python" and re.search(r"^def test_", text, re.MULTILINE):
        name = f"scenarios/test_page_{next(page.numbers)}.py"
    elif kind == "yaml" and re.search(r"^scenario:", text, re.MULTILINE):
        name = f"scenarios/page_{next(page.numbers)}.scenario.yaml"
    else:
        return False
    file = page.folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    if file.name.startswith("test_") or name.endswith(".scenario.yaml"):
        (page.failing if "fails" in marks else page.passing).append(name)
    return True


def play_block(page, line, kind, marks, text, capfd):
    place = f"{page.path.name}:{line}"
    if kind == "console":
        return play_console(page, line, text, capfd)
    if kind in ("python", "yaml"):
        if write(page, kind, marks, text):
            return text
        if kind == "yaml":
            for document in parse_documents(text, place):
                assert isinstance(document, dict), f"{place}: no mapping"
        else:
            exec(compile(text, place, "exec"), {"__name__": "example"})
    elif kind == "json":
        json.loads(text)
    else:
        assert kind in SHOWN_ONLY, f"{place}: a block of kind {kind!r} is not known here"
    return text


def prepared(folder):
    for name in ("game", "scenarios", "examples"):
        shutil.copytree(
            ROOT / name,
            folder / name,
            ignore=shutil.ignore_patterns("__pycache__", ".*", "game-results"),
        )
    return folder


def pytest_of(page, names):
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "-rA", *names],
        cwd=page.folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTEST_ADDOPTS": ""},
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("path", PAGES, ids=[page.name for page in PAGES])
def test_the_examples_of_a_page_do_what_it_shows(path, tmp_path, monkeypatch, capfd):
    page = Page(path, prepared(tmp_path))
    monkeypatch.chdir(tmp_path)
    whole = path.read_text(encoding="utf-8")
    for line, kind, marks, text in blocks(path):
        now = play_block(page, line, kind, marks, text, capfd)
        whole = whole.replace(f"```console\n{text}```", f"```console\n{now}```")
    if REWRITE:
        path.write_text(whole, encoding="utf-8")
        WRITTEN_WITH.write_text(json.dumps(machine(), indent=2) + "\n", encoding="utf-8")
    if page.passing:
        status, printed = pytest_of(page, page.passing)
        assert status == 0, printed
    for name in page.failing:
        status, printed = pytest_of(page, [name])
        assert status == 1, printed


@pytest.mark.parametrize("path", PAGES, ids=[page.name for page in PAGES])
def test_every_fence_of_a_page_is_closed_and_says_its_kind(path):
    fences = re.findall(r"^```.*$", path.read_text(encoding="utf-8"), re.MULTILINE)

    assert len(fences) == 2 * len(list(blocks(path)))


def test_another_output_than_the_shown_one_is_noticed(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr(sys.modules[__name__], "REWRITE", False)
    page = Page(Path("page.md"), prepared(tmp_path))
    monkeypatch.chdir(tmp_path)
    right = "$ harness run game --frames 1 --print player.alive\n...\n    1          True\n...\n"
    play_console(page, 1, right, capfd)

    for wrong in (right.replace("True", "False"), right.replace("    1  ", "    2  "), right[:-4]):
        with pytest.raises(pytest.fail.Exception):
            play_console(page, 1, wrong, capfd)


def test_a_failing_example_is_noticed(tmp_path):
    page = Page(Path("page.md"), prepared(tmp_path))
    write(page, "python", set(), "def test_it(play):\n    assert play.value('door.open')\n")
    write(page, "yaml", set(), "scenario: it\nsteps: [{expect: door.open}]\n")

    for name in page.passing:
        assert pytest_of(page, [name])[0] == 1


def test_a_hash_that_is_another_is_noticed_where_it_was_written():
    shown, printed = "hash ac77366585e86364, run-5f0de2b5", "hash bc77366585e86364, run-00000000"

    assert comparable(shown, hashes=True) != comparable(printed, hashes=True)
    assert comparable(shown, hashes=False) == comparable(printed, hashes=False)
