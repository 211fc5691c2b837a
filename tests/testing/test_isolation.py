"""Where pytest plays a game, and what a test sees of it."""

import pytest

from harness.worker.isolation import FORKS

KIND = 'def test_NAME(play):\n    print(f"<{type(play).__mro__[1].__name__}>")\n'


@pytest.mark.parametrize(
    ("option", "kind"),
    [("auto", "Playtest"), ("in-process", "Playtest"), ("spawn", "WorkerPlay")]
    + [("fork", "WorkerPlay")] * FORKS,
)
def test_the_option_decides_where_a_game_is_played(project, option, kind):
    project.write("test_a.py", KIND.replace("NAME", "a") + "    assert play.step(3) == 3\n")
    output = project.output("-s", f"--isolation={option}")
    assert f"<{kind}>" in output
    assert "1 passed" in output


def test_a_second_game_of_a_run_is_played_in_a_worker(project):
    project.add_game("other")
    mark = '@pytest.mark.game(path="other")\n'
    first, second, third = (KIND.replace("NAME", name) for name in ("one", "two", "three"))
    project.write("test_a.py", f"import pytest\n{first}{mark}{second}{third}")
    output = project.output("-s")
    assert (output.count("<Playtest>"), output.count("<WorkerPlay>")) == (2, 1)


def test_a_test_of_a_game_that_hangs_fails_with_its_line(project):
    step = "    def step(self, inputs):\n"
    project.change("game", step, f"{step}        while self.walker.x > 3: pass\n")
    test = "def test_a(game_run):\n    game_run(frames=9, input='right@1-9')\n"
    project.write("test_a.py", test)
    for option in ("in-process", "spawn"):
        output = project.output(f"--isolation={option}", "--game-budget=0.5")
        assert "Hung: no frame was finished for 0.5 s" in output
        assert "walker.py:28: " in output


def test_a_failed_test_of_a_worker_leaves_its_movie(project, command_in):
    test = "def test_a(play):\n    play.hold('right', frames=7)\n    assert 0\n"
    project.write("test_a.py", test)
    output = project.output("--isolation=spawn")
    replay = command_in("replay it", output)
    assert "same: checked 7 of 7 frames" in project.shell(replay).stdout


def test_a_budget_that_is_none_is_refused(project):
    project.write("test_a.py", "def test_a(play):\n    pass\n")
    assert "budget: must be more than 0 seconds, not -1" in project.output("--game-budget=-1")
