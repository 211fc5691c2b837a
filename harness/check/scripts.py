"""What can be known of Python files without running them: syntax, imports, assets by name."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from harness.check.files import ASSETS, OTHERS, GameFiles
from harness.check.problems import Problem
from harness.values.files import reason

_UNDRIVEN = {
    "arcade": "a game library of its own, over pyglet",
    "pyglet": "a game library of its own",
    "kivy": "a library of its own",
    "ursina": "a game library of its own, over Panda3D",
    "panda3d": "a game library of its own",
    "cocos": "a game library of its own, over pyglet",
    "raylib": "a game library of its own",
    "OpenGL": "OpenGL, which cannot be drawn without a display",
    "moderngl": "OpenGL, which cannot be drawn without a display",
    "tkinter": "windows of Tk, which need a display",
}
MISSING = ", which is not there"
"""How the problem ends that an import has which leads nowhere."""

_PACKAGES = {
    **{name: name for name in ("numpy", "scipy", "pytmx", "pymunk", "pygame_gui",
       "pgzero", "requests", "noise", "networkx", "matplotlib", "moviepy", "mutagen", "pandas",
       "thorpy", "chess", "pyscroll", "pyperclip", "screeninfo", "numba", "pynput", "shapely",
       "opensimplex", "colorama", "pydantic")},
    "pygame": "pygame-ce", "pygame_menu": "pygame-menu", "cv2": "opencv-python", "PIL": "pillow",
    "yaml": "pyyaml", "Box2D": "box2d-py", "perlin_noise": "perlin-noise", "serial": "pyserial",
    "pygame_widgets": "pygame-widgets", "pygame_textinput": "pygame-textinput", "neat":
    "neat-python", "bs4": "beautifulsoup4", "dotenv": "python-dotenv", "skimage": "scikit-image",
    "sklearn": "scikit-learn", "attr": "attrs", "win32api": "pywin32",
}  # fmt: skip
"""Packages that games import, by what pip calls them: no other name is guessed."""

READ = "make it a file that can be read, or remove it"
_MEND = "mend the line, or the one before it; until then nothing can import this file"
_NO_MODULE = "add the module, or import one that is there"
_EXCUSES = ("ImportError", "ModuleNotFoundError", "Exception")
_WRITES = re.compile(r"save|write|dump|export|mkdir|remove|unlink|endswith")
_NAMED = re.compile(
    rf"[\w ./\\()+-]*\w[\w ()+-]*({'|'.join(map(re.escape, (*ASSETS, *OTHERS)))})", re.IGNORECASE
)
_OWN_OF_PYGAME = "freesansbold.ttf"


def syntax(path: Path, file: str) -> tuple[ast.Module | None, Problem | None]:
    """Parse a Python file; never runs it."""
    try:
        source = path.read_bytes()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source, file), None
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", 0) or 0
        message = getattr(error, "msg", None) or str(error)
        text = (getattr(error, "text", None) or "").strip()
        what = f"{type(error).__name__}: {message}"
        return None, Problem(file, line, what, _MEND, (text,) if text else ())
    except (RecursionError, MemoryError):
        return None, Problem(file, 0, "is nested too deeply to be read", "take it apart")
    except OSError as error:
        return None, Problem(file, 0, f"cannot be read: {reason(error)}", READ)


def problems_of(tree: ast.Module, file: str, files: GameFiles) -> Iterator[Problem]:
    """Imports that lead nowhere, and assets that are not there."""
    look = _Look(file, files)
    with suppress(RecursionError):  # what stands so deep is left alone
        look.visit(tree)
    yield from look.found


class _Look(ast.NodeVisitor):
    def __init__(self, file: str, files: GameFiles) -> None:
        self.file = file
        self.files = files
        self.folder = files.path / Path(file).parent
        self.found: list[Problem] = []
        self._may_fail = False

    def visit_Try(self, node: ast.Try) -> None:
        names = [name for handler in node.handlers for name in _caught(handler)]
        before, self._may_fail = self._may_fail, any(name in _EXCUSES for name in names)
        for statement in node.body:
            self.visit(statement)
        self._may_fail = before
        for part in (*node.handlers, *node.orelse, *node.finalbody):
            self.visit(part)

    def visit_If(self, node: ast.If) -> None:
        if "TYPE_CHECKING" not in ast.dump(node.test):
            self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._check(alias.name, node.lineno)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.level == 0:
            self._check(node.module or "", node.lineno)
        elif node.module and not self._may_fail:
            base = self.folder
            for _ in range(node.level - 1):
                base = base.parent
            if not _is_module(base.joinpath(*node.module.split("."))):
                dots = "." * node.level
                what = f"imports {dots}{node.module}, and there is no such module"
                self.found.append(Problem(self.file, node.lineno, what, _NO_MODULE))

    def visit_Call(self, node: ast.Call) -> None:
        if not _writes(node):
            self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring may name anything
            self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """A text that is put together when it runs says no name."""

    def visit_BinOp(self, node: ast.BinOp) -> None:
        last = node.right.value if isinstance(node.right, ast.Constant) else None
        if isinstance(node.op, ast.Add) and isinstance(last, str) and self.files.ends_in(last):
            self.visit(node.left)  # what it is put behind may be a part of the name
        else:
            self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if not isinstance(node.value, str) or not _NAMED.fullmatch(node.value):
            return
        if node.value.lower().endswith(_OWN_OF_PYGAME):
            return
        problem = self.files.asset(node.value, self.folder)
        if problem is not None:
            fix = "add the file, or name one that is there"
            self.found.append(Problem(self.file, node.lineno, f"{node.value}: {problem}", fix))

    def _check(self, name: str, line: int) -> None:
        top, _, rest = name.partition(".")
        bases = dict.fromkeys((self.folder, self.files.imports, self.files.path))
        own = [base for base in bases if _is_module(base / top)]
        if top in _UNDRIVEN and not own:
            what = f"imports {top}, {_UNDRIVEN[top]}"
            fix = "the harness drives pygame, pygame-ce and pygame-zero"
            self.found.append(Problem(self.file, line, what, fix))
        elif self._may_fail or top in sys.stdlib_module_names:
            return
        elif not own and not _is_installed(top):
            pip = f"pip install {_PACKAGES[top]}: " if top in _PACKAGES else ""
            fix = f"{pip}install it beside the harness, in {sys.prefix}"
            self.found.append(Problem(self.file, line, f"imports {top}{MISSING}", fix))
        elif own and rest and not any(_is_module(b.joinpath(*name.split("."))) for b in own):
            what = f"imports {name}, and there is no such module"
            self.found.append(Problem(self.file, line, what, _NO_MODULE))


def _is_module(path: Path) -> bool:
    return path.is_dir() or path.with_name(f"{path.name}.py").is_file()


def _is_installed(top: str) -> bool:
    try:
        return top in sys.modules or importlib.util.find_spec(top) is not None
    except (ImportError, ValueError):
        return False


def _caught(handler: ast.ExceptHandler) -> Iterator[str]:
    if handler.type is None:
        yield "Exception"
        return
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    yield from (kind.id if isinstance(kind, ast.Name) else "" for kind in kinds)


def _writes(node: ast.Call) -> bool:
    """Whether a call makes the file that it names."""
    name = getattr(node.func, "attr", None) or getattr(node.func, "id", "")
    given = [*node.args[1:2], *(word.value for word in node.keywords if word.arg == "mode")]
    modes = [mode.value for mode in given if isinstance(mode, ast.Constant)]
    if name == "open":
        return any(isinstance(mode, str) and set(mode) & set("wax") for mode in modes)
    return _WRITES.search(str(name)) is not None
