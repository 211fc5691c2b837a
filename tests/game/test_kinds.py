"""What harness.yaml declares of the kinds is what the game itself reads."""

from importlib import import_module
from pathlib import Path

import pytest

from harness.documents import read_document

ROOT = Path(__file__).resolve().parents[2]
DECLARED = read_document(ROOT / "game/harness.yaml")["kinds"]


@pytest.fixture
def level(monkeypatch):
    """The module of the game that reads its levels."""
    monkeypatch.syspath_prepend(ROOT)
    return import_module("game.level")


def test_the_declared_kinds_are_those_of_the_game(level):
    assert list(DECLARED) == ["*", *level.KINDS]


@pytest.mark.parametrize("kind", [kind for kind in DECLARED if kind != "*"])
def test_each_kind_declares_the_keys_that_the_game_reads(level, kind):
    declared = {**DECLARED["*"], **(DECLARED[kind] or {})}
    assert set(declared) == {*level.KINDS[kind][1], *level.OBJECT_KEYS} - {
        "id", "name", "kind", "parent",
    }  # fmt: skip
    assert {key for key, word in declared.items() if word == "point"} == {
        key for key in declared if level.READERS[key] is level._pair
    }
