"""However it ends, no process, descriptor or file is left, and the next command works."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness.errors import GameError
from harness.values.run import RunRequest
from harness.worker.isolation import FORKS
from tests.worker.conftest import children, close_idle, state_of

ROOT = Path(__file__).parents[2]
ROUNDS = int(os.environ.get("PLAYTEST_ROUNDS", "1"))
"""How many times as long the loops of this file are."""

pytestmark = pytest.mark.skipif(not FORKS, reason="forks are counted")


def until(holds, seconds=2.0):
    deadline = time.monotonic() + seconds
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.02)
    return holds()


def descriptors():
    return len(os.listdir("/proc/self/fd"))


def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4


def test_runs_and_savestates_in_a_row_leave_everything_where_it_was(stub, plays):
    play = plays("fork", stub())
    request = RunRequest(frames=20, input="right@1-20", print=("walker.x",))
    for _ in range(300):  # what is kept of the last runs is kept now
        play.run(request)
    play.save("here")
    before = len(children()), descriptors(), resident()
    for number in range(100 * ROUNDS):
        assert play.run(RunRequest(frames=3, seed=number)).passed
    for _ in range(20 * ROUNDS):
        play.load("here")
        play.step()
        play.save("here")
    play.run(request)
    assert abs(len(children()) - before[0]) <= 1  # the next fork may be made already, or not yet
    assert abs(descriptors() - before[1]) <= 2
    assert resident() - before[2] < 8_000
    assert zombies() == []


def test_a_daemon_of_the_game_ends_with_the_processes_that_played_it(stub, plays, tmp_path):
    noted = tmp_path / "daemon"
    folder = stub(
        f"""
        import os, time
        from honest import Honest

        class Stub(Honest):
            def step(self, inputs):
                super().step(inputs)
                if self.walker.steps == 2 and os.fork() == 0:
                    os.setsid()
                    if os.fork() == 0:
                        with open({str(noted)!r}, "w") as file:
                            file.write(str(os.getpid()))
                        while True:
                            time.sleep(0.01)
                    os._exit(0)
        """
    )
    play = plays("fork", folder)
    assert play.run(RunRequest(frames=5)).passed
    assert until(lambda: noted.exists() and noted.read_text())
    daemon = int(noted.read_text())
    assert state_of(daemon) not in ("", "Z")
    play.close()
    close_idle()
    assert until(lambda: state_of(daemon) in ("", "Z"))


def zombies():
    return [process for process, _ in children() if state_of(process) == "Z"]


def test_a_closed_play_leaves_no_process_and_no_file(stub, plays, worker):
    close_idle()
    before = len(children()), descriptors()
    play = plays(worker, stub())
    play.run(RunRequest(frames=3, save="a"))
    play.save("b")
    assert children()
    play.close()
    close_idle()
    assert until(lambda: (len(children()), descriptors()) == before)
    mine = list(Path("/tmp").glob(f"playtest-{os.getpid()}-*"))
    assert mine == []


def test_a_play_that_nobody_holds_any_more_ends(stub, tmp_path):
    from harness.worker.play import WorkerPlay

    close_idle()
    before = len(children()), descriptors()
    play = WorkerPlay(stub(), base=tmp_path)
    play.run(RunRequest(frames=3, save="a"))
    del play
    close_idle()
    assert until(lambda: (len(children()), descriptors()) == before)


@pytest.mark.parametrize("whom", ["zygote", "player", "parked"])
def test_the_next_command_works_after_somebody_was_killed(stub, plays, whom):
    play = plays("fork", stub())
    play.run(RunRequest(frames=9, input="right@1-9", save="nine"))
    family, seat = play._seat.family, play._seat
    member = {
        "zygote": family.root, "player": seat.member, "parked": play._shelf.get("nine").member,
    }[whom]  # fmt: skip
    os.kill(member.pid, signal.SIGKILL)
    time.sleep(0.05)
    if whom == "player":
        with pytest.raises(GameError, match="ended by SIGKILL"):
            play.step()
    run = play.run(RunRequest(frames=1, start="nine", print=("walker.x",)))
    assert (run.passed, run.frames[1]) == (True, {"walker.x": 9})
    assert play.run(RunRequest(frames=3)).passed


def test_kills_at_random_moments_leave_a_play_that_works(stub, plays):
    rng = random.Random(4)
    play = plays("fork", stub())
    long = RunRequest(frames=10_000_000)
    for _ in range(6 * ROUNDS):
        killer = kill_later(rng)
        run = play.run(long)
        killer.wait()
        assert run.error.type == "Crashed"
        assert play.run(RunRequest(frames=3, save="three")).passed
    assert zombies() == []


def kill_later(rng):
    """Kill the one who plays, or the one it is forked from as well, from another process."""
    both = rng.random() < 0.3
    code = (
        "import os, signal, sys, time\n"
        "sys.path.insert(0, sys.argv[1])\n"
        "from tests.worker.conftest import children, state_of\n"
        f"time.sleep({rng.uniform(0.05, 0.3)})\n"
        "playing = []\n"
        "while not playing:\n"
        "    found = [p for p, _ in children(int(sys.argv[2]))]\n"
        "    playing = [p for p in found if state_of(p) == 'R']\n"
        f"for p in found if {both} else playing:\n"
        "    os.kill(p, signal.SIGKILL)\n"
    )
    return subprocess.Popen([sys.executable, "-c", code, str(ROOT), str(os.getpid())])


PARENT = """
import sys
from harness.values.run import RunRequest
from harness.worker.play import WorkerPlay

play = WorkerPlay(sys.argv[1], how=sys.argv[2])
play.run(RunRequest(frames=3, save="a"))
play.save("b")
print("ready", flush=True)
play.run(RunRequest(frames=10_000_000, start="a", assignments=(sys.argv[3],)))
"""
LOOPS = """
    from honest import Honest
    class Stub(Honest):
        def step(self, inputs):
            super().step(inputs)
            if self.walker.typed == "hang":
                list(iter(int, 1))
"""


@pytest.mark.parametrize("how", ["walker.typed=go", "walker.typed=hang"])
def test_no_process_is_left_when_the_parent_is_killed(stub, worker, how):
    folder = stub(LOOPS)
    for _ in range(ROUNDS):
        command = [sys.executable, "-c", PARENT, str(folder), worker, how]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as parent:
            assert parent.stdout.readline() == b"ready\n"
            time.sleep(random.Random(7).uniform(0, 0.2))
            found = [process for process, _ in children(parent.pid)]
            parent.kill()
        assert found
        assert until(lambda found=found: all(state_of(p) in ("", "Z") for p in found))


def test_the_files_of_a_killed_process_are_removed_by_the_next(tmp_path, monkeypatch):
    from harness.worker import pins

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    (tmp_path / f"playtest-{gone.pid}-abc" / "run-1").mkdir(parents=True)
    (tmp_path / f"playtest-{os.getpid()}-abc").mkdir()
    (tmp_path / "playtest-abc").mkdir()
    new = pins.new_folder()
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {f"playtest-{os.getpid()}-abc", "playtest-abc", new.name}


def test_a_fork_of_this_process_does_not_end_its_workers(stub, plays):
    import gc

    play = plays("fork", stub())
    play.step(3)
    child = os.fork()
    if not child:
        play._seat.family._end()
        gc.collect()
        os._exit(0)
    os.waitpid(child, 0)
    assert play.step() == 4


def test_a_game_gets_no_descriptor_of_ours(stub, plays):
    game = stub("""
        import os, subprocess
        from honest import Honest
        class Stub(Honest):
            def step(self, inputs):
                super().step(inputs)
                self.walker.bag = sorted(
                    int(n) for n in subprocess.run(
                        ["ls", "/proc/self/fd"], capture_output=True, text=True
                    ).stdout.split()
                )
    """)
    assert plays("fork", game).run(RunRequest(frames=1, print=("walker.bag",))).frames[1] == {
        "walker.bag": [0, 1, 2, 3]
    }


def test_an_interpreter_that_does_not_start_is_told(stub, plays, monkeypatch, tmp_path):
    play = plays("fork", stub())
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nothing"))
    close_idle()
    run = play.run(RunRequest(frames=1))
    assert run.error.type == "Crashed"
    assert run.error.message.startswith("no worker can start: ")
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert play.run(RunRequest(frames=1)).error.message == "the process ended with status 1"


def test_two_plays_of_a_game_share_a_family_and_no_state(stub, plays):
    game = stub()
    one, two = plays("fork", game, seed=1), plays("fork", game, seed=2)
    one.hold("right", frames=3)
    two.hold("left", frames=3)
    assert one._seat.family is two._seat.family
    assert (one.value("walker.x"), two.value("walker.x")) == (3, -3)
    assert (one.value("seed"), two.value("seed")) == (1, 2)
    one.close()
    assert two.step() == 4


CHILDREN = {
    "a program": "subprocess.Popen([sys.executable, '-c', NOTE + 'time.sleep(60)'])",
    "one with a child": "subprocess.Popen([sys.executable, '-c', PAIR])",
    "a group": "subprocess.Popen([sys.executable, '-c', NOTE + 'time.sleep(60)'], "
    "start_new_session=True)",
    "a daemon": "os.fork() or (os.setsid(), os.fork() and os._exit(0), note(), time.sleep(60))",
}


@pytest.fixture
def starter(stub, tmp_path):
    """A game that starts something at its second frame; gives its folder, and who is started."""
    noted = tmp_path / "started"

    def start(how):
        note = f"import os, time; file = open({str(noted)!r}, 'a'); "
        note += "file.write(f'{os.getpid()}\\n'); file.close();"
        pair = f"{note} os.fork(); {note} time.sleep(60)"
        return stub(
            f"""
            import os, subprocess, sys, time
            from honest import Honest

            NOTE, PAIR = {note!r}, {pair!r}

            def note():
                exec(NOTE)

            class Stub(Honest):
                def step(self, inputs):
                    super().step(inputs)
                    if self.walker.steps == 2:
                        {CHILDREN[how]}
            """
        )

    def started():
        text = noted.read_text() if noted.exists() else ""
        return {int(line) for line in text.split()}

    return start, started


@pytest.mark.parametrize("how", CHILDREN)
def test_what_a_game_starts_ends_when_the_next_run_has_begun(starter, plays, worker, how):
    start, started = starter
    play = plays(worker, start(how))

    def of_a_run():
        before = started()
        assert play.run(RunRequest(frames=4)).passed
        assert until(lambda: len(started() - before) == 1 + (how == "one with a child"), 10)
        return started() - before

    first = of_a_run()
    assert all(state_of(process) not in ("", "Z") for process in first)
    time.sleep(0.05)  # births are told in hundredths; in doubt it is kept for the next run
    assert until(lambda: (of_a_run(), all(state_of(p) in ("", "Z") for p in first))[1], 10)
    play.close()
    close_idle()
    assert until(lambda: all(state_of(process) in ("", "Z") for process in started()))


def test_what_a_savestate_stands_on_goes_on_as_long_as_it_is_kept(starter, plays):
    start, started = starter
    play = plays("fork", start("a daemon"))
    play.step(3)
    assert until(started, 10)
    (kept,) = started()
    play.save("here")
    deadline = time.monotonic() + 1.5
    while time.monotonic() < deadline:
        play.load("here")
        play.step(2)
    assert started() == {kept}
    assert state_of(kept) not in ("", "Z")
