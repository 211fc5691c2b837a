"""What is not used is not imported."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HEAVY = ("pygame", "pymunk", "PIL", "mcp", "yaml", "numpy")


def loaded(tmp_path, code):
    """The modules that a fresh process has loaded when a program ends."""
    told = f"{code}\nimport sys; sys.stderr.write('LOADED ' + ' '.join(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", told], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    return done.stderr.rpartition("LOADED ")[2].split()


@pytest.mark.parametrize(
    "arguments", ["['--help']", "['--version']", "['run', '--help']", "['new', 'x']", "['nothing']"]
)
def test_the_command_line_asks_for_nothing_before_it_must(tmp_path, arguments):
    modules = loaded(tmp_path, f"from harness.cli import main; main({arguments})")
    assert "harness.cli" in modules
    assert [name for name in (*HEAVY, "pytest") if name in modules] == []


def test_an_idle_plugin_imports_neither_the_harness_nor_anything_heavy(tmp_path):
    (tmp_path / "test_a.py").write_text("def test_it():\n    pass\n", encoding="utf-8")
    modules = loaded(
        tmp_path, "import pytest; assert pytest.main(['-q', '-p', 'pytest_playtest']) == 0"
    )
    assert "pytest_playtest" in modules
    assert [name for name in (*HEAVY, "harness", "harness.errors") if name in modules] == []


def test_playing_a_game_that_does_not_draw_needs_no_pygame(tmp_path):
    walker = ROOT / "tests" / "walker"
    code = f"from harness.cli import main; assert main(['run', {str(walker)!r}, '--frames=3']) == 0"
    modules = loaded(tmp_path, code)
    assert [name for name in ("pygame", "PIL", "mcp", "numpy", "pytest") if name in modules] == []
