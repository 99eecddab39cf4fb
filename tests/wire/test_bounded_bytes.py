"""Lines and compressed bodies, within their bounds."""

from __future__ import annotations

import gzip
import zlib

import pytest

from mcp_compliance.wire.decoding import BodyDecoder
from mcp_compliance.wire.lines import Line, LineSplitter


@pytest.mark.parametrize("size", [1, 2, 5, 100])
def test_lines(size: int) -> None:
    data = b'{"a":1}\n\nb\r\nlast'
    splitter = LineSplitter(1000, 1000)
    lines = [line for start in range(0, len(data), size) for line in splitter.feed(data[start : start + size])]
    assert lines + splitter.end() == [Line(b'{"a":1}'), Line(b""), Line(b"b\r"), Line(b"last")]


def test_a_long_line_is_handed_out_cut_at_once_and_the_next_one_is_read() -> None:
    splitter = LineSplitter(bound=10, given_up=1000)
    assert splitter.feed(b"12345678901") == [Line(b"12345678901", cut=True)]
    assert splitter.feed(b"still the same") == []
    assert splitter.feed(b"\nnext\n") == [Line(b"next")]
    assert splitter.feed(b"1234567890\n") == [Line(b"1234567890")]
    assert not splitter.endless


def test_a_line_without_end_is_given_up() -> None:
    splitter = LineSplitter(bound=10, given_up=100)
    for _ in range(11):
        splitter.feed(b"0123456789")
    assert splitter.endless


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        (None, b"hello"),
        ("identity", b"hello"),
        ("gzip", gzip.compress(b"hello", mtime=0)),
        ("X-GZIP", gzip.compress(b"hello", mtime=0)),
        ("gzip", gzip.compress(b"he", mtime=0) + gzip.compress(b"llo", mtime=0)),
        ("deflate", zlib.compress(b"hello")),
        ("deflate", zlib.compress(b"hello")[2:-4]),
    ],
)
def test_codings(coding: str | None, body: bytes) -> None:
    whole, pieces = BodyDecoder(coding), BodyDecoder(coding)
    assert whole.feed(body, 100) == b"hello"
    assert b"".join(pieces.feed(body[n : n + 1], 100) for n in range(len(body))) == b"hello"
    assert (whole.problem, whole.exceeded) == (None, False)


def test_a_bomb_is_decoded_to_the_bound_only() -> None:
    decoder = BodyDecoder("gzip")
    assert decoder.feed(gzip.compress(b"\0" * 1_000_000, mtime=0), 1000) == b"\0" * 1000
    assert decoder.exceeded


@pytest.mark.parametrize(("coding", "problem"), [("br", "not asked for"), ("gzip, gzip", "not asked for")])
def test_unknown_codings(coding: str, problem: str) -> None:
    assert problem in (BodyDecoder(coding).problem or "")


def test_broken_data() -> None:
    decoder = BodyDecoder("gzip")
    assert decoder.feed(b"<html>", 100) == b""
    assert "broken" in (decoder.problem or "")
