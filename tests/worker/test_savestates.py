"""A savestate continues exactly as the run that never stopped, however it is kept."""

import pytest

from harness.values.run import RunRequest
from harness.worker import shelf
from harness.worker.isolation import FORKS

needs_forks = pytest.mark.skipif(not FORKS, reason="there are no forks here")
HOPPING = "right@1-80, jump@20, jump@61, left@90-200, jump@150, right@300-600, jump@333"
INTO_THE_JUMP = "right@1-80, jump@20, jump@61"


def whole(play, scene, at, frames=600):
    """The run that never stops, and its every hash."""
    run = play.run(RunRequest(scene=scene, seed=5, frames=at + frames, input=HOPPING, save="whole"))
    assert run.passed, run.text()
    return play.kept("whole")


def same(play, state, name):
    found = play.kept(name)
    assert found.hashes == state.hashes
    assert found.state_hash == state.state_hash
    assert found.movie == state.movie


def onward(at, frames=600, **more):
    """The rest of HOPPING, from a frame on."""
    return RunRequest(start=f"at {at}", frames=frames, input=shifted(at), **more)


def shifted(at):
    words = []
    for word in HOPPING.split(", "):
        name, _, when = word.partition("@")
        first, _, last = when.partition("-")
        first, last = int(first) - at, int(last or first) - at
        if last > 0:
            words.append(f"{name}@{max(1, first)}-{last}")
    return ", ".join(words)


@pytest.mark.parametrize("scene", ["bodies-10", "bodies-100", "bodies-1000"])
def test_it_continues_for_600_frames_with_every_hash_the_same(heap, plays, isolation, scene):
    if scene == "bodies-1000" and isolation != "fork":
        pytest.skip("there it is played again from its movie, as the smaller ones are")
    play, at = plays(isolation, heap), 66  # in the middle of a jump, sparks flying
    frames = 600 if isolation == "fork" else 120
    state = whole(play, scene, at, frames)
    play.run(RunRequest(scene=scene, seed=5, frames=at, input=HOPPING, save=f"at {at}"))
    for _ in range(2):
        assert play.run(onward(at, frames, save="end")).passed
        same(play, state, "end")


def test_a_savestate_of_a_savestate_does_too(heap, plays, isolation):
    play = plays(isolation, heap)
    state = whole(play, "bodies-10", 66, 200)
    play.run(RunRequest(scene="bodies-10", seed=5, frames=30, input=HOPPING, save="at 30"))
    play.run(onward(30, 36, save="at 66"))
    play.run(onward(66, 100, save="at 166"))
    play.run(RunRequest(scene="bodies-10", seed=6, frames=30))
    play.run(onward(166, 100, save="end"))
    same(play, state, "end")
    assert play.load("at 166") == 166
    play.step(100, input=shifted(166))
    play.save("by verbs")
    same(play, state, "by verbs")


def test_there_are_sleepers_contacts_and_sparks_in_what_is_kept(heap, plays):
    play = plays("in-process", heap)
    play.run(
        RunRequest(scene="bodies-10", seed=5, frames=66, input=HOPPING, print=("jumper.jumps",))
    )
    game = play.stage.game.instance
    assert sum(body.is_sleeping for body in game.space.bodies) > 5
    assert game.sparks
    assert game.space.constraints
    assert not game.jumper.body.is_sleeping


@needs_forks
def test_an_evicted_savestate_is_rebuilt_without_a_word(heap, plays, monkeypatch):
    monkeypatch.setattr(shelf, "MOST_PARKED", 2)
    play = plays("fork", heap)
    state = whole(play, "bodies-10", 66, 100)
    play.run(RunRequest(scene="bodies-10", seed=5, frames=66, input=HOPPING, save="at 66"))
    for name in ("a", "b", "c"):
        play.save(name)
    assert "at 66" not in play._shelf.parked()
    run = play.run(onward(66, 100, save="end"))
    assert run.notes == ()
    same(play, state, "end")
    assert len(play._shelf.parked()) <= 2


@needs_forks
def test_savestates_give_way_when_they_have_too_much_memory(heap, plays, monkeypatch):
    monkeypatch.setattr(shelf, "MOST_PRIVATE", 0)
    play = plays("fork", heap)
    play.reset("bodies-10")
    for number in range(8):
        play.step()
        play.save(f"{number}")
    assert list(play._shelf.parked()) == ["7"]
    assert play.load("0") == 1


OPENS = """
    from pathlib import Path
    from honest import Honest
    class Stub(Honest):
        def step(self, inputs):
            super().step(inputs)
            if self.walker.steps == 5:
                if hasattr(self, "file"):
                    self.file.close()
                path = Path.home() / "it.txt"
                path.write_text("0123456789" * 2000)
                self.file = open(path, {mode!r}, buffering={buffering})
            if self.walker.steps > 5:
                {act}
"""
READS = OPENS.format(mode="rb", buffering=0, act="self.walker.typed += self.file.read(3).decode()")
WRITES = OPENS.format(mode="w", buffering=1, act="self.file.write('x'); self.walker.presses = "
                      "self.file.tell()")  # fmt: skip


@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")
@pytest.mark.parametrize(("source", "name"), [(READS, "walker.typed"), (WRITES, "walker.presses")])
def test_with_a_file_open_it_continues_in_the_right_place(
    stub, plays, isolation, source, name, monkeypatch, tmp_path
):
    monkeypatch.setenv("HOME", str(tmp_path))
    play = plays(isolation, stub(source))
    state = play.run(RunRequest(frames=40, print=(name,)))
    play.run(RunRequest(frames=20, save="twenty"))
    for _ in range(3):
        run = play.run(RunRequest(start="twenty", frames=20, print=(name,)))
        assert run.frames[20] == state.frames[40]
        assert run.state_hash == state.state_hash


PROGRAM = """
import pygame
pygame.init()
pygame.mixer.init()
pygame.joystick.init()
pygame.display.set_mode((64, 48))
while True:
    pygame.event.get()
    pygame.display.flip()
"""


@needs_forks
def test_what_is_read_can_be_left_standing_and_what_is_written_cannot(stub, plays):
    for source, stands in ((READS, True), (WRITES, False)):
        play = plays("fork", stub(source))
        play.run(RunRequest(frames=20, save="it"))
        assert ("it" in play._shelf.parked()) is stands
        noted = [
            note for note in play.notes if note.startswith("savestate 'it' is kept as a movie")
        ]
        assert len(noted) == (not stands)
        assert all("the game writes to an open file" in note for note in noted)


@needs_forks
def test_a_program_is_left_standing_whatever_pygame_has_open(plays, tmp_path):
    (tmp_path / "main.py").write_text(PROGRAM, encoding="utf-8")
    play = plays("fork", tmp_path / "main.py")
    play.step(5)
    play.save("it")
    assert "it" in play._shelf.parked()
    assert not play.notes


def test_random_goes_on_where_it_was(stub, plays, isolation):
    game = stub("""
        import random
        from honest import Honest
        class Stub(Honest):
            def step(self, inputs):
                super().step(inputs)
                self.walker.luck = random.random()
    """)
    play = plays(isolation, game)
    values = play.run(RunRequest(frames=20, seed=3, print=("walker.luck",), every=1)).frames
    play.run(RunRequest(frames=9, seed=3, save="nine"))
    for _ in range(2):
        on = play.run(RunRequest(start="nine", frames=11, print=("walker.luck",), every=1)).frames
        assert list(on.values()) == [values[frame] for frame in range(10, 21)]


@needs_forks
def test_a_run_that_begins_again_and_again_begins_at_a_first_frame_that_stands(stub, plays):
    from harness.worker import pool

    play = plays("fork", stub())
    request = RunRequest(frames=9, seed=4, input="right@1-9", print=("walker.luck",))
    runs = [play.run(request) for _ in range(4)]
    assert runs[1:] == runs[:-1]
    assert pool.first_frames(play._seat.family).find((None, 4)) is not None
    assert play.reset(seed=4) == 0
    assert play.value("seed") == 4
    assert play.hold("right", frames=9) == 9
    assert play.movie().marks[-1].state_hash == runs[0].state_hash


def test_a_closed_play_keeps_its_savestates(stub, plays, isolation):
    play = plays(isolation, stub())
    play.run(RunRequest(frames=9, input="right@1-9", save="nine"))
    play.close()
    run = play.run(RunRequest(frames=1, start="nine", print=("walker.x",)))
    assert (run.start_frame, run.frames[1]) == (9, {"walker.x": 9})
