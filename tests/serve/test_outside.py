"""Clients of others: the conformance suite and the Inspector, where npm is at hand."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .client import ROOT, Piped
from .conftest import port_of

GAME = ROOT / "tests" / "walker"
FIXTURES = Path(__file__).with_name("fixture_server.py")
PACKAGES = (
    "node@22",
    "@modelcontextprotocol/conformance@0.2.0-alpha.12",
    "@modelcontextprotocol/inspector@2.12.0",
)


@pytest.fixture(scope="module")
def node(tmp_path_factory):
    """Run a command of the packages, installed once."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not at hand: neither the conformance suite nor the Inspector runs")
    folder = Path(os.environ.get("HARNESS_NODE", "") or tmp_path_factory.mktemp("node"))
    if not (folder / "node_modules" / ".bin" / "conformance").exists():
        words = [npm, "install", "--no-audit", "--no-fund", "--silent", "--prefix", str(folder)]
        done = subprocess.run([*words, *PACKAGES], capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"npm cannot install: {done.stderr.strip()[-200:]}")
    bin = folder / "node_modules" / ".bin"

    def run(*words):
        path = os.pathsep.join([str(bin), os.environ["PATH"]])
        command = [shutil.which(words[0], path=str(bin)), *map(str, words[1:])]
        return subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=300,
            env={**os.environ, "PATH": path, "NO_COLOR": "1"},
        )  # fmt: skip

    return run


TEXT_AND_PICTURES = "tools answer with text, structured content and pictures"
NO_QUESTIONS = "the server asks its clients for nothing"
NOT_OFFERED = {
    r"resources-.*": "no resources",
    r"prompts-.*": "no prompts",
    r"caching": "of resources and prompts",
    r"completion-complete": "no completion",
    r"logging-set-level|tools-call-with-logging": "no log for clients",
    r"tools-call-(audio|embedded-resource|mixed-content)": TEXT_AND_PICTURES,
    r"tools-call-(sampling|elicitation)|elicitation-.*|input-required-.*": NO_QUESTIONS,
    r"server-stateless": NO_QUESTIONS,
    r"tasks-.*|json-schema-2020-12|http-custom-header-server-validation": "not scored",
}


@pytest.mark.parametrize("revision", ["2026-07-28", "2025-11-25"])
def test_the_conformance_suite_misses_only_what_is_not_offered(node, slow, revision):
    server = Piped(slow, "--http", "0", command=[str(FIXTURES)])
    try:
        url = f"http://127.0.0.1:{port_of(server)}/mcp"
        done = node("conformance", "server", "--url", url, "--requirements", revision)
    finally:
        server.close()
    told = re.findall(r"^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed", done.stdout, re.MULTILINE)
    assert len(told) > 25, done.stdout + done.stderr
    missed = [name for sign, name, _, _ in told if sign == "✗"]
    assert [n for n in missed if not any(re.fullmatch(p, n) for p in NOT_OFFERED)] == []
    held = {name: int(failed) for sign, name, _, failed in told if sign == "✓"}
    for name in ("tools-list", "tools-call-simple-text", "tools-call-image", "tools-call-error",
                 "tools-call-with-progress", "dns-rebinding-protection"):  # fmt: skip
        assert held[name] == 0
    if revision == "2026-07-28":
        # All but three checks of tools that ask the client something.
        assert ("server-stateless", "3") in [(name, failed) for _, name, _, failed in told]


CALL = ("--method", "tools/call", "--tool-name", "game_run", "--tool-args-json")


@pytest.mark.parametrize(("how", "era"), [("stdio", "legacy"), ("http", "modern")])
def test_the_inspector_lists_calls_and_sees_errors(node, on_http, how, era):
    if how == "http":
        place = [f"http://127.0.0.1:{on_http(GAME)[1]}/mcp", "--transport", "http"]
    else:
        environment = ["-e", f"PYTHONPATH={ROOT}"]
        place = [*environment, sys.executable, "-m", "harness", "mcp", str(GAME)]

    def inspect(*words):
        flags = ["--protocol-era", era, "--format", "json", "-q"]
        return node("mcp-inspector", "--cli", *flags, *place, *words)

    listed = inspect("--method", "tools/list", "--strict")
    assert listed.returncode == 0, listed.stdout + listed.stderr
    assert "game_run" in [tool["name"] for tool in json.loads(listed.stdout)["result"]["tools"]]
    run = inspect(*CALL, '{"frames": 7}')
    assert run.returncode == 0, run.stdout + run.stderr
    assert json.loads(run.stdout)["result"]["structuredContent"]["frame"] == 7
    wrong = inspect(*CALL, '{"frames": 601}')
    assert wrong.returncode == 5
    assert "invalid_arguments" in wrong.stdout + wrong.stderr
