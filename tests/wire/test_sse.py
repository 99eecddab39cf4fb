"""The event stream interpretation of WHATWG HTML 9.2.6, in any cutting of the bytes."""

from __future__ import annotations

import pytest

from mcp_compliance.exchange.exchange import Event
from mcp_compliance.wire import limits
from mcp_compliance.wire.sse import Frame, SseParser

STREAMS: dict[str, tuple[bytes, list[Event]]] = {
    "one event": (b"data: YHOO\ndata: +2\ndata: 10\n\n", [Event(None, None, "YHOO\n+2\n10")]),
    "comment, then data with id": (
        b": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\n",
        [Event(None, "1", "first event"), Event(None, "", "second event")],
    ),
    "one space after the colon goes": (b"data:  x\n\n", [Event(None, None, " x")]),
    "a field without colon is empty": (b"data\n\ndata\ndata\n\n", [Event(None, None, ""), Event(None, None, "\n")]),
    "line ends CRLF": (b"event: message\r\ndata: a\r\ndata: b\r\n\r\n", [Event("message", None, "a\nb")]),
    "line ends CR": (b"event: message\rdata: a\r\rdata: b\r\r", [Event("message", None, "a"), Event(None, None, "b")]),
    "line ends mixed": (b"data: a\r\ndata: b\rdata: c\n\r\n", [Event(None, None, "a\nb\nc")]),
    "one BOM goes": (b"\xef\xbb\xbfdata: a\n\n", [Event(None, None, "a")]),
    "a second BOM stays": (b"\xef\xbb\xbf\xef\xbb\xbfdata: a\n\n", []),
    "a BOM inside stays": (b"data: a\n\n\xef\xbb\xbfdata: b\n\n", [Event(None, None, "a")]),
    "priming event": (b"id: s1-0\nretry: 3000\ndata:\n\n", [Event(None, "s1-0", "", 3000)]),
    "id alone": (b"id: 7\n\n", [Event(None, "7", "")]),
    "event name alone is no event": (b"event: ping\n\ndata: x\n\n", [Event(None, None, "x")]),
    "unknown fields are ignored": (b"foo: bar\ndata: x\nData: y\n\n", [Event(None, None, "x")]),
    "retry must be digits": (
        b"retry: 1x\ndata: a\n\nretry: 10\ndata: b\n\n",
        [Event(None, None, "a"), Event(None, None, "b", 10)],
    ),
    "an id with NUL is ignored": (b"id: a\0b\ndata: x\n\n", [Event(None, None, "x")]),
    "unfinished event is discarded": (b"data: a\n\ndata: b\n", [Event(None, None, "a")]),
    "unfinished line is discarded": (b"data: a\n\ndata: b", [Event(None, None, "a")]),
    "UTF-8": ("data: é漢🎉\n\n".encode(), [Event(None, None, "é漢🎉")]),
}


@pytest.mark.parametrize("name", STREAMS)
@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_events(name: str, size: int) -> None:
    data, events = STREAMS[name]
    parser = SseParser()
    frames: list[Frame] = []
    for start in range(0, len(data), size):
        frames += parser.feed(data[start : start + size])
    assert [frame.event for frame in frames] == events
    assert parser.unfinished == name.startswith("unfinished")


def test_state_of_the_stream_outlives_its_events() -> None:
    parser = SseParser()
    parser.feed(b"id: 1\nretry: 20\ndata: a\n\ndata: b\n\n")
    assert (parser.last_event_id, parser.retry) == ("1", 20)
    parser.feed(b"id:\n\n")
    assert parser.last_event_id == ""


def test_data_keeps_bytes_that_are_no_text() -> None:
    (frame,) = SseParser().feed(b'data: "\xff"\n\n')
    assert frame.data == b'"\xff"'
    assert frame.event.data == '"\\xff"'


def test_a_huge_event_is_named_and_the_next_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "EVENT", 64)
    parser = SseParser()
    frames = parser.feed(b"data: " + b"x" * 100)
    assert frames == []
    frames += parser.feed(b"x" * 100 + b"\ndata: y\n\ndata: small\n\n")
    assert [(frame.data, frame.problem is not None) for frame in frames] == [(b"", True), (b"small", False)]
