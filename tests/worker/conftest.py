"""Plays of one game in every isolation, and what they leave behind."""

import gc
import os
import shutil
from pathlib import Path

import pytest

from harness.worker import pool
from harness.worker.isolation import FORKS, play_in

STUBS = Path(__file__).parents[1] / "stubs"
WORKERS = ("fork", "spawn") if FORKS else ("spawn",)
EVERYWHERE = ("in-process", *WORKERS)


@pytest.fixture(params=EVERYWHERE)
def isolation(request):
    return request.param


@pytest.fixture(params=WORKERS)
def worker(request):
    return request.param


@pytest.fixture
def plays(tmp_path):
    """Open plays where they are wanted, and close them after the test."""
    opened = []

    def open_play(where, game, **more):
        more.setdefault("base", tmp_path)
        opened.append(play_in(where, game, **more))
        return opened[-1]

    yield open_play
    for play in opened:
        play.close()


@pytest.fixture
def heap(stub):
    """The game of many bodies."""
    folder = stub(name="heap", entry="heap:Heap", scenes="bodies-10, bodies-100, bodies-1000")
    shutil.copy(STUBS / "heap.py", folder)
    return folder


@pytest.fixture(scope="session", autouse=True)
def nobody_stays():
    """When the tests are over, no process of ours is left."""
    yield
    close_idle()
    assert children() == []


def close_idle():
    gc.collect()
    for _, family in list(pool._warm.values()):
        pool.dropped(family)


def children(of=None):
    """The processes that descend from one, as (id, command)."""
    found, wanted = [], [of or os.getpid()]
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_text()
            command = (folder / "cmdline").read_text().replace("\0", " ")
        except OSError:
            continue
        parents[int(folder.name)] = int(stat.rpartition(")")[2].split()[1]), command
    while wanted:
        parent = wanted.pop()
        below = [p for p, (above, command) in parents.items() if above == parent]
        wanted += below
        found += [(p, parents[p][1]) for p in below if "harness.worker" in parents[p][1]]
    return found


def state_of(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""
