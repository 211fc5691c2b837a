"""What becomes of calls: their order, their end, and what they may name."""

import base64
import json
import os
import sys
import time
from pathlib import Path

import pytest

from harness.values.movie_reader import read_movie

from .client import HANDSHAKES, MODERN, REVISIONS, call, request
from .test_http import Client
from .test_stdio import SOON

GAME = Path(__file__).parents[1] / "walker"
GALLERY = Path(__file__).parents[1] / "gallery"


@pytest.fixture(scope="module")
def server(shared_piped, tmp_path_factory):
    """One server for all that leaves it as it was; its game lies in a folder of its own."""
    folder = tmp_path_factory.mktemp("calls") / "walker"
    folder.mkdir()
    for file in GAME.iterdir():
        if file.is_file():
            (folder / file.name).write_bytes(file.read_bytes())
    served = shared_piped(folder).open(HANDSHAKES[0])
    served.folder = folder
    return served


def result(server, tool, **arguments):
    return server.ask(call("it", tool, **arguments))["result"]


def told(server, tool, **arguments):
    return result(server, tool, **arguments)["structuredContent"]


# answers


def test_text_and_structured_content_say_the_same(server):
    answer = result(server, "game_run", frames=5, print="frame")
    assert "passed: played all frames, stopped at frame 5" in answer["content"][0]["text"]
    assert answer["structuredContent"]["frames"] == {"5": {"frame": 5}}
    assert answer["structuredContent"]["build"]


def test_a_plain_run_costs_at_most_300_tokens(server):
    answer = server.ask(call(1, "game_run"))["result"]
    assert len(answer["content"][0]["text"]) / 4 <= 300
    assert len(json.dumps(answer["structuredContent"])) / 4 <= 300


def test_a_failed_check_is_a_tool_error_with_the_whole_run(server):
    answer = result(server, "game_run", **{"assert": "frame < 3"})
    assert answer["isError"]
    assert answer["structuredContent"]["status"] == "failed"
    assert "frame < 3" in answer["content"][0]["text"]


def test_a_long_answer_is_cut_and_says_how_to_ask_for_less(server):
    prints = [f"frame + {n}" for n in range(40)]
    answer = result(server, "game_run", frames=600, every=1, print=prints)
    text = answer["content"][0]["text"]
    assert len(text.encode()) <= 8192
    assert "every" in text.splitlines()[-1]
    structured = answer["structuredContent"]
    assert len(json.dumps(structured)) <= 40_000
    assert "every" in structured["cut"]
    assert (structured["frame"], list(structured["frames"])[-1]) == (600, "600")


def test_a_picture_is_an_image_behind_its_caption(piped):
    pytest.importorskip("pygame")
    answer = piped(GALLERY).open(HANDSHAKES[0]).ask(call(1, "game_shot", frame=1))["result"]
    assert [block["type"] for block in answer["content"]] == ["text", "image"]
    assert answer["content"][1]["mimeType"] == "image/png"
    assert base64.b64decode(answer["content"][1]["data"]).startswith(b"\x89PNG")
    assert answer["structuredContent"]["frame"] == 1


def test_a_film_strip_of_a_run_is_an_image_behind_its_caption(piped):
    pytest.importorskip("pygame")
    server = piped(GALLERY).open(HANDSHAKES[0])
    answer = server.ask(call(1, "game_run", frames=3, shots=[1, 3]))["result"]
    assert [block["type"] for block in answer["content"]] == ["text", "image"]
    assert answer["structuredContent"]["shots"]["frames"] == [1, 3]


def test_half_a_surrogate_pair_in_an_answer_is_escaped(server):
    answer = result(server, "game_run", frames=1, print="chr(0xd800) + 'x'")
    assert r"\ud800x" in answer["structuredContent"]["frames"]["1"]["chr(0xd800) + 'x'"]


def test_what_is_no_finite_number_is_shown_as_text(server):
    answer = told(server, "game_run", frames=1, print=["math.inf", "math.nan"])
    assert answer["frames"]["1"] == {"math.inf": "inf", "math.nan": "nan"}


# arguments


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"frames": 0}, "frames: must be at least 1, not 0"),
        ({"frames": "x"}, "frames: must be a whole number, not 'x'"),
        ({"frames": "1e999"}, "frames: must be a whole number, not '1e999'"),
        ({"seed": -1}, "seed: must be at least 0, not -1"),
        ({"seed": "nan"}, "seed: must be a whole number, not 'nan'"),
        ({"frmaes": 5}, "no argument named 'frmaes'; game_run has: frames"),
        ({"dry_run": True}, "no argument named 'dry_run'"),
        ({"print": [1]}, "print: must be text or a list of texts"),
        ({"input": "jmup@3"}, "no button"),
        ({"scene": "nowhere"}, "no scene named 'nowhere'"),
        ({"assert": "1 +"}, "1 +"),
        ({"start": "never saved"}, "no savestate named 'never saved'"),
    ],
)
def test_wrong_arguments_are_refused_in_words(server, arguments, words):
    answer = result(server, "game_run", **arguments)
    assert answer["isError"]
    assert words in answer["content"][0]["text"]
    assert answer["structuredContent"]["code"] == "invalid_arguments"
    assert "Traceback" not in json.dumps(answer)


def test_a_tool_for_another_kind_of_game_blames_neither_the_game_nor_the_arguments(server):
    answer = result(server, "scene_list")
    assert answer["isError"]
    refusal = answer["structuredContent"]
    assert refusal["code"] == "not_for_this_game"
    assert refusal["recovery"] == {"action": "use_another_tool"}
    assert "game_run with print; api lists names" in refusal["message"]


def test_a_number_may_come_as_text(server):
    assert told(server, "game_run", frames="12")["frame"] == 12


@pytest.fixture
def traps(server, tmp_path):
    """Files that must not be reached, in and beside the game's folder."""
    movie = tmp_path / "out.movie"
    answer = told(server, "game_run", frames=2, record="kept.movie")
    assert answer["written"] == ["kept.movie"]
    assert told(server, "game_run", input=answer["written"][0])["frame"] == 2
    movie.write_bytes((server.folder / "kept.movie").read_bytes())
    links = {"link.movie": movie, "links": tmp_path}
    for name, target in links.items():
        if not (server.folder / name).is_symlink():
            (server.folder / name).symlink_to(target)
    (server.folder / "folder.movie").mkdir(exist_ok=True)
    if hasattr(os, "mkfifo") and not (server.folder / "pipe.movie").exists():
        os.mkfifo(server.folder / "pipe.movie")
    yield movie
    for name in links:
        (server.folder / name).unlink()


PATHS = {
    "../out.movie": "must stay in the game's folder, without ..",
    "a/../kept.movie": "must stay in the game's folder, without ..",
    "/dev/zero.movie": "must be below the game's folder",
    "link.movie": "must not lead through a symbolic link",
    "links/out.movie": "must not lead through a symbolic link",
    "pipe.movie": "must be a regular file",
    "folder.movie": "must be a regular file",
    "kept.movie/x.movie": "must be below a folder",
    "a\nb.movie": "must be the name of a file",
    "a\0b.movie": "must be the name of a file",
}


@pytest.mark.skipif(sys.platform == "win32", reason="needs links and pipes")
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("argument", ["input", "against", "record"])
def test_a_path_that_leads_out_of_the_game_is_refused(server, traps, path, argument):
    began = time.monotonic()
    answer = told(server, "game_run", frames=1, **{argument: path})
    assert time.monotonic() - began < SOON / 2
    assert answer["message"].startswith(f"{argument}: {PATHS[path]}")
    assert (answer["argument"], answer["tool_queued"]) == (argument, False)


@pytest.mark.skipif(sys.platform == "win32", reason="needs links and pipes")
def test_over_http_no_path_leads_out_of_the_game_either(server, traps, shared_http):
    client = Client(shared_http(server.folder), HANDSHAKES[0])
    for path, words in PATHS.items():
        for argument in ("input", "record"):
            result = client.call(path, "game_run", frames=1, **{argument: path})["result"]
            assert result["structuredContent"]["message"].startswith(f"{argument}: {words}")
    assert client.call(1, "game_run", frames=1)["result"]["isError"] is False


def test_half_a_surrogate_pair_in_an_answer_is_escaped_over_http(server, shared_http):
    port = shared_http(server.folder)
    for revision in REVISIONS:
        answer = Client(port, revision).call(1, "game_run", frames=1, print="chr(0xd800) + 'x'")
        told = answer["result"]["structuredContent"]["frames"]["1"]
        assert told == {"chr(0xd800) + 'x'": r"\ud800x"}


@pytest.mark.skipif(sys.platform == "win32", reason="needs links")
def test_an_absolute_path_is_taken_below_the_game_and_nowhere_else(server, traps):
    inside = str(server.folder / "kept.movie")
    assert told(server, "game_run", input=inside)["frame"] == 2
    assert "must be below" in told(server, "game_run", input=str(traps))["message"]


def test_bots_and_variants_are_confined_too(server):
    assert "without .." in told(server, "game_run", input="../bot.py:play")["message"]
    variants = ["right@1", "../x.movie"]
    assert "inputs: must stay" in told(server, "game_branch", inputs=variants)["message"]


def test_a_new_file_needs_its_folder(server):
    message = told(server, "game_run", frames=1, record="no/where.movie")["message"]
    assert message.startswith("record: needs its folder to be there")


# ends


def test_a_cancelled_run_ends_at_its_next_frame_and_is_not_answered(piped, slow):
    server = piped(slow).open(HANDSHAKES[0])
    server.send(
        call(1, "game_run", frames=600),
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
    )
    began = time.monotonic()
    assert server.ask(call(2, "game_run", frames=1))["result"]["isError"] is False
    assert time.monotonic() - began < 5
    assert server.lines.empty()


def test_a_cancelled_call_in_the_queue_never_runs(piped, slow):
    server = piped(slow).open(HANDSHAKES[0])
    server.send(
        call(1, "game_run", frames=50),
        call(2, "game_run", frames=1, record="never.movie"),
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}},
        call(3, "game_run", frames=1),
    )
    assert [server.answer()["id"], server.answer()["id"]] == [1, 3]
    assert not (slow / "never.movie").exists()


def test_a_client_that_asks_is_told_how_far_a_run_is(piped, slow):
    server = piped(slow).open(HANDSHAKES[0])
    message = call(1, "game_run", frames=150)
    message["params"]["_meta"] = {"progressToken": "here"}
    server.send(message)
    frames = []
    while "method" in (answer := server.answer()):
        assert answer["params"]["progressToken"] == "here"
        frames.append(answer["params"]["progress"])
    assert frames
    assert frames == sorted(set(frames))
    assert answer["result"]["structuredContent"]["frame"] == 150


def test_the_65th_call_is_refused_at_once(piped, slow):
    server = piped(slow).open(HANDSHAKES[0])
    server.send(*(call(n, "game_run", frames=1 if n else 200) for n in range(65)))
    answer = server.answer()
    assert answer["id"] == 64
    refused = answer["result"]["structuredContent"]
    assert (refused["code"], refused["tool_queued"]) == ("queue_full", False)
    assert [server.answer()["id"] for _ in range(64)] == list(range(64))


def test_a_game_that_hangs_is_told_and_the_server_answers_on(piped, stub):
    folder = stub(
        """
        from honest import Honest

        class Stub(Honest):
            def step(self, inputs):
                super().step(inputs)
                while inputs.held:
                    pass
        """
    )
    server = piped(folder, "--budget", "3").open(HANDSHAKES[0])
    server.ask(call(0, "game_run", frames=1))
    server.send(call(1, "game_run", frames=5, input="right@3"), request(2, "ping"))
    assert server.answer()["id"] == 2
    answer = server.answer()["result"]
    assert answer["isError"]
    assert "adapter.py:7" in answer["content"][0]["text"]
    assert server.ask(call(3, "game_run", frames=1))["result"]["isError"] is False


def test_a_vanished_client_ends_only_a_modern_call(on_http, slow):
    _, port = on_http(slow)
    for revision, all_of_it in ((MODERN, False), (HANDSHAKES[0], True)):
        client = Client(port, revision)
        file = slow / f"{revision}.movie"
        vanish(client, call(1, "game_run", revision, frames=100, record=file.name))
        client.call(2, "game_run", frames=1)
        # On a busy machine it may not even have begun.
        assert (file.exists() and read_movie(file).frames == 100) is all_of_it


def vanish(client, message):
    import http.client

    connection = http.client.HTTPConnection("127.0.0.1", client.port)
    headers = {name.replace("_", "-"): value for name, value in client.headers.items()}
    headers |= {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    headers |= {"mcp-method": "tools/call", "mcp-name": "game_run"}
    connection.request("POST", "/mcp", json.dumps(message), headers)
    if client.revision == MODERN:
        time.sleep(0.2)
    else:  # it is answered that there will be an answer
        connection.getresponse()
    connection.close()


# the game's files


def test_edited_code_is_seen_by_the_next_call_and_savestates_are_rebuilt(piped, stub):
    folder = stub()
    server = piped(folder).open(HANDSHAKES[0])
    first = server.ask(call(1, "game_run", frames=5, save="here"))["result"]["structuredContent"]
    source = (folder / "honest.py").read_text(encoding="utf-8")
    (folder / "honest.py").write_text(source + "\nNEW = 1\n", encoding="utf-8")
    answer = server.ask(call(2, "game_run", frames=5, start="here"))["result"]["structuredContent"]
    assert answer["build"] != first["build"]
    assert answer["start_frame"] == 5
    assert answer["notes"] == [
        "savestate 'here' was rebuilt from its movie: the game has changed, its state has not"
    ]


def test_a_game_that_does_not_import_is_told_and_can_be_mended(piped, stub):
    folder = stub("raise OSError('not yet')\n")
    server = piped(folder).open(HANDSHAKES[0])
    answer = server.ask(call(1, "game_run"))["result"]
    assert answer["isError"]
    assert "not yet" in answer["content"][0]["text"]
    (folder / "adapter.py").write_text("from honest import Honest as Stub\n", encoding="utf-8")
    assert server.ask(call(2, "game_run"))["result"]["isError"] is False


def test_any_pygame_program_is_served_as_it_is(piped, tmp_path):
    pytest.importorskip("pygame")
    (tmp_path / "main.py").write_text(PROGRAM, encoding="utf-8")
    server = piped(tmp_path / "main.py").open(HANDSHAKES[0])
    answer = server.ask(call(1, "game_run", input="right@1-40", print="x", record="a.movie"))
    assert answer["result"]["structuredContent"]["frames"] == {"60": {"x": 90}}
    again = server.ask(call(2, "game_run", input="a.movie", print="x"))["result"]
    assert again["structuredContent"]["frames"] == {"60": {"x": 90}}
    outside = server.ask(call(3, "game_run", input="../a.movie"))["result"]
    assert "without .." in outside["content"][0]["text"]


PROGRAM = """
import pygame

pygame.init()
pygame.display.set_mode((64, 48))
clock = pygame.time.Clock()
x = 10
while True:
    pygame.event.get()
    x += 2 * pygame.key.get_pressed()[pygame.K_RIGHT]
    pygame.display.flip()
    clock.tick(60)
"""


def test_a_posted_answer_is_no_reason_to_end(server):
    server.send({"jsonrpc": "2.0", "id": 5, "result": {}})
    assert server.ask(request(6, "ping"))["result"] == {}
