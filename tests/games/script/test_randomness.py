from __future__ import annotations

import os
import random
import secrets
import subprocess
import sys
import tempfile
import textwrap
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.games.script.randomness import PROCESS, Randomness
from harness.games.script.runtime import Runtime

ROOT = Path(__file__).parents[3]


def drawn() -> list[Any]:
    """Something from everywhere that chance comes from."""
    own = random.Random()
    shared = random.random()
    random.seed()
    return [
        shared,
        random.random(),
        own.random(),
        random.SystemRandom().random(),
        random.SystemRandom().getrandbits(70),
        os.urandom(9),
        secrets.token_hex(4),
        secrets.choice(range(1000)),
        uuid.uuid4(),
        tempfile._RandomNameSequence().rng.random(),  # type: ignore[attr-defined]
        os.getrandom(5) if hasattr(os, "getrandom") else b"",
    ]


def test_every_source_gives_the_same_from_the_same_seed(
    interposed: Callable[..., Any], runtime: Runtime
) -> None:
    (randomness,) = interposed(Randomness, seed=7)
    first = drawn()
    runtime.playing = False
    os.urandom(3)  # what the harness draws is its own
    random.Random()
    runtime.playing = True
    random.random()
    runtime.begin(7)
    randomness.begin()
    assert drawn() == first
    runtime.begin(8)
    randomness.begin()
    assert not any(new == old for new, old in zip(drawn()[:-1], first, strict=False))


def test_a_seed_that_a_program_gives_itself_is_taken_as_it_is(
    interposed: Callable[..., Any],
) -> None:
    wanted = random.Random(5).random()
    interposed(Randomness)
    random.seed(5)
    assert random.random() == wanted
    assert random.Random(5).random() == wanted


def test_the_system_gives_real_chance_to_whoever_is_not_the_program(
    interposed: Callable[..., Any], runtime: Runtime
) -> None:
    interposed(Randomness)
    runtime.playing = False
    states = set()
    for _ in range(2):
        runtime.begin(0)
        states.add((os.urandom(8), random.Random().random(), uuid.uuid4()))
    assert len(states) == 2
    assert os.getpid() != PROCESS


def test_draws_of_the_harness_do_not_move_the_states_that_are_hashed(
    interposed: Callable[..., Any], runtime: Runtime
) -> None:
    (randomness,) = interposed(Randomness)
    before = randomness.states()
    runtime.playing = False
    os.urandom(3)
    uuid.uuid4()
    assert randomness.states() == before
    runtime.playing = True
    uuid.uuid4()
    assert randomness.states() != before


def test_uuid1_reads_neither_the_machine_nor_its_clock(interposed: Callable[..., Any]) -> None:
    interposed(Randomness)
    assert uuid.getnode() == 0x020000000001
    assert uuid.uuid1().node == 0x020000000001


def test_a_program_is_told_one_process_id_and_may_signal_itself(
    interposed: Callable[..., Any],
) -> None:
    import logging

    interposed(Randomness)
    assert os.getpid() == PROCESS
    os.kill(PROCESS, 0)
    record = logging.LogRecord("", 0, "", 0, "", None, None)
    assert record.process != PROCESS  # the library's own, which others may send signals to


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_child_that_the_program_forks_goes_on_from_its_state(
    interposed: Callable[..., Any], runtime: Runtime
) -> None:
    (randomness,) = interposed(Randomness, seed=3)

    def children() -> list[bytes]:
        return [_said_by_child(lambda: f"{random.random()} {uuid.uuid4()}") for _ in range(2)]

    first = children()
    runtime.begin(3)
    randomness.begin()
    assert children() == first
    assert first[0] != first[1]
    assert float(first[0].split()[0]) == random.random()


def _said_by_child(say: Callable[[], str]) -> bytes:
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.write(write, say().encode())
        os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    said = os.read(read, 1000)
    os.close(read)
    return said


NUMPY = """
    import os, random, sys
    from harness.games.script.imports import Imports
    from harness.games.script.randomness import Randomness
    from harness.games.script.runtime import Patches, Runtime
    if "early" in sys.argv:
        import numpy.random
    runtime, imports, patches = Runtime(), Imports(), Patches()
    randomness = Randomness(runtime, imports)
    for each in (randomness, imports):
        each.install(patches)
    if "early" in sys.argv:
        numpy.random.rand()
    runtime.begin(11)
    randomness.begin()
    runtime.playing = True
    import numpy.random
    few = len(randomness.states())
    print(numpy.random.rand(), numpy.random.default_rng().random(), os.urandom(4))
    print(numpy.random.RandomState().rand(), random.random(), few, len(randomness.states()))
    numpy.random.seed()
    print(numpy.random.rand())
"""


def test_numpy_draws_the_same_whenever_it_is_imported(tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    said = [
        subprocess.run(
            [sys.executable, "-c", textwrap.dedent(NUMPY), *when],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for when in (["early"], ["late"])
    ]
    assert said[0] == said[1]
    assert " 2 3\n" in said[0]
