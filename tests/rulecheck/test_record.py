"""``rulecheck record``: a live run becomes the replies of a case, without secrets."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from mcp_compliance.catalog.positions import parse_document
from mcp_compliance.catalog.revision import Revision
from mcp_compliance.exchange.recorder import Recorder
from mcp_compliance.interpreter.cases import ScriptedStarter
from mcp_compliance.interpreter.peers import Starter
from mcp_compliance.interpreter.scripted import Script
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.model.options import HttpTarget, Target
from mcp_compliance.rulecheck.flow_yaml import flow
from mcp_compliance.rulecheck.lookup import loaded_rule_for
from mcp_compliance.rulecheck.main import main
from mcp_compliance.rulecheck.recorded_case import case_text
from mcp_compliance.rulecheck.recording import Recorded, record
from mcp_compliance.suite.starters import Connect

EXAMPLES = Path(__file__).parent / "examples"
TOKEN = "swordfish-0815"


def server(replies: JSONObject) -> Connect:
    """A server that gives these replies by step, and what the model gives to the rest."""

    def connect(
        target: Target,
        revision: Revision,
        recorder: Recorder,
        nursery: trio.Nursery,
        forward_stderr: Callable[[str], None] | None,
    ) -> Starter:
        return ScriptedStarter("http", Script(revision, replies), recorder)

    return connect


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rules")
    shutil.copytree(EXAMPLES / "2020-01-01", folder / "2020-01-01", ignore=shutil.ignore_patterns("bad", "other"))
    revision = folder / "2020-01-01" / "_revision.yaml"
    text = revision.read_text(encoding="utf-8")
    revision.write_text(text[: text.index("  bad: [")], encoding="utf-8")
    assert main(["index", "--rules", str(folder)]) == 0
    return folder


def recorded(rules: Path, rule_id: str, replies: JSONObject) -> Recorded:
    loaded, revision = loaded_rule_for(rule_id, "", rules)
    target = HttpTarget("https://server.example/mcp", (("Authorization", f"Bearer {TOKEN}"),))
    return record(loaded, revision, target, connect=server(replies))


def test_a_refusal_is_recorded_with_its_status_and_error(rules: Path) -> None:
    reply: JSONObject = {"status": 404, "error": {"code": -32601, "message": "m"}}
    found = recorded(rules, "refuse-nonsense", {"nonsense": reply})
    assert isinstance(found.case["replies"], dict)
    assert found.case["replies"]["nonsense"] == reply
    assert (found.case["verdict"], found.replayed) == ("pass", "pass")
    assert found.case["root"] == {"target": {"credentials": "configured"}}


def test_all_pages_of_a_list_are_recorded(rules: Path) -> None:
    pages: list[JSON] = [
        {"status": 200, "result": {"items": [{"name": "a"}], "nextCursor": "c"}},
        {"status": 200, "result": {"items": []}},
    ]
    found = recorded(rules, "list-items", {"items": {"pages": pages}})
    assert isinstance(found.case["replies"], dict)
    assert found.case["replies"]["items"] == {"pages": pages}
    assert (found.case["verdict"], found.replayed, found.case["says"]) == ("pass", "pass", "1 items on 2 pages")


def test_no_answer_is_recorded_as_such(rules: Path) -> None:
    found = recorded(rules, "refuse-nonsense", {"nonsense": {"timeout": True}})
    assert isinstance(found.case["replies"], dict)
    assert found.case["replies"]["nonsense"] == {"timeout": True}
    assert found.replayed == "not-evaluable"


def test_secrets_never_reach_the_case(rules: Path) -> None:
    reply: JSONObject = {
        "status": 400,
        "headers": {"MCP-Session-Id": "s-4711", "Set-Cookie": "sid=4711", "Content-Type": "application/json"},
        "error": {"code": -32601, "message": f"not with {TOKEN}"},
    }
    text = case_text(recorded(rules, "refuse-nonsense", {"nonsense": reply}).case)
    assert TOKEN not in text
    assert "4711" not in text
    assert "not with ***" in text
    assert "MCP-Session-Id: recorded-session" in text


def test_the_printed_case_reads_back_as_it_was(rules: Path) -> None:
    reply: JSONObject = {"status": 200, "body": 'a "page": yes\n\u2028#'}
    found = recorded(rules, "refuse-nonsense", {"nonsense": reply})
    document = parse_document(f"cases:\n{case_text(found.case)}".encode(), Path("case.yaml"))
    assert document.value == {"cases": [found.case]}


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        -1.5,
        "true",
        "No",
        "",
        " x",
        "x ",
        "a: b",
        "a #b",
        "2025-11-25",
        "017",
        "-",
        "é漢🎉",
        "\x00\x1f\x7f\x85\u2028\ufeff",
        "'\"\\",
        {"on": [], "a b": {}, "": [[1], {"x": None}]},
    ],
)
def test_flow_yaml_reads_back_as_it_was(value: JSON) -> None:
    text = f"a: {flow(value)}\nb: [{flow(value)}]\n"
    assert parse_document(text.encode(), Path("x.yaml")).value == {"a": value, "b": [value]}


def test_a_rule_that_the_index_does_not_know_is_no_recording(
    tmp_path: Path, rules: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "rules"
    shutil.copytree(rules, folder)
    (folder / "2020-01-01" / "_index.json").unlink()
    assert main(["record", "say-hello", "https://server.example/mcp", "--rules", str(folder)]) == 2
    message = capsys.readouterr().err
    assert "_index.json" in message
    assert message.count("\n") == 1
