"""Turns the exchanges of a live run into the replies of a case, with secrets masked."""

from __future__ import annotations

import json
from collections.abc import Iterable

from mcp_compliance.catalog.revision import Revision
from mcp_compliance.catalog.rule import Rule
from mcp_compliance.exchange.exchange import Exchange, Http
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.model.secrets import Secrets, sounds_secret
from mcp_compliance.rulecheck.flow_yaml import flow

SESSION = "recorded-session"
"""Stands for session ids, which let anybody use the session."""
_HEADERS = ("content-type", "mcp-protocol-version", "www-authenticate", "retry-after", "allow", "location")
"""Headers of an answer that rules may look at, beside those of CORS; all others are left out."""
_SHOWN = ("www-authenticate",)
"""Headers with a name that sounds secret, but a value that every client is shown."""
_NO_ANSWER = {"timeout": "timeout", "dropped": "drop", "unreachable": "unreachable", "quiet": "quiet"}


def replies_of(rule: Rule, revision: Revision, exchanges: Iterable[Exchange], secrets: Secrets) -> JSONObject:
    """Replies by step or fixture name, in the order in which they were drawn."""
    steps = {step.name: step for step in rule.steps}
    drawn: dict[str, list[JSONObject]] = {}
    replies: JSONObject = {}
    for exchange in exchanges:
        name, _, after = exchange.sending.step.partition(".")
        if name not in steps and name not in revision.fixtures and name != "twin":
            continue
        reply = reply_of(exchange)
        if after:
            drawn[name][-1]["after"] = reply
        else:
            drawn.setdefault(name, []).append(reply)
    for name, found in drawn.items():
        listed = name in revision.fixtures and revision.fixtures[name].pages
        several = name in steps and (steps[name].verb == "together" or steps[name].for_each is not None)
        if listed and len(found) > 1:
            replies[name] = {"pages": list[JSON](found)}
        else:
            replies[name] = list[JSON](found) if several or len(found) > 1 else found[0]
    masked: JSONObject = json.loads(secrets.mask(json.dumps(replies)))
    return masked


def reply_of(exchange: Exchange) -> JSONObject:
    """The abbreviation of what one exchange drew; session ids and secret headers are masked."""
    if exchange.outcome in _NO_ANSWER:
        return {_NO_ANSWER[exchange.outcome]: True}
    if exchange.outcome == "died":
        code = exchange.process.exit_code if exchange.process is not None else None
        return {"died": 1 if code is None else code}
    reply = _before(exchange)
    if exchange.http is not None:
        reply |= _http(exchange.http)
    if exchange.message is not None:
        if exchange.message.get("id") != exchange.sending.id:
            reply["id"] = exchange.message.get("id")
        reply |= {key: exchange.message[key] for key in ("result", "error") if key in exchange.message}
        if exchange.message.get("jsonrpc") != "2.0":
            reply["jsonrpc"] = exchange.message.get("jsonrpc")
        if exchange.events:
            reply["events"] = [_event(event.view(), exchange.message) for event in exchange.events]
            reply.pop("messages", None)
    elif exchange.http is not None and exchange.http.body:
        reply["body"] = exchange.http.body
    return reply


def _before(exchange: Exchange) -> JSONObject:
    """What arrived beside the response."""
    others = [item for item in exchange.messages if item.get("payload") != exchange.message]
    if not others:
        return {}
    kept: list[JSON] = []
    for item in others:
        key = "raw" if item.get("kind") == "stray" else "payload"
        kept.append({key: item.get(key)})
    return {"messages": kept}


def _http(http: Http) -> JSONObject:
    headers: JSONObject = {}
    session: str | None = None
    for name, value in http.header_list:
        lowered = name.lower()
        if lowered == "mcp-session-id":
            session = SESSION
            headers[name] = SESSION
        elif lowered in _HEADERS or lowered.startswith("access-control-"):
            hidden = sounds_secret(lowered) and lowered not in _SHOWN
            headers[name] = "***" if hidden else value
    if session is None and http.media_type == "application/json" and len(headers) == 1:
        headers = {}
    reply: JSONObject = {"status": http.status}
    return {**reply, "headers": headers} if headers else reply


def _event(event: JSONObject, response: JSONObject) -> JSONObject:
    kept: JSONObject = {key: value for key, value in event.items() if value is not None}
    data = kept.get("data")
    if isinstance(data, str):
        try:
            parsed: JSON = json.loads(data)
        except ValueError:
            return kept
        kept["data"] = "response" if parsed == response else parsed
    return kept


def case_text(case: JSONObject) -> str:
    """The case as lines to put under ``cases:``."""
    lines = []
    for key, value in case.items():
        if key == "replies" and isinstance(value, dict):
            lines.append("replies:")
            lines += [f"  {name}: {flow(reply)}" for name, reply in value.items()]
        else:
            lines.append(f"{key}: {flow(value)}")
    return "".join(f"  {'-' if index == 0 else ' '} {line}\n" for index, line in enumerate(lines))


def case_of(
    name: str, transport: str, replies: JSONObject, verdict: str, message: str, *, credential: bool
) -> JSONObject:
    """A case with these replies; ``says`` is the beginning of the message."""
    case: JSONObject = {"name": name, "on": transport}
    if credential:
        case["root"] = {"target": {"credentials": "configured"}}
    case |= {"replies": replies, "verdict": verdict}
    return {**case, "says": _beginning(message)} if message else case


def _beginning(message: str, longest: int = 60) -> str:
    return message if len(message) <= longest else message[:longest].rsplit(" ", 1)[0]
