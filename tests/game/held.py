"""Runs scenarios on copies of the game, many in one process, and tells what became of each.

python held.py: reads [[game, [node id, ...]], ...] as JSON, prints [{node id: outcome}, ...].
"""

import json
import sys

import pytest

from harness.testing import evidence


class Listener:
    """Hears how each scenario ended: "passed", or the last line of its failure."""

    def __init__(self) -> None:
        self.outcomes = {}

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.outcomes[report.nodeid] = report.longreprtext
        elif report.when == "call":
            self.outcomes[report.nodeid] = "passed"

    def pytest_collectreport(self, report):
        if report.failed:
            self.outcomes[report.nodeid] = report.longreprtext


def outcomes_of(game, nodes):
    listener = Listener()
    pytest.main(["-q", "-p", "no:cacheprovider", "--game", game, *nodes], plugins=[listener])
    return listener.outcomes


if __name__ == "__main__":
    # A failure is meant to happen here: nobody reads its movie, nor needs it replayed.
    evidence.Keeper.keep = lambda self, movie: ""
    out, sys.stdout = sys.stdout, sys.stderr
    json.dump([outcomes_of(game, nodes) for game, nodes in json.load(sys.stdin)], out)
