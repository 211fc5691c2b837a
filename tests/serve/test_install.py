"""A client's own file gets one entry, and keeps every other byte."""

import json
import os
import sys
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness import cli
from harness.serve.entries import NotReadable, with_json_entry, with_toml_entry

from .client import ROOT

GAME = ROOT / "tests" / "walker"
FILES = {
    "claude": (".mcp.json", "mcpServers"),
    "cursor": (".cursor/mcp.json", "mcpServers"),
    "vscode": (".vscode/mcp.json", "servers"),
    "codex": (".codex/config.toml", "mcp_servers"),
}
ENTRY = {"command": "/a b/python", "args": ["-m", "harness", "mcp", 'C:\\"game"']}


@pytest.fixture
def install(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)

    def run(*words):
        status = cli.main(["mcp", str(GAME), "--install", *words])
        return status, capfd.readouterr()

    return run


def loaded(path):
    text = path.read_text(encoding="utf-8")
    return tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes are made otherwise there")
def test_a_link_stays_one_and_what_is_no_file_is_left(install, tmp_path):
    real = tmp_path / "real.json"
    real.write_text('{"mcpServers": {}, "mine": 1}', encoding="utf-8")
    link = tmp_path / ".mcp.json"
    link.symlink_to("real.json")
    assert install("claude")[0] == 0
    assert link.is_symlink()
    assert loaded(real)["mine"] == 1
    assert list(loaded(real)["mcpServers"]) == ["playtest-walker"]
    link.unlink()
    os.mkfifo(link)
    status, said = install("claude")
    assert status == 2
    assert "is no regular file; it is left as it was" in said.err


@pytest.mark.parametrize("client", FILES)
def test_the_entry_names_this_python_and_the_game_absolutely(install, tmp_path, client):
    name, table = FILES[client]
    status, told = install(client)
    assert status == 0
    entry = loaded(tmp_path / name)[table]["playtest-walker"]
    assert entry["command"] == sys.executable
    assert entry["args"] == ["-m", "harness", "mcp", str(GAME)]
    assert f"playtest-walker is in {name}" in told.out
    before = (tmp_path / name).read_bytes()
    assert install(client)[1].out == f"playtest-walker is in {name} already\n"
    assert (tmp_path / name).read_bytes() == before


def test_options_stand_in_the_entry(install, tmp_path):
    install("claude", "--read-only", "--toolset", "scene", "--budget", "5")
    entry = loaded(tmp_path / ".mcp.json")["mcpServers"]["playtest-walker"]
    assert entry["args"][4:] == ["--read-only", "--toolset", "scene", "--budget", "5.0"]


def test_over_http_the_entry_is_an_address(install, tmp_path):
    install("claude", "--http", "7100")
    assert loaded(tmp_path / ".mcp.json")["mcpServers"]["playtest-walker"] == {
        "type": "http",
        "url": "http://127.0.0.1:7100/mcp",
    }


ODD = """{
    "other" : {"a":[1,2 , 3]},
  "mcpServers":   {
\t"first": { "command" :"x" } ,
\t"second": {"url": "http://localhost"}

  }, "z": 1e3
}"""


def test_other_entries_keep_every_byte(install, tmp_path):
    file = tmp_path / ".mcp.json"
    file.write_text(ODD, encoding="utf-8", newline="")
    assert install("claude")[0] == 0
    after = file.read_bytes().decode()
    start, end = ODD.index('\n\n  }, "z"'), ODD[ODD.index('\n\n  }, "z"') :]
    assert after.startswith(ODD[:start])
    assert after.endswith(end)
    assert list(loaded(file)["mcpServers"]) == ["first", "second", "playtest-walker"]


BROKEN = {
    ".mcp.json": ('{"mcpServers": x}', "Expecting value: line 1 column 16"),
    ".cursor/mcp.json": ("[1]", "the file is no object"),
    ".vscode/mcp.json": ('{"servers": 3} // mine', "Extra data: line 1 column 16"),
    ".codex/config.toml": ("[a\n", "line 1, column 3"),
}


@pytest.mark.parametrize("client", FILES)
def test_a_file_that_cannot_be_read_is_left_and_the_entry_is_shown(install, tmp_path, client):
    name = FILES[client][0]
    text, words = BROKEN[name]
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    status, told = install(client)
    assert status == 2
    assert words in told.err
    assert "left as it was" in told.err
    assert "playtest-walker" in told.err
    assert file.read_text(encoding="utf-8") == text


def test_a_file_that_is_read_only_is_left_and_the_entry_is_shown(install, tmp_path):
    file = tmp_path / ".mcp.json"
    file.write_text('{"mine": 1}', encoding="utf-8")
    file.chmod(0o444)
    status, told = install("claude")
    assert status == 2
    assert f"cannot write {file}: it is read-only\n  it is left as it was" in told.err
    assert '"playtest-walker": {' in told.err
    assert file.read_text(encoding="utf-8") == '{"mine": 1}'
    assert list(tmp_path.iterdir()) == [file]


def test_a_file_where_the_folder_would_be_is_left(install, tmp_path):
    (tmp_path / ".cursor").write_text("mine", encoding="utf-8")
    status, told = install("cursor")
    assert status == 2
    assert told.err.startswith("harness: cannot ")
    assert (tmp_path / ".cursor").read_text(encoding="utf-8") == "mine"


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() == 0, reason="nothing is forbidden to this user"
)
def test_a_folder_that_may_not_be_written_to_is_told_with_the_entry(install, tmp_path):
    tmp_path.chmod(0o555)
    status, told = install("claude")
    tmp_path.chmod(0o755)
    assert status == 2
    assert "Permission denied" in told.err
    assert '"playtest-walker": {' in told.err
    assert list(tmp_path.iterdir()) == []


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=4), inside),
    max_leaves=8,
)


@given(
    st.dictionaries(st.text(max_size=4), _JSON, max_size=4),
    st.none() | st.dictionaries(st.text(max_size=4), _JSON, max_size=4),
    st.sampled_from([None, 1, 2, "\t"]),
)
def test_any_json_object_gets_the_entry_and_keeps_the_rest(others, servers, indent):
    known = {**others, **({} if servers is None else {"servers": servers})}
    text = json.dumps(known, indent=indent)
    after = with_json_entry(text, "servers", "ours", ENTRY)
    if servers is None and "servers" in others:
        return
    wanted = {**known, "servers": {**(servers or {}), "ours": ENTRY}}
    assert json.loads(after) == wanted
    assert with_json_entry(after, "servers", "ours", ENTRY) == after
    changed = with_json_entry(after, "servers", "ours", {"url": "x"})
    assert json.loads(changed)["servers"]["ours"] == {"url": "x"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "model = 1",
        "[mcp_servers.other]\ncommand = 'x'\n",
        "[mcp_servers.ours]\ncommand = 'old'\n\n[mcp_servers.other] # theirs\ncommand = 'x'\n",
        'a = 1\r\n[mcp_servers."o t"]\r\ncommand = "x"\r\n',
    ],
)
def test_toml_gets_the_entry_and_keeps_the_rest(text):
    after = with_toml_entry(text, "mcp_servers", "ours", ENTRY)
    wanted = tomllib.loads(text)
    wanted.setdefault("mcp_servers", {})["ours"] = ENTRY
    assert tomllib.loads(after) == wanted
    assert with_toml_entry(after, "mcp_servers", "ours", ENTRY) == after
    for line in text.splitlines():
        assert line in after or "old" in line


def test_toml_in_a_form_that_cannot_be_added_to_is_refused():
    with pytest.raises(NotReadable, match="form that cannot be added to"):
        with_toml_entry("mcp_servers = {a = {command = 'x'}}\n", "mcp_servers", "ours", ENTRY)
