"""The reference tools: names, events, and the tools themselves."""

import json

import pytest

from harness import tools  # noqa: F401
from harness.errors import ArgumentError, GameError, UnknownName
from harness.playtest.play import Playtest
from harness.registry import REGISTRY, Registry, declared
from harness.tools.desk import Desk, called
from harness.values.log import Log
from harness.worker.play import WorkerPlay

LOGGING = """\
    import logging
    from honest import Honest

    log = logging.getLogger("rules")

    class Stub(Honest):
        def step(self, inputs):
            super().step(inputs)
            if self.walker.steps == 2:
                print("this is printed")
                log.warning("low on %s\\nand more", "air")
                log.info("never")
            if self.walker.steps == 4:
                try:
                    self.burst()
                except ValueError:
                    log.exception("burst")

        def burst(self):
            raise ValueError("pop")
    """


@pytest.fixture(params=[Playtest, WorkerPlay])
def desk(request, stub):
    """A desk on a game that logs, played here or in a worker."""
    folder = stub(LOGGING)
    desk = Desk(folder, folder, lambda: request.param(folder))
    yield desk
    desk.close()


def ask(desk, tool, /, **given):
    found = REGISTRY.find(tool)
    return called(found, desk, found.checked(given))


def desk_of(folder, **more):
    return Desk(folder, folder, lambda: Playtest(folder), **more)


# events


def test_what_a_game_logs_is_an_event_and_what_it_prints_is_not(desk):
    ask(desk, "game_run", frames=3)
    assert ask(desk, "events").text() == ("cursor=1\n#1 warning adapter.py:11: low on air")
    ask(desk, "game_run", frames=5, save="here")
    lines = ask(desk, "events", since=1).text().splitlines()
    assert lines == [
        "cursor=3", "#2 warning adapter.py:11: low on air", "#3 error adapter.py:20: burst",
    ]  # fmt: skip
    ask(desk, "game_run", frames=5, start="here")
    assert len(ask(desk, "events", since=3).events) == 0


def test_what_the_game_raises_is_an_event_led_by_its_place(stub):
    source = """\
        from honest import Honest

        class Stub(Honest):
            def step(self, inputs):
                raise KeyError("first\\nsecond")
        """
    desk = desk_of(stub(source))
    ask(desk, "game_run")
    (line,) = ask(desk, "events").text().splitlines()[1:]
    assert line.startswith("#1 error adapter.py:5: KeyError: 'first")


def test_a_verb_that_fails_is_logged_by_the_tool_that_asked(stub):
    desk = desk_of(stub("from honest import Honest as Stub\n1 / 0\n"))
    with pytest.raises(GameError):
        ask(desk, "game_query", action="contacts")
    assert "adapter.py:2: ZeroDivisionError" in ask(desk, "events").text()


def log_of(*texts, level="info", most=400):
    log = Log(most)
    for text in texts:
        log.add(level, text)
    return log


@pytest.fixture
def page(stub):
    """Ask for events of a log."""
    folder = stub()

    def ask_for(log, **given):
        return ask(desk_of(folder, log=log), "events", **given)

    return ask_for


def test_events_come_in_pages_that_a_cursor_joins(page):
    log = log_of(*map(str, range(1, 41)))
    first = page(log, since=0)
    assert first.text().splitlines()[0] == "cursor=20 more=20"
    assert [event.id for event in first.events] == list(range(1, 21))
    second = page(log, since=first.cursor, limit=32)
    assert second.text().splitlines()[0] == "cursor=40"
    assert [event.id for event in second.events] == list(range(21, 41))
    assert page(log, since=40).text() == "cursor=40"
    assert [event.id for event in page(log).events] == list(range(21, 41))


def test_a_page_has_at_most_32_events(page):
    with pytest.raises(ArgumentError, match="limit: must be at most 32, not 33"):
        page(Log(), limit=33)


def test_a_cursor_of_another_process_is_told_as_such(page):
    answer = page(log_of("a"), since=9999)
    assert answer.text() == "cursor=1 cursor_ahead"
    assert answer.to_json()["cursor_ahead"] is True


def test_what_was_overwritten_is_counted(page):
    log = log_of(*map(str, range(10)), most=4)
    assert page(log, since=0).text().splitlines()[0] == "cursor=10 dropped=6"
    assert page(log, since=5).dropped == 1
    assert page(log, since=6).dropped == 0


def test_a_level_leaves_out_what_is_below_it(page):
    log = log_of("a", "b")
    log.add("warning", "c")
    log.add("error", "d")
    assert [event.text for event in page(log, level="warning").events] == ["c", "d"]
    assert page(log, since=0, level="error", limit=1).text() == "cursor=4\n#4 error d"


def test_an_event_is_one_line_of_at_most_256_bytes(page):
    log = log_of("é" * 300, "one\ntwo", "", "\ud800")
    lines = page(log).text().splitlines()[1:]
    assert lines[0].endswith("é...")
    assert 253 <= len(lines[0].encode()) <= 256
    assert lines[1:] == ["#2 info one", "#3 info ", "#4 info \\ud800"]
    json.dumps(page(log).to_json()).encode()


def test_the_name_of_an_object_tells_what_can_be_written_behind_it(desk, stub):
    source = """\
        from honest import Honest

        class Stub(Honest):
            def names(self):
                return {"hero": self.walker, "lives": 3, "gone": None}
        """
    desk = desk_of(stub(source))
    told = ask(desk, "api", name="hero")
    assert told.text().startswith("hero: an object, Walker  [expressions]\n  ")
    (found,) = told.to_json()["names"]
    assert {"x", "steps", "trip"} <= {member["name"] for member in found["members"]}
    assert ask(desk, "api", name="lives").text() == "lives: 3  [expressions]"
    assert ask(desk, "api", name="gone").text() == "gone: None  [expressions]"


# help, describe, capabilities


def test_help_lists_the_tools_that_are_shown_and_where_to_begin(stub):
    folder = stub()
    text = ask(desk_of(folder), "help").text()
    assert [line.partition(":")[0] for line in text.splitlines()[:-1]] == [t.name for t in REGISTRY]
    assert text.splitlines()[-1].startswith("begin with: api to see what there is, then game_run ")
    config = folder / "harness.yaml"
    (folder / "first.yaml").write_text("objects: []", encoding="utf-8")
    config.write_text("entry: adapter:Stub\nscenes: {first: first.yaml}\n", encoding="utf-8")
    text = ask(desk_of(folder), "help").text()
    assert text.splitlines()[-1].startswith("begin with: scene_list to see what there is, ")
    (folder / "main.py").write_text("import pygame\n", encoding="utf-8")
    text = ask(desk_of(folder / "main.py"), "help").text()
    assert "\nbegin with: api to see what there is, then game_run " in text
    alone = desk_of(folder, shown=lambda: [REGISTRY.find("api")])
    assert ask(alone, "help").text().startswith("api: ")
    with pytest.raises(UnknownName, match="no tool named 'game_run'; this server has: api"):
        ask(alone, "describe", tool="game_run")


def test_a_tool_that_a_game_registers_appears_at_once(stub):
    def dance(desk: object) -> None:
        """Let everybody dance."""

    registry = Registry()
    desk = desk_of(stub(), shown=lambda: list(registry))
    assert ask(desk, "help").answer["tools"] == {}
    registry.register(declared(dance, reads_only=True))
    assert ask(desk, "help").text() == "dance: Let everybody dance."
    assert ask(desk, "describe", tool="dance").answer["input_schema"]["properties"] == {}


def test_describe_tells_all_of_a_tool(stub):
    answer = ask(desk_of(stub()), "describe", tool="scene_edit")
    assert answer.to_json()["input_schema"] == REGISTRY.find("scene_edit").input_schema()
    assert answer.to_json()["destructive"] is True
    for argument in REGISTRY.find("scene_edit").arguments:
        assert f"  {argument.name} ({argument.accepted()}): {argument.about.text}" in answer.text()
    assert "  action ('set' or 'add' or 'remove'): what to do, required" in answer.text()


def test_capabilities_tell_the_game_and_what_may_be_done(stub):
    told = ask(desk_of(stub()), "capabilities").to_json()
    assert told["game"]["scenes"] == ["first", "second"]
    assert told["game"]["buttons"] == ["left", "right", "jump"]
    assert told["may_run_the_game"] is told["may_write"] is True
    reading = desk_of(stub(), may_play=False, shown=lambda: [REGISTRY.find("scene_get")])
    told = ask(reading, "capabilities").to_json()
    assert told["may_run_the_game"] is told["may_write"] is False
    assert told["tools"] == ["scene_get"]


# api


def test_the_index_has_the_games_names_and_ours_and_what_expressions_can_use(stub):
    text = ask(desk_of(stub()), "api").text()
    assert "  honest.py: Walker, Ball, Floor, Honest" in text
    assert "  walker, ball, floor" in text
    assert "  find_all: " in text
    assert "  play: " in text


def test_the_index_runs_nothing_where_nothing_may_run(stub):
    folder = stub("import pathlib\npathlib.Path(__file__).with_name('ran').touch()\n")
    desk = Desk(folder, folder, lambda: 1 / 0, may_play=False)
    ask(desk, "api")
    assert not (folder / "ran").exists()


def test_a_class_shows_what_its_own_initialisers_set(stub):
    source = """\
        from honest import Honest

        class Stub(Honest):
            def __init__(game):
                game.lives, floor = 3, object()

            def reset(self, scene, seed):
                super().reset(scene, seed)
                floor = self.walker
                floor.friction = 1
                self.won = False
        """
    told = ask(desk_of(stub(source)), "api", name="Stub").text()
    assert "lives" in told
    assert "won" in told
    assert "friction" not in told


def test_a_class_shows_its_members_and_those_that_it_inherits(stub):
    source = '''\
        from honest import Walker

        class Runner(Walker):
            """One who runs."""

            speed = 3

            def run(self, far, *, fast=True):
                """Run as far."""
        '''
    folder = stub()
    desk = desk_of(folder)
    (folder / "runner.py").write_text(__import__("textwrap").dedent(source), encoding="utf-8")
    lines = ask(desk, "api", name="Runner").text().splitlines()
    assert lines[0] == "Runner(Walker): One who runs.  [runner.py:3]"
    assert "  run(far, *, fast=True): Run as far." in lines
    (plain,) = [line for line in lines if line.startswith("  speed")]
    assert {"presses", "luck", "bag"} <= set(plain.strip().split(", "))
    (runner,) = ask(desk, "api", name="Runner").to_json()["names"]
    members = {member["name"] for member in runner["members"]}
    assert {"speed", "run", "position", "presses"} <= members


def test_a_search_finds_names_by_a_word_in_them_or_in_what_they_do(stub):
    desk = desk_of(stub())
    assert "play.raycast(start, end, ignore=())" in ask(desk, "api", search="RAYCAST").text()
    assert "Walker.presses" in ask(desk, "api", search="presses").text()
    assert ask(desk, "api", search="zebra").text().startswith("no name has to do with 'zebra'")


def test_what_expressions_can_use_now_is_looked_up_by_name_too(stub):
    desk = desk_of(stub())
    assert "walker" in ask(desk, "api").text()
    (walker,) = ask(desk, "api", name="walker").to_json()["names"]
    assert walker["where"] == "expressions"
    assert "walker" in ask(desk, "api", search="walk").text()
    with pytest.raises(UnknownName, match="no name 'walker'"):
        ask(desk_of(stub(), may_play=False), "api", name="walker")


def test_a_wrong_name_lists_those_that_are_near(stub):
    with pytest.raises(UnknownName) as refused:
        ask(desk_of(stub()), "api", name="Waker")
    assert str(refused.value).startswith("no name 'Waker'; the api has: Walker")
    with pytest.raises(ArgumentError, match=r"search: takes the place of name"):
        ask(desk_of(stub()), "api", name="Walker", search="a")


def test_names_of_a_play_come_with_their_values(desk):
    with desk.playing() as play:
        names = play.names()
    assert names["walker"] == "walker"
    assert set(names) == {"walker", "ball", "floor"}


def test_a_program_is_said_to_be_as_large_as_it_likes(tmp_path):
    (tmp_path / "main.py").write_text("import pygame\n", encoding="utf-8")
    told = ask(desk_of(tmp_path / "main.py"), "capabilities")
    assert told.to_json()["game"]["size"] is None
    assert "pixels" not in told.text()
    assert "60 steps a second" in told.text()
