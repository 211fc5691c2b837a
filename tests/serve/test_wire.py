"""What is no message is refused in words, whatever it is."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.serve.wire import INVALID_REQUEST, PARSE_ERROR, Refusal, checked, parsed

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def refusal(data):
    with pytest.raises(Refusal) as refused:
        checked(parsed(data if isinstance(data, bytes) else json.dumps(data).encode()))
    return refused.value


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "Expecting value"),
        (b"{", "Expecting property name"),
        (b'{"id": 1} x', "Extra data"),
        (b'{"x": NaN}', "NaN is no number"),
        (b'{"x": -Infinity}', "-Infinity is no number"),
        (b'{"x": 1e999}', "1e999 is no finite number"),
        (b'{"x": 1' + b"0" * 5000 + b"}", "10000000... is a number of 5001 digits, at most 640"),
        (b'{"id": 1, "id": 2}', "'id' is there twice"),
        (b'{"x": "\\ud800"}', "half of a surrogate pair"),
        (b'{"\\udfff": 1}', "half of a surrogate pair"),
        (b'{"x": "\xff"}', "not UTF-8 at byte 7"),
        (b"\xef\xbb\xbf{}", "Expecting value"),
    ],
)
def test_what_is_no_strict_json_is_a_parse_error(data, words):
    refused = refusal(data)
    assert refused.code == PARSE_ERROR
    assert words in refused.message
    assert refused.to_json()["id"] is None


@pytest.mark.parametrize(
    ("value", "words", "id"),
    [
        (1, "one JSON object", None),
        (None, "one JSON object", None),
        ("ping", "one JSON object", None),
        ([PING], "batches are not served", None),
        ({**PING, "id": None}, "id: must be text or a whole number", None),
        ({**PING, "id": 1.5}, "id: must be", None),
        ({**PING, "id": True}, "id: must be", None),
        ({**PING, "id": [1]}, "id: must be", None),
        ({**PING, "jsonrpc": "1.0"}, 'jsonrpc: must be "2.0"', 1),
        ({"id": "a", "jsonrpc": "2.0"}, "method: is required", "a"),
        ({**PING, "method": 3}, "method: must be text", 1),
        ({**PING, "params": [1]}, "params: must be an object", 1),
    ],
)
def test_what_is_no_message_is_an_invalid_request(value, words, id):
    refused = refusal(value)
    assert (refused.code, refused.id) == (INVALID_REQUEST, id)
    assert words in refused.message


def nested(levels):
    return b"[" * levels + b"]" * levels


def test_sixteen_levels_are_read_and_seventeen_are_not():
    assert parsed(nested(16))
    assert "more than 16 levels" in refusal(nested(17)).message
    assert "more than 16 levels" in refusal(nested(100_000)).message
    assert "more than 16 levels" in refusal(b'{"a":' * 17 + b"1" + b"}" * 17).message


_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=3), inside),
    max_leaves=10,
)


@given(_JSON)
def test_what_json_writes_is_read_as_it_was(value):
    assert parsed(json.dumps(value).encode()) == value


@given(st.binary(max_size=200))
def test_no_bytes_break_the_reader(data):
    with contextlib.suppress(Refusal):
        checked(parsed(data))
