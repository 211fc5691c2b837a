"""What is looked at first where two runs differ."""

import pytest

from harness.check.suspects import suspects


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ("import time\ntime.perf_counter_ns()\n", "a.py:2 time.perf_counter_ns()"),
        ("from time import monotonic as now\nx = now()\n", "a.py:2 now()"),
        ("import datetime as d\nx = d.datetime.now()\n", "a.py:2 d.datetime.now()"),
        ("from datetime import datetime\ndatetime.now()\n", "a.py:2 datetime.now()"),
        ("import secrets\nsecrets.token_hex(4)\n", "a.py:2 secrets.token_hex()"),
        ("import numpy as np\nnp.random.default_rng()\n", "a.py:2 np.random.default_rng()"),
        ("from random import Random\nRandom()\n", "a.py:2 Random()"),
        ("x = hash('a')\n", "a.py:1 hash()"),
        ("x = [a for a in {1, 2}]\n", "a.py:1 goes through a set in no order"),
    ],
)
def test_a_call_is_named_however_it_was_imported(tmp_path, source, named):
    (tmp_path / "a.py").write_text(source, encoding="utf-8")
    assert suspects(tmp_path, ["a.py"]) == f"look first at {named}"


@pytest.mark.parametrize(
    "source",
    [
        "import random\nrandom.Random(3)\n",
        "from mine import time\ntime.perf()\n",
        "from .clock import monotonic\nmonotonic()\n",
        "import time\ntime.sleep(1)\n",
        "x = [a for a in sorted({1, 2})]\n",
    ],
)
def test_what_gives_the_same_each_time_is_not_named(tmp_path, source):
    (tmp_path / "a.py").write_text(source, encoding="utf-8")
    assert suspects(tmp_path, ["a.py"]).startswith("look for a clock")
