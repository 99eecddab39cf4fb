"""What the conforming server offers, without a transport."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mcp_compliance.reference.dispatch import LATEST, answer, may_wait
from mcp_compliance.reference.session import Session


@pytest.fixture
def session() -> Session:
    session = Session()
    session.version = LATEST
    return session


def ask(session: Session, method: str, **params: Any) -> Any:
    """The response to a request."""
    (*_, response) = answer(session, {"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    return response


def pages(session: Session, method: str, key: str) -> list[list[Any]]:
    found, params = [], {}
    while True:
        result: Any = ask(session, method, **params)["result"]
        found.append(result[key])
        if "nextCursor" not in result:
            return found
        params = {"cursor": result["nextCursor"]}


def call(session: Session, name: str, **arguments: Any) -> Any:
    return ask(session, "tools/call", name=name, arguments=arguments)["result"]


@pytest.mark.parametrize(
    ("method", "key"), [("tools/list", "tools"), ("resources/list", "resources"), ("prompts/list", "prompts")]
)
def test_lists_have_pages_without_doubles(session: Session, method: str, key: str) -> None:
    found = pages(session, method, key)
    assert len(found) > 1
    names = [item["name"] for page in found for item in page]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("cursor", ["", "garbage", "cHJvbXB0czoz", 3, None, "dG9vbHM6Mg=="])
def test_a_foreign_cursor_is_refused(session: Session, cursor: object) -> None:
    # among them the cursor of another list, and one that is well-formed but was never handed out
    known = ask(session, "tools/list")["result"]["nextCursor"]
    assert "result" in ask(session, "tools/list", cursor=known)
    assert ask(session, "tools/list", cursor=cursor)["error"]["code"] == -32602


def test_tools_are_described(session: Session) -> None:
    tools = {tool["name"]: tool for page in pages(session, "tools/list", "tools") for tool in page}
    for tool in tools.values():
        Draft202012Validator.check_schema(tool["inputSchema"])
        assert tool["inputSchema"]["type"] == "object"
        assert tool["title"]
        assert isinstance(tool["annotations"]["readOnlyHint"], bool)
    assert tools["survey"]["inputSchema"]["properties"] == {}
    assert tools["survey"]["annotations"]["readOnlyHint"] is True
    assert tools["write_note"]["annotations"]["readOnlyHint"] is False


def test_structured_content_fits_its_schema(session: Session) -> None:
    schema = ask(session, "tools/list")["result"]["tools"][0]["outputSchema"]
    Draft202012Validator(schema).validate(call(session, "survey")["structuredContent"])


def test_echo_gives_the_text_back(session: Session) -> None:
    assert call(session, "echo", text="é 漢字 🎉") == {"content": [{"type": "text", "text": "é 漢字 🎉"}]}


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("echo", {}),
        ("echo", {"text": 7}),
        ("echo", {"text": "a", "more": "b"}),
        ("echo", {"text": "a", "__proto__": {"polluted": True}}),
        ("wait", {"steps": 0}),
        ("wait", {"steps": True}),
        ("wait", {"steps": 1, "pause_ms": 5000}),
        ("read_note", {"path": "../../../../etc/passwd"}),
        ("read_note", {"path": "..%2f..%2fetc%2fpasswd"}),
        ("read_note", {"path": "/etc/passwd"}),
        ("read_note", {"path": "flag.png"}),
        ("fetch_page", {"url": "http://127.0.0.1:22/"}),
        ("fetch_page", {"url": "http://169.254.169.254/latest/meta-data/"}),
        ("write_note", {"path": "../escape.txt", "text": "x"}),
    ],
)
def test_the_model_is_told_of_wrong_arguments(session: Session, name: str, arguments: dict[str, Any]) -> None:
    result = call(session, name, **arguments)
    assert result["isError"] is True
    assert len(result["content"][0]["text"]) < 200


def test_arguments_are_only_texts(session: Session) -> None:
    for text in ("; expr 111 \\* 111", "' OR '1'='1", "$(id)"):
        assert call(session, "search_notes", query=text)["content"] == [{"type": "text", "text": "0 notes"}]
        assert call(session, "echo", text=text)["content"][0]["text"] == text
    hits = call(session, "search_notes", query="HORN")["content"]
    assert hits[1] == {"type": "resource_link", "uri": "note://harbour/fog.txt", "name": "fog.txt"}


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("nobody/knows", {}, -32601),
        ("tasks/list", {}, -32601),
        ("server/discover", {}, -32601),
        ("tools/call", {}, -32602),
        ("tools/call", {"name": "nobody"}, -32602),
        ("tools/call", {"name": "echo", "arguments": ["a"]}, -32602),
        ("resources/read", {}, -32602),
        ("resources/read", {"uri": "note://harbour/nothing.txt"}, -32002),
        ("resources/read", {"uri": "file:///etc/passwd"}, -32002),
        ("resources/subscribe", {"uri": "note://harbour/nothing.txt"}, -32002),
        ("prompts/get", {"name": "nobody"}, -32602),
        ("prompts/get", {"name": "summarise"}, -32602),
        ("prompts/get", {"name": "summarise", "arguments": {"note": 7}}, -32602),
        ("prompts/get", {"name": "greeting", "arguments": {"more": "x"}}, -32602),
        ("logging/setLevel", {"level": "loud"}, -32602),
        ("completion/complete", {"ref": {"type": "ref/prompt", "name": "nobody"}}, -32602),
        (
            "completion/complete",
            {"ref": {"type": "ref/prompt", "name": "nobody"}, "argument": {"name": "a", "value": ""}},
            -32602,
        ),
    ],
)
def test_wrong_requests_are_protocol_errors(session: Session, method: str, params: dict[str, Any], code: int) -> None:
    response = ask(session, method, **params)
    assert response["id"] == 1
    assert response["error"]["code"] == code


def test_everything_listed_can_be_read(session: Session) -> None:
    for page in pages(session, "resources/list", "resources"):
        for resource in page:
            (contents,) = ask(session, "resources/read", uri=resource["uri"])["result"]["contents"]
            assert contents["uri"] == resource["uri"]
            assert contents["mimeType"] == resource["mimeType"]
            assert ("text" in contents) != ("blob" in contents)
            base64.b64decode(contents.get("blob", ""), validate=True)


def test_templates_can_be_filled(session: Session) -> None:
    templates = ask(session, "resources/templates/list")["result"]["resourceTemplates"]
    assert [template["uriTemplate"] for template in templates] == [
        "note://harbour/{path}",
        "tide://{port}/{day}",
    ]
    (contents,) = ask(session, "resources/read", uri="tide://north/monday")["result"]["contents"]
    assert contents["text"].startswith("High water at ")


def test_every_prompt_renders(session: Session) -> None:
    for page in pages(session, "prompts/list", "prompts"):
        for prompt in page:
            arguments = {argument["name"]: "tides.txt" for argument in prompt.get("arguments", [])}
            result = ask(session, "prompts/get", name=prompt["name"], arguments=arguments)["result"]
            assert result["messages"]
            for message in result["messages"]:
                assert message["role"] in ("user", "assistant")
                assert message["content"]["type"] in ("text", "resource")


def test_completions_start_with_what_was_typed(session: Session) -> None:
    prompt = {"type": "ref/prompt", "name": "summarise"}
    result = ask(session, "completion/complete", ref=prompt, argument={"name": "tone", "value": "f"})["result"]
    assert result["completion"] == {"values": ["friendly", "formal"], "total": 2, "hasMore": False}
    template = {"type": "ref/resource", "uri": "tide://{port}/{day}"}
    result = ask(session, "completion/complete", ref=template, argument={"name": "port", "value": ""})["result"]
    assert result["completion"]["values"] == ["east", "north", "west"]


def test_a_subscription_can_be_left_again(session: Session) -> None:
    uri = "note://harbour/tides.txt"
    posted: list[Any] = []
    session.listen(posted.append)
    assert ask(session, "resources/subscribe", uri=uri)["result"] == {}
    call(session, "write_note", path="tides.txt", text="More.")
    assert [message["params"] for message in posted] == [{"uri": uri}]
    assert ask(session, "resources/unsubscribe", uri=uri)["result"] == {}
    call(session, "write_note", path="tides.txt", text="And more.")
    assert len(posted) == 1


def test_sessions_do_not_share_their_notes(session: Session) -> None:
    call(session, "write_note", path="ropes.txt", text="Coil them.")
    other = Session()
    other.version = LATEST
    assert ask(other, "resources/read", uri="note://harbour/ropes.txt")["error"]["code"] == -32002


def test_before_initialize_only_ping_is_served() -> None:
    session = Session()
    assert ask(session, "ping")["result"] == {}
    assert ask(session, "tools/list")["error"]["code"] == -32600
    assert ask(session, "nobody/knows")["error"]["code"] == -32601


def test_slow_tools_are_known() -> None:
    assert may_wait({"method": "tools/call", "params": {"name": "wait"}})
    assert not may_wait({"method": "tools/call", "params": {"name": "echo"}})
    assert not may_wait({"method": "ping"})
