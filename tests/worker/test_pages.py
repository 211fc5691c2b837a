"""Tests of the pages that forks of one process write to."""

import os
import sys

import pytest

from harness.worker.isolation import FORKS
from harness.worker.pages import have, note_own

if not FORKS:
    pytest.skip("no forks here", allow_module_level=True)

import resource

SIZE = 16 << 20


def faults_of(work, first=lambda: None):
    """What a fork's work costs in pages that it has to take for itself one by one."""
    ours, theirs = os.pipe()
    child = os.fork()
    if not child:
        first()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        work()
        took = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
        os.write(theirs, str(took).encode())
        os._exit(0)
    os.waitpid(child, 0)
    took = int(os.read(ours, 20))
    os.close(ours)
    os.close(theirs)
    return took


@pytest.mark.filterwarnings("ignore:This process")
def test_a_fork_has_beforehand_what_another_wrote_to(tmp_path):
    memory = bytearray(os.urandom(1)) * SIZE
    noted = tmp_path / "pages"

    def write():
        for place in range(0, SIZE, 8192):
            memory[place] = 1

    alone = faults_of(lambda: (write(), note_own(noted)))
    assert alone >= SIZE // 8192 // 2
    assert faults_of(write, first=lambda: have(noted)) < alone / 4


@pytest.mark.parametrize("noted", [None, b"", b"123", (1 << 46).to_bytes(8, sys.byteorder) * 2])
def test_pages_that_are_not_noted_or_not_there_do_no_harm(tmp_path, noted):
    if noted is not None:
        (tmp_path / "pages").write_bytes(noted)
    have(tmp_path / "pages")
