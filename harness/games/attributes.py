"""What objects keep, under the names that their classes give it by.

pygame-ce keeps a sprite's ``rect`` as ``_Sprite__rect``, behind a property, where pygame has it as
it is: a game holds the same under both.
"""

from __future__ import annotations

import dis
import functools
import inspect
from collections.abc import Mapping
from types import FunctionType
from typing import Any

_GROUPS = "_Sprite__g"
_UNSET = ("_Sprite__image", "_Sprite__rect")
"""What each sprite of pygame-ce's has, and of pygame's only one that was given it."""


def public(kind: type, kept: Mapping[str, Any]) -> Mapping[str, Any]:
    """The attributes that an object of a class keeps, private ones by their public names."""
    names = _given(kind)
    if not names:
        return kept
    found = {
        names.get(name, name): part
        for name, part in kept.items()
        if part is not None or name not in _UNSET
    }
    if type(found.get(_GROUPS)) is dict:
        found[_GROUPS] = set(found[_GROUPS])  # a dict in pygame-ce
    return found


@functools.lru_cache(maxsize=4096)
def _given(kind: type) -> dict[str, str]:
    """The names of the properties that give ``__name`` as it is, by how Python calls that."""
    found = {}
    for base in kind.__mro__:
        for name, member in vars(base).items():
            private = f"_{base.__name__.lstrip('_')}__{name}"
            theirs = isinstance(member, property) and inspect.getattr_static(kind, name) is member
            if theirs and _only_gives(member.fget, private):
                found[private] = name
    return found


def _only_gives(getter: Any, attribute: str) -> bool:
    """Whether a getter is no more than ``return self.attribute``; it is not called."""
    if not isinstance(getter, FunctionType) or getter.__code__.co_names != (attribute,):
        return False
    steps = [step.opname for step in dis.get_instructions(getter.__code__)]
    load, *rest = steps[1:] if steps[0] == "RESUME" else steps
    return load.startswith("LOAD_FAST") and rest == ["LOAD_ATTR", "RETURN_VALUE"]
