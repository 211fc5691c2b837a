"""What harness.yaml declares of the kinds is what the game itself reads."""

from pathlib import Path

import pytest

from game.level import KINDS, OBJECT_KEYS, READERS, _pair
from harness.documents import read_document

DECLARED = read_document(Path(__file__).resolve().parents[2] / "game/harness.yaml")["kinds"]


def test_the_declared_kinds_are_those_of_the_game():
    assert list(DECLARED) == ["*", *KINDS]


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_declares_the_keys_that_the_game_reads(kind):
    declared = {**DECLARED["*"], **(DECLARED[kind] or {})}
    assert set(declared) == {*KINDS[kind][1], *OBJECT_KEYS} - {"id", "name", "kind", "parent"}
    assert {key for key, word in declared.items() if word == "point"} == {
        key for key in declared if READERS[key] is _pair
    }
