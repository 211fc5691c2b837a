"""What a desk hands to tools, and what it logs of them."""

from harness import tools  # noqa: F401
from harness.playtest.play import Playtest
from harness.registry import REGISTRY, declared
from harness.tools.desk import Desk, called
from harness.values.log import Log


def desk_of(folder):
    return Desk(folder, folder, lambda: Playtest(folder))


def test_a_tool_that_acts_on_a_play_is_given_the_same_play_each_time(stub):
    desk, run = desk_of(stub()), REGISTRY.find("game_run")
    called(run, desk, {"frames": 3, "save": "here"})
    assert called(run, desk, {"frames": 3, "start": "here"}).start_frame == 3


def test_a_tool_that_acts_on_the_desk_opens_no_play(stub):
    def scene_list(desk: object):
        """Give the desk."""
        return desk

    folder = stub()
    desk = Desk(folder, folder, lambda: 1 / 0)
    assert called(declared(scene_list), desk, {}) is desk


def test_what_the_game_raised_is_logged(stub):
    adapter = """
        from honest import Honest

        class Stub(Honest):
            def step(self, inputs):
                raise OSError(7)
        """
    desk = desk_of(stub(adapter))
    run = called(REGISTRY.find("game_run"), desk, {})
    (entry,) = [entry for entry in desk.log if entry.level == "error"]
    assert entry.text == str(run.error)


def test_a_log_counts_on_when_it_drops_what_is_old():
    log = Log(most=2)
    for text in "abc":
        log.add("info", text)
    assert [(entry.id, entry.text) for entry in log] == [(2, "b"), (3, "c")]
    assert log.last == 3
