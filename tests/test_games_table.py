"""The table of games: a game that is not the same bits each time is told so, and where."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROGRAM = """
    import pygame, random

    pygame.init()
    screen, clock = pygame.display.set_mode((64, 48)), pygame.time.Clock()
    for turn in range(40):
        pygame.event.pump()
        {work}
        pygame.display.flip()
        clock.tick(60)
"""


@pytest.fixture
def games(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    import benchmarks.games as games

    return games


def test_the_list_says_where_each_game_comes_from_and_at_which_commit(games):
    listed = games.listed()
    assert len({game.id for game in listed}) == len(listed) > 40
    for game in listed:
        assert game.entry.startswith("-m ") or (game.repository and len(game.commit) == 40)


def test_what_is_missing_says_how_to_fetch_it(games, tmp_path, capsys):
    assert games.main(["--only", "snake", "--root", str(tmp_path)]) == 1
    told = capsys.readouterr()
    assert told.err.startswith(
        f"snake: git clone https://github.com/clear-code-projects/Snake {tmp_path}"
    )
    assert "0 of 1 games" in told.out


@pytest.mark.skipif(sys.platform == "win32", reason="a hash seed is no part of what is tried here")
def test_a_game_that_differs_from_run_to_run_is_told_where(games, tmp_path, capsys):
    entries = []
    saves = "open('save', 'a').write('.'); random.seed(len(open('save').read()))"
    for name, work in (("honest", saves), ("liar", "random.seed(hash('x') + turn)")):
        entries.append(tmp_path / name / "main.py")
        entries[-1].parent.mkdir()
        entries[-1].write_text(textwrap.dedent(PROGRAM).format(work=work), encoding="utf-8")
    assert games.main([*map(str, entries), "--frames", "30"]) == 1
    honest, liar, _, total = capsys.readouterr().out.splitlines()[2:]
    assert "| yes | 30 | frames |" in honest
    assert "| yes |  |" in honest
    assert not (tmp_path / "honest" / "save").exists()
    assert (
        "| no | the whole state differs under another hash seed at the mark of frame 0" in liar
        or ("| no | frame 1 differs under another hash seed" in liar)
    )
    assert total == "1 of 2 games start and are the same bits in three processes"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a savestate is always its movie")
def test_a_savestate_that_does_not_play_on_as_the_game_did_is_told(games, tmp_path):
    number = "int(open('/proc/self/stat').read().split()[0]) % 251"
    kept = []
    for value in ("turn", number):
        program = textwrap.dedent(PROGRAM).format(work=f"screen.fill(({value}, 0, 0))")
        file = tmp_path / "main.py"
        file.write_text(program.replace("range(40)", "range(250)"), encoding="utf-8")
        kept.append(games.keep(str(file), 30))
    assert (kept[0].by, kept[0].note) == ("fork", "")
    assert kept[1].by == "no"
    assert kept[1].note == "the savestate of frame 15 does not play on as the game did"
