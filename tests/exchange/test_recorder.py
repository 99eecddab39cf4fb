"""Whose message it is, what kind, and what is kept."""

from __future__ import annotations

import pytest

from mcp_compliance.exchange import recorder as module
from mcp_compliance.exchange.recorder import Recorder, kind_of
from mcp_compliance.exchange.sending import Answers, Sending
from mcp_compliance.jsontypes import JSON, JSONObject

KINDS: list[tuple[JSON, str]] = [
    ({"jsonrpc": "2.0", "id": 1, "method": "ping"}, "request"),
    ({"jsonrpc": "2.0", "id": None, "method": "ping"}, "request"),
    ({"jsonrpc": "2.0", "method": "notifications/message"}, "notification"),
    ({"method": "notifications/message"}, "notification"),
    ({"method": "GET", "path": "/"}, "stray"),
    ({"jsonrpc": "2.0", "id": 1, "result": {}}, "response"),
    ({"id": 1, "result": {}}, "response"),
    ({"jsonrpc": "2.0", "id": 1, "result": {}, "error": None}, "response"),
    ({"result": "ok"}, "stray"),
    ({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "p"}}, "error"),
    ({"jsonrpc": "2.0", "id": 1, "error": "text"}, "error"),
    ({"error": {"code": -32700, "message": "p"}}, "error"),
    ({"error": {"code": 401, "message": "Unauthorized"}}, "stray"),
    ({"error": "invalid_token", "error_description": "expired"}, "stray"),
    ({"id": 7, "error": "nope"}, "stray"),
    ([{"jsonrpc": "2.0", "id": 1, "result": {}}], "batch"),
    ([], "batch"),
    ({"jsonrpc": "2.0", "id": None}, "stray"),
    ({"level": 30, "msg": "ping received"}, "stray"),
    ("text", "stray"),
    (None, "stray"),
]


@pytest.mark.parametrize(("payload", "kind"), KINDS)
def test_kinds(payload: JSON, kind: str) -> None:
    assert kind_of(payload) == kind


def request(id: JSON, answers: Answers = "mine", peer: str = "main", era: str | None = None) -> Sending:
    message: JSONObject = {"jsonrpc": "2.0", "id": id, "method": "ping"}
    return Sending(f"s{id}", 1, message=message, answers=answers, peer=peer, era=era)


def response(id: JSON) -> JSONObject:
    return {"jsonrpc": "2.0", "id": id, "result": {}}


def step(item: JSONObject, key: str) -> JSON:
    view = item[key]
    return view["step"] if isinstance(view, dict) else view


@pytest.mark.parametrize(
    ("sent", "received", "same"),
    [
        (1, 1, True),
        (1, 1.0, True),
        (1, "1", False),
        (1, True, False),
        ("a", "a", True),
        (True, True, True),
        (0, False, False),
    ],
)
def test_ids_match_in_value_and_type(sent: JSON, received: JSON, same: bool) -> None:
    recorder = Recorder()
    recorder.sent(request(sent))
    item = recorder.received(response(received), "", peer="main")
    assert (item["request"] is not None) == same


def test_answers_in_any_order_and_late_ones_find_their_request() -> None:
    recorder = Recorder()
    first, second = recorder.sent(request(1)), recorder.sent(request(2))
    assert step(recorder.received(response(2), "", peer="main"), "request") == "s2"
    recorder.ended(second)
    recorder.ended(first)
    late = recorder.received(response(1), "", peer="main")
    assert (step(late, "request"), late["in_flight"]) == ("s1", None)


def test_peers_do_not_mix() -> None:
    recorder = Recorder()
    recorder.sent(request(1, peer="other"))
    item = recorder.received(response(1), "", peer="main")
    assert (item["request"], item["owner"], item["in_flight"]) == (None, None, None)


def test_our_own_answers_are_not_what_a_response_names() -> None:
    recorder = Recorder()
    recorder.sent(Sending("answer", 0, message={"jsonrpc": "2.0", "id": 5, "result": {}}, answers="none"))
    assert recorder.received(response(5), "", peer="main")["request"] is None


def test_a_response_without_usable_id_belongs_to_the_latest_that_can_still_answer() -> None:
    recorder = Recorder()
    answered, waiting = recorder.sent(request(1)), recorder.sent(request(2))
    recorder.received(response(1), "", peer="main")
    assert answered.answered
    item = recorder.received(response(None), "", peer="main")
    assert (step(item, "owner"), item["request"]) == ("s2", None)
    assert waiting.owns_stray


def test_a_raw_body_stays_one_whatever_it_parses_as() -> None:
    recorder = Recorder()
    recorder.sent(Sending("odd", 1, message={"jsonrpc": "2.0", "id": 900_000}, answers="any", raw=True))
    item = recorder.received(response(900_000), "", peer="main")
    assert isinstance(item["request"], dict)
    assert (item["request"]["raw"], item["request"]["id"]) == (True, 900_000)


def test_what_a_body_was_labelled_as_is_kept() -> None:
    recorder = Recorder()
    headers = (("Accept", "application/json"), ("content-type", "Text/Plain; charset=utf-8"))
    sending = Sending("label", 1, message={"jsonrpc": "2.0", "id": 1, "method": "ping"}, headers=headers)
    assert recorder.sent(sending).view()["media_type"] == "text/plain"
    assert recorder.sent(request(2)).view()["media_type"] is None


def test_an_open_raw_sending_owns_an_error_without_id() -> None:
    recorder = Recorder()
    recorder.sent(Sending("broken", 1, body=b"{nope", answers="any"))
    item = recorder.received({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": ""}}, "", peer="main")
    assert step(item, "owner") == "broken"


def test_a_notification_owns_a_stray_until_something_else_is_sent() -> None:
    recorder = Recorder()
    recorder.ended(recorder.sent(request(1)))
    recorder.received(response(1), "", peer="main")
    note = Sending("note", 1, message={"jsonrpc": "2.0", "method": "notifications/none"}, answers="none")
    recorder.ended(recorder.sent(note))
    assert step(recorder.received(response(None), "", peer="main"), "owner") == "note"
    recorder.ended(recorder.sent(request(2)))
    recorder.received(response(2), "", peer="main")
    assert step(recorder.received(response(None), "", peer="main"), "owner") == "s2"


def test_over_http_the_carrier_owns_what_has_no_usable_id() -> None:
    recorder = Recorder()
    carrier = recorder.sent(request(1))
    recorder.sent(request(2))
    item = recorder.received(response("x"), "", peer="main", during=carrier, status=200)
    assert (step(item, "owner"), step(item, "in_flight"), item["status"]) == ("s1", "s1", 200)


def test_eras_are_kept_apart_also_for_late_answers() -> None:
    recorder = Recorder()
    probe = recorder.sent(request(1, era="legacy"))
    recorder.ended(probe)
    recorder.sent(request(2))
    recorder.received(response(1), "", peer="main")
    recorder.received(response(2), "", peer="main")
    view = recorder.view()
    assert [item["payload"]["id"] for item in view["other"]] == [1]
    assert [item["payload"]["id"] for item in view["received"]] == [2]
    assert [entry["id"] for entry in view["sent"]] == [2]


def test_what_comes_unasked_belongs_to_the_era_in_which_its_peer_was_last_spoken_to() -> None:
    recorder = Recorder()
    note: JSONObject = {"jsonrpc": "2.0", "method": "notifications/message", "params": {}}
    recorder.received(note, "before", peer="fresh")
    recorder.ended(recorder.sent(request(1, peer="fresh", era="legacy")))
    recorder.ended(recorder.sent(request(2)))
    recorder.received(note, "legacy", peer="fresh")
    recorder.received(note, "graded", peer="main")
    view = recorder.view()
    assert [item["raw"] for item in view["received"]] == ["before", "graded"]
    assert [(item["raw"], item["in_flight"]) for item in view["other"]] == [("legacy", None)]


def test_what_is_no_json_is_a_stray_with_its_reason() -> None:
    item = Recorder().received(None, "Server started", peer="main", problem="not JSON")
    assert (item["kind"], item["raw"], item["problem"]) == ("stray", "Server started", "not JSON")


def test_payloads_beyond_the_bound_are_let_go_of_but_delivered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAYLOADS_KEPT", 100)
    recorder = Recorder()
    recorder.received(response(1), "x" * 90, peer="main")
    item = recorder.received(response(2), "y" * 90, peer="main")
    kept = recorder.view()["received"]
    assert item["payload"] == response(2)
    assert [entry["payload"] for entry in kept] == [response(1), None]
    assert (kept[1]["kind"], kept[1]["problem"]) == ("response", module.NOT_KEPT)


def test_items_beyond_the_bound_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ITEMS_KEPT", 2)
    recorder = Recorder()
    for number in range(5):
        recorder.received(response(number), "", peer="main")
    assert (len(recorder.view()["received"]), recorder.left_out) == (2, 3)


def test_what_is_sent_beyond_the_bound_is_known_until_it_has_ended() -> None:
    recorder = Recorder(most=1)
    first, second = recorder.sent(request(1)), recorder.sent(request(2))
    assert recorder.request_of(response(2), "main") is second
    recorder.ended(first)
    recorder.ended(second)
    assert recorder.request_of(response(1), "main") is first
    assert recorder.request_of(response(2), "main") is None
    assert len(recorder.view()["sent"]) == 1


def test_long_texts_are_cut() -> None:
    item = Recorder().received(None, "x" * 10_000, peer="main", problem="not JSON")
    assert item["raw"] == "x" * module.RAW_KEPT
