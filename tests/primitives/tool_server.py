"""A server of tools in this process, seen by a primitive as it sees a real one."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import mcp_compliance.rules
from mcp_compliance.catalog.compile_values import Compiler
from mcp_compliance.catalog.library import Library, load_library
from mcp_compliance.catalog.positions import load_document
from mcp_compliance.catalog.values import Pick
from mcp_compliance.exchange.exchange import Exchange, Http, Process
from mcp_compliance.exchange.sending import Sending
from mcp_compliance.interpreter.picks import Picker
from mcp_compliance.interpreter.scope import Scope
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.model.options import ToolConsent

SHARED = Path(next(iter(mcp_compliance.rules.__path__))) / "shared"
PAYLOADS = load_document(SHARED / "_payloads.yaml").value
LIBRARY: Library = load_library(SHARED / "_patterns.yaml")


@dataclass(frozen=True)
class Says:
    """A tool's result: one text, or an error when ``flagged``."""

    text: str
    flagged: bool = False


@dataclass(frozen=True)
class Asks:
    """A result that asks the user for input before the tool goes on."""

    message: str
    kind: str = "input_required"


@dataclass(frozen=True)
class Refuses:
    """A JSON-RPC error."""

    message: str
    code: int = -32602


@dataclass(frozen=True)
class Gate:
    """An HTTP status without a message."""

    status: int


@dataclass(frozen=True)
class Silence:
    """No answer. ``outcome`` as in an exchange."""

    outcome: str = "timeout"


Reply: TypeAlias = str | Says | Asks | Refuses | Gate | Silence
Handler: TypeAlias = Callable[[JSONObject], Reply] | Callable[[JSONObject], Awaitable[Reply]]


def tool(name: str, *arguments: str, read_only: bool | None = True, **schemas: JSON) -> JSONObject:
    """A tool whose named arguments are required texts; ``schemas`` adds arguments with schemas of their own."""
    properties: JSONObject = {argument: {"type": "string"} for argument in arguments}
    properties.update(schemas)
    listed: JSONObject = {
        "name": name,
        "inputSchema": {"type": "object", "properties": properties, "required": [*properties]},
    }
    if read_only is not None:
        listed["annotations"] = {"readOnlyHint": read_only}
    return listed


@dataclass
class ToolServer:
    """The context of a primitive over tools in this process. ``calls`` keeps the arguments of every call, by tool."""

    tools: list[JSONObject]
    handlers: dict[str, Handler]
    transport: str = "stdio"
    endpoint: str | None = None
    near: bool = True
    alive: bool = True
    consent: ToolConsent = field(default_factory=ToolConsent)
    calls: list[tuple[str, JSONObject]] = field(default_factory=list)
    shown: list[Exchange] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = random.Random(7)
        self._picker = Picker({"argument": Compiler().expression("tools", ())}, self.consent)
        self._scope = Scope(LIBRARY, {"tools": [*self.tools]})

    def payloads(self, name: str) -> JSONObject:
        found = PAYLOADS[name] if isinstance(PAYLOADS, dict) else None
        assert isinstance(found, dict)
        return found

    def candidates(self, must: tuple[str, ...], prefer: tuple[str, ...], most: int) -> list[JSONObject]:
        picked = self._picker.pick(Pick("argument", must, prefer, most, ()), self._scope)
        return [item for item in picked if isinstance(item, dict)]

    def no_candidate(self, must: tuple[str, ...]) -> str:
        return self._picker.reason(Pick("argument", must, (), 1, ()), self._scope)

    @property
    def passed_over(self) -> list[str]:
        return list(self._picker.passed_over)

    def pattern_hit(self, text: str, name: str) -> str | None:
        return next((hit.found for hit in LIBRARY.patterns[name].hits(text)), None)

    async def answers(self) -> bool:
        return self.alive

    def show(self, exchange: Exchange) -> None:
        self.shown.append(exchange)

    async def get(self, url: str) -> Exchange:
        raise NotImplementedError(url)

    async def call(self, method: str, params: JSONObject) -> Exchange:
        assert method == "tools/call"
        name, arguments = params["name"], params["arguments"]
        assert isinstance(name, str)
        assert isinstance(arguments, dict)
        self.calls.append((name, arguments))
        sending = Sending("attack", 15.0, message={"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        reply = self.handlers[name](arguments)
        if isinstance(reply, Awaitable):
            reply = await reply
        return _exchange(sending, reply)


def _exchange(sending: Sending, reply: Reply) -> Exchange:
    if isinstance(reply, Gate):
        return Exchange(sending, "answered", http=Http(reply.status, "http://h/mcp", ()))
    if isinstance(reply, Silence):
        process = Process(False, 3, None, "boom") if reply.outcome == "died" else None
        return Exchange(sending, reply.outcome, process=process, problem=reply.outcome)  # type: ignore[arg-type]
    message: JSONObject = {"jsonrpc": "2.0", "id": 1}
    if isinstance(reply, Refuses):
        message["error"] = {"code": reply.code, "message": reply.message}
    elif isinstance(reply, Asks):
        params: JSONObject = {"message": reply.message, "requestedSchema": {"type": "object", "properties": {}}}
        requests: JSONObject = {"confirm": {"method": "elicitation/create", "params": params}}
        message["result"] = {"resultType": reply.kind, "inputRequests": requests}
    else:
        said = reply if isinstance(reply, Says) else Says(reply)
        content: list[JSON] = [{"type": "text", "text": said.text}]
        message["result"] = {"resultType": "complete", "content": content, "isError": said.flagged}
    return Exchange(sending, "answered", message=message)
