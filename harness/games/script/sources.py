"""What a program's files say before it runs: what it imports, for which library it is written."""

from __future__ import annotations

import ast
import functools
import re
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness.errors import ConfigError, UnknownName
from harness.games.script.packages import from_above, local_files, package_of
from harness.values.files import reason

FOREIGN = {
    "arcade": "arcade",
    "pyglet": "pyglet",
    "kivy": "kivy",
    "ursina": "ursina",
    "panda3d": "panda3d",
    "direct": "panda3d",
    "pyray": "raylib",
    "raylib": "raylib",
    "cocos": "cocos2d",
    "pyxel": "pyxel",
    "turtle": "turtle",
    "tkinter": "tkinter",
    "PyQt5": "Qt",
    "PyQt6": "Qt",
    "PySide6": "Qt",
    "wx": "wxPython",
}
"""What a program may be written for in place of pygame, by what it imports."""

DRIVEN = "programs for pygame, pygame-ce and pygame-zero, and folders with a harness.yaml"

_OURS = frozenset(("pygame", "pgzrun", "pgzero", "pygame_menu", "pygame_gui"))
_SHEBANG = re.compile(rb"#!.*\bpython[\d.w]*\b")
_MOST_FILES = 400
_LONGEST_FILE = 1 << 20
_UPWARD = re.compile(r"""(?:(?<![\w.])["']?\.\.["']?[\s,/\\]*|os\.pardir[\s,]*)+""")
_FOLDERS_OF = re.compile(r"(?:\.parent\b)+|(?:(?:os\.path\.)?\bdirname\(\s*)+")
_PARENTS = re.compile(r"\.parents\[(\d)\]")


@dataclass(frozen=True, slots=True)
class Sources:
    """The files of a program that can be found from its first, read but not run."""

    script: Path
    imports: frozenset[str]
    """The names at the head of every import."""
    upward: int
    """How many folders above its own it may reach for."""
    zero: bool
    """Whether it is written for pygame-zero, which runs it."""
    paths: frozenset[str] = frozenset()
    """Texts in it that may be relative paths."""
    names: frozenset[str] = frozenset()
    """What its paths begin with, and texts that may be names of files."""
    package: tuple[str, ...] = ()
    """The folders that are the package it lies in, the outermost first."""
    is_module: bool = False
    """Whether it imports as only ``python -m`` lets it: from its package, or from beside that."""

    @property
    def root(self) -> Path:
        """The folder that its package lies in, or it itself if it lies in none."""
        return self.script.parents[len(self.package)]


def refuse_foreign(sources: Sources) -> None:
    """Refuse a program for another library.

    Raises:
        ConfigError: with what the harness does drive.
    """
    foreign = [FOREIGN[name] for name in sorted(sources.imports) if name in FOREIGN]
    if foreign and not sources.imports & _OURS and not sources.zero:
        raise ConfigError(
            f"{sources.script.name} is a program for {foreign[0]}; the harness drives {DRIVEN}"
        )


def read_sources(script: Path) -> Sources:
    """Read a program's files, beginning with its first.

    Raises:
        ConfigError: it cannot be read.
    """
    try:
        stamp = script.stat().st_mtime_ns
    except OSError as error:
        raise ConfigError(f"cannot read {script}: {reason(error)}") from None
    return _read(script, stamp)


@functools.lru_cache(maxsize=32)
def _read(script: Path, _stamp: int) -> Sources:
    imports: set[str] = set()
    paths: set[str] = set()
    names: set[str] = set()
    upward, zero = 0, False
    package, is_module = package_of(script, _tree(_text(script)))
    left, seen = [script], {script}
    while left and len(seen) < _MOST_FILES:
        file = left.pop()
        text = _text(file)
        depth = len(file.parts) - len(script.parts)
        upward = max(upward, _upward(text, depth))
        tree = _tree(text)
        texts = set(_texts(tree))
        paths.update(text for text in texts if "/" in text and len(text) > 2 and text[0] != "/")
        paths.update(_joined(tree))
        names.update(filter(None, map(_first_name, texts)))
        if file == script:
            zero = _is_zero(tree)
        for name in _imported(tree):
            imports.add(name.partition(".")[0])
            found = list(local_files(script.parent, name))
            if not found and (above := from_above(script, package, name)):
                (package, found), is_module = above, True
            for local in found:
                if local not in seen:
                    seen.add(local)
                    left.append(local)
    return Sources(
        script, frozenset(imports), upward, zero, frozenset(paths), frozenset(names),
        package, is_module,
    )  # fmt: skip


def _text(file: Path) -> str:
    try:
        if file.stat().st_size > _LONGEST_FILE:
            return ""
        with tokenize.open(file) as opened:
            return opened.read()
    except (OSError, SyntaxError, UnicodeDecodeError):
        return ""


def _tree(text: str) -> ast.Module:
    import warnings

    try:
        with warnings.catch_warnings(action="ignore"):
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module(body=[], type_ignores=[])


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if module:
                yield module
            for alias in node.names:
                yield f"{module}.{alias.name}".lstrip(".")


def _texts(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
            if len(text) <= _LONGEST_PATH and _PATH.fullmatch(text):
                yield text


def _joined(tree: ast.Module) -> Iterator[str]:
    """Texts that stand side by side, as arguments or about a slash: parts of a path at last."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call | ast.BinOp):
            continue
        parts: list[str] = []
        for part in [*(node.args if isinstance(node, ast.Call) else _divided(node)), None]:
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                parts.append(part.value)
                continue
            if len(parts) > 1 and all(map(_PATH.fullmatch, parts)) and parts[0][0] != "/":
                yield "/".join(parts)
            parts = []


def _divided(node: ast.expr) -> Iterator[ast.expr]:
    """The parts of ``Path("a") / "b" / "c"``."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        yield from _divided(node.left)
        yield from _divided(node.right)
    elif isinstance(node, ast.Call) and len(node.args) == 1:
        yield node.args[0]
    else:
        yield node


_LONGEST_PATH = 120
_PATH = re.compile(r"[\w./ ()-]+")


def _first_name(path: str) -> str:
    return next((part for part in path.split("/") if part.strip(". ")), "")


def _upward(text: str, depth: int) -> int:
    """How many folders above the program's a file of it, ``depth`` folders below, may name."""
    found = [match[0].count("..") + match[0].count("pardir") for match in _UPWARD.finditer(text)]
    for match in _FOLDERS_OF.finditer(text):
        found.append(max(match[0].count(".parent"), match[0].count("dirname")) - 1 - depth)
    found += [int(match[1]) - depth for match in _PARENTS.finditer(text)]
    return max(0, *found, 0)


_ZERO_NAMES = frozenset(("Actor", "screen", "keyboard", "sounds", "music", "images", "clock"))


def _is_zero(tree: ast.Module) -> bool:
    """Whether names of pygame-zero are used that the file neither imports nor makes.

    Those that run themselves import ``pgzrun`` and say ``go``.
    """
    if any(name.partition(".")[0] == "pgzrun" for name in _imported(tree)) and _says_go(tree):
        return False
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    if not defined & {"draw", "update"} or "pgzero.runner" in _imported(tree):
        return False
    used: set[str] = set()
    made: set[str] = set()
    told: set[ast.expr] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign) and node.value is None:
            told.add(node.target)  # ``screen: Screen`` tells an editor, and makes none
        elif isinstance(node, ast.Name) and node not in told:
            (made if isinstance(node.ctx, ast.Store) else used).add(node.id)
        elif isinstance(node, ast.ImportFrom) and node.module == "pgzero.builtins":
            used.update(alias.name for alias in node.names)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            made.update((alias.asname or alias.name).partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.arg):
            made.add(node.arg)
    return bool((used - made) & _ZERO_NAMES)


def is_script(path: Path) -> bool:
    """Whether a file is a Python program, by its name or by its first line."""
    try:
        if not path.is_file() or path.suffix:
            return path.suffix in (".py", ".pyw") and path.is_file()
        with path.open("rb") as file:
            return _SHEBANG.match(file.readline(_LONGEST_PATH)) is not None
    except OSError:
        return False


def _says_go(tree: ast.Module) -> bool:
    return any(
        (isinstance(node, ast.Attribute) and node.attr == "go")
        or (isinstance(node, ast.Name) and node.id == "go")
        for node in ast.walk(tree)
    )


def script_in(folder: Path) -> Path | None:
    """The program that a folder is run by: its main.py, or its __main__.py."""
    for name in ("main.py", "__main__.py"):
        if (folder / name).is_file():
            return folder / name
    return None


def module_file(name: str) -> Path:
    """The file that ``python -m name`` runs, found without importing anything of it.

    Raises:
        UnknownName: there is no such module.
    """
    from importlib.machinery import PathFinder

    path: list[str] | None = [str(Path.cwd()), *sys.path]
    spec = None
    for part in name.split("."):
        spec = PathFinder.find_spec(part, path)
        if spec is None:
            raise UnknownName("module", name, (), "Python's path")
        path = list(spec.submodule_search_locations or ())
    if path:
        main = script_in(Path(path[0]))
        if main is None or main.name != "__main__.py":
            main = Path(path[0]) / "__main__.py"
        if not main.is_file():
            raise ConfigError(f"-m {name}: the package has no __main__.py to run")
        return main.resolve()
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        raise ConfigError(f"-m {name}: it is no module of Python source")
    return Path(spec.origin).resolve()
