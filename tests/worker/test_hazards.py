"""Whatever a game does to its process: the call that ran it says so, and nothing else is hurt."""

import os
import threading
import time

import pytest

from harness.errors import GameError, RunCancelled
from harness.values.run import RunRequest

GAME = """
    import ctypes, os, signal, subprocess, sys, threading, time
    from pathlib import Path
    from honest import Honest

    class Stub(Honest):
        def reset(self, scene, seed):
            super().reset(scene, seed)
            self.walker.doing = ""

        def step(self, inputs):
            super().step(inputs)
            if self.walker.steps == 7 and self.walker.doing:
                getattr(self, self.walker.doing)()

        def loop(self):
            while True: self.walker.luck += 1  # here

        def sleep(self):
            time.sleep(600)  # here

        def loop_in_c(self):
            list(iter(int, 1))  # here

        def loop_that_holds_on(self):
            while True:
                try:
                    while True:
                        pass
                except Exception:
                    pass

        def crash(self):
            ctypes.string_at(0)  # here

        def abort(self):
            os.abort()  # here

        def die(self):
            os.kill(os.getpid(), signal.SIGKILL)

        def end(self):
            ctypes.CDLL(None).exit(5)

        def say(self):
            print("said")
            os.write(1, b"written")
            os.system("echo echoed")

        def move(self):
            os.chdir("/")

        def eat(self):
            self.walker.bag = [bytearray(1 << 16) for _ in range(1 << 16)]  # here

        def eat_for_ever(self):
            kept = []
            self.walker.bag = kept
            while True:
                kept.append(bytearray(4096))  # here

        def thread(self):
            threading.Thread(target=time.sleep, args=(600,)).start()

        def write(self):
            (Path.home() / "score.txt").write_text("7")
            Path(os.environ["TMPDIR"], "more.txt").write_text("8")

        def read(self):
            self.walker.bag = sorted(p.name for p in Path.home().iterdir())

        def ask(self):
            try:
                self.walker.typed = input()
            except EOFError:
                self.walker.typed = "nobody"

        def child(self):
            self.walker.typed = subprocess.run(
                [sys.executable, "-c", "print(5)"], capture_output=True, text=True
            ).stdout.strip()
            if os.fork() == 0:
                os._exit(3)
            self.walker.presses = os.waitstatus_to_exitcode(os.wait()[1])
"""


def doing(what, **more):
    return RunRequest(frames=20, assignments=(f"walker.doing={what}",), **more)


def line_of(folder, what):
    lines = (folder / "adapter.py").read_text().splitlines()
    start = next(n for n, line in enumerate(lines) if f"def {what}(self)" in line)
    return next(n for n, line in enumerate(lines, 1) if n > start and "# here" in line)


@pytest.fixture
def game(stub):
    return stub(GAME)


@pytest.mark.parametrize("what", ["loop", "sleep", "loop_in_c"])
def test_a_game_that_hangs_is_ended_with_its_frame_and_line(game, plays, worker, what):
    assert plays(worker, game).run(RunRequest(frames=1)).passed  # what is forked is warm now
    budget = 0.8 if worker == "fork" else 2.5
    play = plays(worker, game, budget=budget)
    run = play.run(doing(what, save="never"))
    assert (run.status, run.stopped, run.frame) == ("error", "error", 7)
    assert (run.error.type, run.error.file) == ("Hung", "adapter.py")
    assert run.error.line == line_of(game, what)
    assert run.error.message == f"no frame was finished for {budget} s"
    assert play.kept("never") is None
    with pytest.raises(GameError, match=r"the game has ended: adapter.py:\d+: Hung"):
        play.step()
    assert play.run(RunRequest(frames=20)).passed


def test_in_this_process_a_timer_names_the_hung_line(game, plays):
    play = plays("in-process", game, budget=0.4)
    for what in ("loop", "sleep"):
        run = play.run(doing(what))
        assert (run.error.type, run.frame) == ("Hung", 7)
        assert run.error.line == line_of(game, what)
        assert run.error.message == "no frame was finished for 0.4 s"
        assert run.movie.frames == 7
    play.reset()
    play.edit("walker.doing", "loop")
    with pytest.raises(GameError, match="Hung: no frame was finished"):
        play.step(20)
    assert play.reset() == 0


def test_the_timer_of_somebody_else_is_left_alone(game, plays):
    import signal

    before = signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 100)
    try:
        assert plays("in-process", game, budget=0.4).run(RunRequest(frames=9)).passed
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 90
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_an_import_that_hangs_or_crashes_is_told(stub, plays, worker):
    for line, kind in (("import time; time.sleep(600)", "Hung"), ("os.abort()", "Crashed")):
        game = stub(f"import os\n{line}\n")
        play = plays(worker, game, budget=2.5)
        run = play.run(RunRequest(frames=3))
        assert (run.error.type, run.error.file, run.error.line) == (kind, "adapter.py", 2)
        with pytest.raises(GameError, match=kind):
            play.reset()
        (game / "adapter.py").write_text("from honest import Honest as Stub\n")
        assert play.run(RunRequest(frames=3)).passed


DEATHS = {
    "crash": ("Segmentation fault", True),
    "abort": ("Aborted", True),
    "die": ("the process was ended by SIGKILL, as the system does when memory runs out", False),
    "end": ("the process ended with status 5", False),
}


@pytest.mark.parametrize("what", DEATHS)
def test_a_game_that_kills_its_process_is_told_how(game, plays, worker, what):
    message, has_line = DEATHS[what]
    play = plays(worker, game)
    play.run(RunRequest(frames=3, save="three"))
    run = play.run(doing(what, start="three"))
    assert (run.status, run.start_frame, run.frame, run.seed) == ("error", 3, 4, 0)
    assert (run.error.type, run.error.message) == ("Crashed", message)
    assert run.error.line == (line_of(game, what) if has_line else 0)
    assert play.run(RunRequest(frames=3, start="three")).passed


def test_what_a_game_prints_is_not_on_our_standard_output(game, plays, worker, capfd):
    assert plays(worker, game).run(doing("say")).passed
    out, error = capfd.readouterr()
    assert out == ""
    assert [word in error for word in ("said", "written", "echoed")] == [True] * 3


def test_a_game_that_changes_directory_changes_only_its_own(game, plays, worker):
    before = os.getcwd()
    play = plays(worker, game)
    assert play.run(doing("move", record="here.movie")).passed
    assert os.getcwd() == before
    assert (play.base / "here.movie").is_file()


@pytest.mark.parametrize("what", ["eat", "eat_for_ever"])
def test_a_game_that_fills_memory_has_a_memory_error_at_its_line(game, plays, worker, what):
    play = plays(worker, game, memory=512)
    run = play.run(doing(what))
    assert (run.error.type, run.error.file) == ("MemoryError", "adapter.py")
    assert run.error.line == line_of(game, what)
    assert play.run(RunRequest(frames=20)).passed


def test_a_game_that_leaves_threads_can_still_be_saved(game, plays, worker):
    play = plays(worker, game)
    run = play.run(doing("thread", save="it"))
    on = play.run(RunRequest(frames=5, start="it"))
    assert (on.start_frame, on.passed, run.passed) == (20, True, True)


def test_each_run_has_a_write_folder_of_its_own_which_a_savestate_keeps(game, plays, worker):
    home = sorted(os.listdir(os.path.expanduser("~")))
    play = plays(worker, game)
    play.run(doing("write", save="written"))
    read = RunRequest(frames=20, assignments=("walker.doing=read", "walker.steps=0"),
                      print=("walker.bag",))  # fmt: skip
    assert play.run(read).frames[20]["walker.bag"] == []
    from dataclasses import replace

    for _ in range(2):
        run = play.run(replace(read, start="written"))
        assert run.frames[20]["walker.bag"] == ["more.txt", "score.txt"]
    assert sorted(os.listdir(os.path.expanduser("~"))) == home


def test_a_game_may_ask_and_have_children_of_its_own(game, plays, worker):
    play = plays(worker, game)
    run = play.run(doing("ask", print=("walker.typed",)))
    assert run.frames[20]["walker.typed"] == "nobody"
    for _ in range(4):  # of the last ones the process was forked of one that had forked before
        run = play.run(doing("child", print=("walker.typed", "walker.presses")))
        assert run.passed, run.text()
        assert run.frames[20] == {"walker.typed": "5", "walker.presses": 3}


def test_a_total_ends_a_run_that_goes_on_and_on(game, tmp_path):
    from harness.worker.play import WorkerPlay

    play = WorkerPlay(game, base=tmp_path, total=0.5)
    run = play.run(RunRequest(frames=10_000_000))
    assert (run.error.type, run.error.message) == ("Hung", "it took longer than 0.5 s")
    play.close()


def test_a_cancelled_run_ends_at_its_next_frame_and_the_play_goes_on(game, plays, isolation):
    play = plays(isolation, game)
    play.cancel()  # nobody plays: nothing happens
    assert play.run(RunRequest(frames=5)).passed
    with cancelling(play):
        run = play.run(RunRequest(frames=10_000_000, print=("walker.steps",), every=1000))
    assert (run.status, run.stopped) == ("error", "cancelled")
    assert run.text().startswith("error: cancelled, stopped at frame ")
    assert run.movie.frames == run.frame == play.frame
    assert play.value("walker.steps") == run.frame
    assert play.step(5) == run.frame + 5
    with cancelling(play), pytest.raises(RunCancelled, match="cancelled after frame"):
        play.step(10_000_000)
    assert play.reset() == 0


class cancelling:
    """Cancel a play from another thread, once it is on its way."""

    def __init__(self, play):
        self.thread = threading.Thread(target=self.cancel, args=(play,))
        self.done = threading.Event()

    def cancel(self, play):
        while not self.done.wait(0.05):
            play.cancel()

    def __enter__(self):
        self.thread.start()

    def __exit__(self, *_):
        self.done.set()
        self.thread.join()


def test_an_interrupt_leaves_the_conversation_in_step(game, plays, worker):
    import _thread

    play = plays(worker, game)
    play.step(3)
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        play.step(10_000_000)
    timer.join()
    steps = play.value("walker.steps")
    assert steps > 3
    assert play.step(4) == steps + 4


def test_nobody_waits_long_for_an_interrupt_of_a_game_that_hangs(game, plays, worker):
    import _thread

    play = plays(worker, game)
    play.reset()
    play.edit("walker.doing", "loop")  # the process has started: it is the game that is interrupted
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        play.step(20)
    timer.join()
    assert time.monotonic() - began < 10
    with pytest.raises(GameError, match="Interrupted"):
        play.step()
    assert play.reset() == 0
