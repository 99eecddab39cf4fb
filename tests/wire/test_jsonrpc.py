"""Strict reading of JSON: RFC 8259 and its UTF-8 (section 8.1), without a crash on anything."""

from __future__ import annotations

import json
import sys

import pytest

from mcp_compliance.jsontypes import JSON
from mcp_compliance.wire import limits
from mcp_compliance.wire.jsonrpc import answer_to, encode, parse

GOOD: dict[bytes, JSON] = {
    b'{"a": 1}': {"a": 1},
    b' \t[1, 2.5, "x"]\r': [1, 2.5, "x"],
    b"null": None,
    b'{"a": 1, "a": 2}': {"a": 2},
    '"é漢🎉"'.encode(): "é漢🎉",
    b'"\\ud83c\\udf89"': "🎉",
    b'"\\ud800"': "\ufffd",
    b'{"\\udc00x": ["\\ud800"]}': {"\ufffdx": ["\ufffd"]},
    b'"\\u0000"': "\0",
    b"1e400": sys.float_info.max,
    b"-1e400": -sys.float_info.max,
    b"123456789012345678901234567890": 123456789012345678901234567890,
    b"9" * 5000: sys.float_info.max,
    b"-" + b"9" * 5000: -sys.float_info.max,
}
BAD: dict[bytes, str] = {
    b"": "empty",
    b" \r": "empty",
    b"nope": "not JSON",
    b"{nope": "not JSON",
    b'{"a": 1} x': "not JSON: Extra data",
    b"NaN": "NaN",
    b'{"a": -Infinity}': "Infinity",
    b'"\xff"': "not UTF-8: byte 0xff at offset 1",
    b'"\xed\xa0\x80"': "not UTF-8",
    b"\xff\xfe{\0": "not UTF-8",
    b"\xef\xbb\xbf{}": "byte order mark",
    b'"tab\there"': "not JSON",
    b"Server started\x1b[0m": "not JSON",
    b"[" * 100_000 + b"]" * 100_000: "deeper than 128",
    b'{"a":' * 100_000: "deeper than 128",
}


@pytest.mark.parametrize("text", GOOD, ids=lambda text: repr(text[:20]))
def test_good(text: bytes) -> None:
    parsed = parse(text)
    assert (parsed.problem, parsed.payload) == (None, GOOD[text])
    json.dumps(parsed.payload, allow_nan=False).encode()


@pytest.mark.parametrize("text", BAD, ids=lambda text: repr(text[:20]))
def test_bad(text: bytes) -> None:
    parsed = parse(text)
    assert parsed.payload is None
    assert BAD[text] in (parsed.problem or "")


def test_bytes_that_are_no_text_are_shown_escaped() -> None:
    assert parse(b"ok \xff\xfe").text == "ok \\xff\\xfe"


def test_depth_counts_only_what_stands_outside_strings() -> None:
    text = b'["' + b"[{" * 500 + b'", "\\"[", [' + b"[" * 100 + b"]" * 100 + b"]]"
    assert parse(text).problem is None


def test_deepest_allowed() -> None:
    assert parse(b"[" * limits.NESTING + b"]" * limits.NESTING).problem is None


def test_commas_in_a_text_are_no_values() -> None:
    text = b'["' + b"," * (limits.VALUES + 1) + b'"]'
    assert parse(text).problem is None


def test_too_many_values() -> None:
    assert "values" in (parse(b"[" + b"0," * limits.VALUES + b"0]").problem or "")


def test_text_leaves_as_itself() -> None:
    assert encode({"text": "é"}) == '{"text":"é"}'.encode()


def test_answers_carry_the_id_of_the_request() -> None:
    request: dict[str, JSON] = {"jsonrpc": "2.0", "id": "p-1", "method": "ping"}
    assert answer_to(request, lambda _: {"result": {}}) == {"jsonrpc": "2.0", "id": "p-1", "result": {}}


def test_a_responder_that_raises_is_an_internal_error() -> None:
    def responder(_: dict[str, JSON]) -> dict[str, JSON]:
        raise KeyError("x")

    answer = answer_to({"jsonrpc": "2.0", "id": 1, "method": "ping"}, responder)
    assert isinstance(answer["error"], dict)
    assert answer["error"]["code"] == -32603
