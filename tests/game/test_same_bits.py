"""Whole plays of every level come to the same bits in processes of their own."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOVIES = sorted((ROOT / "scenarios" / "movies").glob("win-*.movie"))
PLAY = """
import json, sys
import harness
from harness import RunRequest

play = harness.open("game")
runs = [play.run(RunRequest(input=movie)) for movie in sys.argv[1:]]
print(json.dumps([(run.scene, run.frame, run.state_hash) for run in runs]))
"""


def started(hash_seed):
    return subprocess.Popen(
        [sys.executable, "-c", PLAY, *map(str, MOVIES)],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        stdout=subprocess.PIPE,
    )


def test_every_level_won_in_two_processes_ends_in_the_same_bits():
    processes = [started("1"), started("4242")]
    one, other = [json.loads(process.communicate(timeout=120)[0]) for process in processes]

    assert {scene for scene, _, _ in one} == {"ledge", "yard", "watch", "works"}
    assert min(frame for _, frame, _ in one) > 250
    assert one == other
