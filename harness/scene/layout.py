"""A scene file as a tree of entities, each with the place in the text where it stands."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.documents import Composed, composed
from harness.errors import ConfigError, NotForThisGame, RequestError, UnknownName
from harness.games.folder import GameFolder
from harness.scene.parents import Orphan, joined
from harness.values.files import read_file, reason

LISTS = ("objects", "entities", "children", "layers", "nodes")
"""The keys under which a scene, or an entity, lists entities."""

SCENE = "/"
"""The name of the scene itself among its entities: its own properties, above all lists."""

KIND_KEYS = ("kind", "type", "class")
"""What says what an entity is; the first that there is."""
_MOST_NAMED = 8
_IDS = (int, str)


@dataclass(slots=True, eq=False, repr=False)
class Entry:
    """One entity of a scene file. ``holder`` is the list that it stands in, ``key`` that list's.

    Where the list is a mapping by name, ``called`` is the node of the entity's own key there.
    """

    data: Mapping[str, Any]
    node: Any
    label: str
    line: int
    holder: Any = None
    key: Any = None
    parent: Entry | None = None
    children: list[Entry] = field(default_factory=list)
    nested: bool = False
    called: Any = None

    @property
    def id(self) -> Any:
        """Its id; None where it has none."""
        value = self.data.get("id")
        return value if isinstance(value, _IDS) and not isinstance(value, bool) else None

    @property
    def name(self) -> str:
        """Its name, or what it is called by where it has none."""
        return self.label

    @property
    def kind(self) -> str:
        """What it is: ``kind``, ``type`` or ``class``, the first that there is."""
        found = next((self.data[key] for key in KIND_KEYS if key in self.data), "")
        return found if isinstance(found, str) else ""

    @property
    def path(self) -> str:
        """The names from the outermost parent down to it."""
        names, at, seen = [self.label], self.parent, {id(self)}
        while at is not None and id(at) not in seen:
            names.append(at.label)
            seen.add(id(at))
            at = at.parent
        return "/".join(reversed(names))

    @property
    def properties(self) -> dict[str, Any]:
        """Everything that it holds but its entities."""
        return {key: value for key, value in self.data.items() if not self._lists(key)}

    def _lists(self, key: Any) -> bool:
        return key in LISTS and is_entities(self.data[key])

    def tree(self) -> Iterator[Entry]:
        """The entity and all below it, in order."""
        waiting = [self]
        while waiting:
            entry = waiting.pop()
            yield entry
            waiting += reversed(entry.children)

    def __str__(self) -> str:
        return f"#{self.id} {self.path}" if self.id is not None else self.path


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene file: its text as it is on disk, and its entities in order of the file."""

    name: str
    file: str
    path: Path
    document: Composed
    root: Entry
    entries: tuple[Entry, ...]
    orphans: tuple[Orphan, ...] = ()

    @property
    def roots(self) -> list[Entry]:
        """The outermost entities."""
        return [entry for entry in self.entries if entry.parent is None]

    @property
    def in_json(self) -> bool:
        """Whether what is written into it must be JSON."""
        return self.path.suffix.lower() != ".yaml" and self.path.suffix.lower() != ".yml"

    def find(self, wanted: str) -> Entry:
        """The one entity of that ``#id``, unique name or path; ``/`` is the scene itself.

        Raises:
            UnknownName: there is none, with those that are.
            RequestError: there are several, with their paths and ids.
        """
        if wanted == SCENE:
            return self.root
        found = self.matches(wanted)
        if len(found) == 1:
            return found[0]
        if not found:
            names = [entry.name for entry in self.entries]
            raise UnknownName("object", wanted, names, f"scene {self.name}")
        named = ", ".join(map(str, found[:_MOST_NAMED]))
        more = f" and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
        raise RequestError(
            f"{wanted!r} names {len(found)} objects: {named}{more}; give an id or a path"
        )

    def matches(self, wanted: str) -> list[Entry]:
        """All entities of that ``#id``, name or path."""
        if wanted.startswith("#"):
            return [
                entry
                for entry in self.entries
                if str(entry.id) == wanted[1:] and entry.id is not None
            ]
        by_path = [entry for entry in self.entries if entry.path == wanted]
        return (
            by_path
            if len(by_path) == 1
            else [e for e in self.entries if wanted in (e.name, e.path)]
        )


def is_entities(value: Any) -> bool:
    """Whether a value lists entities, or maps them by name: all are mappings."""
    items = value.values() if isinstance(value, dict) else value
    return isinstance(value, list | dict) and all(isinstance(item, dict) for item in items)


def scene_file(folder: GameFolder, name: str | None) -> tuple[str, str]:
    """The name of a scene and its file, as harness.yaml maps them.

    Raises:
        UnknownName: the game has no such scene.
        NotForThisGame: the scene has no file.
    """
    chosen = folder.scene(name)
    scenes = folder.config.get("scenes")
    if folder.script is not None:
        raise NotForThisGame(
            f"{folder.script.name} is a program, which makes its scenes by itself: what is in them"
            " is read while it plays (game_run with print; api lists names)"
            "\n  the scene tools are for a game whose harness.yaml maps scenes to files"
        )
    if not isinstance(scenes, Mapping):
        raise NotForThisGame(
            f"scene {chosen} is no file: the game makes it by itself, and what is in it is read"
            " while it plays (game_run with print; api lists names)\n  where it is read from one,"
            f" harness.yaml says so, as in scenes: {{{chosen}: levels/{chosen}.yaml}}"
        )
    file = str(scenes[chosen])
    inside(folder, file)
    return chosen, file


def inside(folder: GameFolder, file: str) -> Path:
    """A path that is relative to the game's folder, as it is on disk.

    Raises:
        ConfigError: it leads out of the folder that the game's files stay in.
    """
    path = (folder.path / file).resolve()
    if not path.is_relative_to(folder.root.resolve()):
        raise ConfigError(f"{file} is outside of the game's folder {folder.root}")
    return path


def read_scene(folder: GameFolder, name: str | None = None) -> Scene:
    """Read the file of a scene; the game's first unless it is named.

    Raises:
        UnknownName, ConfigError, NotForThisGame: there is none, or it cannot be read, with the
            line.
    """
    chosen, file = scene_file(folder, name)
    return scene_of(folder.path / file, chosen, file)


def scene_of(path: Path, name: str, file: str) -> Scene:
    """Read any scene file; ``file`` is what messages call it.

    Raises:
        ConfigError: it is no scene file, with the line.
    """
    try:
        text = read_file(path).decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ConfigError(f"{file}, line {line}: is not text in UTF-8") from None
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot read {file}: {reason(error)}") from None
    return parsed(text, path, name, file)


@functools.lru_cache(maxsize=1)  # an edit leaves what the next one begins with
def parsed(text: str, path: Path, name: str, file: str) -> Scene:
    """Read the text of a scene file; nobody may change what it gives.

    Raises:
        ConfigError: it is no scene file, with the line.
    """
    document = composed(text, file)
    value, node = document.value, document.node
    if isinstance(value, Mapping):
        root = Entry(value, node, SCENE, 1)
        if not any(is_entities(value.get(key)) for key in LISTS):
            raise ConfigError(
                f"{file}: is no scene file: it needs entities, as a list or by name, under"
                f" one of {', '.join(LISTS)}"
            )
    elif isinstance(value, list) and is_entities(value):
        root = Entry({}, None, SCENE, 1)
    else:
        raise ConfigError(f"{file}: is no scene file: it needs a mapping, or a list of entities")
    found: list[Entry] = []
    _collect(root, value, node, found)
    orphans = joined(found)
    return Scene(name, file, path, document, root, tuple(found), tuple(orphans))


def _collect(owner: Entry, value: Any, node: Any, found: list[Entry]) -> None:
    """Take in the entities of a list, and of the lists below each."""
    if isinstance(value, list):
        _listed(owner, value, node, None, found)
        return
    for key_node, value_node in node.value:
        key = key_node.value
        if key in LISTS and is_entities(value.get(key)):
            _listed(owner, value[key], value_node, key_node, found)


def _listed(owner: Entry, items: Any, node: Any, key: Any, found: list[Entry]) -> None:
    for index, (place, item) in enumerate(zip(items, node.value, strict=True)):
        called, item = item if isinstance(items, dict) else (None, item)
        data = place if called is None else items[place]
        name = data.get("name")
        other = _called(data, index) if called is None else str(place)
        label = name if isinstance(name, str) and name else other
        line = int((called or item).start_mark.line) + 1
        entry = Entry(data, item, label, line, node, key, called=called)
        if owner.label != SCENE:
            entry.parent, entry.nested = owner, True
            owner.children.append(entry)
        found.append(entry)
        _collect(entry, data, item, found)


def _called(data: Mapping[str, Any], index: int) -> str:
    kind = next((data[key] for key in KIND_KEYS if isinstance(data.get(key), str)), "object")
    return f"{kind}[{index}]"
