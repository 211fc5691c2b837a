import contextlib

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from harness.documents import Listed, Mapped, parse_documents, read_document, read_documents
from harness.errors import ConfigError


def parse(text):
    (document,) = parse_documents(text, "a.yaml")
    return document


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("False", False),
        ("yes", "yes"),
        ("off", "off"),
        ("y", "y"),
        ("12", 12),
        ("-12", -12),
        ("+12", 12),
        ("010", 10),
        ("0o17", 15),
        ("0x1F", 31),
        ("-0x1", "-0x1"),
        ("0o19", "0o19"),
        ("1_000", "1_000"),
        ("12:30", "12:30"),
        ("2020-01-01", "2020-01-01"),
        ("1.5", 1.5),
        (".5", 0.5),
        ("5.", 5.0),
        ("1e3", 1000.0),
        ("-1.5e-3", -0.0015),
        ("null", None),
        ("~", None),
        ("NULL", None),
        ("nothing", "nothing"),
        ("'12'", "12"),
        ('"true"', "true"),
        ("=", "="),
        ("nan", "nan"),
        ("1.2.3", "1.2.3"),
        ("!!str 12", "12"),
        ("!!int 0x1F", 31),
        ("!!float 12", 12.0),
        ("!!bool TRUE", True),
        ("!!null x", None),
    ],
)
def test_a_word_is_what_yaml_1_2_says(text, value):
    found = parse(f"a: {text}")["a"]

    assert found == value
    assert type(found) is type(value)


def test_an_empty_value_is_none_and_an_empty_text_is_no_document():
    assert parse("a:\nb: 1") == {"a": None, "b": 1}
    assert parse_documents("", "a.yaml") == []
    assert parse_documents("# a comment", "a.yaml") == []


def test_mappings_and_lists_know_their_lines():
    found = parse("a: 1\nb:\n  - x\n\n  - y: 2\n    z: 3\n")

    assert isinstance(found, Mapped)
    assert (found.line, found.lines) == (1, {"a": 1, "b": 2})
    assert isinstance(found["b"], Listed)
    assert (found["b"].line, found["b"].lines) == (3, (3, 5))
    assert found["b"][1].lines == {"y": 5, "z": 6}


def test_an_alias_stands_for_its_anchor_and_a_merge_key_is_a_key():
    assert parse("a: &x [1]\nb: *x") == {"a": [1], "b": [1]}
    assert parse("<<: {a: 1}") == {"<<": {"a": 1}}


def test_a_file_may_hold_several_documents(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1\r\n---\r\nb: 2\r\n")

    assert read_documents(path) == [{"a": 1}, {"b": 2}]
    with pytest.raises(ConfigError, match="holds 2 documents, and one is needed"):
        read_document(path)


def test_one_document_is_read_and_an_empty_file_is_none(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("a: é", encoding="utf-8")
    assert read_document(path) == {"a": "é"}
    path.write_text("")
    assert read_document(path) is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: 1\nb: 2\na: 3", "a.yaml, line 3: the key 'a' is there twice"),
        ("x:\n  a: 1\n  a: 1", "line 3: the key 'a' is there twice"),
        ("1: a\n1.0: b", "line 2: the key 1.0 is there twice"),
        ("? [a]\n: 1", "line 1: a key must be plain text"),
        ("a:\n- .inf", "line 2: a number must be finite, and '.inf' is not"),
        ("a: -.INF", "a number must be finite"),
        ("a: .NaN", "a number must be finite"),
        ("a: 1e999", "a number must be finite, and '1e999' is not"),
        ("a: !!float x", "a number must be finite"),
        ("a: !!int x", "line 1: 'x' is no whole number"),
        ("a: !!int 0xg", "'0xg' is no whole number"),
        ("a: " + "9" * 5000, "is no whole number"),
        ("a: 0x" + "f" * 5000, "is no whole number"),
        ("a: !!bool yes", "line 1: 'yes' is neither true nor false"),
        ("a: !!map [1]", "is no mapping"),
        ("a: !!seq {b: 1}", "is no list"),
        ("a: !!str [1]", "expected a scalar node"),
        ("a: !!set {b}", "could not determine a constructor"),
        ("a: !!python/object/apply:os.system [echo]", "could not determine a constructor"),
        ("a: !player 1", "could not determine a constructor"),
        ("a: &x [*x]", "recursive"),
        ("a: *x", "line 1: found undefined alias"),
        ("a: 1\n\tb: 2", "line 2: a tab stands where YAML wants blanks"),
        ("a: [1", "a.yaml, line 1: expected ',' or ']'"),
        ("a: 'x", "found unexpected end of stream"),
        ("a: 1\nb: \0", "a.yaml, line 2: holds a character that YAML forbids"),
        ("[" * 5000, "a.yaml: is nested too deeply"),
    ],
)
def test_what_the_reader_does_not_take_is_refused_with_its_line(text, problem):
    with pytest.raises(ConfigError) as refused:
        parse(text)

    assert problem in str(refused.value)
    assert str(refused.value).startswith("a.yaml")


def test_a_file_that_cannot_be_read_is_refused_in_words(tmp_path):
    with pytest.raises(ConfigError, match="no file at"):
        read_document(tmp_path / "a.yaml")
    with pytest.raises(ConfigError, match="it is a folder"):
        read_document(tmp_path)
    path = tmp_path / "b.yaml"
    path.write_bytes(b"a: 1\nb: \xff")
    with pytest.raises(ConfigError, match="line 2: is not text in UTF-8"):
        read_document(path)
    with pytest.raises(ConfigError, match="cannot read"):
        read_document(tmp_path / "a\0b")


plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)


class Quoting(yaml.SafeDumper):
    """Quotes all text: `0E0` is text to its version of YAML, and a number to ours."""


Quoting.add_representer(
    str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"')
)


@settings(deadline=None)
@given(plain)
@example({"0E0": None})
def test_plain_values_that_a_common_writer_quotes_are_read_back(value):
    text = yaml.dump(value, Dumper=Quoting)

    assert parse(text) == value


@settings(deadline=None)
@given(
    st.text(max_size=40)
    | st.lists(
        st.sampled_from(["a", ": ", "- ", "\n", "  ", "[", "]", "{", "}", "&x ", "*x", "!!int ",
                         "!!map ", "? ", "1", ".inf", "'", '"', "---\n", "#", "|",
                         ">", "%", ", ", "<<"]),
        max_size=14,
    ).map("".join)
)  # fmt: skip
def test_any_text_is_read_or_refused(text):
    with contextlib.suppress(ConfigError):
        assert isinstance(parse_documents(text, "a.yaml"), list)
