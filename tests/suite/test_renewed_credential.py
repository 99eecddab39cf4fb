"""``auth_command``: the credential of a run, and what becomes of one that the server refuses in mid-run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mcp_compliance.exchange.exchange import Exchange, Http
from mcp_compliance.exchange.sending import Sending
from mcp_compliance.interpreter.scripted import ENDPOINT
from mcp_compliance.model.result import Report
from mcp_compliance.model.secrets import Secrets
from mcp_compliance.suite import setup
from mcp_compliance.wire.auth_command import learn
from mcp_compliance.wire.errors import CredentialError
from tests.aio import run
from tests.suite.scripted import ScriptedTarget, TwistedWire, catalogue, grade, rule, verdicts

PING = "  - {name: one, call: ping, check: [{get: one.result, type: object}]}"
AT_ONCE = (
    "  - {name: many, together: [{call: ping}, {call: ping}], check: [{get: 'many[].http.status', is: [200, 200]}]}"
)
STREAM = """\
  - name: stream
    stream: {method: GET}
    until: headers
    check: [{get: stream.http.status, is_not: 401}]"""
DEFECTIVE = "  - {name: bad, call: ping, headers: {X-Odd: 'yes'}, check: [{get: bad.http.status, is: 401}]}"
COMMAND = ("get-token", "now")


class Tokens:
    """Stands in for the command: prints these one after the other; the last may be an error."""

    def __init__(self, *prints: str | CredentialError) -> None:
        self.prints = list(prints)
        self.asked = 0

    async def __call__(self, command: tuple[str, ...], secrets: Secrets) -> str:
        assert command == COMMAND
        said = self.prints[self.asked]
        self.asked += 1
        if isinstance(said, CredentialError):
            raise said
        learn(secrets, said)
        return said


@pytest.fixture
def tokens(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Tokens]:
    def printing(*prints: str | CredentialError) -> Tokens:
        made = Tokens(*prints)
        monkeypatch.setattr(setup, "ask", made)
        return made

    return printing


def sent(sending: Sending) -> str | None:
    return dict(sending.headers).get("Authorization")


def refusal(sending: Sending) -> Exchange:
    return Exchange(sending, "answered", http=Http(401, ENDPOINT, (("WWW-Authenticate", "Bearer"),)))


def expiring(*lives: int) -> Callable[[Sending, TwistedWire], Exchange | None]:
    """A server that takes ``token-1`` for so many requests, then ``token-2`` for so many, and so on."""
    left = list(lives)

    def twist(sending: Sending, wire: TwistedWire) -> Exchange | None:
        if dict(sending.headers).get("X-Odd"):
            return refusal(sending)
        at = next((number for number, life in enumerate(left) if life > 0), len(left))
        if sent(sending) != f"Bearer token-{at + 1}":
            return refusal(sending)
        if at < len(left):
            left[at] -= 1
        return None

    return twist


def graded(target: ScriptedTarget, rules: Path, **options: Any) -> Report:
    return run(lambda: grade(target, rules, auth_command=COMMAND, **options), at_most=1000.0)


def pings(folder: Path, number: int = 3) -> Path:
    return catalogue(folder, *(rule(f"ping{count}", PING) for count in range(1, number + 1)))


def renewals(report: Report) -> list[str]:
    return [warning for warning in report.warnings if "--auth-command" in warning]


def test_its_credential_goes_with_every_request(tmp_path: Path, tokens: Callable[..., Tokens]) -> None:
    command = tokens("Bearer token-1")
    target = ScriptedTarget("http", twists=(expiring(),))
    report = graded(target, pings(tmp_path))
    assert {sent(sending) for sending in target.log} == {"Bearer token-1"}
    assert set(verdicts(report).values()) == {"pass"}
    assert (command.asked, renewals(report)) == (1, [])


def test_an_expired_one_is_renewed_once_and_the_request_sent_again(
    tmp_path: Path, tokens: Callable[..., Tokens]
) -> None:
    command = tokens("Bearer token-1", "Bearer token-2")
    target = ScriptedTarget("http", twists=(expiring(3),))  # the handshake's two messages, and one ping
    report = graded(target, pings(tmp_path))
    assert set(verdicts(report).values()) == {"pass"}
    assert command.asked == 2
    old, new = "Bearer token-1", "Bearer token-2"
    # the refused ping, the plain one that tells that it is the credential, and the refused one once more
    pinged = [sent(sending) for sending in target.log if sending.method == "ping"]
    assert pinged == [old, old, old, new, new]
    assert sent(target.log[-1]) == new  # the end of the session
    ids = [sending.id for sending in target.log if sending.has_id]
    assert len(ids) == len(set(ids))
    assert renewals(report) == [
        "The server refused in mid-run a credential that had worked (HTTP 401 on ping); --auth-command was asked once "
        "more, and the request sent again with the new one."
    ]


def test_neither_token_is_shown(tmp_path: Path, tokens: Callable[..., Tokens]) -> None:
    tokens("Bearer token-1", "Bearer token-2")

    def echoes(sending: Sending, wire: TwistedWire) -> Exchange | None:
        refused = inner(sending, wire)
        return refused and Exchange(sending, "answered", http=Http(401, ENDPOINT, (), f"no: {sent(sending)}"))

    inner = expiring(3, 1)
    report = graded(ScriptedTarget("http", twists=(echoes,)), pings(tmp_path), keep_exchanges=True)
    assert "fail" in verdicts(report).values()
    assert "token-1" not in repr(report)
    assert "token-2" not in repr(report)


def test_it_is_not_asked_a_third_time(tmp_path: Path, tokens: Callable[..., Tokens]) -> None:
    command = tokens("Bearer token-1", "Bearer token-2", "Bearer token-3")
    target = ScriptedTarget("http", twists=(expiring(3, 1),))
    report = graded(target, pings(tmp_path, 4))
    assert command.asked == 2
    assert verdicts(report) == {"ping1": "pass", "ping2": "pass", "ping3": "fail", "ping4": "fail"}
    assert len(renewals(report)) == 2
    assert "only once more in a run" in renewals(report)[1]


@pytest.mark.parametrize(
    ("second", "words"),
    [
        ("Bearer token-1", "printed the same"),
        (CredentialError("get-token exited with code 4"), "failed: get-token exited with code 4"),
    ],
)
def test_a_renewal_that_brings_nothing_is_told_and_not_tried_again(
    tmp_path: Path, tokens: Callable[..., Tokens], second: str | CredentialError, words: str
) -> None:
    command = tokens("Bearer token-1", second)
    report = graded(ScriptedTarget("http", twists=(expiring(3),)), pings(tmp_path))
    assert command.asked == 2
    assert verdicts(report) == {"ping1": "pass", "ping2": "fail", "ping3": "fail"}
    (warning,) = renewals(report)
    assert words in warning


def test_one_that_never_worked_is_not_renewed(tmp_path: Path, tokens: Callable[..., Tokens]) -> None:
    command = tokens("Bearer wrong", "Bearer token-1")
    report = graded(ScriptedTarget("http", twists=(expiring(),)), pings(tmp_path))
    assert set(verdicts(report).values()) == {"fail"}
    assert (command.asked, renewals(report)) == (1, [])


@pytest.mark.parametrize("credentials", ["none", "unknown", "malformed"])
def test_what_a_rule_sends_in_its_place_does_not_count(
    tmp_path: Path, tokens: Callable[..., Tokens], credentials: str
) -> None:
    command = tokens("Bearer token-1", "Bearer token-2")
    steps = f"  - {{name: one, call: ping, credentials: {credentials}, check: [{{get: one.http.status, is: 401}}]}}"
    target = ScriptedTarget("http", twists=(expiring(),))
    report = graded(target, catalogue(tmp_path, rule("walled", steps), rule("last", PING)))
    assert set(verdicts(report).values()) == {"pass"}
    assert (command.asked, renewals(report)) == (1, [])
    assert target.methods().count("ping") == 2


def test_a_refusal_for_something_else_in_the_request_does_not_count(
    tmp_path: Path, tokens: Callable[..., Tokens]
) -> None:
    command = tokens("Bearer token-1", "Bearer token-2")
    target = ScriptedTarget("http", twists=(expiring(),))
    report = graded(target, catalogue(tmp_path, rule("odd", DEFECTIVE), rule("last", PING)))
    assert set(verdicts(report).values()) == {"pass"}
    assert (command.asked, renewals(report)) == (1, [])


@pytest.mark.parametrize("steps", [AT_ONCE, STREAM], ids=["together", "stream"])
def test_messages_side_by_side_and_streams_are_sent_again_too(
    tmp_path: Path, tokens: Callable[..., Tokens], steps: str
) -> None:
    command = tokens("Bearer token-1", "Bearer token-2")
    report = graded(
        ScriptedTarget("http", twists=(expiring(3),)), catalogue(tmp_path, rule("first", PING), rule("many", steps))
    )
    assert verdicts(report) == {"first": "pass", "many": "pass"}
    assert command.asked == 2


def test_rules_side_by_side_share_one_renewal(tmp_path: Path, tokens: Callable[..., Tokens]) -> None:
    command = tokens("Bearer token-1", "Bearer token-2")
    target = ScriptedTarget("http", twists=(expiring(4),), pause=1.0)
    report = graded(target, pings(tmp_path, 8), concurrency=8)
    assert set(verdicts(report).values()) == {"pass"}
    assert command.asked == 2
    assert len(renewals(report)) == 1


def test_nothing_is_connected_when_it_prints_none(tmp_path: Path, tokens: Callable[..., Tokens]) -> None:
    tokens(CredentialError("get-token printed nothing"))
    target = ScriptedTarget("http")
    with pytest.raises(CredentialError, match="printed nothing"):
        graded(target, pings(tmp_path))
    assert target.log == []
