"""What an evidence file is made of: every exchange behind every verdict, once, bounded, and without secrets."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mcp_compliance.exchange.exchange import Event, Exchange, Http, Process
from mcp_compliance.exchange.sending import Headers, Sending
from mcp_compliance.interpreter import exchange_records
from mcp_compliance.model.events import Silence
from mcp_compliance.model.options import HttpTarget, RunOptions
from mcp_compliance.model.result import Report
from mcp_compliance.suite.run import run_suite
from tests.aio import run
from tests.suite.scripted import ENDPOINT, ScriptedTarget, Twist, TwistedWire, catalogue, grade, result, rule

PING = "  - {name: one, call: ping, check: [{get: one.result, type: object}]}"
JUDGED = PING.replace("type: object", "type: array")
SHARED = "  - check: [{get: tools.outcome, is: answered}]"
SCAN = """
  - check:
      - each: "recording.received[?kind == 'response']"
        as: item
        check: [{get: item.payload.result.protocolVersion, exists: true}]
"""
TOKEN = "t0ken-of-the-user"
SESSION = "a-session-id-that-is-long"


def graded(target: ScriptedTarget, rules: Path, **options: Any) -> Report:
    return run(lambda: grade(target, rules, **{"keep_exchanges": True, **options}), at_most=1000.0)


def graded_with(headers: Headers, twist: Twist, rules: Path) -> Report:
    target = ScriptedTarget("http", twists=(twist,))
    options = RunOptions(HttpTarget(ENDPOINT, headers), seed=1, keep_exchanges=True)
    return run(lambda: run_suite(options, Silence(), connect=target.connect, rules=rules), at_most=1000.0)


def test_nothing_is_kept_without_the_option(tmp_path: Path) -> None:
    rules = catalogue(tmp_path, rule("one", JUDGED))
    assert result(graded(ScriptedTarget(), rules, keep_exchanges=False), "one").exchanges == ()


def test_passes_are_kept_and_a_shared_answer_once(tmp_path: Path) -> None:
    rules = catalogue(
        tmp_path,
        rule("one", PING),
        rule("two", SHARED, more="uses: [tools]"),
        rule("three", SHARED, more="uses: [tools]"),
    )
    report = graded(ScriptedTarget(), rules)
    (one,) = result(report, "one").exchanges
    assert (one.step, one.outcome, one.sent.method, one.sent.url) == ("one", "answered", "ping", None)
    assert json.loads(one.sent.body or "") == {"jsonrpc": "2.0", "id": 1001, "method": "ping"}
    assert [(message.kind, json.loads(message.text)["result"]) for message in one.messages] == [("response", {})]
    assert one.process is not None
    assert one.process.alive
    two, three = result(report, "two").exchanges, result(report, "three").exchanges
    assert two == three
    assert [record.sent.method for record in two] == ["tools/list"]
    assert two[0] is three[0]


def test_all_pages_of_a_list(tmp_path: Path) -> None:
    def pages(sending: Sending, wire: TwistedWire) -> Exchange | None:
        if sending.method != "tools/list":
            return None
        params = (sending.message or {}).get("params")
        first = not (isinstance(params, dict) and "cursor" in params)
        found = {"tools": [], **({"nextCursor": "more"} if first else {})}
        return Exchange(sending, "answered", message={"jsonrpc": "2.0", "id": sending.id, "result": found})

    rules = catalogue(tmp_path, rule("two", SHARED, more="uses: [tools]"))
    kept = result(graded(ScriptedTarget(twists=(pages,)), rules), "two").exchanges
    assert [json.loads(record.sent.body or "").get("params") for record in kept] == [None, {"cursor": "more"}]


def test_the_message_of_the_recording_that_decided(tmp_path: Path) -> None:
    rules = catalogue(tmp_path, rule("one", PING), rule("scan", SCAN, more="phase: after"))
    report = graded(ScriptedTarget(), rules)
    (found,) = result(report, "scan").exchanges
    assert (found.outcome, found.sent.method, found.step) == ("recorded", "ping", "one")
    assert json.loads(found.messages[0].text) == {"jsonrpc": "2.0", "id": 1001, "result": {}}
    assert found.key != result(report, "one").exchanges[0].key


def test_a_death_with_the_end_of_its_stderr(tmp_path: Path) -> None:
    def dies(sending: Sending, wire: TwistedWire) -> Exchange | None:
        return wire.died(sending) if sending.method == "ping" and sending.step == "one" else None

    rules = catalogue(tmp_path, rule("one", PING))
    (found,) = result(graded(ScriptedTarget(twists=(dies,)), rules), "one").exchanges
    assert found.outcome == "died"
    assert found.process is not None
    assert (found.process.alive, found.process.exit_code, found.process.stderr_tail) == (False, 1, "it hurts")


def test_of_a_server_that_cannot_be_reached_what_was_tried(tmp_path: Path) -> None:
    def nobody(sending: Sending, wire: TwistedWire) -> Exchange:
        return Exchange(sending, "unreachable", problem="nobody there")

    rules = catalogue(tmp_path, rule("one", PING), rule("two", PING))
    report = graded(ScriptedTarget("http", twists=(nobody,)), rules)
    one, two = (result(report, name).exchanges for name in ("one", "two"))
    assert one == two
    assert [(record.outcome, record.problem) for record in one] == [("unreachable", "nobody there")]


def leaky(sending: Sending, wire: TwistedWire) -> Exchange | None:
    """An answer that hands out everything that is to be masked."""
    if sending.step != "one":
        return None
    text = f"you are {TOKEN} in {SESSION}"
    headers = (
        ("Mcp-Session-Id", SESSION),
        ("Set-Cookie", "login=1234567890; Path=/"),
        ("WWW-Authenticate", 'Bearer realm="r"'),
        ("X-Echo", TOKEN),
    )
    message = {"jsonrpc": "2.0", "id": sending.id, "result": {"text": text}}
    return Exchange(
        sending,
        "answered",
        message=message,
        messages=({"kind": "response", "payload": message},),
        http=Http(200, ENDPOINT, headers, text, len(text)),
        events=(Event(None, None, text),),
        process=Process(True, stderr_tail=text),
        problem=text,
    )


def test_no_secret_and_no_session_id_survives(tmp_path: Path) -> None:
    rules = catalogue(tmp_path, rule("one", JUDGED))
    headers = (("Authorization", f"Bearer {TOKEN}"), ("Cookie", "c=secret-cookie"))
    report = graded_with(headers, leaky, rules)
    (found,) = result(report, "one").exchanges
    assert found.http is not None
    assert dict(found.http.headers) == {
        "Mcp-Session-Id": "a-sessio...",
        "Set-Cookie": "***",
        "WWW-Authenticate": 'Bearer realm="r"',
        "X-Echo": "***",
    }
    assert found.http.body == found.events[0].data == found.problem == "you are *** in a-sessio..."
    assert json.loads(found.messages[0].text)["result"] == {"text": "you are *** in a-sessio..."}
    assert ("Authorization", "Bearer ***") in found.sent.headers
    assert ("Cookie", "***") in found.sent.headers
    assert '-H "Authorization: $AUTHORIZATION"' in (found.curl or "")
    for secret in (TOKEN, SESSION, "secret-cookie", "1234567890"):
        assert secret not in repr(found)


def test_nor_in_bytes_that_are_no_text(tmp_path: Path) -> None:
    def binary(sending: Sending, wire: TwistedWire) -> Exchange | None:
        sent = replace(sending, body=b"\xff " + TOKEN.encode())
        return Exchange(sent, "answered", message={"jsonrpc": "2.0", "id": sending.id, "result": {}})

    rules = catalogue(tmp_path, rule("one", JUDGED))
    (found,) = result(graded_with((("Authorization", f"Bearer {TOKEN}"),), binary, rules), "one").exchanges
    assert found.sent.base64
    assert base64.b64decode(found.sent.body or "") == b"\xff ***"


def test_long_texts_are_cut_and_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def long(sending: Sending, wire: TwistedWire) -> Exchange | None:
        made = leaky(sending, wire)
        return made and replace(made, http=Http(200, ENDPOINT, (), "x" * 1000 + TOKEN))

    monkeypatch.setattr(exchange_records, "LONGEST", 1010)
    rules = catalogue(tmp_path, rule("one", JUDGED))
    report = graded_with((("Authorization", f"Bearer {TOKEN}"),), long, rules)
    (found,) = result(report, "one").exchanges
    assert found.http is not None
    assert found.http.body == "x" * 1000 + "***... [7 characters left out]"


def test_a_run_that_says_too_much_is_kept_in_beginnings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange_records, "ROOM", 0)
    monkeypatch.setattr(exchange_records, "BEGINNING", 10)
    rules = catalogue(tmp_path, rule("one", PING))
    (found,) = result(graded(ScriptedTarget(), rules), "one").exchanges
    assert found.sent.body == '{"jsonrpc"... [33 characters left out]'
