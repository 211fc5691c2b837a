"""Imports point down only."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINTER = Path(sys.executable).parent / "lint-imports"


def lint(folder):
    return subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()",
         "--no-cache"],
        cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(folder), "NO_COLOR": "1"},
    )  # fmt: skip


@pytest.fixture
def copy(tmp_path):
    """A copy of the package, to plant things in."""
    pytest.importorskip("importlinter")
    shutil.copytree(
        ROOT / "harness", tmp_path / "harness", ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_no_import_points_up(copy):
    done = lint(copy)
    assert done.returncode == 0, done.stdout
    assert re.search(r"\b0 broken", done.stdout)


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("values/keys.py", "from harness.driver import driver"),
        ("stdout.py", "import harness.cli"),
        ("errors.py", "from harness import stdout"),
        ("query/space.py", "def late():\n    from harness.playtest.play import Playtest"),
        ("testing/evidence.py", "from harness import cli"),
    ],
)
def test_an_import_that_points_up_or_aside_is_caught(copy, module, line):
    file = copy / "harness" / module
    file.write_text(file.read_text(encoding="utf-8") + f"\n{line}\n", encoding="utf-8")
    done = lint(copy)
    assert done.returncode == 1, done.stdout
    assert "BROKEN" in done.stdout


def test_a_module_without_a_floor_is_caught(copy):
    (copy / "harness" / "attic.py").write_text('"""Nobody said where."""\n', encoding="utf-8")
    done = lint(copy)
    assert done.returncode == 1
    assert "attic" in done.stdout


DOORS = {
    "pytest": {"pytest_playtest.py", "harness/testing"},
    "yaml": {"harness/documents.py"},
    "pygame": {
        "harness/golden/capture.py",
        "harness/check/loading.py",
        "harness/games/script",
    },
    "greenlet": {"harness/games/script/program.py"},
    "PIL": {"harness/golden"},
    "numpy": set(),
    "mcp": {"harness/serve"},
    "mcp_types": {"harness/serve"},
    "anyio": {"harness/serve"},
    "starlette": {"harness/serve"},
    "uvicorn": {"harness/serve"},
    "argparse": {"pytest_playtest.py", "harness/cli.py", "harness/replay.py"},
}


@pytest.mark.parametrize("package", DOORS)
def test_each_dependency_has_one_door(package):
    for file in [ROOT / "pytest_playtest.py", *(ROOT / "harness").rglob("*.py")]:
        name = file.relative_to(ROOT).as_posix()
        if name.startswith("harness/starter/files"):
            continue
        through = any(name.startswith(door) for door in DOORS[package])
        assert through or package not in imported(file), name


def imported(file, only_types=True):
    """The top names that a file imports when it runs, those for type checkers left out."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING" and only_types:
            node.body = []
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add((node.module or "").partition(".")[0])
    return names


def test_what_the_plugin_loads_imports_nothing_of_ours_late():
    # A private copy of the package, beside a project's own `harness`, could not find it later.
    code = (
        "import harness.testing, sys; print(*(n for n in sys.modules if n.startswith('harness')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    ours = [name for name in done.stdout.split() if name.startswith("harness.")]
    assert "harness.testing.context" in ours
    for module in ours:
        path = ROOT / (module.replace(".", "/") + ".py")
        file = path if path.is_file() else path.with_suffix("") / "__init__.py"
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                late = [
                    ast.unparse(node)
                    for node in ast.walk(function)
                    if isinstance(node, ast.Import | ast.ImportFrom)
                    and re.search(r"\bharness\b", ast.unparse(node))
                ]
                assert not late, f"{module}: {function.name}: {late}"
