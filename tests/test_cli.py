"""The command line: what it answers, where, and with which exit status."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness import cli, tools  # noqa: F401
from harness.playtest.play import Playtest
from harness.registry import REGISTRY

WALKER = Path(__file__).parent / "walker"
PLAYING = ("game_run", "game_branch", "game_query", "game_shot")
FILES = (
    "game_check", "scene_list", "scene_get", "scene_edit", "scene_diff",
    "api", "describe", "capabilities",
)  # fmt: skip
WITHOUT = ("events", "help")
"""A command has no history, and ``harness --help`` is its help."""


@pytest.fixture
def game(tmp_path, monkeypatch):
    """A copy of the walker in the working directory."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(WALKER, tmp_path / "game", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "game"


def change(game, old, new):
    file = game / "walker.py"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def typed(command, **more):
    """Type a command in a shell, with this environment's programs in reach."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        command, shell=True, executable="/bin/bash", env={**os.environ, "PATH": path},
        capture_output=True, text=True, check=False, timeout=60, **more,
    )  # fmt: skip


# run


def test_run_prints_a_short_table(harness):
    status, out, error = harness(
        "run", "game", "--frames=40", "--seed=3", "--input=right@1-30", "--print=walker.x",
        "--print=walker.health", "--every=20", "--until=walker.x == 30",
    )  # fmt: skip
    assert (status, error) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "passed: until held, stopped at frame 30"
    assert [line.split() for line in lines[1:4]] == [
        ["frame", "walker.x", "walker.health"], ["20", "20", "3"], ["30", "30", "3"],
    ]  # fmt: skip
    assert lines[4].startswith("scene street, seed 3, hash ")
    assert len(lines) == 5


def test_json_is_the_tools_own_answer(harness, game):
    status, out, error = harness(
        "run", "game", "--json", "--frames=9", "--input=right@1-30", "--every=3",
        "--print=walker.x", "--assign=walker.health=2", "--against=no-input",
        "--assert=frame < 20", "--scene=park",
    )  # fmt: skip
    assert (status, error) == (0, "")
    tool = REGISTRY.find("game_run")
    given = {
        "frames": 9, "input": "right@1-30", "every": 3, "print": "walker.x",
        "assignments": "walker.health=2", "against": "no-input", "assert": ["frame < 20"],
        "scene": "park",
    }  # fmt: skip
    assert json.loads(out) == tool.function(Playtest(game), **tool.checked(given)).to_json()


def test_every_argument_of_every_tool_can_be_reached(harness):
    values = {
        "frames": 9, "seed": 3, "scene": "park", "input": "right@1-4", "assert": "frame < 20",
        "until": "frame == 13", "print": "walker.x", "every": 2, "assignments": "walker.health=2",
        "start": "there", "save": "here", "against": "no-input", "record": "a.movie",
    }  # fmt: skip
    options = {"assignments": "assign"}
    harness("run", "--seed=3", "--scene=park", "--frames=5", "--save=there")
    known = {argument.name for argument in REGISTRY.find("game_run").arguments}
    assert known == {*values, "shots"}  # the walker cannot be drawn: see test_cli_look.py
    status, out, error = harness(
        "run", "game", "--json",
        *(f"--{options.get(name, name)}={value}" for name, value in values.items()),
    )  # fmt: skip
    answer = json.loads(out)
    assert (status, error) == (0, "")
    assert (answer["start_frame"], answer["frame"], answer["stopped"]) == (5, 8, "until")
    assert answer["written"] == ["a.movie"]
    assert Path(".harness/here.movie").is_file()
    for tool in REGISTRY:
        # Those that look are in test_cli_look.py, those of files in test_cli_scene.py.
        assert tool.name in (*PLAYING, *FILES, *WITHOUT), f"{tool.name} has no command, or no test"


def test_every_argument_of_branch_can_be_reached(harness):
    values = {
        "inputs": "right@1-4", "frames": 9, "assert": "frame < 20", "until": "frame == 13",
        "print": "walker.x", "assignments": "walker.health=2", "start": "there",
        "seed": 3, "scene": "park",
    }  # fmt: skip
    options = {"assignments": "assign", "inputs": "input"}
    harness("run", "--seed=3", "--scene=park", "--frames=5", "--save=there")
    given = [argument.name for argument in REGISTRY.find("game_branch").arguments]
    assert set(given) == set(values)
    words = [f"--{options.get(name, name)}={values[name]}" for name in given]
    status, out, error = harness("branch", "game", "--json", *words, "--input=left@1-9")
    rows = json.loads(out)["rows"]
    assert (status, error) == (0, "")
    assert [row["input"] for row in rows] == ["right@1-4", "left@1-9"]
    assert [(row["start_frame"], row["frame"], row["stopped"]) for row in rows] == [
        (5, 8, "until")
    ] * 2


def test_input_may_be_events_a_bot_or_a_movie(harness, game):
    Path("bot.py").write_text("def walk(view):\n    return 'right'\n", encoding="utf-8")
    events = '[{"frame": 1, "press": "right"}]'
    hashes = set()
    for given in ("right@1-60", events, "bot.py:walk", "walk.movie"):
        status, out, _ = harness("run", "--json", "--input", given, "--record=walk.movie")
        assert status == 0, out
        hashes.add(json.loads(out)["state_hash"])
    assert len(hashes) == 1
    status, _, error = harness("run", "--input", '[{"frame": 1,')
    assert status == 2
    assert error.startswith("harness: input: a list of events is JSON: ")


@pytest.mark.parametrize(
    ("arguments", "status", "first"),
    [
        (["--assert=frame < 5"], 1, "failed: an assert did not hold, stopped at frame 5"),
        (["--until=frame == 99"], 1, "failed: played all frames, stopped at frame 60"),
        (["--input=trip@3"], 1, "error: the game failed, stopped at frame 3"),
        (["--input=right@1-2, leave@3"], 1, "failed: the game ended itself after frame 2"),
        (["--input=leave@3"], 0, "passed: the game ended itself after frame 2"),
    ],
)
def test_the_status_says_how_it_ended(harness, arguments, status, first):
    told = harness("run", "game", *arguments)
    assert told[0] == status
    assert told[1].splitlines()[0] == first
    told = harness("run", "game", "--json", *arguments)
    assert told[0] == status
    assert json.loads(told[1])["status"] == first.partition(":")[0]


def test_a_game_that_raises_is_told_by_its_own_line(harness, game):
    _, out, error = harness("run", "game", "--input=right@1-7, trip@9")
    assert "walker.py:37: ValueError: tripped over 7 (frame 9)" in out
    change(game, "import random", "import nothing_of_that_name")
    status, out, error = harness("run", "game")
    assert status == 1
    assert "walker.py:3: ModuleNotFoundError: No module named 'nothing_of_that_name'" in out + error
    change(game, "import nothing_of_that_name", "def (")
    status, out, error = harness("run", "game")
    assert status == 1
    assert "walker.py:3: SyntaxError" in out + error


WRONG = [
    (["--until=wlaker.x > 3"], "no name 'wlaker'; this game has: walker, game"),
    (["--print=wlaker.x"], "no name 'wlaker'; this game has: walker, game"),
    (["--print=walker.y"], "Walker has no 'y'; it has: "),
    (
        ["--until=x = 3"],
        "'x = 3' is a statement, and an expression is needed; ",
    ),
    (["--assert=import os"], "'import os' is a statement"),
    (["--until=walker.x >"], "cannot read 'walker.x >'"),
    (["--until="], "not an expression: ''"),
    (["--frames=0"], "frames: must be at least 1, not 0"),
    (["--frames=-3"], "frames: must be at least 1, not -3"),
    (["--frames=many"], "frames: must be a whole number, not 'many'"),
    (["--frames=1.5"], "frames: must be a whole number, not "),
    (["--every=0"], "every: must be at least 1, not 0"),
    (["--seed=-1"], "seed: must be at least 0, not -1"),
    (["--seed=4294967296"], "seed: must be at most 4294967295, not 4294967296"),
    (["--scene=prak"], "no scene named 'prak'; this game has: park, street"),
    (["--input=nowhere.movie"], "nowhere.movie"),
    (["--input=nowhere.py:bot"], "no bot at "),
    (["--input=jmup@3"], "no button or key named 'jmup'"),
    (["--input=right@"], "'right@'"),
    (["--input=right@0"], "right@0"),
    (["--input=right@5-3"], "right@5-3"),
    (["--input=right@1-9, right@5-12"], "right is held twice at frame 5"),
    (["--input=[]x"], "input: a list of events is JSON"),
    (["--assign=walker.x"], "walker.x"),
    (["--assign=wlaker.x=3"], "'wlaker'; this game has: walker, game"),
    (["--start=nothing"], "no savestate named 'nothing'; .harness has: none"),
    (["--start=../game"], "a savestate's name is a file's name, not '../game'"),
    (["--save=a/b"], "a savestate's name is a file's name, not 'a/b'"),
    (["--save=a\nb"], "a savestate's name is a file's name, not 'a\\nb'"),
    (["--until=1informovein-"], "cannot read '1informovein-'"),
    (["--save="], "a savestate's name is a file's name, not ''"),
    (["--against=nowhere.movie"], "nowhere.movie"),
    (["--against=run-1"], "run-1"),
    (["--record=no/such/folder/a.movie"], "no/such/folder"),
]


@pytest.mark.parametrize(("arguments", "words"), WRONG)
def test_a_wrong_request_is_one_clear_line_and_two(harness, arguments, words):
    status, out, error = harness("run", "game", *arguments)
    assert (status, out) == (2, ""), error
    assert words in error
    assert error.startswith("harness: ")
    assert error.count("\n") == 1, error
    status, out, same = harness("run", "game", "--json", *arguments)
    answer = json.loads(out)
    assert (status, same) == (2, error)
    assert f"harness: {answer['error']['message']}\n" == error
    assert (answer["status"], answer["code"]) == ("error", "invalid_arguments")


def test_an_unknown_name_is_answered_with_those_there_are(harness):
    _, out, _ = harness("run", "game", "--json", "--scene=prak")
    assert json.loads(out) == {
        "status": "error",
        "code": "invalid_arguments",
        "error": {
            "type": "UnknownName",
            "message": "no scene named 'prak'; this game has: park, street",
            "known": ["park", "street"],
        },
    }


@pytest.mark.parametrize(
    "arguments",
    [[], ["rnu"], ["run", "--frmaes=3"], ["run", "--frame=3"], ["run", "a", "b"], ["replay"],
     ["new"], ["run", "--frames"]],
)  # fmt: skip
def test_what_the_parser_refuses_is_two_as_well(harness, arguments):
    status, out, error = harness(*arguments)
    assert (status, out) == (2, "")
    assert "error: " in error.splitlines()[-1]


@pytest.mark.parametrize("arguments", [["--help"], ["run", "--help"], ["--version"]])
def test_help_is_zero(harness, arguments):
    status, out, error = harness(*arguments)
    assert (status, error) == (0, "")
    assert out


def test_what_is_no_game_is_refused_with_what_is_driven(harness):
    Path("arc.py").write_text("import arcade\n", encoding="utf-8")
    Path("plain").mkdir()
    for given in ("arc.py", "plain", "nowhere"):
        status, out, error = harness("run", given)
        assert (status, out) == (2, "")
        assert given in error
        assert error.count("\n") <= 2
    assert (
        "a program for arcade; the harness drives programs for pygame"
        in harness("run", "arc.py")[2]
    )


# standard output


NOISE = """
print("import on stdout")
import os, subprocess, sys
os.write(1, b"import on descriptor 1\\n")
subprocess.run([sys.executable, "-c", "print('a child')"])
sys.__stdout__.write("import on __stdout__\\n"); sys.__stdout__.flush()
"""


def test_stdout_has_the_answer_only(game):
    change(game, "import random\n", f"import random\n{NOISE}")
    change(
        game, "        self.frame += 1\n",
        "        self.frame += 1\n        print('step'); os.write(1, b'step on 1\\n')\n",
    )  # fmt: skip
    done = typed("harness run game --json --frames 3 --print walker.x")
    assert json.loads(done.stdout)["frames"] == {"3": {"walker.x": 0}}
    for noise in ("import on stdout", "import on descriptor 1", "a child", "step\n", "step on 1"):
        assert noise in done.stderr, noise
    done = typed("harness run game --frames 3")
    assert done.stdout.startswith("passed: ")
    assert done.stdout.count("\n") == 2


def test_main_leaves_stdout_as_it_was(harness, capfd):
    harness("run", "game", "--frames=3")
    print("after")
    os.write(1, b"and after\n")
    assert capfd.readouterr().out == "after\nand after\n"


def test_captured_output_is_no_matter(game, capsys):
    assert cli.main(["run", "game", "--frames=3"]) == 0
    assert capsys.readouterr().out.startswith("passed: ")


def test_odd_characters_are_written_whatever_the_terminal_speaks(game):
    change(game, "        self.health = 3", "        self.health = 'h\u00e4rz \u2665 \\udcff'")
    done = typed("PYTHONIOENCODING=ascii harness run game --frames 3 --print walker.health")
    assert done.returncode == 0, done.stderr
    assert "h\u00e4rz \u2665" in done.stdout


def test_a_reader_that_has_gone_is_no_error(game):
    done = typed(
        "set -o pipefail; harness run game --frames 20000 --every 1 --print walker.x | head -1"
    )
    assert done.stdout == "passed: played all frames, stopped at frame 20000\n"
    assert (done.returncode, done.stderr) == (141, "")


def test_an_interrupt_ends_without_a_traceback(game):
    change(
        game, "        self.frame += 1\n",
        "        self.frame += 1\n        open('begun', 'w').close()\n"
        "        import time; time.sleep(0.001)\n",
    )  # fmt: skip
    program = [sys.executable, "-P", "-m", "harness", "run", "game", "--frames", "1000000"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        for _ in range(3000):
            if Path("begun").exists():
                break
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=30)
    assert (process.returncode, out, error) == (130, b"", b"harness: interrupted\n")


# where the game is


def test_the_game_is_found_upward_and_in_game(harness, game, monkeypatch):
    assert harness("run", "--frames=3")[0] == 0
    (game / "scenarios" / "deep").mkdir(parents=True)
    monkeypatch.chdir(game / "scenarios" / "deep")
    assert harness("run", "--frames=3")[0] == 0
    assert harness("run", "../../harness.yaml", "--frames=3")[0] == 0


def test_without_a_game_it_says_what_to_do(harness, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path.parent)
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    status, out, error = harness("run")
    assert (status, out) == (2, "")
    assert "no game here: no harness.yaml in" in error
    assert "harness new DIR writes a game to start from" in error


def test_a_game_that_does_not_fit_is_two(harness, game):
    config = game / "harness.yaml"
    text = config.read_text(encoding="utf-8")
    for old, new, words in (
        ("walker:WalkerGame", "walker:Nobody", "Nobody"),
        ("walker:WalkerGame", "nobody:WalkerGame", "nobody"),
        ("id: walker", "idd: walker", "no key named 'idd'"),
        ("scenes: [street, park]", "scenes: 3", "scenes: must be"),
    ):
        config.write_text(text.replace(old, new), encoding="utf-8")
        status, out, error = harness("run", "game")
        assert (status, out) == (2, "")
        assert words in error
        assert error.count("\n") == 1


@pytest.mark.parametrize("name", ["-odd", "with space", "b\u00e4r", "quo'te"])
def test_a_game_may_have_an_odd_name(harness, name):
    shutil.move("game", name)
    assert harness("run", "--frames=3", "--", name)[0] == 0
    assert harness("run", f"./{name}", "--frames=3")[0] == 0


def test_python_m_harness_works_beside_another_harness(game):
    Path("harness.py").write_text("print('this is theirs')\n", encoding="utf-8")
    python = f'"{sys.executable}"'
    # Python itself looks in the working directory first; -P keeps it out.
    assert typed(f"{python} -m harness run game").stdout == "this is theirs\n"
    assert typed(f"{python} -P -m harness run game --frames 3").stdout.startswith("passed: ")
    assert typed("harness run game --frames 3").stdout.startswith("passed: ")


def test_a_game_with_a_module_named_harness_plays(game):
    (game / "harness.py").write_text("WHAT = 'a climbing harness'\n", encoding="utf-8")
    change(game, "import random\n", "import random\nimport harness\n")
    change(game, '{"game": self}', '{"game": self, "what": harness.WHAT}')
    done = typed("harness run game --frames 3 --print what")
    assert done.returncode == 0, done.stderr
    assert "a climbing harness" in done.stdout


# savestates and replays


def test_a_savestate_is_a_movie_under_the_working_directory(harness):
    assert harness("run", "--frames=10", "--seed=3", "--input=right@1-9", "--save=there")[0] == 0
    assert Path(".harness/there.movie").is_file()
    status, out, error = harness("run", "--start=there", "--frames=5", "--print=walker.x", "--json")
    answer = json.loads(out)
    assert (status, error) == (0, "")
    assert (answer["start_frame"], answer["seed"]) == (10, 3)
    assert answer["frames"] == {"5": {"walker.x": 9}}
    status, _, error = harness("run", "--start=there", "--seed=4")
    assert (status, "saved with seed 3; leave it out" in error) == (2, True)
    status, _, error = harness("run", "--start=thre")
    assert "no savestate named 'thre'; .harness has: there" in error
    assert harness("run", "--start=there", "--save=further", "--frames=5")[0] == 0
    answer = json.loads(harness("run", "--start=further", "--json")[1])
    assert answer["start_frame"] == 15


def test_a_savestate_of_another_game_or_build_says_so(harness, game):
    harness("run", "--frames=10", "--input=right@1-9", "--save=there")
    change(game, '("right" in inputs.held)', '2 * ("right" in inputs.held)')
    status, out, error = harness("run", "--start=there", "--frames=1")
    assert (status, error) == (0, "")
    assert "note: savestate 'there' was rebuilt from its movie: the game has changed" in out
    config = game / "harness.yaml"
    config.write_text(config.read_text(encoding="utf-8").replace("id: walker", "id: runner"))
    done = typed("harness run --start there")
    assert done.returncode == 2
    assert "was recorded with the game 'walker', and this is 'runner'" in done.stderr


def test_a_savestate_that_cannot_be_kept_says_so(harness):
    Path(".harness").write_text("", encoding="utf-8")
    status, _, error = harness("run", "--frames=3", "--save=there")
    assert status == 2
    assert error.startswith("harness: cannot make .harness: ")


def test_replay_says_whether_it_is_the_same(harness, game):
    harness("run", "--frames=100", "--input=right@1-9", "--record=a.movie")
    status, out, error = harness("replay", "game", "a.movie")
    assert (status, error) == (0, "")
    assert out.startswith("same: checked 100 of 100 frames, hash ")
    assert out.count("\n") == 1
    assert harness("replay", "a.movie")[1] == out
    answer = json.loads(harness("replay", "a.movie", "--json")[1])
    assert (answer["kind"], answer["checked"]) == ("same", 100)
    change(game, '("right" in inputs.held)', '2 * ("right" in inputs.held)')
    status, out, error = harness("replay", "a.movie")
    assert (status, error) == (1, "")
    assert out.startswith("behaviour changed: a.movie first differs at frame ")
    status, out, _ = harness("replay", "a.movie", "--json")
    assert (status, json.loads(out)["kind"]) == (1, "behaviour changed")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.movie"], "nowhere.movie"),
        (["game", "nowhere.movie"], "nowhere.movie"),
        (["gmae", "a.movie"], "no game at"),
        (["bad.movie"], "bad.movie"),
        (["."], "movie"),
    ],
)
def test_a_wrong_replay_is_one_clear_line(harness, arguments, words):
    Path("bad.movie").write_text("hello\n", encoding="utf-8")
    status, out, error = harness("replay", *arguments)
    assert (status, out) == (2, "")
    assert words in error
    assert error.count("\n") == 1


# new


ODD_NAMES = ["a b/\u00fcn\u00ef", "-dash"]


@pytest.mark.parametrize("name", ["mine", *ODD_NAMES, "123", "true", "null", "harness"])
def test_new_writes_a_game_that_runs_at_once(tmp_path, name):
    done = typed(f"harness new -- {name!r}", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines.count("play it:") == 1
    run, test = (line.strip() for line in lines[-2:])
    done = typed(run, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "ball.position" in done.stdout
    if name in ODD_NAMES or name == "harness":
        done = typed(f"{test} -p no:cacheprovider", cwd=tmp_path)
        assert done.returncode == 0, done.stdout
        assert "3 passed" in done.stdout


def test_new_takes_an_empty_folder_and_what_is_hidden_in_it(harness, tmp_path, monkeypatch):
    folder = tmp_path / "mine"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    assert harness("new", ".")[0] == 0
    assert sorted(path.name for path in folder.iterdir()) == [
        ".git", "ball.py", "harness.yaml", "scenarios",
    ]  # fmt: skip
    status, out, error = harness("new", ".")
    assert (status, out) == (2, "")
    assert error == "harness: . is not empty; give a new folder\n"


def test_new_refuses_what_cannot_be(harness):
    Path("file").write_text("", encoding="utf-8")
    for given in ("game", "file", "file/deep", "x" * 300, "a\0b"):
        status, out, error = harness("new", given)
        assert (status, out) == (2, ""), given
        assert error.count("\n") == 1


def test_the_printed_commands_of_the_help_are_valid(game):
    text = typed("harness run --help").stdout
    example = " ".join(text.partition("example:\n")[2].replace("\\\n", " ").split())
    example = example.replace("door.open", "walker.x==3").replace("player.position.x", "walker.x")
    done = typed(example)
    assert done.returncode == 0, done.stderr


# what is asked wrongly


LONG = "x" * 300


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["run", LONG], "cannot look at "),
        (["run", "~nobody-of-that-name"], "no game at "),
        (["run", "a\0b"], "cannot look at "),
        (["run", "game", f"--start={LONG}"], "a savestate's name is a file's name"),
        (["run", "game", f"--save={LONG}"], "a savestate's name is a file's name"),
        (["run", "game", "--record=/"], "record: a movie's name ends in .movie"),
        (["run", "game", f"--input={LONG}.movie"], "cannot read "),
        (["run", "game", f"--input={LONG}.py:bot"], "cannot read the bot "),
        (["golden", "list", LONG], "cannot look at "),
        (["golden", "approve", LONG], "cannot look at "),
        (["replay", "game", LONG], "cannot read "),
        (["new", LONG], "cannot make "),
        (["new", "a\nb"], "cannot make 'a\\nb': a name must be in one line"),
    ],
)
def test_a_name_that_no_file_can_have_is_refused_in_one_line(harness, words, message):
    status, out, error = harness(*words)
    assert (status, out) == (2, "")
    assert error.startswith(f"harness: {message}")
    assert len(error.splitlines()) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="a folder in use cannot be deleted there")
@pytest.mark.parametrize("words", [["run"], ["run", "../game"], ["golden", "list"], ["shot"]])
def test_a_working_folder_that_is_gone_is_told(harness, tmp_path, monkeypatch, words):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    status, _, error = harness(*words)
    monkeypatch.chdir(tmp_path)
    assert status == 2
    assert error.startswith("harness: the working folder is out of reach: ")


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() == 0, reason="nothing is forbidden to root"
)
@pytest.mark.parametrize(
    ("place", "mode", "status", "message"),
    [
        ("game/art", 0o000, 0, ""),
        ("game", 0o311, 2, "harness: cannot list "),
        ("game", 0o000, 2, "harness: cannot look at "),
    ],
)
def test_a_folder_that_may_not_be_read_is_told(harness, tmp_path, place, mode, status, message):
    (tmp_path / "game/art").mkdir()
    (tmp_path / place).chmod(mode)
    try:
        found, _, error = harness("run", "game", "--frames=2")
    finally:
        (tmp_path / place).chmod(0o755)
    assert (found, error[: len(message)]) == (status, message)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_to_itself_is_no_file_of_the_game(harness, game):
    (game / "loop").symlink_to("loop")
    assert harness("run", "game", "--frames=2")[0] == 0


@pytest.mark.parametrize("words", [["run", "game", "--bogus"], ["bogus"], ["query"]])
def test_words_that_no_command_takes_are_told_in_json_too(harness, words):
    status, out, error = harness(*words, "--json")
    answer = json.loads(out)
    assert status == 2
    assert answer["code"] == "invalid_arguments"
    assert answer["error"]["message"] in error
    assert error.startswith("usage: harness")


def test_what_a_game_says_cannot_steer_the_terminal(harness, game):
    change(game, "sys.exit(self.walker.x)", "raise ValueError('\\x1b[2Jgone\\x07')")
    status, out, _ = harness("run", "game", "--input=leave@3")
    assert status == 1
    assert r"ValueError: \x1b[2Jgone\x07" in out
    assert "\x1b" not in out


@pytest.mark.parametrize("isolation", ["in-process", "auto"])
def test_a_thread_that_a_game_leaves_does_not_keep_a_command_from_ending(
    game, harness_process, isolation
):
    change(game, "sys.exit(self.walker.x)", "import threading; threading.Thread("
           "target=threading.Event().wait, name='music').start()")  # fmt: skip
    done = harness_process("run", game, "--input=leave@3", "--isolation", isolation)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("passed: played all frames, stopped at frame 60\n")
    if isolation == "in-process":
        assert done.stderr == "harness: the game left threads running, which end now: music\n"


def test_a_record_that_is_none_is_a_wrong_request(harness, tmp_path):
    for text in ("{}", "no json", '{"name": "a", "folder": 3, "pixels": "", "drawn_with": {}}'):
        (tmp_path / "results").mkdir(exist_ok=True)
        (tmp_path / "results/golden.json").write_text(text, encoding="utf-8")
        status, _, error = harness("golden", "approve", "results")
        assert (status, len(error.splitlines())) == (2, 1)
        assert "is no record of a comparison" in error


def test_an_option_that_is_none_is_told_which_there_are(harness):
    status, out, error = harness("run", "game", "--frmaes", 3)
    assert (status, out) == (2, "")
    assert "harness run: error: no option named '--frmaes'; harness run has: --frames" in error
    assert "unrecognized arguments: more words" in harness("run", "game", "more", "words")[2]
