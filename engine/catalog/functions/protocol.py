"""What exchanges and messages say, in the terms of MCP, JSON-RPC and HTTP."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mcp_compliance.catalog.functions.challenges import Challenge, parse_challenges
from mcp_compliance.catalog.functions.declare import LIST_LIMIT, TEXT_LIMIT, Shelf
from mcp_compliance.catalog.functions.uris import variables_of
from mcp_compliance.catalog.patterns import PatternSet
from mcp_compliance.catalog.wire_check import check_received
from mcp_compliance.catalog.wire_schema import WireSchema
from mcp_compliance.exchange.recorder import kind_of
from mcp_compliance.jsontypes import JSON, JSONObject

shelf = Shelf("protocol")

META_PREFIX = "io.modelcontextprotocol/"
HITS_LIMIT = 100


def _exchange(http: JSONObject, **more: JSON) -> JSONObject:
    return {"http": http, "sent": {"headers": {}}, **more}


def _challenged(status: int, value: str, **headers: JSON) -> JSONObject:
    http: JSONObject = {"status": status, "header_list": [["WWW-Authenticate", value]]}
    return {"http": http, "sent": {"headers": headers}}


@shelf(
    {"exchange": "object or null", "name": "string"},
    "string or null",
    [
        ([{"http": {"headers": {"retry-after": "2"}}}, "Retry-After"], "2"),
        ([{"http": {"headers": {}}}, "Retry-After"], None),
        ([{"http": None}, "Retry-After"], None),
        ([None, "Retry-After"], None),
    ],
)
def header(exchange: JSON, name: JSON) -> JSON:
    """The value of a response header, whatever its letter case; repeated ones joined with a comma."""
    headers = _member(_member(exchange, "http"), "headers")
    value = headers.get(name.lower()) if isinstance(headers, dict) and isinstance(name, str) else None
    return value if isinstance(value, str) else None


@shelf(
    {"x": "object or null", "name": "string"},
    "any",
    [
        ([{"_meta": {"io.modelcontextprotocol/serverInfo": {"name": "s"}}}, "serverInfo"], {"name": "s"}),
        ([{"_meta": {"progressToken": 7}}, "progressToken"], 7),
        ([{"_meta": {"a.example/x": 1}}, "a.example/x"], 1),
        ([{"_meta": None}, "x"], None),
        ([None, "x"], None),
    ],
)
def meta(x: JSON, name: JSON) -> JSON:
    """A member of `_meta` of a params or result object: under MCP's own prefix, or else under the bare
    name."""
    members = _member(x, "_meta")
    if not isinstance(members, dict) or not isinstance(name, str):
        return None
    return members.get(META_PREFIX + name, members.get(name))


@shelf(
    {"message": "any"},
    "string or null",
    [
        ([{"jsonrpc": "2.0", "id": 1, "method": "ping"}], "request"),
        ([{"jsonrpc": "2.0", "method": "ping"}], "notification"),
        ([{"jsonrpc": "2.0", "id": 1, "result": {}}], "response"),
        ([{"jsonrpc": "2.0", "id": None, "error": {"code": -32700}}], "error"),
        ([[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]], "batch"),
        ([{"hello": 1}], "stray"),
        (["text"], "stray"),
        ([None], None),
    ],
    one_of=("request", "notification", "response", "error", "batch", "stray"),
)
def kind(message: JSON) -> JSON:
    """What a parsed message is in JSON-RPC's terms, as the recording names it; `stray` when it is none."""
    return None if message is None else kind_of(message)


@shelf(
    {"exchange": "object or null"},
    "boolean",
    [
        ([{"error": {"code": -32601}}], True),
        ([{"error": None, "http": {"status": 500}}], True),
        ([{"error": None, "http": {"status": 202}}], False),
        ([{"result": {"isError": True}}], False),
        ([None], False),
    ],
)
def is_error(exchange: JSON) -> JSON:
    """Whether the answer is a rejection: a JSON-RPC error at any status, or HTTP 400 and above."""
    status = _status(exchange)
    return _member(exchange, "error") is not None or (status is not None and status >= 400)


@shelf(
    {"exchange": "object or null"},
    "array",
    [
        (
            [_challenged(401, 'Bearer realm="a, b", error="invalid_token", Basic realm="x\\"y"')],
            [
                {"scheme": "bearer", "params": {"realm": "a, b", "error": "invalid_token"}, "token68": None},
                {"scheme": "basic", "params": {"realm": 'x"y'}, "token68": None},
            ],
        ),
        (
            [_challenged(401, "Negotiate abc==, Bearer")],
            [
                {"scheme": "negotiate", "params": {}, "token68": "abc=="},
                {"scheme": "bearer", "params": {}, "token68": None},
            ],
        ),
        ([_exchange({"status": 401, "header_list": []})], []),
        ([None], []),
    ],
)
def challenges(exchange: JSON) -> JSON:
    """The challenges of all WWW-Authenticate headers, in order. Schemes and parameter names are in lower
    case."""
    return [
        {"scheme": item.scheme, "params": dict(item.params), "token68": item.token68} for item in _challenges(exchange)
    ]


@shelf(
    {"exchange": "object or null"},
    "string or null",
    [
        ([_exchange({"status": 401})], "required"),
        ([_challenged(403, "Bearer")], "required"),
        ([_exchange({"status": 403})], "forbidden"),
        ([_challenged(401, "", authorization="Bearer t")], "rejected"),
        ([_challenged(403, 'Bearer error="insufficient_scope"', authorization="Bearer t")], "rejected"),
        ([_challenged(403, "Bearer", authorization="Bearer t")], "forbidden"),
        ([_exchange({"status": 404})], None),
        ([None], None),
    ],
    one_of=("required", "rejected", "forbidden"),
)
def auth_reading(exchange: JSON) -> JSON:
    """How a 401 or 403 reads: `required` (no credential was sent), `rejected` (the one that was sent),
    `forbidden` (a 403 that says nothing about credentials); null for every other answer."""
    status = _status(exchange)
    if status not in (401, 403):
        return None
    bearer = [item for item in _challenges(exchange) if item.scheme == "bearer"]
    if _credential_sent(exchange):
        return "rejected" if status == 401 or any("error" in item.params for item in bearer) else "forbidden"
    return "required" if status == 401 or bearer else "forbidden"


@shelf(
    {"exchange": "object or null"},
    "string or null",
    [
        ([_exchange({"status": 401})], "authentication required -- pass --auth"),
        (
            [_challenged(401, 'Bearer error="invalid_token"', authorization="Bearer t")],
            "credential rejected (invalid_token: bad or expired) -- check --auth",
        ),
        ([_challenged(401, "Bearer", authorization="Bearer t")], "credential rejected -- check --auth"),
        (
            [_exchange({"status": 403})],
            "forbidden -- Host/Origin validation, a gateway, or missing credentials",
        ),
        (
            [_challenged(403, "", authorization="Bearer t")],
            "forbidden -- Host/Origin validation, a gateway, or token permissions",
        ),
        ([_exchange({"status": 200})], None),
    ],
)
def auth_advice(exchange: JSON) -> JSON:
    """What `auth_reading` says, with what to do about it, as one line of text; null where that is null."""
    reading = auth_reading(exchange)
    if reading == "required":
        return "authentication required -- pass --auth"
    if reading == "rejected":
        codes = [item.params["error"] for item in _challenges(exchange) if "error" in item.params]
        known = {"invalid_token": ": bad or expired", "insufficient_scope": ": scope missing"}
        quoted = f" ({codes[0][:60]}{known.get(codes[0], '')})" if codes else ""
        return f"credential rejected{quoted} -- check --auth"
    if reading == "forbidden":
        last = "token permissions" if _credential_sent(exchange) else "missing credentials"
        return f"forbidden -- Host/Origin validation, a gateway, or {last}"
    return None


@shelf(
    {"s": "string or null"},
    "array or null",
    [
        (["file:///{path}{?a,b*}"], ["path", "a", "b"]),
        (["x:{+a}/{a:3}"], ["a"]),
        (["file:///fixed"], []),
        (["file:///{open"], None),
        (["file:///{}"], None),
        ([None], None),
    ],
)
def template_variables(s: JSON) -> JSON:
    """The names of the variables of a URI template (RFC 6570), each once; null when it is not well formed."""
    names = variables_of(s[:TEXT_LIMIT]) if isinstance(s, str) else None
    return None if names is None else [*names]


@shelf(
    {"x": "any", "set": "string"},
    "array",
    [
        (["at 10.0.0.1", "no such set"], []),
        ([None, "no such set"], []),
    ],
    reads="patterns",
)
def pattern_hits(sets: Mapping[str, PatternSet], x: JSON, name: JSON) -> JSON:
    """What a named pattern set finds in a text, or in all texts and names inside a value: a list of
    pattern (its label), found (the passage), and at (where in the value). At most 100."""
    chosen = sets.get(name) if isinstance(name, str) else None
    if chosen is None:
        return []
    hits: list[JSON] = []
    for at, text in _texts(x):
        for hit in chosen.hits(text):
            hits.append({"pattern": hit.label, "found": hit.found, "at": at})
            if len(hits) >= HITS_LIMIT:
                return hits
    return hits


def _texts(value: JSON) -> Iterator[tuple[str, str]]:
    """Every text inside a value with its place, names of members included, in document order."""
    waiting: list[tuple[str, JSON]] = [("", value)]
    for _ in range(LIST_LIMIT):
        if not waiting:
            return
        at, item = waiting.pop()
        if isinstance(item, str):
            yield at, item
        elif isinstance(item, dict):
            for key, inner in reversed(item.items()):
                place = f"{at}.{key[:80]}" if at else key[:80]
                waiting.append((place, inner))
                if not key.isidentifier() or not key.isascii():
                    waiting.append((place, key))
        elif isinstance(item, list):
            waiting.extend((f"{at}[{index}]", inner) for index, inner in reversed(list(enumerate(item))))


@shelf(
    {"items": "array or null"},
    "object",
    [
        ([[]], {"judged": 0, "left_out": 0, "violations": []}),
        ([[{"kind": "stray", "payload": None}]], {"judged": 0, "left_out": 1, "violations": []}),
        ([None], {"judged": 0, "left_out": 0, "violations": []}),
    ],
    reads="wire",
)
def wire_check(wire: WireSchema | None, items: JSON) -> JSON:
    """Items of the recording held against the wire schema of the revision: results by the method that they answer
    and by their type, errors by their code, notifications by their method. `judged` and `left_out` are numbers of
    items; left out are requests, answers to raw requests, what is no object, and what need not be the server's own
    (JSON without `jsonrpc` on stdio or from HTTP 400 on). `violations` lists what is wrong, one entry for each
    cause: message (such as `tools/list response`), path (a JSON pointer), problem (as `is "yes", not a boolean`),
    found (the JSON type of what is there, or `nothing`), times (how often, other items of the same list included),
    text (all this in a line), item (the first item of the recording that has it)."""
    return check_received(wire, items)


def _member(value: JSON, key: str) -> JSON:
    return value.get(key) if isinstance(value, dict) else None


def _status(exchange: JSON) -> int | None:
    status = _member(_member(exchange, "http"), "status")
    return status if isinstance(status, int) and not isinstance(status, bool) else None


def _credential_sent(exchange: JSON) -> bool:
    headers = _member(_member(exchange, "sent"), "headers")
    return isinstance(headers, dict) and any(key.lower() == "authorization" and value for key, value in headers.items())


def _challenges(exchange: JSON) -> list[Challenge]:
    http = _member(exchange, "http")
    listed = _member(http, "header_list")
    fields = [
        pair[1]
        for pair in (listed if isinstance(listed, list) else [])
        if isinstance(pair, list)
        and len(pair) == 2
        and isinstance(pair[0], str)
        and isinstance(pair[1], str)
        and pair[0].lower() == "www-authenticate"
    ]
    if not fields:
        joined = _member(_member(http, "headers"), "www-authenticate")
        fields = [joined] if isinstance(joined, str) else []
    return parse_challenges(fields)
