"""A scripted wire: answers sendings from the replies of a case, and from the revision's model where a case is silent.

Replies over HTTP pass through the same digestion as real ones, so that a case cannot say what a wire could not.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal, cast

import httpx

from mcp_compliance.catalog.expressions import ExpressionRaised, is_true
from mcp_compliance.catalog.revision import Revision
from mcp_compliance.exchange.exchange import Exchange, Outcome, Process
from mcp_compliance.exchange.recorder import Recorder, SentEntry, kind_of
from mcp_compliance.exchange.sending import Sending, Until
from mcp_compliance.interpreter.scope import Scope
from mcp_compliance.interpreter.values import filled
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.wire.http_reply import Allowance, HttpReply
from mcp_compliance.wire.jsonrpc import parse

NO_ANSWER: dict[str, tuple[Outcome, str]] = {
    "timeout": ("timeout", "no answer in time (timeout)"),
    "drop": ("dropped", "the connection was closed without an answer"),
    "unreachable": ("unreachable", "connection refused"),
    "quiet": ("quiet", "nothing arrived"),
}
SESSION_HEADER = "MCP-Session-Id"
ENDPOINT = "https://server.example/mcp"


@dataclass
class Script:
    """The replies of one case, consumed in order. ``used`` counts how often each name has answered."""

    revision: Revision
    replies: Mapping[str, JSON]
    used: Counter[str] = field(default_factory=Counter)

    def reply(self, sending: Sending) -> JSONObject:
        """The reply to this sending: the case's by step name, else the model's."""
        name, _, after = sending.step.partition(".")
        given = self.replies.get(name)
        if after:
            follow = given.get("after") if isinstance(given, dict) else None
            return follow if isinstance(follow, dict) else self._model(sending)
        if given is None:
            return self._model(sending)
        index = self.used[name]
        self.used[name] += 1
        if isinstance(given, dict) and "session" in given:
            return with_session(given, self._model(sending))
        if isinstance(given, dict) and "pages" not in given:
            return given
        several = expanded(given.get("pages") if isinstance(given, dict) else given)
        return several[index] if index < len(several) else self._model(sending)

    def _model(self, sending: Sending) -> JSONObject:
        """What the model answers; what it is asked most is always the same, so its answers are kept."""
        kept = self.revision.model_replies
        asked = (sending.step, sending.http_method, sending.url, sending.headers, sending.body)
        if asked not in kept:
            kept[asked] = self._modelled(sending)
        return kept[asked]

    def _modelled(self, sending: Sending) -> JSONObject:
        params = sending.message.get("params") if sending.message is not None else None
        headers: JSONObject = {name.lower(): value for name, value in sending.headers}
        view: JSONObject = {
            "step": sending.step,
            "method": sending.method,
            "id": sending.id,
            "has_id": sending.has_id,
            "params": params,
            "message": sending.message,
            "http_method": sending.http_method,
            "url": sending.url,
            "headers": headers,
            "body": None if sending.body is None else sending.body[:100_000].decode("utf-8", "replace"),
        }
        scope = Scope(self.revision.library, {"sending": view})
        for line in self.revision.model:
            try:
                if is_true(scope.evaluate(line.condition)):
                    return cast(JSONObject, filled(line.reply, scope))
            except ExpressionRaised:
                continue
        return {"result": {}} if sending.has_id else {}


def expanded(replies: JSON) -> list[JSONObject]:
    """A list of replies with ``repeat: n`` written out."""
    found: list[JSONObject] = []
    for reply in replies if isinstance(replies, list) else []:
        if isinstance(reply, dict):
            times = reply.get("repeat", 1)
            found += [reply] * (times if isinstance(times, int) else 1)
    return found


def with_session(given: JSONObject, model: JSONObject) -> JSONObject:
    """``session: <id>`` or ``session: null`` on an opening: the model's answer with that session id, or with none."""
    kept = {name: value for name, value in _headers(model).items() if name.lower() != SESSION_HEADER.lower()}
    if given["session"] is not None:
        kept[SESSION_HEADER] = given["session"]
    return {**model, **{key: value for key, value in given.items() if key != "session"}, "headers": kept}


def _headers(reply: JSONObject) -> JSONObject:
    headers = reply.get("headers")
    return headers if isinstance(headers, dict) else {}


def _without_response(exchange: Exchange) -> bool:
    """Whether events arrived, and no response among them: on a wire such a stream would still be open."""
    return exchange.outcome == "dropped" and exchange.http is not None and exchange.http.status < 300


class ScriptedStream:
    def __init__(self, exchange: Exchange) -> None:
        self.exchange = exchange

    async def aclose(self) -> None:
        return


class ScriptedWire:
    """One peer of a case."""

    def __init__(self, transport: Literal["http", "stdio"], script: Script, recorder: Recorder, peer: str) -> None:
        self._transport: Literal["http", "stdio"] = transport
        self._script = script
        self._recorder = recorder
        self._peer = peer
        self._process = Process(alive=True) if transport == "stdio" else None

    @property
    def transport(self) -> Literal["http", "stdio"]:
        return self._transport

    @property
    def process(self) -> Process | None:
        return self._process

    async def exchange(self, sending: Sending) -> Exchange:
        return self._answer(sending)

    async def stream(self, sending: Sending, until: Until) -> ScriptedStream:
        exchange = self._answer(sending)
        if exchange.outcome == "answered" and (exchange.message is None or sending.answers == "none"):
            fine = exchange.http is None or exchange.http.status < 300
            exchange = replace(exchange, outcome="open" if fine else "answered")
        elif exchange.messages and (exchange.outcome == "timeout" or _without_response(exchange)):
            exchange = replace(exchange, outcome="open", problem=None)
        return ScriptedStream(exchange)

    async def watch(self, seconds: float) -> Process | None:
        reply = self._script.replies.get("watch")
        if isinstance(reply, dict) and "died" in reply:
            self._die(reply)
        return self._process

    async def aclose(self) -> None:
        return

    def _answer(self, sending: Sending) -> Exchange:
        entry = self._recorder.sent(sending)
        if self._process is not None and not self._process.alive:
            self._recorder.ended(entry)
            return Exchange(sending, "died", process=self._process, problem="the server has exited")
        reply = self._script.reply(sending)
        try:
            return self._play(sending, entry, reply)
        finally:
            self._recorder.ended(entry)

    def _play(self, sending: Sending, entry: SentEntry, reply: JSONObject) -> Exchange:
        before = self._messages(sending, entry, reply)
        if "died" in reply:
            self._die(reply)
            return Exchange(sending, "died", messages=before, process=self._process, problem="the server exited")
        for key, (outcome, problem) in NO_ANSWER.items():
            if reply.get(key) is True:
                return Exchange(sending, outcome, messages=before, process=self._process, problem=problem)
        exchange = self._http(sending, entry, reply) if self._transport == "http" else self._line(sending, entry, reply)
        return replace(exchange, messages=(*before, *exchange.messages), process=self._process)

    def _die(self, reply: JSONObject) -> None:
        code = reply["died"]
        tail = reply.get("stderr", "")
        self._process = Process(False, code if isinstance(code, int) else 1, None, str(tail))

    def _messages(self, sending: Sending, entry: SentEntry, reply: JSONObject) -> tuple[JSONObject, ...]:
        """Messages that come before the response; ``raw`` alone is a line, read as a wire would read it."""
        items = []
        given = reply.get("messages")
        for message in given if isinstance(given, list) else []:
            if isinstance(message, dict):
                payload, problem = message.get("payload"), message.get("problem")
                raw = str(message.get("raw", json.dumps(payload, ensure_ascii=False)))
                if problem is None and "payload" not in message:
                    parsed = parse(raw.encode("utf-8", "surrogatepass"))
                    payload, problem = parsed.payload, parsed.problem
                item = self._recorder.received(
                    payload,
                    raw,
                    peer=self._peer,
                    during=entry,
                    era=sending.era,
                    problem=None if problem is None else str(problem),
                )
                if "kind" in message:
                    item["kind"] = message["kind"]
                items.append(item)
        return tuple(items)

    @staticmethod
    def response(sending: Sending, reply: JSONObject) -> JSONObject | None:
        """The JSON-RPC response that a reply abbreviates, wrapped with the right id unless it gives one."""
        members: JSONObject = {key: reply[key] for key in ("result", "error") if key in reply}
        if not members:
            return None
        identifier = reply.get("id", sending.id)
        head: JSONObject = {"jsonrpc": reply.get("jsonrpc", "2.0")}
        if head["jsonrpc"] is None:
            head = {}
        if identifier is not None or ("id" in reply and reply["id"] is None):
            head["id"] = identifier
        return {**head, **members}

    def _http(self, sending: Sending, entry: SentEntry, reply: JSONObject) -> Exchange:
        response = self.response(sending, reply)
        headers = {name: str(value) for name, value in _headers(reply).items()}
        kind = "application/json"
        if "events" in reply:
            kind = "text/event-stream"
            body = events_text(reply["events"], response)
        elif "body" in reply:
            body = reply["body"] if isinstance(reply["body"], str) else json.dumps(reply["body"], ensure_ascii=False)
        else:
            body = "" if response is None else json.dumps(response, ensure_ascii=False)
        if body and not any(name.lower() == "content-type" for name in headers):
            headers["Content-Type"] = kind
        default = 202 if sending.answers == "none" and sending.message is not None else 200
        status = reply.get("status", default)
        digest = HttpReply(sending, entry, self._recorder, Allowance())
        request = httpx.Request(sending.http_method, _url(sending.url or ENDPOINT))
        digest.head(httpx.Response(status if isinstance(status, int) else 200, headers=headers, request=request))
        digest.feed(body.encode("utf-8", "surrogatepass"))
        digest.body_ended()
        return digest.exchange()

    def _line(self, sending: Sending, entry: SentEntry, reply: JSONObject) -> Exchange:
        payload: JSON = self.response(sending, reply)
        if payload is None and "body" in reply:
            payload = reply["body"]
        if payload is None:
            if sending.answers == "none":
                return Exchange(sending, "answered")
            return Exchange(sending, "timeout", problem="no answer in time (timeout)")
        item = self._recorder.received(
            payload, json.dumps(payload, ensure_ascii=False), peer=self._peer, during=entry, era=sending.era
        )
        counts = kind_of(payload) in ("response", "error")
        return Exchange(
            sending,
            "answered" if counts else "timeout",
            message=cast(JSONObject, payload) if counts else None,
            messages=(item,),
        )


@lru_cache(maxsize=64)
def _url(address: str) -> httpx.URL:
    return httpx.URL(address)


def events_text(events: JSON, response: JSONObject | None) -> str:
    """An event stream of entries ``{event, id, data, retry}``; ``data: response`` stands for the response."""
    lines: list[str] = []
    for event in events if isinstance(events, list) else []:
        if not isinstance(event, dict):
            continue
        for key in ("event", "id", "retry"):
            if key in event:
                lines.append(f"{key}: {event[key]}")
        data = event.get("data")
        if data == "response":
            data = response
        text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
        if "data" in event:
            lines.append(f"data: {text}")
        lines.append("")
    return "\n".join(lines) + "\n"
