"""A program that has never heard of the harness, beside the tests that play it."""

import pytest

PROGRAM = """\
import random

import pygame


def main():
    pygame.init()
    screen = pygame.display.set_mode((200, 100))
    clock = pygame.time.Clock()
    x, lives = 50, 3
    while lives:
        for event in pygame.event.get():
            if event.type == pygame.KEYDOWN and event.key == pygame.K_SPACE:
                lives -= 1
        x += 2 * pygame.key.get_pressed()[pygame.K_RIGHT] + random.choice((0, 1))
        screen.fill("navy")
        pygame.draw.circle(screen, "white", (x, 50), 5)
        pygame.display.flip()
        clock.tick(60)


main()
"""


@pytest.fixture
def program(project):
    project.write("ball/main.py", PROGRAM)
    return project


def test_the_fixtures_play_a_program(program):
    program.write(
        "test_ball.py",
        """\
def test_steps(play):
    play.hold("right", frames=10)
    assert play.value("x") >= 70
    play.save("there")
    play.tap("space")
    assert play.value("lives") == 2
    play.load("there")
    assert play.value("lives") == 3


def test_runs(game_run, game_shot, play, game_golden):
    run = game_run(frames=60, input="space@10, space@20", until="lives < 2", print="x")
    assert run.stopped == "until" and run.frame == 20
    assert game_shot(frame=1, width=200).size == (200, 100)
    assert play.screenshot() == game_golden("start")
""",
    )
    program.write(
        "ball.scenario.yaml",
        """\
scenario: three spaces end it
steps:
  - tap: {buttons: [space]}
  - expect: {lives: 2}
""",
    )
    output = program.output("--game=ball/main.py", "--golden-update", "--game-repeat=2")
    assert "3 passed" in output
    assert "3 passed" in program.output("--game=ball")


def test_a_failed_test_of_a_program_leaves_its_movie(program, command_in):
    program.write("test_a.py", "def test_a(play):\n    play.step(7)\n    assert 0\n")
    output = program.output("--game=ball")
    replay = command_in("replay it", output)
    assert "same: checked 7 of 7 frames" in program.shell(replay).stdout


def test_a_program_in_this_process_is_refused(program):
    program.write("test_a.py", "def test_a(play):\n    play.step(7)\n")
    output = program.output("--game=ball", "--isolation=in-process")
    assert "a program is played in a process of its own; give auto, fork or spawn" in output
