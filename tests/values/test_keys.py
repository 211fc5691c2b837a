import pygame
import pytest

from harness.values.keys import KEY_ALIASES, KEYS, key_name

CONSTANTS = sorted(name for name in dir(pygame) if name.startswith("K_") and name != "K_UNKNOWN")


def constant(key):
    return getattr(pygame, f"K_{key}", None) or getattr(pygame, f"K_{key.upper()}")


@pytest.mark.parametrize("name", CONSTANTS)
def test_every_key_of_pygame_is_known_by_its_constant(name):
    assert constant(key_name(name)) == getattr(pygame, name)


def test_every_known_key_is_one_of_pygame():
    assert all(isinstance(constant(key), int) for key in KEYS)


def test_a_key_has_one_name_only():
    assert len({constant(key) for key in KEYS}) == len(KEYS)


def test_aliases_lead_to_keys_and_hide_none():
    assert set(KEY_ALIASES.values()) <= KEYS
    assert not KEY_ALIASES.keys() & KEYS


@pytest.mark.parametrize("word", ["space", "SPACE", "K_SPACE"])
def test_a_key_is_found_however_it_is_written(word):
    assert key_name(word) == "space"


@pytest.mark.parametrize("word", ["", "K_", "jump", "K_K_SPACE", "spacebar", "²"])
def test_a_word_that_is_no_key_gives_none(word):
    assert key_name(word) is None
