"""Whose refusal is it: the table of attribution, one row after the other, over HTTP and over stdio."""

from __future__ import annotations

import pytest

from mcp_compliance.interpreter.cases import Played
from mcp_compliance.jsontypes import JSON, JSONObject
from tests.interpreter.made import play, written

UNKNOWN: JSONObject = {"code": -32601, "message": "no such method"}
BOOM: JSONObject = {"code": -32603, "message": "boom"}
BEARER: JSONObject = {"WWW-Authenticate": 'Bearer realm="r"'}
BAD_TOKEN: JSONObject = {"WWW-Authenticate": 'Bearer error="invalid_token"'}
SCOPE: JSONObject = {"WWW-Authenticate": 'Bearer error="insufficient_scope"'}
WITH_CREDENTIAL: JSONObject = {"target": {"credentials": "configured"}}
REFUSED_SETUP: JSONObject = {"error": {"code": -32602, "message": "not today"}}
SERVED: JSONObject = {"result": {}}


def attributed(
    probe: JSON,
    *,
    credit: JSON = None,
    on: str = "http",
    root: JSONObject | None = None,
    steps: list[JSON] | None = None,
    **replies: JSON,
) -> Played:
    """A probe that hopes for a refusal: the rule passes when its refusal is credited, and else says what it was."""
    declared: JSON = {"own_codes": [-32601], **credit} if isinstance(credit, dict) else credit
    step: JSONObject = {
        "name": "probe",
        "call": "no/such/method",
        "params": {"cursor": "made-up"},
        "defect": ["params.cursor"],
        "credit": {"own_codes": [-32601]} if declared is None else declared,
        "check": [{"get": "probe.credit.outcome", "is": "credited", "else": "the answer is {probe.credit.outcome}"}],
    }
    case: JSONObject = {"on": on, "root": root or {}, "replies": {"probe": probe, **replies}}
    # In the opening phase no list gate and no session gate stands in front of the steps.
    return play({"phase": "opening", "steps": [step, *(steps or [])]}, case)


def credit_of(played: Played) -> JSONObject:
    probe = played.names["probe"]
    assert isinstance(probe, dict)
    found = probe["credit"]
    assert isinstance(found, dict)
    return found


SERVER_S_OWN = {
    "error on 200": {"error": UNKNOWN},
    "error on 202": {"status": 202, "error": UNKNOWN},
    "bare 400": {"status": 400},
    "bare 404": {"status": 404},
    "404 with error": {"status": 404, "error": UNKNOWN},
    "405": {"status": 405},
    "422": {"status": 422, "error": BOOM},
    "error of another code on 200": {"error": BOOM},
}


@pytest.mark.parametrize("probe", SERVER_S_OWN.values(), ids=SERVER_S_OWN.keys())
def test_a_4xx_or_an_error_on_2xx_is_the_server_s_own(probe: JSONObject) -> None:
    played = attributed(probe)
    assert played.verdict == "pass"
    assert credit_of(played)["twin"] is None


NO_REFUSAL = {
    "result": (SERVED, "served"),
    "result on 201": ({"status": 201, "result": {}}, "served"),
    "redirect": ({"status": 302, "headers": {"Location": "/login"}}, "neither"),
    "page": ({"status": 200, "body": "<html>"}, "neither"),
}


@pytest.mark.parametrize(("probe", "outcome"), NO_REFUSAL.values(), ids=NO_REFUSAL.keys())
def test_what_is_no_refusal_is_left_to_the_checks(probe: JSONObject, outcome: str) -> None:
    played = attributed(probe)
    assert (played.verdict, played.message) == ("fail", f"MUST: the answer is {outcome}")


AUTH_GATES = {
    "401": ({"status": 401}, {}, "authentication required"),
    "401 with challenge": ({"status": 401, "headers": BEARER}, {}, "authentication required"),
    "401 with the own code": ({"status": 401, "error": UNKNOWN}, {}, "authentication required"),
    "401 despite credential": ({"status": 401}, WITH_CREDENTIAL, "credential rejected"),
    "401 for a bad token": ({"status": 401, "headers": BAD_TOKEN}, WITH_CREDENTIAL, "credential rejected"),
    "403 with challenge": ({"status": 403, "headers": BEARER}, {}, "authentication required"),
    "403 for want of scope": ({"status": 403, "headers": SCOPE}, WITH_CREDENTIAL, "credential rejected"),
}


@pytest.mark.parametrize(("probe", "root", "says"), AUTH_GATES.values(), ids=AUTH_GATES.keys())
def test_a_refused_credential_says_nothing_about_the_defect(probe: JSONObject, root: JSONObject, says: str) -> None:
    played = attributed(probe, root=root, twin=SERVED)
    assert played.verdict == "not-evaluable"
    assert says in played.message
    assert credit_of(played)["twin"] is None, "no twin is needed to read an auth gate"


def test_403_with_a_challenge_but_without_an_error_is_ambiguous_once_a_credential_was_sent() -> None:
    played = attributed({"status": 403, "headers": BEARER}, root=WITH_CREDENTIAL, twin=SERVED)
    assert played.verdict == "pass"
    assert credit_of(played)["twin"] is not None


TWINS_THAT_REACHED_THE_SERVER = {
    "served": SERVED,
    "error on 200": {"error": BOOM},
    "400": {"status": 400},
    "404": {"status": 404},
    "limited once": [{"status": 429}, SERVED],
}


@pytest.mark.parametrize("twin", TWINS_THAT_REACHED_THE_SERVER.values(), ids=TWINS_THAT_REACHED_THE_SERVER.keys())
def test_a_bare_403_counts_beside_a_twin_that_reached_the_server(twin: JSON) -> None:
    assert attributed({"status": 403}, twin=twin).verdict == "pass"


TWINS_THAT_DID_NOT = {
    "403": ({"status": 403}, "HTTP 403"),
    "401": ({"status": 401}, "HTTP 401"),
    "limited twice": ([{"status": 429}, {"status": 429}], "HTTP 429"),
    "502": ({"status": 502}, "HTTP 502"),
    "redirect": ({"status": 307}, "HTTP 307"),
    "timeout": ({"timeout": True}, "timeout"),
    "unreachable": ({"unreachable": True}, "unreachable"),
}


@pytest.mark.parametrize(("twin", "drew"), TWINS_THAT_DID_NOT.values(), ids=TWINS_THAT_DID_NOT.keys())
def test_a_bare_403_counts_for_nothing_beside_a_twin_that_did_not_get_through(twin: JSON, drew: str) -> None:
    played = attributed({"status": 403}, twin=twin)
    assert played.verdict == "not-evaluable"
    assert f"twin drew {drew}" in played.message


def test_a_twin_that_met_host_or_origin_validation_is_quoted() -> None:
    played = attributed({"status": 403}, twin={"status": 403, "body": "Invalid Host header: server.example"})
    assert played.message.endswith("Invalid Host header: server.example")
    other = attributed({"status": 403}, twin={"status": 403, "body": "Blocked by policy 17"})
    assert "policy" not in other.message


def test_what_is_quoted_is_short_and_ascii() -> None:
    played = attributed({"status": 403}, twin={"status": 403, "body": "Origin verboten, schön\x07 " + "x" * 5000})
    assert played.message.isascii()
    assert played.message.isprintable()
    assert len(played.message) < 300


def test_one_twin_answers_for_all_steps_of_a_rule() -> None:
    again: JSONObject = {
        "name": "again",
        "call": "no/other/method",
        "credit": {"own_codes": [-32601]},
        "check": [{"get": "again.credit.outcome", "is": "credited"}],
    }
    played = attributed(
        {"status": 403}, steps=[again], again={"status": 403}, twin=[SERVED, {"status": 403}, {"status": 403}]
    )
    assert played.verdict == "pass"


def test_the_twin_is_the_conformant_request_with_the_credential_of_the_step() -> None:
    step: JSONObject = {
        "name": "foreign",
        "call": "no/such/method",
        "credentials": "none",
        "credit": {"own_codes": [-32601]},
        "check": [{"get": "foreign.credit.outcome", "is": "credited"}],
    }
    replies: JSONObject = {"foreign": {"status": 403}, "twin": {"status": 404}}
    played = play({"phase": "opening", "steps": [step]}, {"root": WITH_CREDENTIAL, "replies": replies})
    foreign = played.names["foreign"]
    assert isinstance(foreign, dict)
    twin = foreign["credit"]["twin"]  # type: ignore[index]
    assert twin["sent"]["method"] == "ping"
    assert "authorization" not in twin["sent"]["headers"]


def test_the_twin_without_defect_is_the_same_request_without_what_is_named() -> None:
    played = attributed({"status": 403}, credit={"twin": "same_without_defect"}, twin=SERVED)
    twin = credit_of(played)["twin"]
    assert isinstance(twin, dict)
    assert twin["sent"] == {**twin["sent"], "method": "no/such/method", "params": {}}  # type: ignore[dict-item]


def test_a_conformant_probe_has_no_twin_to_compare_with() -> None:
    played = attributed({"status": 403}, credit={"twin": "self"}, twin=SERVED)
    assert played.verdict == "not-evaluable"
    assert "forbidden" in played.message
    assert credit_of(played)["twin"] is None


def test_a_limited_probe_is_sent_once_more() -> None:
    assert attributed([{"status": 429}, {"status": 400}]).verdict == "pass"
    twice = attributed([{"status": 429}, {"status": 429}, {"status": 400}])
    assert twice.verdict == "not-evaluable"
    assert "429" in twice.message


@pytest.mark.parametrize("credit", [{}, {"credit": {"mode": "off"}}])
def test_a_limit_is_waited_for_whatever_becomes_of_the_answer(credit: JSONObject) -> None:
    steps: JSONObject = {"name": "probe", "call": "ping", "check": [{"get": "probe.http.status", "is": 400}], **credit}
    rule: JSONObject = {"phase": "opening", "steps": [steps]}
    assert play(rule, {"replies": {"probe": [{"status": 429}, {"status": 400}]}}).verdict == "pass"
    lost: JSONObject = {"init": {"status": 503}, "probe": [{"status": 429}, {"status": 400}]}
    assert play(rule, {"replies": lost}).verdict == "fail"


def test_a_limited_stream_is_opened_once_more() -> None:
    streams = written("""
phase: opening
steps:
- {name: feed, stream: {method: GET}, until: headers, credit: {}, check: [{get: feed.http.status, is: 405}]}
""")
    again = play(streams, {"replies": {"feed": [{"status": 429}, {"status": 405}]}})
    assert (again.verdict, again.sends) == ("pass", ("feed",))
    twice = play(streams, {"replies": {"feed": [{"status": 429}, {"status": 429}, {"status": 405}]}})
    assert (twice.verdict, "429" in twice.message) == ("not-evaluable", True)


def test_a_5xx_is_a_failure_of_the_server_unless_it_carries_a_code_for_this_defect() -> None:
    bare = attributed({"status": 502})
    assert (bare.verdict, "the server failed on the request: HTTP 502" in bare.message) == ("fail", True)
    assert credit_of(bare)["outcome"] == "server_failed"
    other = attributed({"status": 500, "error": BOOM})
    assert (other.verdict, "-32603 boom" in other.message) == ("fail", True)
    own = attributed({"status": 500, "error": UNKNOWN})
    assert own.verdict == "pass"
    assert any("a 4xx is expected" in warning for warning in own.warnings)


def test_without_own_codes_no_5xx_is_credited() -> None:
    assert attributed({"status": 500, "error": UNKNOWN}, credit={"own_codes": []}).verdict == "fail"


def test_a_code_that_is_no_integer_is_no_own_code() -> None:
    assert attributed({"status": 500, "error": {"code": True}}, credit={"own_codes": [1]}).verdict == "fail"
    assert attributed({"status": 500, "error": "broken"}).verdict == "fail"


def test_a_5xx_to_a_conformant_probe_may_be_a_gateway_s() -> None:
    assert attributed({"status": 502}, credit={"twin": "self"}).verdict == "not-evaluable"
    assert attributed({"status": 500, "error": UNKNOWN}, credit={"twin": "self"}).verdict == "pass"


NO_ANSWERS = {
    "timeout": ({"timeout": True}, "unreachable"),
    "refused": ({"unreachable": True}, "unreachable"),
    "closed": ({"drop": True}, "dropped"),
}


@pytest.mark.parametrize(("probe", "outcome"), NO_ANSWERS.values(), ids=NO_ANSWERS.keys())
def test_no_answer_measures_nothing(probe: JSONObject, outcome: str) -> None:
    played = attributed(probe, twin=SERVED)
    assert played.verdict == "not-evaluable"
    assert "no answer" in played.message
    assert credit_of(played)["outcome"] == outcome
    assert attributed(probe, credit={"no_answer": "skip"}).verdict == "skip"


@pytest.mark.parametrize(
    ("feed", "outcome"),
    [
        ({"quiet": True}, "unreachable"),
        ({"status": 405}, "credited"),
        ({"status": 404}, "credited"),
        ({"status": 200, "headers": {"Content-Type": "text/event-stream"}}, "served"),
    ],
)
def test_a_get_for_a_stream_is_answered_once_its_status_is_there(feed: JSONObject, outcome: str) -> None:
    step: JSONObject = {"name": "probe", "stream": {"method": "GET"}, "until": "headers", "credit": {}}
    played = play(
        {"steps": [{**step, "check": [{"get": "probe.outcome", "exists": True}]}]}, {"replies": {"probe": feed}}
    )
    assert credit_of(played)["outcome"] == outcome


def test_a_closed_connection_counts_as_refusal_only_where_said_and_beside_a_served_twin() -> None:
    assert attributed({"drop": True}, credit={"drop": "refusal"}, twin=SERVED).verdict == "pass"
    assert attributed({"drop": True}, credit={"drop": "refusal"}, twin={"status": 400}).verdict == "not-evaluable"
    assert attributed({"drop": True}, credit={"drop": "refusal"}, twin={"drop": True}).verdict == "not-evaluable"
    assert attributed({"drop": True}, credit={"drop": "refusal", "twin": "self"}).verdict == "not-evaluable"
    assert attributed({"timeout": True}, credit={"drop": "refusal"}, twin=SERVED).verdict == "not-evaluable"


@pytest.mark.parametrize("mode", ["setup_served", "pre_rpc", "attributable"])
def test_a_server_that_refuses_the_handshake_has_not_refused_the_defect(mode: str) -> None:
    played = attributed({"status": 400, "error": UNKNOWN}, credit={"mode": mode}, init=REFUSED_SETUP)
    assert played.verdict == "not-evaluable"
    assert "rejects the conformant request too" in played.message
    assert "-32602 not today" in played.message


def test_what_the_refused_handshake_drew_is_named_and_nothing_is_resent() -> None:
    played = attributed([{"status": 429}, {"status": 400}], init={"status": 401})
    assert "authentication required" in played.message
    probe = played.names["probe"]
    assert isinstance(probe, dict)
    assert probe["http"]["status"] == 429  # type: ignore[index]


def test_a_result_counts_even_after_a_refused_handshake() -> None:
    assert credit_of(attributed(SERVED, init=REFUSED_SETUP))["outcome"] == "served"


@pytest.mark.parametrize("status", [400, 401, 403, 429, 500])
def test_off_credits_every_refusal(status: int) -> None:
    assert attributed({"status": status}, credit={"mode": "off"}, init=REFUSED_SETUP).verdict == "pass"


@pytest.mark.parametrize("on", ["http", "stdio"])
def test_off_says_nothing_of_silence_and_judge_leaves_it_to_the_checks(on: str) -> None:
    assert attributed({"timeout": True}, on=on, credit={"mode": "off"}).verdict == "not-evaluable"
    assert attributed({"timeout": True}, on=on, credit={"mode": "off", "no_answer": "skip"}).verdict == "skip"
    played = attributed({"timeout": True}, on=on, credit={"mode": "off", "no_answer": "judge"})
    assert (played.verdict, played.message) == ("fail", "MUST: the answer is unreachable")


@pytest.mark.parametrize("status", [400, 401, 403, 429, 500])
def test_setup_served_asks_for_nothing_but_a_served_handshake(status: int) -> None:
    assert attributed({"status": status}, credit={"mode": "setup_served"}).verdict == "pass"


@pytest.mark.parametrize("status", [401, 403, 413, 415, 429])
def test_pre_rpc_credits_no_status_that_comes_before_json_rpc_is_read(status: int) -> None:
    played = attributed([{"status": status}, {"status": status}, {"status": 400}], credit="pre_rpc", twin=SERVED)
    assert played.verdict == "not-evaluable"
    assert f"HTTP {status} comes before JSON-RPC is read" in played.message
    assert credit_of(played)["twin"] is None


def test_pre_rpc_too_sends_a_limited_probe_once_more() -> None:
    assert attributed([{"status": 429}, {"status": 400}], credit="pre_rpc").verdict == "pass"


@pytest.mark.parametrize("status", [400, 404, 422, 500])
def test_pre_rpc_credits_the_other_statuses(status: int) -> None:
    assert attributed({"status": status}, credit="pre_rpc").verdict == "pass"


def test_unattributed_skip_turns_what_cannot_be_credited_into_a_skip() -> None:
    played = attributed({"status": 401}, credit={"unattributed": "skip"})
    assert (played.verdict, "HTTP 401" in played.message) == ("skip", True)
    assert attributed({"status": 502}, credit={"unattributed": "skip"}).verdict == "fail"


def test_over_stdio_only_the_handshake_counts() -> None:
    assert attributed({"error": UNKNOWN}, on="stdio").verdict == "pass"
    assert attributed({"error": BOOM}, on="stdio").verdict == "pass"
    refused = attributed({"error": UNKNOWN}, on="stdio", init=REFUSED_SETUP)
    assert refused.verdict == "not-evaluable"
    assert "-32602 not today" in refused.message


def test_over_stdio_silence_is_no_answer_and_a_death_is_left_to_the_checks() -> None:
    assert attributed({"timeout": True}, on="stdio").verdict == "not-evaluable"
    died = attributed({"died": 3}, on="stdio")
    assert (died.verdict, died.message) == ("fail", "MUST: the answer is died")
