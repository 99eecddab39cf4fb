"""What leaves: envelope, headers read from the whole message, omissions and overrides, in this order."""

from __future__ import annotations

import json

import pytest

from mcp_compliance.catalog.compile_revision import compile_revision
from mcp_compliance.catalog.compile_values import Compiler
from mcp_compliance.catalog.revision import Revision
from mcp_compliance.exchange.sending import Sending
from mcp_compliance.interpreter.draft import Draft
from mcp_compliance.interpreter.outgoing import Composer, Session
from mcp_compliance.interpreter.picks import Picker
from mcp_compliance.interpreter.values import Generator, Resolver
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.model.options import ToolConsent
from mcp_compliance.model.secrets import Secrets
from tests.interpreter.made import SHIPPED, played, revision, sent_by, written

SESSION = "model-session-4f9a2c71d8e3"
MIRRORING = """
revision: t2
site: "https://example.com/"
envelope:
  jsonrpc: "2.0"
  id: {make: counter, from: 1}
  meta: {protocolVersion: t2, clientCapabilities: {}}
  meta_prefix: {"example/": [protocolVersion, clientCapabilities]}
headers:
  Content-Type: application/json
  Proto-Version: {from: sending.meta.protocolVersion}
  Mcp-Method: {from: sending.method, when: sending.method}
  Mcp-Name: {from: sending.params.name, when: sending.params.name}
fixtures: {hello: {call: hello}}
credit: {setup: hello, twin: hello}
preflight: {fixture: hello}
conflicts: {}
catalogue: {}
"""
"""A revision that writes its version into each message and repeats parts of the message in headers."""


def mirroring() -> Revision:
    compiler = Compiler()
    made = compile_revision(compiler, written(MIRRORING), SHIPPED, library=revision().library, payloads={}, model=None)
    assert compiler.problems == []
    return made


def composed(draft: Draft, endpoint: str | None = "https://server.example/mcp") -> Sending:
    made = mirroring()
    resolver = Resolver(Generator(1, 1), Picker({}, ToolConsent()))
    return Composer(made, resolver, Secrets(), {}, endpoint).compose(draft, Session(), "main")


def message(sending: Sending) -> JSONObject:
    assert sending.body is not None
    value = json.loads(sending.body)
    assert isinstance(value, dict)
    return value


def sent(step: str, case: str = "verdict: pass") -> Sending:
    """The one thing that a step sends over HTTP; ``step`` are the keys beside its name."""
    (sending,) = sent_by(played(f"steps: [{{name: asked, {step}}}]", case), "asked")
    return sending


def test_a_request_is_the_envelope_with_method_and_params() -> None:
    sending = sent("call: tools/list, params: {cursor: c}")
    assert message(sending) == {"jsonrpc": "2.0", "id": sending.id, "method": "tools/list", "params": {"cursor": "c"}}
    assert isinstance(sending.id, int)
    assert sending.answers == "mine"


def test_a_notification_has_no_id_and_awaits_nothing() -> None:
    sending = sent("notify: notifications/cancelled, params: {requestId: 1}")
    assert "id" not in message(sending)
    assert sending.answers == "none"


def test_default_headers_and_those_of_the_session() -> None:
    assert sent("call: ping").headers == (
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
        ("MCP-Protocol-Version", "2025-11-25"),
        ("MCP-Session-Id", SESSION),
    )


def test_without_session_the_version_header_stays() -> None:
    names = [name for name, _ in sent("call: ping, session: none").headers]
    assert names == ["Content-Type", "Accept", "MCP-Protocol-Version"]


def test_a_name_that_differs_in_case_alone_replaces_and_goes_out_as_written() -> None:
    headers = sent("call: ping, headers: {aCCept: '*/*', mcp-SESSION-id: other, X-New: 1}").headers
    assert ("aCCept", "*/*") in headers
    assert ("mcp-SESSION-id", "other") in headers
    assert ("X-New", "1") in headers
    lowered = [name.lower() for name, _ in headers]
    assert len(lowered) == len(set(lowered))


@pytest.mark.parametrize("line_end", ["\r\n", "\n", "\r", "\0", "\u2028", "é"])
def test_no_value_adds_a_header(line_end: str) -> None:
    value = json.dumps(f"a{line_end}X-Evil: 1")
    headers = dict(sent(f"call: ping, headers: {{X-Probe: {value}}}").headers)
    assert "X-Evil" not in headers
    assert headers["X-Probe"].isascii()
    assert headers["X-Probe"].isprintable()


def test_a_session_id_cannot_add_a_header_either() -> None:
    headers = sent("call: ping", 'replies: {init: {session: "a\\tb"}}').headers
    assert ("MCP-Session-Id", "a\tb") in headers


@pytest.mark.parametrize("name", ["id", "jsonrpc", "method", "params"])
def test_omit_leaves_out_a_member(name: str) -> None:
    assert name not in message(sent(f"call: ping, params: {{}}, omit: [{name}]"))


def test_omit_leaves_out_a_header_whatever_its_case() -> None:
    names = [name for name, _ in sent("call: ping, omit: [header.accept, header.MCP-Session-Id]").headers]
    assert names == ["Content-Type", "MCP-Protocol-Version"]


@pytest.mark.parametrize("value", ["null", '"text"', "1.5", "[]", "{}"])
def test_an_id_of_any_kind_is_sent_as_written(value: str) -> None:
    assert message(sent(f"call: ping, id: {value}"))["id"] == json.loads(value)


def test_raw_text_leaves_as_it_is_with_the_default_headers() -> None:
    sending = sent('raw: \'{"jsonrpc": "2.0", "id": 1, "method": "pi\'')
    assert sending.body == b'{"jsonrpc": "2.0", "id": 1, "method": "pi'
    assert sending.message is None
    assert dict(sending.headers)["Content-Type"] == "application/json"


@pytest.mark.parametrize(
    ("step", "raw"),
    [
        ('raw: {jsonrpc: "2.0", id: 900000, method: ping}', True),
        ("http: {method: POST, body: {id: 900000, method: ping}}", True),
        ("call: ping, omit: [jsonrpc]", False),
        ("notify: notifications/none", False),
    ],
)
def test_only_what_a_rule_wrote_itself_counts_as_raw(step: str, raw: bool) -> None:
    assert sent(step).raw is raw
    assert message(sent(step))


def test_bytes_are_base64() -> None:
    assert sent('bytes: "//4="').body == b"\xff\xfe"
    assert played('steps: [{name: asked, bytes: "no base 64"}]').verdict == "not-evaluable"


def test_a_bare_request_has_no_message_and_no_content_type() -> None:
    sending = sent("http: {method: DELETE, headers: {X-One: a}}")
    assert (sending.http_method, sending.body, sending.message) == ("DELETE", None, None)
    assert [name for name, _ in sending.headers] == ["Accept", "MCP-Protocol-Version", "MCP-Session-Id", "X-One"]


def test_a_body_of_a_bare_request_is_sent_as_json() -> None:
    assert sent("http: {method: POST, body: {a: 1}}").body == b'{"a": 1}'


def test_a_query_is_added_to_the_one_that_is_there() -> None:
    case = 'root: {target: {url: {text: "https://server.example/mcp?a=1"}}}'
    assert sent("call: ping, query: {b: x y, c: 2}", case).url == "https://server.example/mcp?a=1&b=x+y&c=2"
    assert sent("call: ping").url is None


WITH = "root: {target: {credentials: configured}}"


@pytest.mark.parametrize(
    ("credentials", "header"),
    [("configured", "Bearer configured-token"), ("none", None), ("malformed", 'Bearer "not a token", ,;=')],
)
def test_credentials(credentials: str, header: str | None) -> None:
    assert dict(sent(f"call: ping, credentials: {credentials}", WITH).headers).get("Authorization") == header


def test_an_unknown_credential_looks_like_the_configured_one() -> None:
    made = dict(sent("call: ping, credentials: unknown", WITH).headers)["Authorization"]
    assert made.startswith("Bearer ")
    assert made != "Bearer configured-token"
    assert len(made) == len("Bearer configured-token")
    assert dict(sent("call: ping, credentials: unknown").headers)["Authorization"].startswith("Bearer ")


def test_paths_stay_on_the_host_of_the_endpoint() -> None:
    assert sent("http: {method: GET, path: /.well-known/x}").url == "https://server.example/.well-known/x"
    leads_away = played("steps: [{name: asked, http: {method: GET, path: //127.0.0.1/x}}]")
    assert (leads_away.verdict, leads_away.sends) == ("not-evaluable", ())


@pytest.mark.parametrize(
    "url", ["http://other.example/", "https://127.0.0.1/", "https://10.0.0.1/", "ftp://other.example/", "https://[bad"]
)
def test_nothing_is_sent_to_addresses_that_nobody_named(url: str) -> None:
    found = played(f'steps: [{{name: asked, http: {{method: GET, url: "{url}"}}}}]')
    assert (found.verdict, found.sends) == ("not-evaluable", ())


def test_another_host_sees_neither_session_nor_credential() -> None:
    for url in ("https://other.example/x", "https://server.example:8443/x", "http://server.example/mcp"):
        names = {name for name, _ in sent(f'http: {{method: GET, url: "{url}"}}', WITH).headers}
        assert not names & {"MCP-Session-Id", "Authorization"}, url


def test_headers_are_read_from_the_message_before_anything_is_left_out() -> None:
    draft = Draft("a", method="tools/call", params={"name": "echo"}, omit=("meta.protocolVersion", "method"))
    sending = composed(draft)
    assert dict(sending.headers) == {
        "Content-Type": "application/json", "Proto-Version": "t2", "Mcp-Method": "tools/call", "Mcp-Name": "echo",
    }  # fmt: skip
    assert message(sending)["params"] == {"name": "echo", "_meta": {"example/clientCapabilities": {}}}
    assert "method" not in message(sending)


def test_an_override_changes_the_message_and_not_the_header() -> None:
    sending = composed(Draft("a", method="ping", meta={"protocolVersion": "other", "progressToken": 1}))
    assert dict(sending.headers)["Proto-Version"] == "t2"
    assert message(sending)["params"] == {
        "_meta": {"example/protocolVersion": "other", "example/clientCapabilities": {}, "progressToken": 1}
    }


def test_all_of_meta_can_be_left_out() -> None:
    assert message(composed(Draft("a", method="ping", omit=("meta",)))) == {
        "jsonrpc": "2.0", "id": 1, "method": "ping", "params": {},
    }  # fmt: skip


@pytest.mark.parametrize("params", [[1, 2], "text", None, 7])
def test_params_that_are_no_object_are_sent_as_written(params: JSON) -> None:
    assert message(composed(Draft("a", method="ping", params=params)))["params"] == params


def test_on_stdio_there_are_no_headers() -> None:
    assert composed(Draft("a", method="ping", headers={"X": "1"}), endpoint=None).headers == ()


def test_a_defect_is_taken_back_whatever_the_case_of_its_header() -> None:
    draft = Draft(
        "a", headers={"Origin": "x", "X-Kept": "y"}, params={"cursor": "c", "n": 1}, meta={"m": 1}, omit=("id",)
    )
    sound = draft.without(("header.origin", "params.cursor", "meta.m"))
    assert (sound.headers, sound.params, sound.meta, sound.omit) == ({"X-Kept": "y"}, {"n": 1}, {}, ())


ANNOTATED: JSON = {
    "name": "query",
    "inputSchema": {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}},
}


def called(arguments: JSONObject, name: str = "query", method: str = "tools/call") -> dict[str, str]:
    """Headers of a call in a revision that mirrors annotated arguments and encodes the name."""
    document = written(MIRRORING)
    document["headers"] = {
        "Mcp-Name": {"from": "sending.params.name", "encode": "header-value"},
        "Mcp-Param-*": {"mirror": "x-mcp-header", "when": "sending.method == 'tools/call'", "encode": "header-value"},
    }
    compiler = Compiler()
    made = compile_revision(compiler, document, SHIPPED, library=revision().library, payloads={}, model=None)
    resolver = Resolver(Generator(1, 1), Picker({}, ToolConsent()))
    composer = Composer(made, resolver, Secrets(), {}, "https://server.example/mcp", tools=lambda: [ANNOTATED])
    params: JSON = {"name": name, "arguments": arguments}
    return dict(composer.compose(Draft("call", method=method, params=params), Session(), "main").headers)


def test_annotated_arguments_of_a_called_tool_have_headers_of_their_own() -> None:
    assert called({"region": "eu-west"}) == {"Mcp-Name": "query", "Mcp-Param-Region": "eu-west"}
    assert called({"region": "日本"}) == {"Mcp-Name": "query", "Mcp-Param-Region": "=?base64?5pel5pys?="}
    assert called({}) == {"Mcp-Name": "query"}
    assert called({"region": "eu"}, name="другой") == {"Mcp-Name": "=?base64?0LTRgNGD0LPQvtC5?="}
    assert called({"region": "eu"}, method="prompts/get") == {"Mcp-Name": "query"}
