"""Who descends from whom is found on every kernel, and who may have started it."""

import os
import subprocess
import sys

import pytest

from harness.worker import strays
from tests.worker.conftest import state_of
from tests.worker.test_ends import until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
print(child.pid, flush=True)
child.wait()
"""


@pytest.fixture(params=[True, False])
def listed(request, monkeypatch):
    """Kernels that list children, and those that do not."""
    if request.param and not strays._listed():
        pytest.skip("this kernel lists no children")
    monkeypatch.setattr(strays, "_listed", lambda: request.param)


@pytest.fixture
def two():
    """A process of this one, and its own child."""
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True)
    with parent:
        child = int(parent.stdout.readline())
        yield parent.pid, child
        strays.end_all([child, parent.pid])


def test_all_that_is_below_is_found_but_for_kin(listed, two):
    parent, child = two
    assert {parent, child} <= set(strays.below(os.getpid(), ()))
    assert strays.below(parent, ()) == [child]
    assert strays.below(parent, [child]) == []
    assert not {parent, child} & set(strays.below(os.getpid(), [parent]))


def test_what_was_born_while_nobody_played_who_is_left_ends(listed, two, monkeypatch):
    parent, child = two
    born = strays._born(child)
    assert 0 <= strays.now() - born < 30
    spared = [
        {"kin": [child], "played": []},
        {"kin": [], "played": [(born - 1, born + 1)]},
        {"kin": [], "played": [], "due": born},
        {"kin": [], "played": []},  # it may be a fork that is just being made
    ]
    monkeypatch.setattr(strays, "_SETTLED", 0.0)
    for number, known in enumerate(spared):
        if number == 3:
            monkeypatch.setattr(strays, "_SETTLED", 1e9)
        strays.end_lost(parent, **known)
        assert state_of(child) not in ("", "Z"), known
    monkeypatch.setattr(strays, "_SETTLED", 0.0)
    strays.end_lost(parent, kin=[], played=[(born - 9, born - 1), (born + 1, born + 9)])
    assert until(lambda: state_of(child) in ("", "Z"))
